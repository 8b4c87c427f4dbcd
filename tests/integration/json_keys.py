"""The keys that warrenctl(8) lists for what `warrenctl --json` prints: nothing else may be printed."""

import re

from daemon import BUILD

FREE = {"settings", "names", "status"}  # objects with keys of the mode's or of players


def _documented():
    """By command: the words that the page has about what it prints, those of commands it refers to among them."""
    with open(f"{BUILD}/man/warrenctl.8", encoding="utf-8") as file:
        part = re.search(r"(?ms)^\.Sh JSON OUTPUT\n(.*?)^\.Sh ", file.read())[1]
    words, texts = {}, {}
    for names, text in re.findall(r"(?ms)^\.It Ic (.*?)\n(.*?)(?=^\.It |^\.El)", part):
        for name in names.split(" , "):
            texts[name] = text
            words[name] = set(re.findall(r"[a-z_]+", text))
    for name, text in texts.items():
        for other in re.findall(r"(?m)^\.Ic (\S+)", text):
            words[name] = words[name] | words[other]
    return words


def _keys(value):
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(_keys(part) for key, part in value.items() if key not in FREE or isinstance(part, list)))


def undocumented(command, value):
    """Keys in what the command printed that the page does not name there."""
    return _keys(value) - _documented()[command]
