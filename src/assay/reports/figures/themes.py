"""The light and the dark theme of drawings and pages."""

from __future__ import annotations

import re
from typing import Literal

FITTED = '<svg style="max-width: 100%; height: auto" '
"""The start of a drawing that is no wider than the page or the notebook that shows it."""
Theme = Literal["light", "dark", "auto"]
THEMES: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#16181d"),
    "page": ("#f3f5f8", "#101216"),
    "panel": ("#f5f6f8", "#20232a"),
    "ink": ("#1b1e24", "#eceef2"),
    "muted": ("#5a616e", "#a6aebd"),
    "grid": ("#dfe2e8", "#353a45"),
    "accent": ("#0b5fa5", "#7cc0f5"),
    "good": ("#00694a", "#5fd3a9"),
    "bad": ("#a83a00", "#ff9e6b"),
    "warn": ("#7a5600", "#f0c95c"),
    "line-1": ("#0b5fa5", "#6fb9f2"),
    "line-2": ("#b04500", "#ff9e6b"),
    "line-3": ("#00705a", "#5fd3a9"),
    "line-4": ("#87407a", "#e3a2d6"),
    "line-5": ("#7a6100", "#e8cc5a"),
    "line-6": ("#4b5563", "#c3cad6"),
}
"""The light and the dark value of each color."""
INTERVAL = {"stroke_width": 1.8, "stroke_opacity": 0.8}
"""How the line of an interval looks: thinner and paler than a curve, and still seen in print."""


def apply_theme(drawing: str, theme: Theme = "light") -> str:
    """The drawing with the values of the light or the dark theme in place of the variables."""
    place = int(theme == "dark")
    return re.sub(r"var\(--([\w-]+)\)", lambda found: THEMES[found[1]][place], drawing)


THEME_CSS = " ".join(
    [
        ":root { color-scheme: light dark;",
        *(f"--{name}: light-dark({light}, {dark});" for name, (light, dark) in THEMES.items()),
        "}",
    ]
)
"""The variables for the style sheet of a page; the browser's color scheme chooses."""


def add_ground(drawing: str, theme: Theme) -> str:
    """The drawing in the colors of a theme, on its paper: without one it is lost on some pages."""
    end = drawing.index(">") + 1
    style = f"<style>{THEME_CSS}</style>" if theme == "auto" else ""
    ground = f'{style}<rect width="100%" height="100%" fill="var(--paper)"/>'
    themed = f"{drawing[:end]}{ground}{drawing[end:]}"
    return themed if theme == "auto" else apply_theme(themed, theme)
