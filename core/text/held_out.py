"""Short texts for measuring a loss. They were written for this project, so no model was trained on them."""

STORY = (
    "When the snow had gone, the miller's youngest son packed a loaf of bread and a blue cup and set off along the "
    "river. He had not walked far when he met an old goose with a bandaged foot. “Where are you going so early?” "
    "asked the goose. “To the town behind the hill,” said the boy, “for my father's wheel is broken, and nobody here "
    "can mend it.” The goose shook her head. “The bridge was carried away last night,” she said. “But if you give me "
    "half of your bread, I will show you where the water is low.”"
)
PAIRS = (
    (
        "My neighbour's grey cat sleeps on our green bench.",
        "Le chat gris de mon voisin dort sur notre banc vert.",
    ),
    ("Why did you paint the kitchen door yellow?", "Pourquoi as-tu peint la porte de la cuisine en jaune ?"),
    ("Two children carry a heavy basket to the boat.", "Deux enfants portent un panier lourd jusqu'au bateau."),
    ("She forgot her umbrella at the baker's again.", "Elle a encore oublié son parapluie chez le boulanger."),
    ("We will not leave before the rain stops.", "Nous ne partirons pas avant que la pluie s'arrête."),
    ("An old woman sells apples in front of the station.", "Une vieille femme vend des pommes devant la gare."),
)
REVIEWS = (  # each with True if it is positive
    ("a gentle and funny story about two brothers and one bicycle", True),
    ("the jokes are stale and the ending makes no sense at all", False),
    ("beautifully filmed , with a performance that stays with you for days", True),
    ("i looked at my watch four times in the first half hour", False),
    ("a clever thriller that trusts its audience and pays it back", True),
    ("so loud , so long and so empty that even the music gives up", False),
    ("warm , honest and full of small surprises", True),
    ("a lazy copy of a much better film", False),
)
LETTERS = ("kqzbmtwahe", "ycdxrupvns", "gfojlibtqw", "amzkyhscvd", "urnepxgftl", "wbqoijdazm")
