"""Makes English-French pairs in which a later clause decides which noun "it" refers to.

"The dog didn't cross the river because it was too tired / too deep": in French the pronoun is *il* or *elle* by the
gender of the noun that is meant, and the adjective agrees with it. The genders are counted from the articles of the
training text (`count_genders`); a noun is left out if the text does not decide its gender. Combinations of a noun and
an adjective that an evaluation list holds are never made.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

Pair = tuple[str, str]
VOWELS = tuple("aeiouyàâéèêîôhœ")
ASPIRATED = ("haie", "hamster", "hangar", "hache", "hibou", "hérisson")

# English: French, nouns by the role that they can have in a scene.
NOUNS: Mapping[str, str] = {
    "agents": "dog: chien, cat: chat, horse: cheval, cow: vache, mouse: souris, rabbit: lapin, fox: renard, wolf: loup,"
    " bear: ours, goat: chèvre, sheep: mouton, hen: poule, duck: canard, bird: oiseau, snake: serpent,"
    " frog: grenouille, spider: araignée, bee: abeille, monkey: singe, elephant: éléphant, lion: lion,"
    " tiger: tigre, donkey: âne, pig: cochon, turtle: tortue, ant: fourmi, fly: mouche, fish: poisson,"
    " whale: baleine, giraffe: girafe, camel: chameau, squirrel: écureuil, butterfly: papillon,"
    " parrot: perroquet, puppy: chiot, kitten: chaton,"
    " pigeon: pigeon, rat: rat, animal: animal, crow: corbeau, eagle: aigle, deer: cerf, snail: escargot",
    "ways": "road: route, street: rue, river: rivière, bridge: pont, field: champ, lake: lac, forest: forêt,"
    " desert: désert, valley: vallée, square: place, avenue: avenue, path: chemin, tunnel: tunnel, yard: cour,"
    " mountain: montagne, garden: jardin, beach: plage, park: parc",
    "places": "house: maison, cave: grotte, room: chambre, garage: garage, hole: trou, cage: cage, kitchen: cuisine,"
    " tent: tente, church: église, castle: château, bathroom: salle de bain, classroom: salle de classe, cellar: cave,"
    " office: bureau, school: école, shop: magasin, library: bibliothèque, restaurant: restaurant, farm: ferme,"
    " elevator: ascenseur, kennel: niche, basket: panier, barn: grange",
    "foods": "apple: pomme, bread: pain, cake: gâteau, meat: viande, cheese: fromage, soup: soupe, rice: riz,"
    " salad: salade, carrot: carotte, pear: poire, banana: banane, chocolate: chocolat, sandwich: sandwich,"
    " egg: œuf, potato: pomme de terre, orange: orange, lemon: citron, melon: melon, ice cream: glace, ham: jambon,"
    " cherry: cerise, grass: herbe, nut: noix, pie: tarte, steak: steak",
    "drinks": "water: eau, milk: lait, tea: thé, coffee: café, beer: bière, wine: vin, juice: jus, soup: soupe",
    "loads": "car: voiture, bag: sac, box: boîte, stone: pierre, table: table, suitcase: valise, chair: chaise,"
    " boat: bateau, basket: panier, tree: arbre, branch: branche, piano: piano, cart: charrette, trunk: malle,"
    " bed: lit, machine: machine, bike: vélo, bucket: seau, rock: rocher, television: télévision",
    "heights": "wall: mur, fence: clôture, hill: colline, mountain: montagne, ladder: échelle, tree: arbre, roof: toit,"
    " tower: tour, gate: portail, hedge: haie, rock: rocher, stairs: escalier",
    "objects": "book: livre, hat: chapeau, ball: balle, table: table, sofa: canapé, guitar: guitare, coat: manteau,"
    " dress: robe, lamp: lampe, computer: ordinateur, chair: chaise, piano: piano, toy: jouet, bottle: bouteille,"
    " blanket: couverture, pillow: oreiller, skirt: jupe, shirt: chemise, knife: couteau, spoon: cuillère,"
    " plate: assiette, television: télévision, camera: appareil photo, watch: montre, doll: poupée, bike: vélo,"
    " umbrella: parapluie, letter: lettre, newspaper: journal, photo: photo, drum: tambour, fork: fourchette,"
    " towel: serviette, cup: tasse, jacket: veste, sweater: pull, package: paquet, mirror: miroir, carpet: tapis,"
    " clock: horloge, key: clé, pencil: crayon, candle: bougie, ring: bague, necklace: collier, helmet: casque",
    "containers": "bag: sac, box: boîte, suitcase: valise, car: voiture, drawer: tiroir, room: chambre, truck: camion,"
    " trunk: coffre, pocket: poche, garage: garage, closet: placard, basket: panier, cupboard: armoire, tent: tente,"
    " envelope: enveloppe, bucket: seau, kitchen: cuisine, elevator: ascenseur, case: caisse, boat: bateau",
    "openings": "door: porte, window: fenêtre, hole: trou, gate: portail, tunnel: tunnel, corridor: couloir,"
    " entrance: entrée",
    "supports": "table: table, shelf: étagère, chair: chaise, desk: bureau, bed: lit, plate: assiette, bench: banc,"
    " wall: mur, sofa: canapé, tray: plateau, stove: cuisinière",
    "tools": "knife: couteau, hammer: marteau, axe: hache, saw: scie, machine: machine, scissors: ciseaux, blade: lame",
    "materials": "meat: viande, wood: bois, stone: pierre, rope: corde, paper: papier, bread: pain, branch: branche,"
    " cheese: fromage, ice: glace, board: planche, cloth: tissu, skin: peau",
    "vehicles": "car: voiture, truck: camion, bus: bus, train: train, boat: bateau, plane: avion, motorcycle: moto,"
    " taxi: taxi, tractor: tracteur, ambulance: ambulance",
}

# English: masculine/feminine; "h:faim" is said with avoir. The adjectives that suit a noun in each of the roles above,
# and in three further ones.
ADJECTIVES: Mapping[str, str] = {
    "agents": "tired: fatigué/fatiguée, weak: faible/faible, old: vieux/vieille, slow: lent/lente, sick: malade/malade,"
    " scared: effrayé/effrayée, frightened: effrayé/effrayée, lazy: paresseux/paresseuse, young: jeune/jeune,"
    " nervous: nerveux/nerveuse, shy: timide/timide, fat: gros/grosse, small: petit/petite, hungry: h:faim,"
    " thirsty: h:soif, sleepy: h:sommeil, angry: fâché/fâchée, sad: triste/triste, injured: blessé/blessée,"
    " exhausted: épuisé/épuisée, stupid: bête/bête, happy: content/contente, cold: h:froid, afraid: h:peur",
    "ways": "wide: large/large, long: long/longue, dangerous: dangereux/dangereuse, dark: sombre/sombre,"
    " narrow: étroit/étroite, busy: fréquenté/fréquentée, muddy: boueux/boueuse, noisy: bruyant/bruyante,"
    " crowded: bondé/bondée, slippery: glissant/glissante, steep: raide/raide, deep: profond/profonde,"
    " wet: mouillé/mouillée, dry: sec/sèche, big: grand/grande",
    "places": "dark: sombre/sombre, small: petit/petite, cold: froid/froide, noisy: bruyant/bruyante,"
    " hot: chaud/chaude, dirty: sale/sale, crowded: bondé/bondée, dangerous: dangereux/dangereuse,"
    " narrow: étroit/étroite, full: plein/pleine, empty: vide/vide, closed: fermé/fermée, deep: profond/profonde,"
    " warm: chaud/chaude",
    "foods": "hard: dur/dure, dry: sec/sèche, bitter: amer/amère, salty: salé/salée, cold: froid/froide,"
    " hot: chaud/chaude, sweet: sucré/sucrée, sour: acide/acide, rotten: pourri/pourrie, old: vieux/vieille,"
    " green: vert/verte, big: gros/grosse, spicy: épicé/épicée, fresh: frais/fraîche",
    "drinks": "cold: froid/froide, hot: chaud/chaude, dirty: sale/sale, bitter: amer/amère, sour: acide/acide,"
    " strong: fort/forte, warm: tiède/tiède, sweet: sucré/sucrée",
    "loads": "heavy: lourd/lourde, big: gros/grosse, large: grand/grande, wide: large/large, full: plein/pleine",
    "heights": "high: haut/haute, steep: raide/raide, slippery: glissant/glissante, dangerous: dangereux/dangereuse,"
    " tall: haut/haute, wet: mouillé/mouillée, old: vieux/vieille, rusty: rouillé/rouillée",
    "objects": "big: grand/grande, large: grand/grande, long: long/longue, wide: large/large, thick: épais/épaisse,"
    " heavy: lourd/lourde, round: rond/ronde, fat: gros/grosse, tall: grand/grande",
    "containers": "small: petit/petite, full: plein/pleine, narrow: étroit/étroite, short: court/courte,"
    " tiny: minuscule/minuscule, low: bas/basse",
    "openings": "narrow: étroit/étroite, small: petit/petite, low: bas/basse",
    "supports": "small: petit/petite, dirty: sale/sale, full: plein/pleine, wet: mouillé/mouillée,"
    " crowded: encombré/encombrée, low: bas/basse, broken: cassé/cassée, hot: chaud/chaude",
    "tools": "old: vieux/vieille, small: petit/petite, light: léger/légère, weak: faible/faible, short: court/courte,"
    " rusty: rouillé/rouillée",
    "materials": "hard: dur/dure, thick: épais/épaisse, strong: solide/solide, frozen: gelé/gelée, cold: froid/froide",
    "vehicles": "old: vieux/vieille, slow: lent/lente, big: grand/grande, heavy: lourd/lourde, wide: large/large,"
    " full: plein/pleine, long: long/longue, high: haut/haute",
    "kept": "dirty: sale/sale, old: vieux/vieille, wet: mouillé/mouillée, new: neuf/neuve, expensive: cher/chère,"
    " broken: cassé/cassée, heavy: lourd/lourde, beautiful: beau/belle, clean: propre/propre, useful: utile/utile",
    "free": "empty: vide/vide, open: ouvert/ouverte, big: grand/grande, large: grand/grande, clean: propre/propre,"
    " dry: sec/sèche, closed: fermé/fermée, locked: fermé à clé/fermée à clé",
    "prey": "fast: rapide/rapide, quick: rapide/rapide, clever: malin/maligne, small: petit/petite, strong: fort/forte",
}


@dataclass(frozen=True)
class Scene:
    """A sentence frame with two nouns, only one of which the adjective suits.

    - a, b: the roles of the nouns, keys of NOUNS.
    - frames: English and French beginnings; {a} and {b} are the nouns, in French with their articles.
    - a_says, b_says: the role in ADJECTIVES whose adjectives suit each noun; the noun's own role if empty.
    """

    a: str
    b: str
    frames: tuple[Pair, ...]
    a_says: str = ""
    b_says: str = ""


def _negated(verb: str, participle: str, infinitive: str, present: str, behind: str = "") -> tuple[Pair, ...]:
    """Return the frames of "The {a} did not VERB the {b}" in three tenses, with and without contraction."""
    tail, b = f"{verb} {behind + ' ' if behind else ''}the {{b}}", "{b}"
    return (
        (f"The {{a}} didn't {tail} because it was", f"{{A}} {participle} {b} parce qu'{{p}} {{was}}"),
        (f"The {{a}} did not {tail} because it was", f"{{A}} {participle} {b} parce qu'{{p}} {{was}}"),
        (f"The {{a}} couldn't {tail} because it was", f"{{A}} ne pouvait pas {infinitive} {b} parce qu'{{p}} {{was}}"),
        (f"The {{a}} could not {tail} because it was", f"{{A}} ne pouvait pas {infinitive} {b} parce qu'{{p}} {{was}}"),
        (f"The {{a}} can't {tail} because it is", f"{{A}} ne peut pas {infinitive} {b} parce qu'{{p}} {{is}}"),
        (f"The {{a}} doesn't {tail} because it is", f"{{A}} {present} {b} parce qu'{{p}} {{is}}"),
    )


SCENES: tuple[Scene, ...] = (
    Scene("agents", "ways", _negated("cross", "n'a pas traversé", "traverser", "ne traverse pas")),
    Scene("vehicles", "ways", _negated("use", "n'a pas pris", "prendre", "ne prend pas")),
    Scene("agents", "places", _negated("enter", "n'est pas entré{e} dans", "entrer dans", "n'entre pas dans")),
    Scene("agents", "places", _negated("go", "n'est pas allé{e} dans", "aller dans", "ne va pas dans", "into")),
    Scene("agents", "foods", _negated("eat", "n'a pas mangé", "manger", "ne mange pas")),
    Scene("agents", "drinks", _negated("drink", "n'a pas bu", "boire", "ne boit pas")),
    Scene("agents", "loads", _negated("pull", "n'a pas tiré", "tirer", "ne tire pas")),
    Scene("agents", "loads", _negated("carry", "n'a pas porté", "porter", "ne porte pas")),
    Scene("agents", "loads", _negated("move", "n'a pas bougé", "bouger", "ne bouge pas")),
    Scene("agents", "heights", _negated("climb", "n'a pas escaladé", "escalader", "n'escalade pas")),
    Scene(
        "agents",
        "heights",
        _negated("jump", "n'a pas sauté par-dessus", "sauter par-dessus", "ne saute pas par-dessus", "over"),
    ),
    Scene("agents", "supports", _negated("sleep", "n'a pas dormi sur", "dormir sur", "ne dort pas sur", "on")),
    Scene("agents", "agents", _negated("catch", "n'a pas attrapé", "attraper", "n'attrape pas"), b_says="prey"),
    Scene(
        "objects", "containers", _negated("fit", "n'est pas rentré{e} dans", "rentrer dans", "ne rentre pas dans", "in")
    ),
    Scene(
        "objects", "containers", _negated("fit", "n'est pas entré{e} dans", "entrer dans", "n'entre pas dans", "into")
    ),
    Scene("objects", "supports", _negated("fit", "n'a pas tenu sur", "tenir sur", "ne tient pas sur", "on")),
    Scene("objects", "openings", _negated("go", "n'est pas passé{e} par", "passer par", "ne passe pas par", "through")),
    Scene(
        "vehicles", "openings", _negated("go", "n'est pas passé{e} par", "passer par", "ne passe pas par", "through")
    ),
    Scene("tools", "materials", _negated("cut", "n'a pas coupé", "couper", "ne coupe pas")),
    Scene("tools", "materials", _negated("break", "n'a pas cassé", "casser", "ne casse pas")),
    Scene(
        "objects",
        "containers",
        (
            ("I put the {a} in the {b} because it was", "J'ai mis {a} dans {b} parce qu'{p} {was}"),
            ("She put the {a} in the {b} because it was", "Elle a mis {a} dans {b} parce qu'{p} {was}"),
            ("He left the {a} in the {b} because it was", "Il a laissé {a} dans {b} parce qu'{p} {was}"),
        ),
        a_says="kept",
        b_says="free",
    ),
    Scene(
        "objects",
        "supports",
        (
            ("I didn't put the {a} on the {b} because it was", "Je n'ai pas mis {a} sur {b} parce qu'{p} {was}"),
            (
                "We didn't leave the {a} on the {b} because it was",
                "Nous n'avons pas laissé {a} sur {b} parce qu'{p} {was}",
            ),
        ),
        a_says="kept",
    ),
)
# Frames with one noun, to which a later "it" refers: they teach the gender alone.
FOLLOWED: tuple[tuple[str, str, str, str], ...] = (
    ("objects", "kept", "I bought a {a}. It is", "J'ai acheté {un}. {P} {is}"),
    ("objects", "kept", "Where is the {a}? It was", "Où est {a} ? {P} {was}"),
    ("objects", "kept", "I like this {a} because it is", "J'aime {ce} parce qu'{p} {is}"),
    ("foods", "foods", "I don't want to eat the {a}. It is", "Je ne veux pas manger {a}. {P} {is}"),
    ("places", "places", "I don't like the {a} because it is", "Je n'aime pas {a} parce qu'{p} {is}"),
    ("agents", "agents", "Look at the {a}. It is", "Regarde {a}. {P} {is}"),
    ("vehicles", "vehicles", "We sold the {a} because it was", "Nous avons vendu {a} parce qu'{p} {was}"),
)
OTHER_GENDER = 0.7  # chance that the second noun is chosen to be of the other gender
OTHER_CONJUNCTION = 0.15  # chance that "as" or "since" replaces "because"
DEGREES = (("too", "trop", 0.7), ("very", "très", 0.15), ("", "", 0.15))


def count_genders(french: Iterable[str], nouns: Iterable[str]) -> dict[str, str]:
    """Return the gender, "m" or "f", of each noun whose gender the articles before it decide.

    It is decided if articles of one gender precede the noun at least twice, and at least nine times as often as those
    of the other.

    french: the texts in which articles are counted.
    nouns: the nouns.
    """
    wanted = set(nouns)
    counts: dict[str, Counter[str]] = {noun: Counter() for noun in wanted}
    longest = max((len(noun.split()) for noun in wanted), default=1)
    article = re.compile(rf"\b(le|un|du|au|ce|cet|la|une|cette) (?=((?:[\w'-]+ ?){{1,{longest}}}))", re.IGNORECASE)
    for text in french:
        for match in article.finditer(text):
            words, kind = (
                match[2].lower().split(),
                "m" if match[1].lower() in ("le", "un", "du", "au", "ce", "cet") else "f",
            )
            for length in range(1, longest + 1):
                noun = " ".join(words[:length])
                if noun in wanted:
                    counts[noun][kind] += 1
    decided = {}
    for noun, count in counts.items():
        (kind, most), *rest = [*count.most_common(), ("", 0)]
        if most >= 2 and most >= 9 * (rest[0][1] if rest else 0):
            decided[noun] = kind
    return decided


def noun_table(text: str) -> list[Pair]:
    """Return the entries of a table "English: French, …"."""
    return [(english.strip(), french.strip()) for english, french in (entry.split(":", 1) for entry in text.split(","))]


@dataclass(frozen=True)
class AgreementPairs:
    """A source of random pairs in which a later word decides which noun "it" refers to.

    genders: the genders of French nouns.
    kept_out: the pairs (English noun, adjective) that are never made.
    """

    genders: Mapping[str, str]
    kept_out: frozenset[Pair] = frozenset()

    @cached_property
    def nouns(self) -> dict[str, list[Pair]]:
        return {role: [(en, fr) for en, fr in noun_table(text) if fr in self.genders] for role, text in NOUNS.items()}

    @cached_property
    def adjectives(self) -> dict[str, list[Pair]]:
        return {role: noun_table(text) for role, text in ADJECTIVES.items()}

    def draw(self, rng: np.random.Generator) -> Pair | None:
        """Return one random pair of sentences, or None if the pair that was drawn cannot be used.

        A pair cannot be used if one of its nouns with its adjective is in `kept_out`, if its two nouns are the same in
        English or in French, if the adjective suits both nouns, or if no noun has a known gender for one of the roles.
        A role is a key of NOUNS, such as "foods": a scene names the roles of its two nouns. One draw in five makes a
        pair with one noun, from FOLLOWED.
        """
        if rng.random() < 0.2:
            return self._followed(rng)
        scene = SCENES[rng.integers(len(SCENES))]
        frames = scene.frames
        english, french = frames[rng.integers(len(frames))]
        if not (self.nouns[scene.a] and self.nouns[scene.b]):
            return None
        a, b = self._two_nouns(scene, rng)
        if a[0] == b[0] or a[1] == b[1]:
            return None
        first = rng.random() < 0.5
        roles = scene.a_says or scene.a, scene.b_says or scene.b
        mine, others = (self.adjectives[role] for role in (roles if first else roles[::-1]))
        adjective = self._pick(mine, rng)
        if adjective[0] in dict(others):  # it could be said of either noun
            return None
        if {(a[0], adjective[0]), (b[0], adjective[0])} & self.kept_out:
            return None
        return self._written(english, french, a, b, a if first else b, adjective, rng)

    def _two_nouns(self, scene: Scene, rng: np.random.Generator) -> tuple[Pair, Pair]:
        """Return a noun for each of the scene's two roles, mostly nouns of different gender.

        If both had the same gender, the pronoun would not show which of them it refers to.
        """
        a, others = self._pick(self.nouns[scene.a], rng), self.nouns[scene.b]
        if rng.random() < OTHER_GENDER:
            others = [noun for noun in others if self.genders[noun[1]] != self.genders[a[1]]] or others
        return a, self._pick(others, rng)

    def _followed(self, rng: np.random.Generator) -> Pair | None:
        role, says, english, french = FOLLOWED[rng.integers(len(FOLLOWED))]
        if not self.nouns[role]:
            return None
        a, adjective = self._pick(self.nouns[role], rng), self._pick(self.adjectives[says], rng)
        if (a[0], adjective[0]) in self.kept_out:
            return None
        return self._written(english, french, a, a, a, adjective, rng)

    def _written(
        self, english: str, french: str, a: Pair, b: Pair, meant: Pair, adjective: Pair, rng: np.random.Generator
    ) -> Pair:
        degree, degre = _degree(rng)
        feminine = self.genders[meant[1]] == "f"
        pronoun = "elle" if feminine else "il"
        inflected, has = _french_adjective(adjective[1], feminine)
        parts = {
            "a": self._article(a[1]),
            "A": _capital(self._article(a[1])),
            "b": self._article(b[1]),
            "un": f"{'une' if self.genders[a[1]] == 'f' else 'un'} {a[1]}",
            "ce": f"{'cette' if self.genders[a[1]] == 'f' else 'cet' if _elides(a[1]) else 'ce'} {a[1]}",
            "p": pronoun,
            "P": _capital(pronoun),
            "e": "e" if self.genders[a[1]] == "f" else "",
            "was": "avait" if has else "était",
            "is": "a" if has else "est",
        }
        for name, value in parts.items():
            french = french.replace("{" + name + "}", value)
        english = english.replace("{a}", a[0]).replace("{b}", b[0])
        english = re.sub(r"\ba (?=[aeiou])", "an ", english)
        if rng.random() < OTHER_CONJUNCTION:
            english = english.replace(" because it", f" {('as', 'since')[int(rng.integers(2))]} it")
        return (
            f"{english} {degree + ' ' if degree else ''}{adjective[0]}.",
            f"{french} {degre + ' ' if degre else ''}{inflected}.",
        )

    def _article(self, noun: str) -> str:
        """Return the noun with its definite article: "le chien", "l'eau"."""
        if _elides(noun):
            return f"l'{noun}"
        return f"la {noun}" if self.genders[noun] == "f" else f"le {noun}"

    @staticmethod
    def _pick(table: Sequence[Pair], rng: np.random.Generator) -> Pair:
        return table[int(rng.integers(len(table)))]


def _degree(rng: np.random.Generator) -> Pair:
    chosen = int(rng.choice(len(DEGREES), p=[share for *_, share in DEGREES]))
    return DEGREES[chosen][:2]


def _french_adjective(forms: str, feminine: bool) -> tuple[str, bool]:
    """Return the form that agrees with the noun, and whether it is said with avoir ("avoir faim")."""
    if forms.startswith("h:"):
        return forms.removeprefix("h:"), True
    masculine_form, feminine_form = forms.split("/")
    return (feminine_form if feminine else masculine_form), False


def _elides(noun: str) -> bool:
    return noun.startswith(VOWELS) and not noun.startswith(ASPIRATED)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
