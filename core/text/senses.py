"""English words with two meanings, and the French words that tell the meanings apart in a translation."""

import re
from collections.abc import Mapping

_FRENCH_WORD = re.compile(r"[^\W\d_]+")
SENSES: Mapping[str, Mapping[str, str]] = {
    "light": {"lamp": "lumière lumières lampe éclairage feu feux", "not heavy": "léger légère légers légères"},
    "right": {"correct": "raison", "not left": "droite"},
    "watch": {
        "look at": "regarder regarde regardes regardé regardait regardons regardez regardent regardais regardaient",
        "on the wrist": "montre montres",
    },
    "kind": {
        "sort": "sorte sortes genre type espèce",
        "friendly": "gentil gentille gentils gentilles aimable aimables bienveillant",
    },
    "left": {
        "went away": "parti partie partis partit partirent quitté quittée quitta laissé laissée laissa",
        "not right": "gauche",
    },
    "play": {
        "a game": "jouer joue joues jouent jouons jouez jouait jouaient joué jouais",
        "at the theatre": "pièce pièces théâtre",
    },
    "park": {"garden": "parc parcs", "the car": "garer gare garé garée stationner stationné stationnement"},
    "mean": {"intend": "veux veut voulez dire signifie voulais voulait", "nasty": "méchant méchante méchants cruel"},
    "back": {"return": "retour revenir reviens revient revenu rentrer arrière", "of the body": "dos"},
    "change": {"make other": "changer change changes changé changement", "coins": "monnaie"},
    "country": {"nation": "pays", "not town": "campagne"},
    "free": {"at liberty": "libre libres", "for nothing": "gratuit gratuite gratuits gratuitement"},
    "paper": {"sheet": "papier papiers", "news": "journal journaux"},
    "present": {"gift": "cadeau cadeaux", "here, now": "présent présente présents"},
    "date": {"day": "date dates", "meeting": "rendez"},
    "second": {"of a minute": "seconde secondes instant", "after the first": "deuxième second"},
    "order": {"a meal": "commander commande commandé", "command": "ordre ordres"},
    "last": {"final": "dernier dernière derniers dernières", "go on": "durer dure duré durera"},
}


def sense_of(word: str, french: str) -> str | None:
    """Return the meaning of an English word, judged by a French translation of its sentence.

    None if the translation contains no word of either meaning, or words of both.
    """
    words = set(_FRENCH_WORD.findall(french.lower()))
    senses = [sense for sense, forms in SENSES[word].items() if words & set(forms.split())]
    return senses[0] if len(senses) == 1 else None
