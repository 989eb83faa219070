"""Which measures suit which goal, and why."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from assay.core.errors import UsageError, unknown_name


@dataclass(frozen=True)
class MeasureGoal:
    """What an evaluation is for, and the measures that show whether it is reached."""

    name: str
    about: str
    measures: dict[str, str]
    """The task and name of each measure, and why it suits."""
    other_names: tuple[str, ...] = ()


GOALS = (
    MeasureGoal(
        "first answer",
        "One correct answer near the top is enough: web search, questions, fact checks.",
        {
            "retrieval.RR": "only the rank of the first relevant document counts",
            "retrieval.Success@10": "whether the first page has any answer",
            "retrieval.P@10": "how clean the first page is, if several answers are read",
            "retrieval.ERR(gmax=3)": "as RR, for grades: the user stops where satisfied",
        },
        ("web search", "question answering", "navigation"),
    ),
    MeasureGoal(
        "precision first",
        "False hits cost more than misses: fact checks, recommendations.",
        {
            "retrieval.F(beta=0.5)": "precision counts twice as much as recall",
            "retrieval.P@10": "the top of the list alone",
            "classification.F(beta=0.5)": "the same for decisions",
            "classification.PPV": "how far a yes can be believed",
        },
        ("fact check", "fact checking", "is this mushroom poisonous"),
    ),
    MeasureGoal(
        "all relevant",
        "Nothing may be missed: patents, law, systematic reviews.",
        {
            "retrieval.R@1000": "how much of what is relevant is found at all",
            "retrieval.F(beta=2)": "recall counts twice as much as precision",
            "retrieval.AP": "precision as ever more relevant documents are found",
            "retrieval.Rprec": "precision once as many are listed as there are relevant ones",
        },
        ("patents", "patent search", "is there a patent", "recall", "exhaustive search", "review"),
    ),
    MeasureGoal(
        "sparse judgments",
        "Only a few documents of each query are judged.",
        {
            "retrieval.RR": "needs one known relevant document; precision and recall would mislead",
            "retrieval.bpref": "uses only the judged documents",
            "retrieval.nDCG(judged_only=true)@10": "the list without its unjudged documents",
            "retrieval.Judged@10": "how much of the top is judged: read it beside the others",
        },
        ("incomplete judgments", "ms marco"),
    ),
    MeasureGoal(
        "graded relevance",
        "Some documents are more relevant than others.",
        {
            "retrieval.nDCG@10": "gains by grade, discounted by rank, as a share of the ideal",
            "retrieval.ERR(gmax=3)": "a user who stops once satisfied: a cascade model",
            "retrieval.nCG(gmax=3)@10": "gains without a discount; P@k for binary grades",
        },
        ("grades",),
    ),
    MeasureGoal(
        "user model",
        "What a measure assumes of its user: a position model (how far people look down, whatever"
        " they find) or a cascade model (they stop at what satisfies them).",
        {
            "retrieval.P@10": "position model: all of the first ten are seen, nothing below",
            "retrieval.DCG@10": "position model: attention falls as 1 / log2(rank + 1)",
            "retrieval.nDCG@10": "position model, as DCG, as a share of the ideal list",
            "retrieval.RBP(p=0.8)": "position model: 80 % go on to the next, whatever they found",
            "retrieval.RR": "cascade model: the user stops at the first relevant document",
            "retrieval.ERR(gmax=3)": "cascade model: the higher the grade, the more users stop",
            "retrieval.INST(max_rel=1)": "between both: rank and what is still missing decide",
        },
        ("user models", "position", "position model", "cascade", "cascade model", "browsing model"),
    ),
    MeasureGoal(
        "one number for a ranking",
        "Precision at all recalls in one value, to compare systems over queries.",
        {
            "retrieval.AP": "the area below the precision-recall curve",
            "retrieval.11pt_avg": "the mean of eleven interpolated precisions",
            "retrieval.E": "how near the curve comes to precision 1 at recall 1",
        },
        ("compare systems",),
    ),
    MeasureGoal(
        "rule in",
        "A yes must be right: confirming a disease, blocking an account.",
        {
            "classification.TNR": "few healthy ones are called sick",
            "classification.PPV": "how far a yes can be believed, at this prevalence",
            "classification.LR+": "how much a yes raises the odds",
        },
        ("confirm",),
    ),
    MeasureGoal(
        "rule out",
        "A no must be right: screening, a first cheap test.",
        {
            "classification.TPR": "few sick ones are missed",
            "classification.NPV": "how far a no can be believed, at this prevalence",
            "classification.LR-": "how much a no lowers the odds",
        },
        ("screening", "exclude"),
    ),
    MeasureGoal(
        "rare classes",
        "Few items are positive: accuracy is high for a classifier that never predicts positive.",
        {
            "classification.F": "ignores the true negatives",
            "classification.MCC": "0 for always the same answer, however rare the class",
            "classification.BA": "every class counts the same",
            "classification.AP": "precision over the ranking of scores; chance is the prevalence",
        },
        ("imbalance", "unbalanced", "imbalanced"),
    ),
    MeasureGoal(
        "balanced classes",
        "Classes are about equally frequent and errors cost the same.",
        {"classification.ACC": "the share of right decisions", "classification.F": "by class"},
        (),
    ),
    MeasureGoal(
        "without a threshold",
        "Scores are compared before a threshold is chosen.",
        {
            "classification.AUC": "whether positives score higher than negatives",
            "classification.AP": "the same where positives are rare",
        },
        ("scores", "ranking of scores"),
    ),
    MeasureGoal(
        "probabilities",
        "The probabilities themselves are used.",
        {
            "classification.LogLoss": "punishes what is sure and wrong",
            "classification.Brier": "squared distance; bounded",
            "classification.ECE": "whether 70 % comes true in 70 % of the cases",
        },
        ("calibration",),
    ),
    MeasureGoal(
        "numbers",
        "Numbers are predicted.",
        {
            "regression.RMSE": "large errors count most; in the unit of the values",
            "regression.MAE": "every unit of error counts the same",
            "regression.R2": "compared with always predicting the mean",
        },
        ("regression",),
    ),
    MeasureGoal(
        "clusters with classes",
        "Clusters are compared with known classes.",
        {
            "clustering.NMI": "does not grow with the number of clusters as purity does",
            "clustering.ARI": "pairs, beyond chance",
            "clustering.pairF(beta=5)": "separating what belongs together costs more",
        },
        ("clusters",),
    ),
    MeasureGoal(
        "clusters without classes",
        "Only the points are known.",
        {
            "clustering.silhouette": "near to its own cluster, far from the next",
            "clustering.DB": "spread within against distance between; lower is better",
            "clustering.CH": "spread between against within",
        },
        (),
    ),
    MeasureGoal(
        "agreement of orders",
        "Two rankings of the same things are compared.",
        {
            "correlation.tau": "pairs in the same order less those in the opposite one",
            "correlation.rho": "squared differences of ranks",
            "correlation.RBO": "the top counts most",
        },
        ("orders", "leaderboards"),
    ),
)


def find_goal(name: str) -> MeasureGoal:
    """Return the goal of that name, or of one of its other names."""
    wanted = " ".join(name.casefold().replace("-", " ").split())
    for goal in GOALS:
        if wanted in (goal.name, *goal.other_names):
            return goal
    near = [
        goal
        for goal in GOALS
        if wanted and wanted in f"{goal.name} {goal.about} {', '.join(goal.other_names)}".casefold()
    ]
    if len(near) == 1:
        return near[0]
    goals = unknown_name("goal", name, [goal.name for goal in GOALS])
    raise UsageError(f"{goals} All measures of a task: `assay measures retrieval`.")


def measures_for(goal: str) -> pl.DataFrame:
    """Return the measures for a goal such as ``first answer``, ``all relevant`` or ``rule out``.

    >>> import assay
    >>> assay.measures_for("sparse judgments")["measure"].to_list()[0]
    'RR'
    """
    found = find_goal(goal)
    rows = [(name.partition("."), why) for name, why in found.measures.items()]
    return pl.DataFrame(
        {
            "task": [parts[0] for parts, _ in rows],
            "measure": [parts[2] for parts, _ in rows],
            "why": [why for _, why in rows],
        }
    )
