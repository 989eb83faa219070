"use strict";
// What every page can do: change its theme, show one panel of several, and sort its tables.

// Four decimals as the command line writes them: of two that are equally near, the even one. Equally
// near are only the odd multiples of 1/32.
const decimals = (number) => {
  const words = number.toFixed(4);
  const halfway = (Math.abs(number) * 32) % 2 === 1;
  return halfway && /[13579]$/.test(words) ? (number - Math.sign(number) * 1e-6).toFixed(4) : words;
};
(() => {
  const root = document.documentElement;
  const toggle = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let dark = system.matches;
  const show = () => {
    root.style.colorScheme = dark ? "dark" : "light";
    toggle.setAttribute("aria-pressed", String(dark));
  };
  toggle.setAttribute("aria-pressed", String(dark));
  toggle.addEventListener("click", () => { dark = !dark; show(); });
  system.addEventListener("change", (event) => { dark = event.matches; show(); });

  for (const choice of document.querySelectorAll("select[data-chooser]")) {
    const panels = [...choice.options].map((option) => document.getElementById(option.value));
    const open = () => panels.forEach((panel) => { panel.hidden = panel.id !== choice.value; });
    choice.addEventListener("change", open);
    open();
  }

  const value = (row, place, kind) => {
    const cell = row.cells[place];
    if (kind === "text") return cell.textContent;
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en") : a - b);
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, place) => {
      const button = head.querySelector("button");
      if (!button) return;
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const other = now === "ascending" ? "descending" : "ascending";
        const next = now === "none" ? button.dataset.first : other;
        const sign = next === "ascending" ? 1 : -1;
        const rows = [...table.tBodies[0].rows];
        rows.sort((one, two) => {
          const a = value(one, place, button.dataset.kind);
          const b = value(two, place, button.dataset.kind);
          if (a === null || b === null) return (a === null) - (b === null);
          return sign * compare(a, b);
        });
        heads.forEach((each) => each.setAttribute("aria-sort", each === head ? next : "none"));
        table.tBodies[0].append(...rows);
      });
    });
  }
})();
