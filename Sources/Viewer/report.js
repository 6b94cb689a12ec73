"use strict";

// The page of `b2c run --report-html`: its data is JSON in the page, and nothing is loaded.

const { block, copyButton, difference, fold, make, outcomeView, seconds, sequence } = records;
const data = JSON.parse(document.getElementById("data").textContent);
const { report, wall } = data;
const main = document.getElementById("main");
const good = new Set(["passed", "skipped", "expectedFailure", "flaky"]);
const filter = { text: "", status: "", tag: "", folder: "", code: "" };

const title = (scenario) => (scenario.case === undefined ? scenario.name : `${scenario.name} [${scenario.case}]`);
const folder = ({ file }) => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");
const tint = (status) => (status === "notRun" ? "soft" : good.has(status) ? "good" : "bad");

// Overview

function facts() {
  document.getElementById("title").append(make("a", { href: "#" }, "b2c run"));
  const counts = Object.entries(report.counts).filter(([name, count]) => name !== "total" && count > 0);
  document.getElementById("facts").append(
    make("strong", { class: report.result === "passed" ? "good" : "bad" }, report.result),
    ` \u00b7 ${report.counts.total} ${report.counts.total === 1 ? "scenario" : "scenarios"}: ${counts.map(([name, count]) => `${count} ${name}`).join(", ")}`
    + `${wall ? ` \u00b7 ${seconds(wall.total)}` : ""} \u00b7 seed ${report.seed} \u00b7 target ${report.target} \u00b7 b2c ${data.version}`);
  const share = document.getElementById("share");
  for (const [name, count] of counts) share.append(make("span", { class: tint(name), style: `flex:${count}` }));
}

/** Codes of the service, and kinds of the client's errors, that a step ended in. */
function codesOf(step) {
  const error = step.outcome?.error;
  const text = JSON.stringify([error?.b2cCode, error?.description, step.mismatches, step.problems]);
  return [...(text.match(/AADB2C\d{5}/g) ?? []), ...(error?.kind ? [error.kind] : []), ...(step.steps ?? []).flatMap(codesOf)];
}

const codes = report.scenarios.map((scenario) => [...new Set(scenario.steps.flatMap(codesOf))]);
const searchable = report.scenarios.map((scenario, index) => (
  `${title(scenario)} ${scenario.file} ${scenario.tags.join(" ")} ${codes[index].join(" ")} ${data.details[index]?.failure ?? ""}`
).toLowerCase());

function choice(label, key, values) {
  const select = make("select", {}, make("option", { value: "" }, "all"),
    [...new Set(values)].sort().map((value) => make("option", { value }, value)));
  select.value = filter[key];
  select.addEventListener("change", () => {
    filter[key] = select.value;
    fill();
  });
  return make("label", {}, label, select);
}

function overview() {
  const box = make("input", { type: "search", id: "search" });
  box.value = filter.text;
  box.addEventListener("input", () => {
    filter.text = box.value;
    fill();
  });
  const times = (wall?.scenarios ?? []).map((time, index) => [time, index]).filter(([time]) => time !== null);
  const slowest = times.sort(([one], [other]) => other - one).slice(0, 5);
  main.replaceChildren(
    make("div", { class: "bar" }, make("label", {}, "Search (press /)", box),
      choice("Status", "status", report.scenarios.map((scenario) => scenario.result)),
      choice("Error code", "code", codes.flat()),
      choice("Tag", "tag", report.scenarios.flatMap((scenario) => scenario.tags)),
      choice("Folder", "folder", report.scenarios.map(folder))),
    make("p", { id: "shown", class: "soft", role: "status" }), make("ul", { id: "list" }));
  if (slowest.length > 1) {
    main.append(fold(`Slowest: ${seconds(slowest[0][0])}`, make("ul", {}, slowest.map(([time, index]) => make("li", {},
      `${seconds(time)} `, make("a", { href: `#s${index}` }, title(report.scenarios[index])))))));
  }
  fill();
}

function fill() {
  const text = filter.text.toLowerCase();
  const found = report.scenarios.map((_, index) => index).filter((index) => {
    const scenario = report.scenarios[index];
    return (!text || searchable[index].includes(text)) && (!filter.status || scenario.result === filter.status)
      && (!filter.tag || scenario.tags.includes(filter.tag)) && (!filter.folder || folder(scenario) === filter.folder)
      && (!filter.code || codes[index].includes(filter.code));
  });
  // What failed stands first.
  const rank = (index) => Number(good.has(report.scenarios[index].result));
  found.sort((one, other) => rank(one) - rank(other) || one - other);
  document.getElementById("shown").textContent = `${found.length} of ${report.scenarios.length} scenarios`;
  document.getElementById("list").replaceChildren(...found.map((index) => {
    const scenario = report.scenarios[index];
    const time = wall?.scenarios[index];
    return make("li", {},
      make("span", { class: `state ${tint(scenario.result)}` }, scenario.result), " ",
      make("a", { href: `#s${index}` }, title(scenario)),
      make("div", { class: "soft" }, [scenario.file, codes[index].join(", "), time ? seconds(time) : ""].filter(Boolean).join(" \u00b7 ")));
  }));
}

function stepView(step, id, log) {
  const { file, line, column } = step.location;
  return make("li", { class: `step ${step.result}`, id },
    make("span", { class: `state ${tint(step.result)}` }, step.result), " ", make("a", { href: `#${id}` }, step.title),
    make("div", { class: "soft" }, `${[file, line, column].filter((part) => part !== undefined).join(":")} \u00b7 at ${step.at}`
      + `${step.elapsed ? `, ${step.elapsed} s of its own clock` : ""}`),
    (step.problems ?? []).map((problem) => make("p", { class: "bad" }, problem)), (step.mismatches ?? []).map(difference),
    step.outcome ? outcomeView(step.outcome, log) : null,
    step.steps ? make("ol", {}, step.steps.map((inner, index) => stepView(inner, `${id}.${index}`, log))) : null);
}

const hasOutcome = (step) => step.outcome !== undefined || (step.steps ?? []).some(hasOutcome);

function scenarioView(index) {
  const scenario = report.scenarios[index];
  const more = data.details[index];
  const log = more?.log ?? [];
  const repeat = /^ *repeat +(.+)$/m.exec(more?.failure ?? "")?.[1];
  const failed = (steps, prefix) => {
    for (const [place, step] of steps.entries()) {
      if (step.result === "failed") return failed(step.steps ?? [], `${prefix}.${place}`) ?? `${prefix}.${place}`;
    }
    return null;
  };
  const cause = failed(scenario.steps, `s${index}`);
  main.replaceChildren(...[
    make("nav", { "aria-label": "Report" }, make("a", { href: "#" }, "All scenarios"), cause ? " \u00b7 " : null,
      cause ? make("a", { href: `#${cause}` }, "The step that failed") : null),
    make("h2", { tabindex: "-1" }, title(scenario)),
    make("p", { class: "soft" }, make("strong", { class: tint(scenario.result) }, scenario.result), ` \u00b7 ${scenario.file}`
      + `${scenario.tags.length ? ` \u00b7 ${scenario.tags.join(", ")}` : ""} \u00b7 ${scenario.elapsed} s of its own clock`),
    scenario.reason ? make("p", {}, scenario.reason) : null,
    repeat ? make("p", {}, make("code", {}, repeat), " ", copyButton("Copy the command that repeats it", repeat)) : null,
    more?.failure ? fold("As the console shows it", block(more.failure)) : null,
    make("h3", {}, "Steps"), make("ol", {}, scenario.steps.map((step, place) => stepView(step, `s${index}.${place}`, log))),
    // Requests that no step's outcome has.
    log.length && !scenario.steps.some(hasOutcome) ? sequence(log, []) : null,
  ].filter(Boolean));
}

function go() {
  const found = /^#s(\d+)((?:\.\d+)*)$/.exec(location.hash);
  if (!found || !report.scenarios[found[1]]) {
    overview();
    return;
  }
  scenarioView(Number(found[1]));
  const step = found[2] ? document.getElementById(location.hash.slice(1)) : null;
  if (step) {
    step.scrollIntoView();
  } else {
    scrollTo(0, 0);
    main.querySelector("h2").focus();
  }
}

addEventListener("hashchange", go);
addEventListener("keydown", (event) => {
  if (/^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === "/" && document.getElementById("search")) {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (event.key === "Escape") {
    location.hash = "";
  }
});
facts();
go();
