"use strict";
// Two systems query by query, and one query with two rankings side by side. All text from the data
// is set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("queries-data").textContent);
  const find = (id) => document.getElementById(id);
  const [measure, first, second, query] = ["measure", "first", "second", "query"].map(find);
  const make = (name, words, className) => {
    const made = document.createElement(name);
    if (words !== undefined) made.textContent = words;
    if (className) made.className = className;
    return made;
  };
  const draw = (name, attributes, words) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (words !== undefined) made.append(words);
    return made;
  };
  const fill = (select, names, chosen) => {
    select.replaceChildren(...names.map((name, place) => {
      const option = make("option", name);
      option.value = String(place);
      option.selected = place === chosen;
      return option;
    }));
  };
  const show = (number) => (number === null ? "–" : decimals(number));
  const signed = (number) => (number > 0 ? "+" : number < 0 ? "−" : "±") + decimals(Math.abs(number));
  const better = () => (data.better[measure.value] === "lower" ? -1 : 1);
  const alone = data.systems.length === 1; // then values are shown where changes would be

  const changes = () => {
    const two = data.values[measure.value][second.value];
    const one = alone ? two.map((value) => (value === null ? null : 0)) : data.values[measure.value][first.value];
    const found = [];
    data.queries.forEach((name, place) => {
      if (one[place] === null || two[place] === null) return;
      found.push({ place, change: two[place] - one[place] });
    });
    return found.sort((a, b) => a.change - b.change || a.place - b.place);
  };

  // At most 400 bars: beyond that each bar is the mean of several queries in a row.
  const bars = (found) => {
    const most = 400;
    if (found.length <= most) return found.map((each) => ({ ...each, name: data.queries[each.place] }));
    return Array.from({ length: most }, (_, bar) => {
      const part = found.slice(Math.floor((bar * found.length) / most), Math.floor(((bar + 1) * found.length) / most));
      return { change: part.reduce((sum, each) => sum + each.change, 0) / part.length, name: `${part.length} queries` };
    });
  };
  const chart = (found) => {
    const [high, left] = [220, 52];
    const wide = Math.max(240, Math.min(900, find("changes-chart").clientWidth - left));
    const svg = draw("svg", { viewBox: `0 0 ${wide + left} ${high + 30}`, role: "img", "aria-labelledby": "changes-said" });
    const reach = Math.max(...found.map((each) => Math.abs(each.change)), 1e-9);
    const lowest = found.some((each) => each.change < 0) || !alone ? -reach : 0;
    const at = (value) => 10 + high * (1 - (value - lowest) / (reach - lowest));
    for (const value of [reach, (reach + lowest) / 2, lowest, ...(lowest ? [reach / 2, lowest / 2] : [reach / 4, 3 * reach / 4])]) {
      svg.append(draw("line", { x1: left, x2: wide + left, y1: at(value), y2: at(value), stroke: "var(--grid)" }));
      svg.append(draw("text", { x: left - 6, y: at(value) + 4, "text-anchor": "end", "font-size": 11, fill: "var(--muted)" }, value.toFixed(2)));
    }
    const shown = bars(found);
    const width = wide / Math.max(shown.length, 1);
    shown.forEach((each, place) => {
      if (each.change === 0) return;
      const up = each.change * better() > 0;
      const bar = draw("rect", {
        x: left + place * width, width: Math.max(width * 0.88, 0.6), y: Math.min(at(0), at(each.change)),
        height: Math.max(Math.abs(at(each.change) - at(0)), 0.4), fill: up ? "var(--good)" : "var(--bad)",
      });
      bar.append(draw("title", {}, `${each.name}: ${signed(each.change)}`));
      if (each.place !== undefined && kept.has(data.queries[each.place])) {
        bar.style.cursor = "pointer";
        bar.addEventListener("click", () => open(each.place, true));
      }
      svg.append(bar);
    });
    return svg;
  };

  const kept = new Map(Object.keys(data.rankings).map((name, place) => [name, place]));
  const listed = (title, found) => {
    const table = make("table");
    table.append(make("caption", title));
    const body = table.createTBody();
    for (const each of found) {
      const row = body.insertRow();
      const name = data.queries[each.place];
      const cell = row.insertCell();
      if (kept.has(name)) {
        const button = make("button", name);
        button.type = "button";
        button.addEventListener("click", () => open(each.place, true));
        cell.append(button);
      } else cell.append(name);
      if (data.topics[name]) cell.append(" ", make("span", data.topics[name], "note"));
      row.insertCell().append(alone ? show(each.change) : make("span", signed(each.change), each.change * better() > 0 ? "up" : "down"));
    }
    return table;
  };
  const showAlone = (found) => {
    const mean = found.reduce((sum, each) => sum + each.change, 0) / Math.max(found.length, 1);
    const order = better() < 0 ? [...found].reverse() : found;
    find("changes-said").textContent =
      `${data.measures[measure.value]} of ${data.systems[0]} on ${found.length} queries, from the lowest to the highest; mean ${show(mean)}.`;
    find("changes-chart").replaceChildren(chart(found));
    find("changes-list").replaceChildren(listed("Worst", order.slice(0, 10)), listed("Best", order.slice(-10).reverse()));
    open(Number(query.value), false);
  };
  const compareSystems = () => {
    const found = changes();
    if (alone) { showAlone(found); return; }
    const gains = found.filter((each) => each.change * better() > 0);
    const losses = found.filter((each) => each.change * better() < 0);
    if (better() < 0) losses.reverse(); else gains.reverse();
    const names = [first, second].map((each) => data.systems[each.value]);
    const mean = found.reduce((sum, each) => sum + each.change, 0) / Math.max(found.length, 1);
    find("changes-said").textContent =
      `${data.measures[measure.value]}: ${names[1]} is better than ${names[0]} on ${gains.length} queries, worse on ` +
      `${losses.length}, the same on ${found.length - gains.length - losses.length}; mean change ${signed(mean)}.`;
    find("changes-chart").replaceChildren(chart(found));
    find("changes-list").replaceChildren(listed("Got worse", losses.slice(0, 10)), listed("Got better", gains.slice(0, 10)));
    open(Number(query.value), false);
  };

  const badge = (grade) => {
    if (grade === null) return make("span", "not judged", "grade unjudged");
    return make("span", `grade ${grade}`, `grade ${grade >= data.rel ? "relevant" : "not"}`);
  };
  const ranking = (name, system, other) => {
    const part = make("div");
    const list = make("ol");
    const own = (data.rankings[name] || {})[system] || [];
    const ranks = data.ranks[name];
    const places = new Map(ranks ? ranks.docs.map((doc, place) => [doc, ranks.of[other][place]]) : []);
    const value = data.values[measure.value][system][data.queries.indexOf(name)];
    part.append(make("h3", `${data.systems[system]}: ${data.measures[measure.value]} ${show(value)}`));
    own.forEach(([doc, grade], place) => {
      const row = make("li");
      const before = places.get(doc);
      const where = before ? `rank ${before}` : "not";
      const moved = before === place + 1 ? "" : `${where} in ${data.systems[other]}`;
      const title = make("span", `${data.docs[doc]} `, "doc");
      if (system !== other) title.append(make("span", moved, "moved"));
      row.append(make("span", String(place + 1), "rank"), title, badge(grade));
      if (data.texts[data.docs[doc]]) row.append(make("span", data.texts[data.docs[doc]], "text"));
      list.append(row);
    });
    if (!own.length) list.append(make("li", "No answer to this query."));
    part.append(list);
    const rows = measure.value === "0" && data.traces.rows && (data.traces.rows[name] || {})[system];
    part.append(rows && rows.length ? work(rows) : command(name, system));
    return part;
  };
  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const command = (name, system) => {
    const part = make("p", "The work behind it: ", "note");
    const words = ["assay", "explain", "retrieval", data.files[0], data.files[system + 1], "-m", data.measures[measure.value], "--query", name];
    part.append(make("code", words.map(quoted).join(" ")));
    return part;
  };
  const work = (rows) => {
    const part = make("details");
    part.append(make("summary", `How ${data.measures[0]} is computed`));
    const table = make("table");
    const head = table.createTHead().insertRow();
    for (const column of data.traces.columns) {
      const cell = make("th", column);
      cell.scope = "col";
      head.append(cell);
    }
    const body = table.createTBody();
    for (const row of rows) {
      const made = body.insertRow();
      for (const cell of row) made.insertCell().textContent = cell === null ? "?" : String(cell);
    }
    const wide = make("div", undefined, "wide");
    wide.tabIndex = 0;
    wide.setAttribute("role", "region");
    wide.setAttribute("aria-label", "The work behind the number");
    wide.append(table);
    part.append(wide);
    return part;
  };
  const open = (place, jump) => {
    const name = data.queries[place];
    if (!kept.has(name)) return;
    query.value = String(place);
    const order = [...query.options].map((each) => each.value);
    const here = order.indexOf(String(place));
    find("previous").disabled = here <= 0;
    find("next").disabled = here >= order.length - 1;
    find("query-text").textContent = data.topics[name] || "";
    const systems = [...new Set([first.value, second.value])];
    find("query-rankings").replaceChildren(...systems.map((each) =>
      ranking(name, Number(each), Number(systems.find((other) => other !== each) ?? each))));
    if (jump) { find("query-panel").scrollIntoView(); query.focus({ preventScroll: true }); }
  };
  const step = (by) => {
    const option = query.options[query.selectedIndex + by];
    if (option) open(Number(option.value), false);
  };

  fill(measure, data.measures, 0);
  fill(first, data.systems, data.pair[0]);
  fill(second, data.systems, data.pair[1]);
  query.replaceChildren(...data.queries.flatMap((name, place) => {
    if (!kept.has(name)) return [];
    const option = make("option", data.topics[name] ? `${name}: ${data.topics[name]}`.slice(0, 90) : name);
    option.value = String(place);
    return [option];
  }));
  for (const each of [measure, first, second]) each.addEventListener("change", compareSystems);
  query.addEventListener("change", () => open(Number(query.value), false));
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  compareSystems();
  const worst = changes().find((each) => kept.has(data.queries[each.place]));
  if (worst) open(worst.place, false);
})();
