"use strict";

// The page of findings: what is wrong in files, such as those that kept `b2c run` from starting.

const { copyButton, keys, make, sourceFrame } = records;
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const tints = { error: "bad", warning: "warn", advice: "soft" };

/** What to do; the acts of a path that `b2c policy explore` took are numbered lines. */
function remedyView(rule, remedy) {
  const parts = rule.startsWith("B2C-EXP-") ? remedy.split(/ (?=(?:Path|Compare): )/) : [remedy];
  return parts.map((part) => {
    const [, word, acts] = /^(Path|Compare): (.*?)\.?$/s.exec(part) ?? [];
    if (!acts) return make("p", {}, make("strong", {}, "Fix: "), part);
    return [make("p", {}, make("strong", {}, `${word}:`)), make("ol", { class: "path" }, acts.split("; ").map((act) => make("li", {}, act)))];
  });
}

/** A finding: what is wrong, where, what to do. */
function findingView({ rule, severity, message, remedy, place, file, source }) {
  const command = `b2c explain ${rule}`;
  return make("section", { class: `why finding ${severity}`, "aria-label": `${severity}: ${message}` },
    make("h3", {}, make("span", { class: tints[severity] }, `${severity}: `), message),
    place ? make("p", {}, make("code", {}, place)) : null,
    sourceFrame(source, file),
    remedy ? remedyView(rule, remedy) : null,
    make("p", { class: "soft" }, make("code", {}, rule), " \u00b7 ", make("code", {}, command), " ", copyButton("Copy", command)));
}

document.getElementById("title").append(data.command);
document.getElementById("facts").append(
  make("strong", { class: data.isGood ? "good" : "bad" }, data.head), ` \u00b7 b2c ${data.version} \u00b7 `);
// Files with errors are first.
const files = [...Map.groupBy(data.findings, ({ file }) => file ?? "")];
const rank = ([, findings]) => Number(!findings.some(({ severity }) => severity === "error"));
main.replaceChildren(...files.sort((one, other) => rank(one) - rank(other)).flatMap(([file, findings]) => [
  make("h2", {}, file || data.command), ...findings.map(findingView)]));

/** The next or previous finding. */
function walk(move) {
  const all = [...main.querySelectorAll(".finding")].filter((one) => one.checkVisibility());
  const place = all.findIndex((one) => one.contains(document.activeElement));
  const next = all[place < 0 ? (move > 0 ? 0 : all.length - 1) : place + move];
  if (!next) return;
  next.setAttribute("tabindex", "-1");
  next.focus();
  next.scrollIntoView();
}

document.getElementById("facts").append(keys([
  { key: "j", text: "next finding", act: () => walk(1) },
  { key: "k", text: "previous finding", act: () => walk(-1) },
]));
