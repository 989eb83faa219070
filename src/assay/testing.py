"""Small evidence drawn by hand, for examples, lessons and tests.

A ranking is a word: ``+`` relevant, ``-`` judged and not relevant, ``?`` unjudged, a digit is a
grade, and ``~`` pooled but unjudged (a negative grade). What follows a bar is judged but not
retrieved: ``"+-?+|++"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, product
from typing import TypeVar

import numpy as np

from assay.core.arrays import Ints, unit_offsets, unit_ranks
from assay.core.errors import UsageError
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency, Memberships
from assay.evidence.views.densities import Densities
from assay.evidence.views.judged_rankings import (
    JudgmentGroups,
    QuerySample,
    QuerySubtopics,
    SampledRankings,
    SubtopicRankings,
)
from assay.evidence.views.label_scores import LabelScores
from assay.evidence.views.label_sets import LabelSets
from assay.evidence.views.order_pairs import OrderPairs, RankedLists, Ranking
from assay.evidence.views.points import Points
from assay.evidence.views.preference_pairs import Comparisons, PreferenceGroup, PreferencePairs
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.rankings import Hits, Rankings
from assay.evidence.views.rating_table import RatingTable
from assay.evidence.views.spans import Span, Spans
from assay.evidence.views.stopping_rankings import QueryStops, StoppingRankings
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_pairs import ValuePairs

Number = TypeVar("Number")
_GRADES = {"+": 1.0, "-": 0.0, "~": -1.0} | {str(digit): float(digit) for digit in range(10)}


def rankings(*words: str, corpus: int | None = None, **named: str) -> Rankings:
    """Return rankings from words: a query each, named q1, q2 … or as given.

    ``corpus`` is the number of documents in the collection.
    """
    drawn: Mapping[str, str] = {f"q{n}": word for n, word in enumerate(words, 1)} | named
    queries = tuple(sorted(drawn, key=str.encode))
    lists = [_parts(drawn[query]) for query in queries]
    ranks = [[r for r, mark in enumerate(found, 1) if mark != "?"] for found, _ in lists]
    grades = [[_GRADES[mark] for mark in found if mark != "?"] for found, _ in lists]
    pools = [
        sorted(own + [_GRADES[mark] for mark in rest], reverse=True)
        for own, (_, rest) in zip(grades, lists, strict=True)
    ]
    hit_offsets, pool_offsets = _offsets(ranks), _offsets(pools)
    rank = np.asarray(_flat(ranks), dtype=np.int64)
    return Rankings(
        queries=queries,
        retrieved=np.asarray([len(found) for found, _ in lists], dtype=np.int64),
        hits=Hits(hit_offsets, rank, np.asarray(_flat(grades), dtype=np.float64)),
        pool=Hits(pool_offsets, unit_ranks(pool_offsets), np.asarray(_flat(pools), np.float64)),
        missing=np.zeros(len(queries), dtype=bool),
        tie_first=rank,
        tie_last=rank,
        row=np.arange(len(rank)),
        corpus=corpus,
    )


def assignments(word: str, grades: str = "0123") -> list[str]:
    """Return every way to fill the holes of a drawn ranking with grades."""
    filled = []
    for chosen in product(grades, repeat=word.count("?")):
        marks = iter(chosen)
        filled.append("".join(next(marks) if mark == "?" else mark for mark in word))
    return filled


def judged_by(*words: str) -> JudgmentGroups:
    """Return a ranking as judged by several assessors, a word each."""
    return JudgmentGroups(("q1",), tuple(rankings(word) for word in words))


def sets(*counts: tuple[int, int, int], corpus: int | None = None) -> Rankings:
    """Sets given as counts, one query each: retrieved, relevant among them, relevant in all."""
    for retrieved, found, relevant in counts:
        if not 0 <= found <= min(retrieved, relevant):
            raise UsageError(
                f"a set is (retrieved, relevant among them, relevant in all); in"
                f" ({retrieved}, {found}, {relevant}) the second number does not fit the others"
            )
    words = ["+" * found + "?" * (n - found) + "|" + "+" * (R - found) for n, found, R in counts]
    return rankings(*words, corpus=corpus)


def sampled(word: str, strata: str = "") -> SampledRankings:
    """Return a ranking with a sampled pool: ``~`` was not sampled, ``?`` is not in the pool.

    A letter for each document of the pool names its stratum.
    """
    found, rest = _parts(word)
    marks = [mark for mark in found if mark != "?"] + list(rest)
    names = strata or "a" * len(marks)
    grade = np.asarray([_GRADES[mark] for mark in marks])
    stratum = np.unique(list(names), return_inverse=True)[1]
    drawn = np.bincount(stratum, grade >= 0) / np.bincount(stratum)
    rank = np.asarray([rank for rank, mark in enumerate(found, 1) if mark != "?"], np.int64)
    one = QuerySample(rank, np.arange(len(rank)), grade, stratum, drawn[stratum])
    return SampledRankings(("q1",), (one,))


STOPPING = {"-": 0.0, "+": 0.5, "2": 0.75}
"""The probability of each mark in `stopping`."""


def stopping(word: str) -> StoppingRankings:
    """Return a ranking with stopping probabilities: ``-`` 0, ``+`` 0.5, ``2`` 0.75, ``?`` none."""
    found, rest = _parts(word)
    rank = np.asarray([rank for rank, mark in enumerate(found, 1) if mark != "?"], np.int64)
    chance = np.asarray([STOPPING[mark] for mark in found if mark != "?"])
    pool = -np.sort(-np.append(chance, [STOPPING[mark] for mark in rest]))
    return StoppingRankings(("q1",), (QueryStops(rank, chance, pool),))


def confusion(
    rows: Sequence[Sequence[float]],
    labels: Sequence[str] | None = None,
    positive: str | None = None,
    predicted_in_rows: bool = False,
) -> Confusion:
    """Return a confusion matrix from its rows, truth in rows unless stated otherwise."""
    matrix = np.asarray(rows, dtype=np.float64)
    names = tuple(labels or [f"c{n}" for n in range(1, len(matrix) + 1)])
    return Confusion.of(matrix.T if predicted_in_rows else matrix, names, positive)


def outcomes(tp: float, fp: float, fn: float, tn: float) -> Confusion:
    """Return the confusion matrix of a yes-or-no question, from its four counts."""
    return Confusion.of(np.asarray([[tp, fn], [fp, tn]]), ("yes", "no"), positive="yes")


def clusters(*members: str) -> Contingency:
    """Return clusters from words whose letters are the classes of members: ``"xxo", "oo"``."""
    classes = sorted(set("".join(members)))
    counts = [[word.count(letter) for letter in classes] for word in members]
    names = tuple(f"k{n}" for n in range(1, len(members) + 1))
    return Contingency.of(np.asarray(counts, dtype=np.float64), names, tuple(classes))


def placed(members: str, coordinates: Sequence[float] | Sequence[Sequence[float]]) -> Points:
    """Return points: a letter for the cluster of each, and its coordinates."""
    names = sorted(set(members))
    codes = np.asarray([names.index(letter) for letter in members], dtype=np.int64)
    features = np.asarray(coordinates, dtype=np.float64).reshape(len(members), -1)
    return Points.of(tuple(names), codes, features=features)


def memberships(**items: tuple[str, str]) -> Memberships:
    """Return overlapping clusters: for each item its clusters and its classes, as words."""
    names, pairs = [], []
    for side in zip(*items.values(), strict=True):
        words = [(n, word) for n, text in enumerate(side) for word in text.split()]
        names.append(tuple(sorted({word for _, word in words})))
        places = [(n, names[-1].index(word)) for n, word in words]
        pairs.append(np.asarray(places, np.int64).reshape(-1, 2))
    return Memberships(tuple(items), names[0], names[1], *pairs)


def aspects(listed: Sequence[str], known: Sequence[str] = ()) -> SubtopicRankings:
    """Return a ranking by subtopic: a word per document with its subtopics (? for none).

    ``known`` are all documents that treat a subtopic; those listed, unless stated otherwise.
    """
    pool = list(known) or [word for word in listed if word != "?"]
    topics = sorted(set("".join(pool)))
    table = np.asarray([[float(topic in word) for topic in topics] for word in pool])
    rank = [place for place, word in enumerate(listed, 1) if word != "?"]
    found = [[float(topic in listed[place - 1]) for topic in topics] for place in rank]
    grades = np.asarray(found).reshape(len(rank), len(topics))
    one = QuerySubtopics(
        np.asarray(rank, np.int64), grades, table.reshape(-1, len(topics)), len(listed)
    )
    return SubtopicRankings(("q1",), (one,))


def scored(marks: str, scores: Sequence[float] = ()) -> ThresholdTable:
    """Return items by falling score: ``P`` positive, ``N`` negative; without scores no ties."""
    given = np.asarray(scores or np.arange(len(marks), 0, -1), dtype=np.float64)
    return ThresholdTable.of(given, np.asarray([float(mark == "P") for mark in marks]))


def forecasts(truth: str, probabilities: Sequence[Sequence[float]]) -> Probabilities:
    """Return class probabilities of items whose actual classes are letters (a, b, c …)."""
    codes = np.asarray([ord(letter) - ord("a") for letter in truth], dtype=np.int64)
    matrix = np.asarray(probabilities, dtype=np.float64)
    names = tuple(chr(ord("a") + place) for place in range(matrix.shape[1]))
    return Probabilities.of(names, codes, matrix)


def densities(given: Sequence[float]) -> Densities:
    """Return the density that a model gave to each held-out item."""
    return Densities.of(np.asarray(given, dtype=np.float64))


def label_sets(truth: str, predicted: str) -> LabelSets:
    """Sets of labels as words separated by spaces, a letter a label; a dot is an empty set."""
    drawn = [[set(word) - {"."} for word in words.split()] for words in (truth, predicted)]
    return LabelSets.of(drawn[0], drawn[1])


def label_scores(truth: str, scores: Sequence[Sequence[float]]) -> LabelScores:
    """Return the scores of labels (a, b, c …) of items, whose true labels are a word each."""
    matrix = np.asarray(scores, dtype=np.float64)
    labels = tuple(chr(ord("a") + place) for place in range(matrix.shape[1]))
    own = [[label in word for label in labels] for word in truth.split()]
    return LabelScores.of(labels, np.asarray(own, dtype=bool), matrix)


def spans(truth: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]]) -> Spans:
    """Return spans (begin, end, type), a list for each document."""
    return Spans.of(truth, predicted)


def values(truth: Sequence[float], predicted: Sequence[float]) -> ValuePairs:
    """Return actual values and their predictions."""
    return ValuePairs.of(np.asarray(truth, np.float64), np.asarray(predicted, np.float64))


def orders(first: Sequence[float], second: Sequence[float]) -> OrderPairs:
    """Return the numbers of the same items in two orders."""
    return OrderPairs.of(np.asarray(first, np.float64), np.asarray(second, np.float64))


def listed(first: str, second: str) -> RankedLists:
    """Return two rankings of words, best first; ties in brackets: ``"a (b c) d", "c a"``."""
    ranks = [_tied_ranks(each) for each in (first, second)]
    names = sorted({*ranks[0], *ranks[1]})
    pair = [
        Ranking(*(np.asarray([own.get(name, (0, 0))[n] for name in names]) for n in (0, 1)))
        for own in ranks
    ]
    return RankedLists(("all",), ((pair[0], pair[1]),))


def _tied_ranks(text: str) -> dict[str, tuple[int, int]]:
    """Return the first and the last rank of each word's tie."""
    ranks: dict[str, tuple[int, int]] = {}
    for tied in re.findall(r"\([^)]*\)|\S+", text):
        words = tied.strip("()").split()
        span = len(ranks) + 1, len(ranks) + len(words)
        ranks |= dict.fromkeys(words, span)
    return ranks


def rated(*assessors: str) -> RatingTable:
    """Return ratings: a word per assessor, a letter per item, a dot if it was not rated.

    Digits are numbers; letters have the numbers of their places, from 0.
    """
    labels = sorted(set("".join(assessors)) - {"."})
    codes = [[labels.index(mark) if mark != "." else -1 for mark in word] for word in assessors]
    items = tuple(f"i{n}" for n in range(1, len(assessors[0]) + 1))
    names = tuple(f"a{n}" for n in range(1, len(assessors) + 1))
    digits = all(label.isdigit() for label in labels)
    values = np.asarray([float(label) if digits else n for n, label in enumerate(labels)])
    return RatingTable.of(np.asarray(codes, np.int64).T, items, names, tuple(labels), values)


def _parts(word: str) -> tuple[str, str]:
    found, _, rest = word.partition("|")
    if stranger := set(found + rest) - set(_GRADES) - {"?"}:
        raise UsageError(
            f"a ranking is drawn with + - ? ~ | and digits; '{min(stranger)}' is none of them"
        )
    return found, rest.replace("?", "")


def _offsets(lists: Sequence[Sequence[object]]) -> Ints:
    return unit_offsets(np.asarray([len(each) for each in lists], dtype=np.int64))


def _flat(lists: Iterable[Iterable[Number]]) -> list[Number]:
    return list(chain.from_iterable(lists))


def preferred(listed: str, *stated: str) -> PreferencePairs:
    """Return a ranking of documents named by letters, and preferences such as ``"a>b"``."""
    docs = [*listed, *sorted(set("".join(stated)) - set(listed) - {">"})]
    pairs = np.asarray([[docs.index(side) for side in each.split(">")] for each in stated])
    members, compared = np.unique(pairs, return_inverse=True)
    kept = np.asarray([rank for rank, doc in enumerate(listed, 1) if doc in "".join(stated)])
    (better, worse), once = compared.reshape(-1, 2).T, np.ones(len(members))
    group = PreferenceGroup(np.arange(len(members)), once, better, worse, ranked=False)
    one = Comparisons(kept.astype(np.int64), len(members), (group,))
    return PreferencePairs(("q1",), (one,))
