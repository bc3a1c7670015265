"""What the views of heads look at, kept for all visitors."""

from core.explorer.heads import ablation, all_heads, names
from pages.queries.models import kept

patterns = kept(all_heads.patterns)
projections = kept(all_heads.projections)
contributions = kept(all_heads.contributions)
overview = kept(all_heads.overview)
behaviours = kept(all_heads.behaviours)
mixing = kept(all_heads.mixing)
head_names = kept(names.head_names)
ablate = kept(ablation.ablate)
