"""Names that no system has: with them in the place of a case's own the network learns to copy, not to remember."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CONSONANTS, VOWELS = "bcdfghjklmnpqrstvwxz", "aeiouy"


def draw_name(drawn, words):
    """One to three parts, each a word of the training systems' names or a made-up one, joined as such names are."""
    parts = [draw_part(drawn, words) for _ in range(drawn.choice((1, 1, 2, 2, 2, 3)))]
    return drawn.choice(("-", "-", "-", "")).join(parts)[:40].strip("-")


def draw_part(drawn, words):
    kind = drawn.random()
    if kind < 0.3:
        return drawn.choice(words)
    if kind < 0.4:
        return "".join(drawn.choice(LETTERS) for _ in range(drawn.randint(1, 6)))
    made = "".join(
        drawn.choice(CONSONANTS) + drawn.choice(VOWELS) + drawn.choice(("", "", drawn.choice(CONSONANTS)))
        for _ in range(drawn.randint(1, 4))
    )
    return made + (str(drawn.randrange(10)) if drawn.random() < 0.1 else "")


def words_of(examples):
    """The parts of the names in examples."""
    names = {example["report"][field] for example in examples for field in ("namespace", "target")}
    return sorted({part for name in names for part in name.split("-") if part})


def renamed(example, drawn, words):
    """The example with other names of the system and the workload."""
    from tokens import parts_of

    report, script = example["report"], example["script"]
    target, namespace = draw_name(drawn, words), draw_name(drawn, words)
    if target == namespace:
        target += "x"
    others = {report["namespace"]: namespace, report["target"]: target}
    parts = parts_of(report, script)
    return {
        "report": {**report, "namespace": namespace, "target": target},
        "script": "".join(others[text] if is_name else text for text, is_name in parts),
    }
