"""Sentences that learners might write, each for a kind of trouble: the first ten are tried in every run."""

OWN_SENTENCES = (
    "Anna and Anna's dog met Anna in Paris, Texas!",  # a name again and again, and words cut into pieces
    "the red fox ran over the hill and the red fox ran over the",  # a past that is repeated, to different lengths
    "The tall man buys a white shirt.",  # two forms of a French adjective
    "I love 🍕 very much today.",  # bytes
    "Hi",  # one word
    "it is not a bad film at all",  # a verdict that depends on a small word
    "Le chat noir dort sur le tapis rouge.",  # French
    "Buffalo buffalo buffalo Buffalo buffalo",  # nothing but repetition
    "She was born on 3 May 1999 at 7:45.",  # numbers
    "The old king said to his daughter:",  # a mark is expected next
    "My sister plays the violin every evening",
    "The happy boys wear black shoes.",
    "A hungry fox stole the bread and it ran away.",
    "go go go go",
    "Stop!",
    "?!",
    "“Who is there?” asked the little girl.",
    "He said that she said that he said so",
    "My grandmother baked an extraordinary cake, and the cat ate the cake.",
    "Yesterday the old teacher opened the window because it was hot in the old",
    "If you see the sea, <b>you</b> will see *ships*.",
    "The movie was long but never boring.",
    "The actors are great but the plot is terribly dull.",
    "this film is not good.",
    "Honorificabilitudinitatibus is a very long word.",
    "L'été, les enfants jouent dans le jardin.",
    "Zoë's naïve café façade",
    "The boy gave the girl a book, and the girl gave the boy a pen.",
    "In the big house lives a big dog with a big bone in a big",
    "A very, very good film, and a very good story",
    "two words",
    "A blue car and a red car stop at the red light.",
    "We saw Tom, Tim and Tam near the river at night.",
    "I can can a can",
    "the THE The tHe",
    "100 200 300 400",
    "Bananas are yellow, and so is the sun",
    "Mr. Smith's e-mail: smith@example.org",
    "The nice old lady buys new shoes and drinks cold water.",
    "When the sun went down, the tired men walked home slowly through the snow.",
)
