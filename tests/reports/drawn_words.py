"""The words of a drawing and the room that each takes, to find collisions and cut labels."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_TAG = re.compile(r"<(/?)(svg|g|text)\b([^>]*)>([^<]*)")
_NARROW, _WIDE = 0.3, 0.9
_LETTER = 0.53
"""Mean width of letters and digits of Arial, as a share of the size: narrower than estimates."""


class Words(NamedTuple):
    """A text of a drawing and the corners of its box, after all transformations."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def _width(text: str, size: float) -> float:
    shares = {"narrow": "iljtfI.,:;'|!()[] /", "wide": "mwMW%@—…"}
    return size * sum(
        _NARROW if each in shares["narrow"] else _WIDE if each in shares["wide"] else _LETTER
        for each in text
    )


def _matrix(transform: str) -> NDArray[np.float64]:
    found = np.eye(3)
    for name, given in re.findall(r"(translate|rotate)\(([^)]*)\)", transform):
        numbers = [float(each) for each in given.replace(",", " ").split()]
        step = np.eye(3)
        if name == "translate":
            step[:2, 2] = [*numbers, 0.0][:2]
        else:
            turn = np.deg2rad(numbers[0])
            center = np.asarray([*numbers[1:], 0.0, 0.0][:2])
            step[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
            step[:2, 2] = center - step[:2, :2] @ center
        found = found @ step
    return found


def words_of(svg: str) -> list[Words]:
    """Return every text of a drawing, also those of its panels."""
    offsets = [(0.0, 0.0)]
    found = []
    for closes, name, given, text in _TAG.findall(svg):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', given))
        if name == "svg":
            x, y = (float(values.get(each, 0)) for each in "xy")
            offsets = (
                offsets[:-1] if closes else [*offsets, (offsets[-1][0] + x, offsets[-1][1] + y)]
            )
        elif name == "text" and not closes and text.strip():
            size, x, y = float(values["font-size"]), float(values["x"]), float(values["y"])
            wide = _width(html.unescape(text), size)
            left = x - wide * {"middle": 0.5, "end": 1}.get(values.get("text-anchor", ""), 0)
            corners = [(a, b, 1) for a in (left, left + wide) for b in (y - 0.72 * size, y)]
            placed = (_matrix(values.get("transform", "")) @ np.asarray(corners).T)[:2]
            (low_x, low_y), (high_x, high_y) = placed.min(axis=1), placed.max(axis=1)
            dx, dy = offsets[-1]
            box = (low_x + dx, low_y + dy, high_x + dx, high_y + dy)
            found.append(Words(html.unescape(text), *(float(each) for each in box)))
    return found


def collisions(svg: str) -> list[tuple[str, str]]:
    """Return the pairs of texts of which one covers the other."""
    found = words_of(svg)
    return [
        (one.text, two.text)
        for number, one in enumerate(found)
        for two in found[:number]
        if min(one.right, two.right) - max(one.left, two.left) > 1
        and min(one.bottom, two.bottom) - max(one.top, two.top) > 1
    ]


def cut_words(svg: str) -> list[str]:
    """Return the texts that do not lie inside the drawing."""
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    wide, high = float(size[1]), float(size[2])
    return [
        each.text
        for each in words_of(svg)
        if each.left < 0 or each.top < 0 or each.right > wide or each.bottom > high
    ]
