"use strict";
// Sliders: each moves a threshold, and with it the matrix, the rates, and the marks in its figures.
const follow = (suffix) => {
  const find = (id) => document.getElementById(id + suffix);
  const data = JSON.parse(find("thresholds-data").textContent);
  const slider = find("threshold");
  const set = (id, words) => { find(id).textContent = words; };
  const count = (number) => String(Math.round(number * 1e6) / 1e6);
  const percent = (number) => (number === null ? "–" : `${(100 * number).toFixed(1)} %`);
  const rate = (number) => (number === null ? "–" : decimals(number));
  const shade = (id, share) => find(id).style.setProperty("--share", share);
  const over = (a, b) => (b ? a / b : null);

  const mark = (figure, shape, attributes) => {
    const svg = find(figure).querySelector("svg");
    const [left, top, width, height] = svg.dataset.plane.split(" ").map(Number);
    const made = document.createElementNS("http://www.w3.org/2000/svg", shape);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
    return { made, left, top, width, height };
  };
  const point = mark("roc", "circle", { r: 7, fill: "var(--bad)", stroke: "var(--paper)", "stroke-width": 2, id: `roc-point${suffix}` });
  const rules = ["densities", "rates"].map((figure) => ({
    ...mark(figure, "line", { stroke: "var(--ink)", "stroke-width": 2, "stroke-dasharray": "5 3", class: "threshold-rule" }),
    range: data.ranges[figure],
  }));

  const show = () => {
    const place = data.score.length - 1 - Number(slider.value);
    const [positives, negatives] = [data.positives, data.negatives];
    const tp = data.tp[place], fp = data.fp[place];
    const cells = { tp, fp, fn: positives - tp, tn: negatives - fp };
    for (const [name, number] of Object.entries(cells)) set(`cell-${name}`, count(number));
    shade("cell-tp", over(cells.tp, positives) ?? 0);
    shade("cell-fn", over(cells.fn, positives) ?? 0);
    shade("cell-fp", over(cells.fp, negatives) ?? 0);
    shade("cell-tn", over(cells.tn, negatives) ?? 0);
    const threshold = String(Number(data.score[place].toPrecision(6)));
    set("threshold-said", threshold);
    slider.setAttribute("aria-valuetext", `threshold ${threshold}`);
    for (const name of ["TPR", "TNR", "PPV", "NPV"]) set(`margin-${name.toLowerCase()}`, percent(data.rates[name][place]));
    for (const [number, name] of Object.keys(data.rates).entries()) set(`rate-${number}`, rate(data.rates[name][place]));
    point.made.setAttribute("cx", point.left + (over(fp, negatives) ?? 0) * point.width);
    point.made.setAttribute("cy", point.top + (1 - (over(tp, positives) ?? 0)) * point.height);
    for (const rule of rules) {
      const x = rule.left + ((data.score[place] - rule.range[0]) / (rule.range[1] - rule.range[0])) * rule.width;
      for (const [key, value] of [["x1", x], ["x2", x], ["y1", rule.top], ["y2", rule.top + rule.height]]) rule.made.setAttribute(key, value);
    }
  };
  slider.addEventListener("input", show);
  show();
};
for (const panel of document.querySelectorAll(".thresholds")) follow(panel.dataset.suffix);
