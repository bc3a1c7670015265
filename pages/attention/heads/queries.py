"""What the views of heads look at, kept for all visitors."""

from core.explorer.heads import ablation, all_heads, names
from core.explorer.shared.loading import Holds
from pages.queries.models import kept

patterns = kept(all_heads.patterns)
projections = kept(all_heads.projections)
contributions = kept(all_heads.contributions)
overview = kept(all_heads.overview)
behaviours = kept(all_heads.behaviours, holds=Holds(one=6))
mixing = kept(all_heads.mixing)
head_names = kept(names.head_names, holds=Holds(random_heads=names.RANDOM_HEADS, one=8))
ablate = kept(ablation.ablate, holds=Holds(every=1, one=1, logits=6))
