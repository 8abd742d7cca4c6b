"""Tokens: short pieces of names, and pieces of what scripts have in common. Each is found as the longest that fits."""

import re
from collections import Counter

SPECIAL = ("<pad>", "<start>", "<next>", "<write>", "<end>")
PAD, START, NEXT, WRITE, END = range(len(SPECIAL))
NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-."
LONGEST_NAME_PIECE = 3
LONGEST_PIECE = 12


class Tokens:
    """`names` and `pieces` begin with the single characters, so that every text has tokens."""

    def __init__(self, names, pieces):
        self.names, self.pieces = list(names), list(pieces)
        self.texts = [*SPECIAL, *self.names, *self.pieces]
        self._names = {text: place for place, text in enumerate(self.names, len(SPECIAL))}
        self._pieces = {text: place for place, text in enumerate(self.pieces, len(SPECIAL) + len(self.names))}

    def prompt(self, report):
        """What the network is given of a report."""
        fields = [self._name(report[field]) for field in ("fault", "namespace", "target")]
        return [START, *fields[0], NEXT, *fields[1], NEXT, *fields[2], WRITE]

    def script(self, report, script):
        """A script that was written for a report, with its end."""
        found = []
        for text, is_name in parts_of(report, script):
            found += self._name(text) if is_name else split(text, self._pieces)
        return [*found, END]

    def text(self, tokens):
        return "".join(self.texts[token] for token in tokens if token >= len(SPECIAL))

    def _name(self, text):
        return split("".join(c for c in text if c in NAME_CHARACTERS), self._names)


def parts_of(report, script):
    """A script in parts: names that the report has, and what is between them."""
    names = sorted({report["namespace"], report["target"]} - {""}, key=len, reverse=True)
    pattern = "|".join(rf"(?<![a-z0-9-]){re.escape(name)}(?![a-z0-9-])" for name in names)
    parts = re.split(f"({pattern})", script)
    return [(text, place % 2 == 1) for place, text in enumerate(parts) if text]


def split(text, places):
    """The longest pieces from the left on."""
    longest = max(map(len, places))
    found, at = [], 0
    while at < len(text):
        size = next(size for size in range(min(longest, len(text) - at), 0, -1) if text[at : at + size] in places)
        found.append(places[text[at : at + size]])
        at += size
    return found


def learn_tokens(examples, names=200, pieces=320):
    """Tokens for examples with `report` and `script`: the pieces that shorten them the most."""
    words = Counter()
    between = Counter()
    for example in examples:
        words.update([example["report"][field] for field in ("fault", "namespace", "target")])
        for text, is_name in parts_of(example["report"], example["script"]):
            if not is_name:
                between[text] += 1
    characters = [chr(code) for code in range(32, 127)] + ["\n"]
    return Tokens(
        [*NAME_CHARACTERS, *merges({word: 1 for word in words}, names, LONGEST_NAME_PIECE)],
        [*characters, *merges(between, pieces, LONGEST_PIECE)],
    )


def merges(texts, most, longest):
    """Pairs that are merged one after the other, the most frequent first (byte pair encoding)."""
    rows = [(list(text), count) for text, count in sorted(texts.items())]
    found = []
    while len(found) < most:
        pairs = Counter()
        for row, count in rows:
            for pair in zip(row, row[1:]):
                if len(pair[0]) + len(pair[1]) <= longest:
                    pairs[pair] += count
        if not pairs:
            break
        (left, right), count = min(pairs.items(), key=lambda one: (-one[1], one[0]))
        if left + right not in found:
            found.append(left + right)
        for row, _ in rows:
            at = 0
            while at < len(row) - 1:
                if row[at] == left and row[at + 1] == right:
                    row[at : at + 2] = [left + right]
                at += 1
    return found
