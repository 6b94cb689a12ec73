"use strict";

// The page of `b2c run --report-html`: its data is JSON in the page, and nothing is loaded.

const { block, centre, copyButton, cut, differences, fold, keys, lazyFold, make, marked, moment, originOf, outcomeView, pageView, seconds, sentence, sequence, showRequest, sidesOf, sourceFrame, toldApart, virtual } = records;
const data = JSON.parse(document.getElementById("data").textContent);
const { report, wall } = data;
const main = document.getElementById("main");
const good = new Set(["passed", "skipped", "expectedFailure", "flaky"]);
const words = { notRun: "not run", expectedFailure: "failed as expected", unexpectedPass: "passed against expectation", flaky: "passed when repeated" };

const title = (scenario) => (scenario.case === undefined ? scenario.name : `${scenario.name} [${scenario.case}]`);
const folder = ({ file }) => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");
const tint = (status) => (status === "notRun" ? "soft" : good.has(status) ? "good" : "bad");
const wordOf = (status) => words[status] ?? status;
const state = (status) => make("span", { class: `state ${tint(status)}` }, wordOf(status));
const isBad = (scenario) => !good.has(scenario.result) && scenario.result !== "notRun";

if (data.usesRealTime) records.useRealTime();

// Causes

/** The failed steps that say why, with their ids and heads; a group that failed only because of its steps says nothing. */
function failedSteps(steps, prefix) {
  return steps.flatMap((step, place) => {
    if (step.result !== "failed") return [];
    const id = `${prefix}.${place}`;
    const inner = failedSteps(step.steps ?? [], id).map((one) => ({ ...one, head: `step ${place + 1} of ${steps.length}, ${one.head}` }));
    return inner.length && !(step.mismatches ?? []).length && !(step.problems ?? []).length ? inner : [...inner, { step, id, head: headOf(step, place, steps.length) }];
  });
}

/** Codes of the service, and kinds of the client's errors, that made a step fail: not those that it expects. */
function codesOf(step) {
  if (step.result !== "failed") return [];
  const { mismatches = [], problems = [] } = step;
  // The end of a step that ended as expected has no difference.
  const error = problems.length || mismatches.some(({ pointer }) => /^\/(error|result|pending)\b|^$/.test(pointer)) ? step.outcome?.error : undefined;
  const text = JSON.stringify([error?.b2cCode, error?.description, mismatches.map((one) => (sidesOf(one) ? one.found : one.text)), problems]);
  return [...(text.match(/AADB2C\d{5}/g) ?? []), ...(error?.kind ? [error.kind] : []), ...(step.steps ?? []).flatMap(codesOf)];
}

/** The end of a step that failed in an error, in a few words. */
function endOf(error) {
  const message = String(error.description ?? "").split(/\\r|\\n|[\r\n]/)[0].replace(/^\S*\+\S*$/, (text) => text.replaceAll("+", " "));
  return `ended in ${error.name ?? error.kind}${message ? `: ${message}` : error.b2cCode ? `: ${error.b2cCode}` : ""}`;
}
const nameOf = (step) => step.title.replace(/ at \/steps\/\S*$/, "");

/** One line about why a scenario failed; `null`: it did not. `key` is equal for equal failures. */
function causeOf(scenario, index) {
  if (!isBad(scenario)) return null;
  const first = failedSteps(scenario.steps, `s${index}`)[0];
  const reason = scenario.result === "failed" ? null : scenario.reason;
  if (reason || !first) return { key: `${scenario.result} ${reason}`, text: reason ?? "failed" };
  const { step } = first;
  const mismatch = step.mismatches?.[0];
  const cause = { step: nameOf(step) };
  const sides = mismatch ? sidesOf(mismatch) : null;
  const error = step.outcome?.error;
  const said = step.outcome?.pending?.page?.error;
  if (step.problems?.length) cause.text = step.problems[0] + (said ? ` (the page says \u201c${said}\u201d)` : "");
  else if (sides) Object.assign(cause, { pointer: mismatch.pointer, wanted: mismatch.wanted, found: mismatch.found, sides });
  else if (mismatch?.pointer === "/error" && error) cause.text = endOf(error);
  else if (mismatch) Object.assign(cause, { pointer: mismatch.pointer, text: mismatch.text });
  else cause.text = "failed";
  // Ids and times differ from run to run of one failure, and labels of secrets from scenario to scenario.
  cause.key = JSON.stringify([cause.step, cause.pointer, cause.wanted, cause.found, cause.text])
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "id").replace(/\d{4}-\d\d-\d\d[T +]\d\d:\d\d:\d\dZ?/g, "time").replace(/<([a-z ]+) \d+>/g, "$1");
  return cause;
}

function causeLine({ step, pointer, text, sides, wanted, found }) {
  const quoted = (value, side) => (typeof value === "string" && side === value ? JSON.stringify(value) : side);
  const both = sides ? toldApart(quoted(wanted, sides.wanted), quoted(found, sides.found)) : ["", ""];
  // Long values that begin alike are cut before the place where they differ.
  let start = 0;
  while (start < both[0].length && both[0][start] === both[1][start]) start += 1;
  const from = start > 100 ? start - 20 : 0;
  const [one, other] = both.map((side) => cut(from ? `\u2026${side.slice(from)}` : side, 120));
  return make("div", { class: "cause" }, step ? `${step}: ` : "", pointer ? [make("code", {}, pointer), " "] : null,
    sides ? ["expected ", make("code", { class: "good" }, marked(one, other)), ", actual ", make("code", { class: "bad" }, marked(other, one))]
      : cut(text.replace(/\\r\\n|\r?\n/g, " "), 240));
}

const codes = report.scenarios.map((scenario) => [...new Set(scenario.steps.flatMap(codesOf))]);
const causes = report.scenarios.map(causeOf);
const searchable = report.scenarios.map((scenario, index) => (
  `${title(scenario)} ${scenario.file} ${scenario.tags.join(" ")} ${codes[index].join(" ")} ${data.details[index]?.failure ?? ""}`
).toLowerCase());

// Filters, which are in the address

const facets = [
  { key: "status", label: "Status", values: (index) => [report.scenarios[index].result], word: wordOf },
  { key: "code", label: "Error code", values: (index) => codes[index] },
  { key: "tag", label: "Tag", values: (index) => report.scenarios[index].tags },
  { key: "folder", label: "Folder", values: (index) => [folder(report.scenarios[index])] },
];
const filter = { q: "", status: "", code: "", tag: "", folder: "" };
let listPlace = "#";
let [last, scrolled] = [null, 0];

function address() {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
  return query.size ? `#?${query}` : "#";
}

function readFilter() {
  const query = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : "");
  for (const key of Object.keys(filter)) filter[key] = query.get(key) ?? "";
  listPlace = address();
}

/** Puts the filters into the address without a step in the browser's history. */
function writeFilter() {
  listPlace = address();
  try {
    history.replaceState(null, "", listPlace === "#" ? location.pathname + location.search : listPlace);
  } catch { /* Some browsers limit how often; the next change writes it. */ }
}

const passes = (index, except) => facets.every(({ key, values }) => key === except || !filter[key] || values(index).includes(filter[key]))
  && (!filter.q || searchable[index].includes(filter.q.toLowerCase()));

/** Scenarios that pass the filters, what failed first. */
function chosen() {
  const rank = (index) => Number(!isBad(report.scenarios[index]));
  return report.scenarios.map((_, index) => index).filter((index) => passes(index)).sort((one, other) => rank(one) - rank(other) || one - other);
}

// The list

/** Project, branch, commit and job of a run in CI. */
function originLine({ project, branch, commit, address }) {
  const job = /^https?:\/\//.test(address ?? "") ? make("a", { href: address }, "job") : null;
  const parts = [make("strong", {}, project), branch, commit ? make("code", { title: commit }, commit.slice(0, 8)) : null, job].filter(Boolean);
  return make("p", { id: "origin" }, parts.flatMap((part, place) => [place ? " \u00b7 " : "", part]));
}

function facts() {
  document.getElementById("title").append(make("a", { href: "#" }, "b2c run"));
  const counts = Object.entries(report.counts).filter(([name, count]) => name !== "total" && count > 0);
  document.getElementById("facts").append(
    make("strong", { class: report.result === "passed" ? "good" : "bad" }, report.result),
    ` \u00b7 ${report.counts.total} ${report.counts.total === 1 ? "scenario" : "scenarios"}: ${counts.map(([name, count]) => `${count} ${wordOf(name)}`).join(", ")}`
    + `${wall ? ` \u00b7 ${seconds(wall.total)}` : ""} \u00b7 seed ${report.seed} \u00b7 target ${report.target} \u00b7 b2c ${data.version} \u00b7 `);
  if (data.origin) document.getElementById("facts").before(originLine(data.origin));
  const share = document.getElementById("share");
  for (const [name, count] of counts) share.append(make("span", { class: tint(name), style: `flex:${count}` }));
}

function overview() {
  readFilter();
  const box = make("input", { type: "search", id: "search" });
  box.value = filter.q;
  const changed = () => {
    writeFilter();
    fill();
  };
  box.addEventListener("input", () => {
    filter.q = box.value;
    changed();
  });
  const choices = facets.map(({ key, label }) => {
    const select = make("select", { id: `choice-${key}` });
    select.addEventListener("change", () => {
      filter[key] = select.value;
      changed();
    });
    return make("label", {}, label, select);
  });
  const times = (wall?.scenarios ?? []).map((time, index) => [time, index]).filter(([time]) => time !== null);
  const slowest = times.sort(([one], [other]) => other - one).slice(0, 5);
  main.replaceChildren(
    make("div", { class: "bar" }, make("label", {}, "Search (press /)", box), choices),
    make("p", { id: "shown", class: "soft", role: "status" }), make("ul", { id: "list" }));
  if (slowest.length > 1) {
    main.append(fold(`Slowest: ${seconds(slowest[0][0])}`, make("ul", {}, slowest.map(([time, index]) => make("li", {},
      `${seconds(time)} `, make("a", { href: `#s${index}` }, title(report.scenarios[index])))))));
  }
  const bad = report.scenarios.filter(isBad).length;
  document.title = `${bad ? `${bad} failed` : report.result} \u00b7 b2c run report`;
  fill();
}

function fillChoices() {
  for (const { key, values, word = (value) => value } of facets) {
    const counts = new Map();
    for (let index = 0; index < report.scenarios.length; index += 1) {
      const isIn = passes(index, key);
      for (const value of values(index)) counts.set(value, (counts.get(value) ?? 0) + Number(isIn));
    }
    const total = report.scenarios.filter((_, index) => passes(index, key)).length;
    const select = document.getElementById(`choice-${key}`);
    select.replaceChildren(make("option", { value: "" }, `all (${total})`),
      ...[...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([value, count]) => make("option", { value }, `${word(value)} (${count})`)));
    select.value = filter[key];
    // A filter of an address that no scenario has is shown all the same.
    if (select.value !== filter[key]) {
      select.append(make("option", { value: filter[key] }, `${filter[key]} (0)`));
      select.value = filter[key];
    }
  }
}

const link = (index) => make("a", { href: `#s${index}` }, title(report.scenarios[index]));
const detailsOf = (index) => make("div", { class: "soft" }, sentence([report.scenarios[index].file, codes[index].join(", "), wall?.scenarios[index] ? seconds(wall.scenarios[index]) : ""]));

/** So many scenarios of a group are in sight. */
const mostOfGroup = 3;

function groupView(members) {
  const cause = causes[members[0]];
  const scenario = report.scenarios[members[0]];
  if (members.length === 1) return make("li", {}, state(scenario.result), " ", link(members[0]), cause ? causeLine(cause) : null, detailsOf(members[0]));
  const row = (index) => make("div", { class: "member" }, link(index), make("span", { class: "soft" }, ` ${report.scenarios[index].file}`));
  const rest = members.slice(mostOfGroup);
  return make("li", {}, state(scenario.result), " ", make("strong", {}, `${members.length} times`), causeLine(cause),
    members.slice(0, mostOfGroup).map(row),
    rest.length ? fold(`${rest.length} more`, rest.map(row)) : null,
    make("div", { class: "soft" }, [...new Set(members.flatMap((index) => codes[index]))].join(", ")));
}

/** What the search and the filters ask for, if no scenario has it. */
function nothingFound() {
  const asked = [filter.q ? `the search \u201c${filter.q}\u201d` : "", ...facets.map(({ key, label, word = (value) => value }) => (filter[key] ? `${label.toLowerCase()} ${word(filter[key])}` : ""))].filter(Boolean);
  const clear = () => {
    for (const key of Object.keys(filter)) filter[key] = "";
    writeFilter();
    overview();
    document.getElementById("search").focus();
  };
  return make("li", {}, `No scenario matches ${asked.join(" and ")}. `, make("button", { type: "button", onclick: clear }, "Show all scenarios"));
}

function fill() {
  fillChoices();
  const found = chosen();
  const groups = new Map();
  for (const index of found) {
    const key = causes[index]?.key ?? `scenario ${index}`;
    if (groups.has(key)) groups.get(key).push(index);
    else groups.set(key, [index]);
  }
  const kinds = [...groups.values()].filter(([first]) => causes[first]).length;
  const bad = found.filter((index) => causes[index]).length;
  document.getElementById("shown").textContent = `${found.length} of ${report.scenarios.length} scenarios`
    + (bad ? `; ${bad} failed${kinds < bad ? ` in ${kinds === 1 ? "one way" : `${kinds} ways`}` : ""}` : "");
  document.getElementById("list").replaceChildren(...(found.length ? [...groups.values()].map(groupView) : [nothingFound()]));
}

// A scenario

/** What keeps the details of what passed, where they were not kept. */
const howToKeep = () => make("p", { class: "soft" }, "The details of what passed were not kept. To keep them, run ", make("code", {}, "b2c run --report-html FILE --report-html-all"), ".");

/** `step 2 of 5: signIn (acquireToken)`; a step inside another one is counted there. */
function headOf(step, place, count) {
  const isNamed = step.title !== `${step.verb} at ${step.location.pointer}`;
  return `step ${place + 1} of ${count}: ${isNamed ? `${step.title} (${step.verb})` : step.verb}`;
}

const placeOf = ({ file, line, column }) => [file, line, column].filter((part) => part !== undefined).join(":");

/** Why a step failed, at the top of the page: what differs, the authority's reason, the request, where the value came from. */
function causeView({ step, id, head }, log, isFirst) {
  const outcome = step.outcome ?? {};
  const important = (step.exchanges ?? []).map((exchange) => String(exchange.number));
  const own = log.filter((request) => new Set(outcome.requests ?? []).has(request.number));
  const records = own.length ? own : log;
  const mismatches = step.mismatches ?? [];
  const opens = (number, text = `exchange ${number}`) => make("button", { type: "button", class: "plain", onclick: () => showRequest(main, number) }, text);
  const origins = mismatches.map((mismatch) => originOf(mismatch, outcome, records, important)).filter(Boolean);
  const reasons = (step.exchanges ?? []).filter((exchange) => exchange.refusal || exchange.blocked);
  const first = (step.exchanges ?? [])[0];
  const page = (outcome.pages ?? []).findLast((one) => one.error) ?? (outcome.pending?.reason === "page" ? (outcome.pages ?? []).at(-1) ?? outcome.pending.page : null);
  const most = 5;
  const all = differences(mismatches);
  const [shownFirst, rest] = [all.slice(0, most), all.slice(most)];
  return make("section", { class: "why", "aria-label": "Why it failed" },
    make("h3", {}, make("a", { href: `#${id}` }, head), make("span", { class: "soft" }, ` ${placeOf(step.location)}`)),
    (step.problems ?? []).map((problem) => make("p", { class: "bad" }, problem)),
    shownFirst,
    rest.length ? fold(`${rest.length} more differences`, rest) : null,
    origins.map(({ text, exchange }) => make("p", { class: "origin" }, make("strong", {}, "From: "), text, exchange === undefined ? null : [" ", opens(exchange, "show it")])),
    reasons.map((exchange) => make("p", {}, make("strong", {}, "Reason: "), exchange.refusal ?? `blocked by the browser: ${exchange.blocked}`, " (", opens(exchange.number), ")")),
    first ? make("p", { class: "exchangeLine" }, make("strong", {}, "Request: "), opens(first.number, `#${first.number}`), ` ${first.method} `, make("code", {}, String(first.url).split(/[?#]/)[0]), " ",
      make("strong", { class: first.response?.status < 400 ? "good" : "bad" }, String(first.response?.status ?? first.response?.networkError ?? "no answer")),
      first.altered ? make("span", { class: "warn" }, " changed by a fault rule of the script") : null) : null,
    make("div", { class: "beside" }, sourceFrame(step.source, step.location.file), isFirst && page ? pageView(page, log, 4) : null));
}

/**
 * @param isTop whether the top of the page shows why a step failed
 * @param isOpen whether the step is open although it passed
 */
function stepView(step, place, all, id, log, isTop, isOpen) {
  const important = (step.exchanges ?? []).map((exchange) => String(exchange.number));
  const head = make("div", { class: "soft" }, sentence([placeOf(step.location), `at ${moment(step.at)}`, step.elapsed ? `took ${virtual(step.elapsed)}` : ""]), " \u00b7 ", make("a", { href: `#${id}` }, "link to this step"));
  const name = headOf(step, place, all.length);
  const body = () => [
    head, isTop.has(id) ? null : [(step.problems ?? []).map((problem) => make("p", { class: "bad" }, problem)), differences(step.mismatches ?? [])],
    step.outcome ? outcomeView(step.outcome, log, important) : step.result === "passed" && !step.steps ? howToKeep() : null,
    step.steps ? make("ol", {}, step.steps.map((inner, index, inside) => stepView(inner, index, inside, `${id}.${index}`, log, isTop, isOpen))) : null,
  ];
  if (step.result === "notRun" && !step.steps) return make("li", { class: "step notRun", id, tabindex: "-1" }, state(step.result), " ", make("span", { class: "name" }, name), head);
  const view = lazyFold([state(step.result), " ", make("span", { class: "name" }, name), step.elapsed ? make("span", { class: "soft" }, ` ${virtual(step.elapsed)}`) : null], body);
  if (step.result === "failed" || isOpen && hasOutcome(step)) {
    view.fill();
    view.open = true;
  }
  return make("li", { class: `step ${step.result}`, id, tabindex: "-1" }, view);
}

const hasOutcome = (step) => step.outcome !== undefined || (step.steps ?? []).some(hasOutcome);

function scenarioView(index) {
  const scenario = report.scenarios[index];
  const more = data.details[index];
  const log = more?.log ?? [];
  const repeat = [...(more?.failure ?? "").matchAll(/\b(b2c run \S.*)$/gm)].at(-1)?.[1];
  const failed = isBad(scenario) ? failedSteps(scenario.steps, `s${index}`) : [];
  const around = chosen().filter((one) => isBad(report.scenarios[one]));
  const [place, count] = [around.indexOf(index), around.length];
  document.title = `${title(scenario)} \u00b7 ${wordOf(scenario.result)} \u00b7 b2c run report`;
  last = index;
  main.replaceChildren(...[
    make("nav", { "aria-label": "Report" }, make("a", { href: listPlace }, "All scenarios"), failed.length ? [" \u00b7 ", make("a", { href: `#${failed[0].id}` }, "The step that failed")] : null,
      place >= 0 && count > 1 ? [` \u00b7 failure ${place + 1} of ${count} `, place > 0 ? make("a", { href: `#s${around[place - 1]}` }, "previous") : null, " ", place < count - 1 ? make("a", { href: `#s${around[place + 1]}` }, "next") : null] : null),
    make("h2", { tabindex: "-1" }, title(scenario)),
    make("p", { class: "soft" }, make("strong", { class: tint(scenario.result) }, wordOf(scenario.result)), ` \u00b7 ${sentence([scenario.file, scenario.tags.join(", "), scenario.elapsed ? virtual(scenario.elapsed) : ""])}`),
    scenario.reason ? make("p", {}, scenario.reason) : null,
    failed.map((one, order) => causeView(one, log, order === 0)),
    repeat ? make("p", {}, make("strong", {}, "Repeat: "), make("code", {}, repeat), " ", copyButton("Copy", repeat)) : null,
    make("h3", {}, "Steps"), !isBad(scenario) && scenario.steps.length && !scenario.steps.some(hasOutcome) ? howToKeep() : null, make("ol", {}, scenario.steps.map((step, order, all) => stepView(step, order, all, `s${index}.${order}`, log, new Set(failed.map((one) => one.id)), !isBad(scenario)))),
    more?.failure ? fold("As the console shows it", block(more.failure)) : null,
    // Requests that no step's outcome has.
    log.length && !scenario.steps.some(hasOutcome) ? sequence(log, {}) : null,
  ].flat().filter(Boolean));
  centre(main);
}

/** Opens a step and those around it. */
function openStep(id) {
  const parts = id.split(".");
  let found = null;
  for (let count = 2; count <= parts.length; count += 1) {
    const step = document.getElementById(parts.slice(0, count).join("."));
    if (!step) return found;
    found = step;
    const view = step.querySelector(":scope > details");
    if (!view) continue;
    view.fill?.();
    view.open = true;
  }
  if (found) centre(found);
  return found;
}

function go() {
  const found = /^#s(\d+)((?:\.\d+)*)$/.exec(location.hash);
  if (!found || !report.scenarios[found[1]]) {
    overview();
    // Back in the list, at the scenario that was open.
    const row = last === null ? null : main.querySelector(`#list a[href="#s${last}"]`);
    if (row) {
      scrollTo(0, scrolled);
      row.focus({ preventScroll: true });
    }
    return;
  }
  const index = Number(found[1]);
  if (document.getElementById("list")) scrolled = scrollY;
  if (last !== index || document.getElementById("list")) scenarioView(index);
  const step = found[2] ? openStep(location.hash.slice(1)) : null;
  if (step) {
    step.scrollIntoView();
    step.focus({ preventScroll: true });
  } else {
    scrollTo(0, 0);
    main.querySelector("h2").focus({ preventScroll: true });
  }
}

// Keys

const inList = () => document.getElementById("list") !== null;

/** The next or previous failed scenario of the list. */
function failure(move) {
  const bad = chosen().filter((index) => isBad(report.scenarios[index]));
  const place = inList() ? (move > 0 ? -1 : bad.length) : bad.indexOf(last);
  const next = bad[place + move];
  if (next !== undefined) location.hash = `#s${next}`;
}

/** The next or previous row of the list, or step of the scenario. */
function walk(move) {
  const all = inList() ? [...main.querySelectorAll("#list a")] : [...main.querySelectorAll(".step")].filter((step) => step.checkVisibility());
  const place = all.findIndex((one) => one === document.activeElement || !inList() && one.contains(document.activeElement) && !all.some((other) => other !== one && one.contains(other) && other.contains(document.activeElement)));
  const next = all[place < 0 ? (move > 0 ? 0 : all.length - 1) : place + move];
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: inList() ? "nearest" : "start" });
}

addEventListener("hashchange", go);
facts();
document.getElementById("facts").append(keys([
  { key: "n", text: "next failed scenario", act: () => failure(1) },
  { key: "p", text: "previous failed scenario", act: () => failure(-1) },
  { key: "j", text: "next scenario of the list, next step of a scenario", act: () => walk(1) },
  { key: "k", text: "previous scenario or step", act: () => walk(-1) },
  {
    key: "/", text: "search",
    act: () => {
      if (!inList()) {
        location.hash = listPlace;
        go();
      }
      document.getElementById("search").focus();
    },
  },
  {
    key: "Escape", text: "back to the list; in the search: clear it",
    act: () => {
      if (!inList()) {
        location.hash = listPlace;
      } else if (document.activeElement.id === "search") {
        document.activeElement.value = "";
        document.activeElement.dispatchEvent(new Event("input"));
        document.activeElement.blur();
      } else return false;
      return true;
    },
  },
]));
go();
