"use strict";
// Judging by keyboard. What is judged is put into a queue in this browser, sent, and removed from
// the queue only when the server has acknowledged it; each entry has a key, so that the server
// stores it once however often it is sent.
(() => {
  const by = (id) => document.getElementById(id);
  const state = JSON.parse(by("state").textContent);
  const prefix = `assay ${state.campaign} ${state.person} `;
  const IDLE = 60000; // without a sign of life for so long, time does not count
  const WANTED = 3; // items to have before they are needed
  let mayJudge = state.may_judge;
  let csrf = state.csrf, current = state.task, inQueue = state.queue, ahead = [];
  const done = state.last ? [state.last] : []; // what can be undone, the newest last
  let passages = [], sending = false, failing = "", wait = 1000, timer = null, viewed = null;
  const memory = new Map(); // entries, where the browser lets us store nothing

  // ------------------------------------------------------------------ the queue
  function keep(entry) {
    try { localStorage.setItem(prefix + entry.request, JSON.stringify(entry)); }
    catch { memory.set(entry.request, entry); }
  }
  function forget(request) {
    memory.delete(request);
    try { localStorage.removeItem(prefix + request); } catch { /* nothing is stored */ }
  }
  function entries() {
    const found = [...memory.values()];
    try {
      for (let place = 0; place < localStorage.length; place++) {
        const name = localStorage.key(place);
        if (name.startsWith(prefix)) found.push(JSON.parse(localStorage.getItem(name)));
      }
    } catch { /* nothing is stored */ }
    return found.sort((a, b) => a.time - b.time);
  }
  const queue = () => entries().filter((each) => !each.refused); // what is still to be sent
  const refusals = () => entries().filter((each) => each.refused); // kept until they are discarded
  const isWaiting = (task) => queue().some((each) => each.query === task.query && each.doc === task.doc && each.action !== "flag");

  function add(action, task, more = {}) {
    const entry = { action, query: task.query, doc: task.doc, time: Date.now() + queue().length / 1000, request: newKey(), ...more };
    keep(entry);
    if (failing) showUnsaved(failing); // the number that waits is always right
    return entry;
  }
  function newKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");
  }

  // ------------------------------------------------------------------ sending
  async function ask(path, body) {
    const control = new AbortController();
    const limit = setTimeout(() => control.abort(), 20000);
    const options = { signal: control.signal, credentials: "same-origin", redirect: "error" };
    if (body) Object.assign(options, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify(body) });
    try {
      const answer = await fetch(path, options);
      const value = await answer.json().catch(() => ({}));
      return { code: answer.status, value };
    } finally { clearTimeout(limit); }
  }

  async function send() {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    try {
      for (;;) {
        const waiting = queue().slice(0, 50);
        const missing = inQueue && mayJudge ? WANTED - ahead.length - (current ? 0 : -1) : 0;
        if (!waiting.length && missing <= 0) break;
        const known = ahead.length ? ahead[ahead.length - 1] : current;
        const after = known && inQueue ? known.position : -1;
        const actions = waiting.map(({ action, query, doc, request, grade = null, seconds = null, comment = null, passages = null }) => ({ action, query, doc, request, grade, seconds, comment, passages }));
        const { code, value } = await ask("/api/save", { actions, after, count: Math.max(missing, 0) });
        if (code === 403 && await renew()) continue;
        if (code === 403 && value.refused) { stop(waiting, value.error); return; }
        if (code === 401) { lapsed(); return; }
        if (code !== 200) throw new Error(value.error || `the server answered ${code}`);
        wait = 1000;
        failing = "";
        receive(waiting, value, after);
        if (!value.tasks.length && !queue().length) break;
      }
      showUnsaved();
    } catch (problem) {
      failing = problem.name === "Error" ? problem.message : "the server cannot be reached";
      showUnsaved(failing);
      timer = setTimeout(send, wait);
      wait = Math.min(wait * 2, 15000);
    } finally {
      sending = false;
    }
  }

  async function renew() { // another sign-in has changed the token of this page
    const { code, value } = await ask("/api/session");
    if (code !== 200 || value.person !== state.person || value.csrf === csrf) return false;
    csrf = value.csrf;
    for (const field of document.querySelectorAll('input[name="csrf"]')) field.value = csrf;
    return true;
  }

  function receive(sent, value, after) {
    for (const outcome of value.outcomes) {
      const entry = sent.find((each) => each.request === outcome.request);
      forget(outcome.request);
      if (!entry) continue;
      if (!outcome.saved) { refuse(entry, outcome.reason); continue; }
      if (entry.action === "judge") {
        say(`Saved: ${entry.doc}` + (outcome.feedback === null ? "" : `. The known grade is ${outcome.feedback}.`));
      } else say({ undo: "Undone", later: "Put at the end", flag: "Flagged" }[entry.action] + `: ${entry.doc}`);
    }
    for (const task of value.tasks) {
      const same = (each) => each && each.query === task.query && each.doc === task.doc;
      if (!same(current) && !ahead.some(same) && !isWaiting(task)) ahead.push(task);
    }
    progress(value.progress);
    showUndo();
    if (!current && ahead.length) show(ahead.shift());
    else if (!current && inQueue && !value.tasks.length && after !== -1) { current = null; setTimeout(send, 0); }
    else if (!current && inQueue && !queue().length && !value.tasks.length) finish();
  }

  // ------------------------------------------------------------------ what is shown
  function say(text) { by("status").textContent = text; }
  function showUnsaved(problem) {
    const count = queue().length, box = by("unsaved");
    box.hidden = !count || (!problem && sending);
    if (count && problem) box.textContent = `Not saved yet: ${count}. They are kept in this browser and sent again (${problem}).`;
    if (!count) box.hidden = true;
  }
  function lapsed() {
    const box = by("unsaved");
    box.textContent = `You are not signed in any more. Not saved yet: ${queue().length}; they are kept in this browser and sent when you have signed in as ${state.person}. `;
    const link = document.createElement("a");
    link.href = "/sign-in?next=/judge";
    link.textContent = "Sign in";
    box.append(link);
    box.hidden = false;
  }
  function refuse(entry, reason) { // sending it again does not help: it is kept to be seen
    keep({ ...entry, refused: reason });
    showRefused();
  }
  function stop(waiting, reason) {
    mayJudge = false;
    for (const entry of waiting) refuse(entry, reason);
    showUnsaved();
    showUndo();
    say("");
    current = null;
    by("judging").hidden = true;
    by("finished").hidden = false;
    by("finished-title").textContent = "Judging has ended";
    by("finished-text").textContent = reason;
  }
  function describe(entry) {
    const what = { undo: "undo", later: "later", flag: "flag" }[entry.action] || (entry.grade === null ? "cannot say" : `grade ${entry.grade}`);
    return `${what}, document ${entry.doc}, topic ${entry.query}${entry.comment ? `, note: ${entry.comment}` : ""}`;
  }
  function showRefused() {
    const kept = refusals(), list = by("refused-list");
    by("refused").hidden = !kept.length;
    list.replaceChildren(...kept.map((entry) => {
      const line = document.createElement("li"), text = document.createElement("span");
      text.textContent = describe(entry);
      line.append(text, ` (refused: ${entry.refused}) `);
      const choices = { Copy: () => copy(text), "Send again": () => { forget(entry.request); keep({ ...entry, refused: undefined }); mayJudge = true; send(); }, Discard: () => forget(entry.request) };
      for (const [label, chosen] of Object.entries(choices)) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.addEventListener("click", () => { chosen(); if (label !== "Copy") showRefused(); });
        line.append(button, " ");
      }
      return line;
    }));
  }
  function copy(element) {
    window.getSelection().selectAllChildren(element);
    if (navigator.clipboard) navigator.clipboard.writeText(element.textContent).catch(() => {});
  }
  function fill(element, pieces) {
    element.replaceChildren(...pieces.map(([text, marked]) => {
      if (!marked) return document.createTextNode(text);
      const mark = document.createElement("mark");
      mark.textContent = text;
      return mark;
    }));
  }
  function show(task) {
    current = task;
    by("judging").hidden = false;
    by("finished").hidden = true;
    by("topic-title").textContent = task.topic.length ? task.topic[0][1] : task.query;
    by("topic-fields").replaceChildren(...task.topic.slice(1).flatMap(([name, text]) => {
      const head = document.createElement("dt"), body = document.createElement("dd");
      head.textContent = name; body.textContent = text;
      return [head, body];
    }));
    fill(by("document-title"), task.title.length ? task.title : [[task.doc, false]]);
    by("document-title").classList.toggle("unseen", !task.title_shown);
    by("document-text").classList.toggle("mono", task.mono);
    by("document-id").textContent = task.doc;
    setLink(by("document-link"), "href", task.link);
    setLink(by("document-picture"), "src", task.picture);
    fill(by("document-text"), task.text);
    by("document-more").hidden = task.more <= 0;
    by("document-rest").href = task.rest;
    by("document-rest").textContent = `The text goes on: ${task.more} more characters`;
    by("answer-query").value = by("words-query").value = task.query;
    by("answer-doc").value = task.doc;
    by("words").value = task.words;
    const before = task.judgment;
    by("comment").value = before ? before.comment : "";
    passages = before ? before.passages.map((each) => [...each]) : [];
    for (const button of document.querySelectorAll("button.grade")) button.classList.toggle("chosen", Boolean(before) && button.value === `grade:${before.grade}`);
    showPassages();
    topicProgress();
    window.scrollTo(0, 0);
    by("document-title").focus({ preventScroll: true });
    startClock();
    if (ahead.length < WANTED) send();
  }
  function setLink(element, name, value) {
    element.hidden = !value;
    if (value) element.setAttribute(name, value); else element.removeAttribute(name);
  }
  function finish() {
    current = null;
    by("judging").hidden = true;
    by("finished").hidden = queue().length > 0;
  }
  let counts = state.progress;
  function progress(given) {
    counts = given;
    by("my-progress").max = given.assigned || 1;
    by("my-progress").value = given.done;
    const left = Math.max(given.assigned - given.done, 0), pace = given.seconds_per_item;
    by("my-count").textContent = `${given.done} of ${given.assigned}` + (pace ? `, ${pace.toFixed(0)} s each, about ${Math.ceil(left * pace / 60)} min left` : "");
    topicProgress();
  }
  function topicProgress() {
    const [assigned, done] = (current && counts.topics[current.query]) || [0, 0];
    by("topic-progress").max = assigned || 1;
    by("topic-progress").value = done;
    by("topic-count").textContent = assigned ? `${done} of ${assigned}` : "";
  }
  function showUndo() {
    const last = done[done.length - 1];
    by("undo").hidden = !last || !mayJudge;
    by("undo-what").textContent = last ? last.doc : "";
    if (last) by("undo").querySelector('input[name="request"]').value = last.request;
  }
  function showPassages() {
    const list = by("passages");
    list.hidden = !passages.length;
    const text = [...by("document-text").textContent];
    list.replaceChildren(...passages.map(([start, end], place) => {
      const line = document.createElement("li"), remove = document.createElement("button");
      line.textContent = `“${text.slice(start, Math.min(end, start + 80)).join("")}${end - start > 80 ? "…" : ""}” `;
      remove.type = "button";
      remove.textContent = "Remove";
      remove.setAttribute("aria-label", `Remove passage ${place + 1}`);
      remove.addEventListener("click", () => { passages.splice(place, 1); showPassages(); });
      line.append(remove);
      return line;
    }));
  }

  // ------------------------------------------------------------------ time without idle time
  let spent = 0, seen = 0;
  function startClock() { spent = 0; seen = Date.now(); }
  function sign() {
    const now = Date.now();
    if (now - seen < IDLE) spent += now - seen;
    seen = now;
  }
  for (const kind of ["keydown", "pointerdown", "pointermove", "scroll", "touchstart"]) document.addEventListener(kind, sign, { passive: true, capture: true });
  document.addEventListener("visibilitychange", () => { if (document.hidden) sign(); else seen = Date.now(); });

  // ------------------------------------------------------------------ actions
  function judge(grade) {
    if (!current) return;
    sign();
    const task = current;
    const entry = add("judge", task, { grade, seconds: Math.round(spent) / 1000, comment: by("comment").value.trim() || null, passages: passages.length ? passages : null });
    done.push({ query: task.query, doc: task.doc, request: entry.request, task });
    if (viewed !== null) { viewed = null; inQueue = true; }
    advance();
    send();
  }
  function advance() {
    inQueue = true;
    current = null;
    showUndo();
    const next = ahead.shift();
    if (next) show(next);
    else { by("judging").hidden = true; say("Waiting for the server …"); send(); }
  }
  async function undo() {
    const undone = done.pop();
    if (!undone) return;
    const { request } = add("undo", undone, { request: `undo ${undone.request}` });
    await send();
    if (refusals().some((each) => each.request === request)) { done.push(undone); return; }
    if (current && inQueue) ahead.unshift(current);
    const task = undone.task || await load(`/api/item?query=${encodeURIComponent(undone.query)}&doc=${encodeURIComponent(undone.doc)}`);
    if (task) { viewed = null; inQueue = true; show({ ...task, judgment: null }); }
    showUndo();
  }
  async function load(path) {
    try {
      const { code, value } = await ask(path);
      if (code === 200) return value;
      if (code === 401) lapsed(); else say(value.error || `The server answered ${code}.`);
    } catch { say("The server cannot be reached."); }
    return null;
  }
  async function previous() {
    const found = await load(`/api/previous${viewed === null ? "" : `?before=${viewed}`}`);
    if (!found) return;
    if (!found.task) { say("There is no earlier judgment."); return; }
    if (current && inQueue) ahead.unshift(current);
    inQueue = false;
    viewed = found.task.judgment.id;
    show(found.task);
    say(`Judged before: ${found.task.doc}`);
  }
  function next() {
    if (viewed === null && inQueue) { say("This is the next document to judge."); return; }
    viewed = null;
    say("");
    advance();
  }
  function later() {
    if (!current) return;
    add("later", current);
    advance();
    send();
  }
  function flag() {
    if (!current) return;
    add("flag", current, { comment: by("comment").value.trim() || "flagged" });
    send();
  }
  function mark() {
    const chosen = window.getSelection(), box = by("document-text");
    if (!chosen.rangeCount || chosen.isCollapsed || !box.contains(chosen.anchorNode) || !box.contains(chosen.focusNode)) { say("Select a passage of the document first."); return; }
    const range = chosen.getRangeAt(0), before = range.cloneRange();
    before.selectNodeContents(box);
    before.setEnd(range.startContainer, range.startOffset);
    const start = [...before.toString()].length, end = start + [...range.toString()].length;
    passages.push([start, end]);
    passages.sort((a, b) => a[0] - b[0]);
    chosen.removeAllRanges();
    showPassages();
  }
  function remember(open) { // whether the guidelines are open, for the next document and the next day
    try { localStorage.setItem(remembered, open ? "open" : "closed"); } catch { /* not remembered */ }
  }
  const ACTIONS = {
    "cannot-say": () => judge(null), later, flag, undo, previous, next, passage: mark,
    note: () => by("comment").focus(),
    guidelines: () => { guidelines.open = !guidelines.open; remember(guidelines.open); },
  };
  const ALWAYS = ["previous", "next", "guidelines"];
  function act(name) {
    if (!mayJudge && !ALWAYS.includes(name)) { say("Judgments do not change in this phase."); return; }
    if (name.startsWith("grade:")) judge(Number(name.slice(6)));
    else if (ACTIONS[name]) ACTIONS[name]();
  }
  const actions = new Map(Object.entries(state.keys).filter(([, key]) => key).map(([name, key]) => [key, name]));
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const name = actions.get(event.key);
    if (name) { event.preventDefault(); act(name); }
  });
  by("answer").addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter && event.submitter.value) act(event.submitter.value);
  });
  by("undo").addEventListener("submit", (event) => { event.preventDefault(); undo(); });
  for (const button of document.querySelectorAll("button[data-act]")) {
    button.hidden = false;
    button.addEventListener("click", () => act(button.dataset.act));
  }

  // ------------------------------------------------------------------ other tabs, coming back
  window.addEventListener("storage", (event) => {
    if (!event.key || !event.key.startsWith(prefix) || !event.newValue) return;
    const entry = JSON.parse(event.newValue);
    if (entry.refused) { showRefused(); return; }
    ahead = ahead.filter((each) => each.query !== entry.query || each.doc !== entry.doc);
    if (inQueue && current && entry.action === "judge" && current.query === entry.query && current.doc === entry.doc) {
      advance();
      say(`${entry.doc} was judged in another tab.`);
    }
  });
  for (const kind of ["online", "focus"]) window.addEventListener(kind, () => { if (queue().length) { wait = 1000; send(); } });
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  window.addEventListener("beforeunload", (event) => { if (memory.size) event.preventDefault(); });

  if (!inQueue && current && current.judgment) viewed = current.judgment.id;
  topicProgress();
  showPassages();
  startClock();
  if (current && inQueue && isWaiting(current)) { current = null; by("judging").hidden = true; }
  const guidelines = by("guidelines"), remembered = `assay-guidelines ${state.campaign} ${state.person}`;
  function rememberedChoice() { try { return localStorage.getItem(remembered); } catch { return null; } }
  const choice = rememberedChoice() || (window.innerWidth > 800 || !counts.done ? "open" : "closed");
  guidelines.open = choice === "open";
  guidelines.querySelector("summary").addEventListener("click", () => remember(!guidelines.open));
  showUnsaved("they were waiting when the page was opened");
  showRefused();
  send();
})();
