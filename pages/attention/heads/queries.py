"""What the views of heads look at, kept for all visitors."""

from core.explorer.heads import ablation, all_heads, names
from core.explorer.shared.loading import Holds
from pages.queries.models import kept

patterns = kept(all_heads.patterns, holds=Holds(one=6))
projections = kept(all_heads.projections)
contributions = kept(all_heads.contributions)
overview = kept(all_heads.overview, holds=Holds(one=6))
behaviours = kept(all_heads.behaviours, holds=Holds(one=8))
mixing = kept(all_heads.mixing)
head_names = kept(names.head_names, holds=Holds(models=2, one=13))
ablate = kept(ablation.ablate, holds=Holds(every=2, logits=6))
