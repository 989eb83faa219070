"""A small campaign on real documents: the language reference that comes with Python."""

from __future__ import annotations

import re
from pathlib import Path

from assay.benchmark.campaign.campaign import Campaign
from assay.core.scratch_files import scratch_folder

PERSON = "you"
GUIDELINES = """\
Judge whether the document helps a programmer who asks the question of the topic.

0  not relevant: it is about something else
1  relevant: the answer, or a part of it, is in it among much else
2  highly relevant: the whole document is about the question, or about one part of it
"""
TOPICS = {
    "exceptions": {
        "title": "handle an exception that a function raises",
        "description": "How does a program catch an error, clean up, and raise an error itself?",
        "narrative": "The statements that raise and handle exceptions are relevant. Documents"
        " that only mention that something raises an error are not.",
    },
    "loops": {
        "title": "repeat statements in a loop, as for each element",
        "description": "How does a program repeat statements, leave a loop early and continue it?",
        "narrative": "Loop statements and the statements that change their course are relevant."
        " Data types that can be looped over are not.",
    },
    "numbers": {
        "title": "compute with integer and float numbers",
        "description": "Which arithmetic operations are there, and how are numbers written?",
        "narrative": "Operators of arithmetic, their rules, literals of numbers and their types"
        " are relevant. Other types and operators are not.",
    },
}
GOLD = {
    ("exceptions", "try"): 2, ("exceptions", "raise"): 2, ("exceptions", "exceptions"): 2,
    ("exceptions", "integers"): 0, ("exceptions", "formatstrings"): 0, ("exceptions", "if"): 0,
    ("loops", "for"): 2, ("loops", "while"): 2, ("loops", "break"): 2, ("loops", "continue"): 2,
    ("loops", "imaginary"): 0, ("loops", "lambda"): 0,
    ("numbers", "numbers"): 2, ("numbers", "integers"): 2, ("numbers", "binary"): 2,
    ("numbers", "floating"): 2, ("numbers", "pass"): 0, ("numbers", "import"): 0,
}  # fmt: skip
"""Grades that are certain; the names are those of Python's help topics."""


def demo_documents() -> dict[str, str]:
    """Return the help topics of Python by name."""
    from pydoc_data.topics import topics

    return {name: text.strip() for name, text in topics.items()}


def create_demo_campaign(place: Path) -> Campaign:
    """Create a campaign with three topics, two runs and a pool, ready to be judged."""
    texts = demo_documents()
    documents = [(name, _title(text), None, text) for name, text in sorted(texts.items())]
    campaign = Campaign.new(
        place, "Help for programmers", guidelines=GUIDELINES, documents=documents
    )
    campaign.join(PERSON, "coordinator", "participant", "assessor")
    campaign.propose_topics(TOPICS)
    campaign.choose_topics("all")
    campaign.phase("runs")
    runs = {
        "counts.run": _run(texts, length_matters=False),
        "shares.run": _run(texts, length_matters=True),
        "known.run": "".join(
            f"{topic} Q0 {name} {rank} {100 - rank} known\n"
            for rank, (topic, name) in enumerate((key for key in GOLD if key[1] in texts), 1)
        ),
    }
    owner = Campaign.open(place, PERSON)
    with scratch_folder({name: text.encode() for name, text in runs.items()}) as folder:
        for name in runs:
            owner.submit(folder / name)
    owner.close()
    campaign.pool(6)
    campaign.phase("judging")
    campaign.set_gold({key: grade for key, grade in GOLD.items() if key[1] in texts})
    campaign.assign()
    return campaign


def _title(text: str) -> str:
    """Return the first line of a text that is not an underline."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line.strip("*=- ")), "")


def _run(texts: dict[str, str], length_matters: bool) -> str:
    """Return a run: documents by how often the words of the topic occur in them."""
    lines = []
    for topic, fields in TOPICS.items():
        words = [word for word in re.findall(r"[a-z]+", fields["title"]) if len(word) > 4]
        scores = {}
        for name, text in texts.items():
            count = sum(text.lower().count(word) for word in words)
            scores[name] = count / len(text) if length_matters else float(count)
        best = sorted(scores, key=lambda name: (-scores[name], name))[:20]
        lines += [
            f"{topic} Q0 {name} {rank} {scores[name]:.6f} words\n"
            for rank, name in enumerate(best, 1)
        ]
    return "".join(lines)
