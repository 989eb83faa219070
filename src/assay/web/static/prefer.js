"use strict";
// Keys for the three answers, and the time until one is given.
(() => {
  const form = document.getElementById("prefer");
  if (!form) return;
  const begun = Date.now();
  form.addEventListener("submit", () => {
    document.getElementById("seconds").value = Math.min((Date.now() - begun) / 1000, 3600).toFixed(1);
  });
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select")) return;
    const button = form.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
    if (button) { event.preventDefault(); button.click(); }
  });
})();
