"""Click logs of every format with the same lists, written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import assay

LISTS = [("q1", ["a", "b", "c"], [0, 1, 0]), ("q2", ["c", "a"], [1, 1]), ("q1", ["b", "a"], [0, 0])]


def write_lines(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines) + "\n")
    return path


def shown_lists(log: object, **settings: object) -> list[tuple[str, list[str], list[int]]]:
    frame = assay.read_clicks(log, **settings).frame
    lists = frame.group_by("list", maintain_order=True).agg("query", "doc", "click")
    return sorted(
        (queries[0], docs, [min(click, 1) for click in clicks])
        for _, queries, docs, clicks in lists.iter_rows()
    )


def impression_columns() -> dict[str, list[object]]:
    rows = [
        (f"s{n}", query, rank, doc, click)
        for n, (query, docs, clicks) in enumerate(LISTS)
        for rank, (doc, click) in enumerate(zip(docs, clicks, strict=True), 1)
    ]
    names = ("session", "query", "rank", "doc", "click")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def write_yandex_2011(path: Path) -> Path:
    return write_lines(
        path,
        "0\t0\tQ\tq1\t3\ta\tb\tc",
        "0\t5\tC\tb",
        "0\t9\tQ\tq2\t3\tc\ta",
        "0\t12\tC\ta",
        "0\t13\tC\tc",
        "1\t0\tQ\tq1\t3\tb\ta",
    )


def write_yandex_2013(path: Path) -> Path:
    return write_lines(
        path,
        "0\tM\t4\tu7",
        "0\t0\tQ\t0\tq1\t1,2\ta,9\tb,9\tc,8",
        "0\t5\tC\t0\tb",
        "0\t9\tQ\t1\tq2\t3\tc,8\ta,9",
        "0\t12\tC\t1\ta",
        "0\t13\tC\t1\tc",
        "1\tM\t4\tu8",
        "1\t0\tQ\t0\tq1\t1,2\tb,9\ta,9",
        "1\t8\tT\t1\tq9\t1\tb,9\ta,9",
    )


def write_tiangong(path: Path) -> Path:
    def query(name: str, docs: list[str], labels: list[object]) -> dict[str, object]:
        found = [{"docid": d, "label": x} for d, x in zip(docs, labels, strict=True)]
        return {"query_id": name, "text": f"about {name}", "clicks": found}

    queries = [query(name, docs, [bool(c) for c in clicks]) for name, docs, clicks in LISTS]
    graded = query("q9", ["a", "b"], [4, 0])
    return write_lines(
        path,
        {"session_id": "0", "query": queries[:2]},
        {"session_id": "1", "query": [queries[2], graded]},
    )


def write_ubi(path: Path) -> Path:
    lines: list[object] = []
    for n, (query, docs, clicks) in enumerate(LISTS):
        ids = {"query_id": f"id{n}", "client_id": "u", "timestamp": f"2025-01-0{n + 1}T10:00:00Z"}
        hits = {"query_response_hit_ids": docs} if n else {}
        lines += [{"index": {"_index": "ubi_queries"}}, {**ids, "user_query": query, **hits}]
        for place, (doc, click) in enumerate(zip(docs, clicks, strict=True)):
            position: object = {"ordinal": place} if n else place
            attributes = {"object": {"object_id": doc}, "position": position}
            for action in ["impression"] * (n == 0) + ["click"] * click:
                event = {**ids, "action_name": action, "event_attributes": attributes}
                lines += [{"index": {"_index": "ubi_events"}}, event]
    return write_lines(path, *lines)


def write_lists(path: Path) -> Path:
    return write_lines(
        path,
        *(
            {"session": f"s{n}", "query": query, "results": docs, "clicks": clicks}
            for n, (query, docs, clicks) in enumerate(LISTS)
        ),
    )


def write_clickmodels(path: Path) -> Path:
    return write_lines(
        path,
        *(
            f"h{n}\t{query}\t1\t0.5\t{json.dumps(docs)}\t[false]\t{json.dumps([*clicks, 0])}"
            for n, (query, docs, clicks) in enumerate(LISTS)
        ),
    )


def write_blocks(path: Path) -> Path:
    blocks = [
        f"{query}\t{','.join(docs)} : "
        + " , ".join(doc for doc, c in zip(docs, clicks, strict=True) if c)
        for query, docs, clicks in LISTS
    ]
    return write_lines(path, "; ".join(blocks) + "; ")


WRITERS = {
    "yandex": [write_yandex_2011, write_yandex_2013],
    "tiangong": [write_tiangong],
    "ubi": [write_ubi],
    "lists": [write_lists],
    "clickmodels": [write_clickmodels],
    "blocks": [write_blocks],
}


def log_problems(log: object) -> dict[str, tuple[int, str]]:
    found = assay.behavior.check(log).findings
    return {row["problem"]: (row["count"], row["first"]) for row in found.iter_rows(named=True)}
