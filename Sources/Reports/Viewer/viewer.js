"use strict";

// The page of `b2c run --report-html`: its data is JSON in the page, and nothing is loaded.

const data = JSON.parse(document.getElementById("data").textContent);
const { report, wall } = data;
const main = document.getElementById("main");
const good = new Set(["passed", "skipped", "expectedFailure", "flaky"]);
const filter = { text: "", status: "", tag: "", folder: "", code: "" };
const lanesInOrder = ["person", "app", "browser", "authority", "API", "identity provider", "REST service"];

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === "style") element.style.cssText = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const title = (scenario) => (scenario.case === undefined ? scenario.name : `${scenario.name} [${scenario.case}]`);
const folder = ({ file }) => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".");
const tint = (status) => (status === "notRun" ? "soft" : good.has(status) ? "good" : "bad");
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
const block = (text, name = "") => make("pre", { tabindex: "0", class: name }, text);
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
const fold = (text, ...children) => make("details", {}, make("summary", {}, text), ...children);

function copyButton(label, text) {
  const button = make("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    const told = document.getElementById("told");
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = "Copied";
    } catch {
      // Pages of a file may not have a clipboard: the text can be selected.
      button.after(block(text));
      told.textContent = "Select the text and copy it";
    }
    setTimeout(() => { told.textContent = ""; }, 2000);
  });
  return button;
}

// Overview

function facts() {
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

// Differences

/** Lines of two texts: kept, removed and added, by their longest common subsequence. */
function lineDifference(old, added) {
  const [one, other] = [old.split("\n"), added.split("\n")];
  if (one.length * other.length > 250_000) return [...one.map((line) => ["minus", line]), ...other.map((line) => ["plus", line])];
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = one[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      lines.push(["", one[i]]);
      i += 1;
      j += 1;
    } else if (j >= other.length || (i < one.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
      lines.push(["minus", one[i]]);
      i += 1;
    } else {
      lines.push(["plus", other[j]]);
      j += 1;
    }
  }
  return lines;
}

/** What differs in the middle of two lines. */
function marked(line, other) {
  let start = 0;
  while (start < line.length && start < other.length && line[start] === other[start]) start += 1;
  let end = 0;
  while (end < line.length - start && end < other.length - start && line.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = line.slice(start, line.length - end);
  return [line.slice(0, start), middle ? make("mark", {}, middle) : null, line.slice(line.length - end)];
}

function difference(mismatch) {
  const wanted = shown(mismatch.wanted);
  const found = mismatch.found === undefined ? "(absent)" : shown(mismatch.found);
  const lines = lineDifference(wanted, found);
  const view = make("pre", { class: "diff", tabindex: "0", "aria-label": "expected and actual" });
  lines.forEach(([kind, line], index) => {
    // A line that was replaced by one other shows what of it differs.
    const [next, before] = [lines[index + 1], lines[index - 1]];
    const twin = kind === "minus" && next?.[0] === "plus" && before?.[0] !== "minus" ? next[1]
      : kind === "plus" && before?.[0] === "minus" && next?.[0] !== "plus" ? before[1] : null;
    const sign = { minus: "expected  ", plus: "actual    ", "": "          " }[kind];
    view.append(make("div", { class: kind }, sign, twin === null ? line : marked(line, twin)));
  });
  return make("div", {}, make("p", {}, make("code", {}, mismatch.pointer || "/"), ` ${mismatch.text}`), view);
}

// Requests

function receiver(request) {
  const name = request.endpoint ?? "";
  if (/^rest/i.test(name)) return "REST service";
  if (/provider/i.test(name)) return "identity provider";
  if (name === "callback") return "app";
  return /^(api|resource)/i.test(name) ? "API" : "authority";
}

const sender = (request) => (request.from === "client" ? "app" : request.from || "app");

/** A request as a step of a script. */
function asStep(request) {
  const http = { method: request.method, url: request.url };
  const own = Object.entries(request.headers ?? {}).filter(([name]) => !/^(cookie|content-length|host|connection|user-agent)$/i.test(name));
  if (own.length) http.headers = Object.fromEntries(own);
  for (const body of ["form", "json", "body"]) {
    if (request[body] !== undefined) {
      http[body] = request[body];
      break;
    }
  }
  return JSON.stringify({ http }, null, 2);
}

function arrow(lanes, from, to, failed) {
  const [a, b] = [lanes.indexOf(from), lanes.indexOf(to)];
  const [low, high] = [Math.min(a, b) + 1, Math.max(a, b) + 1];
  const line = make("span", {
    class: `${a <= b ? "right" : "left"}${failed ? " failed" : ""}`,
    style: `grid-column:${low}/${high + 1};margin:0 calc(50% / ${high - low + 1})`,
  });
  return make("div", { class: "arrow", style: `--n:${lanes.length}`, "aria-hidden": "true" }, line);
}

function requestView(request, lanes) {
  const answer = request.response ?? {};
  // A callback is handed to the app, which answers nobody.
  const isHanded = request.endpoint === "callback" && answer.status === undefined && !answer.networkError;
  const end = isHanded ? "handed over" : answer.status === undefined ? answer.networkError || "no answer" : String(answer.status);
  const failed = !isHanded && !(answer.status < 400);
  const view = make("details", {}, make("summary", {},
    `#${request.number} ${sender(request)} to ${receiver(request)}: ${request.method} ${request.endpoint || request.url}, `,
    make("strong", { class: failed ? "bad" : "good" }, end),
    request.refusal ? make("div", { class: "bad" }, `never told to the app: ${request.refusal}`) : null,
    arrow(lanes, sender(request), receiver(request), failed)));
  view.addEventListener("toggle", () => {
    if (!view.open || view.childElementCount > 1) return;
    view.append(...[
      make("h4", {}, "Request"), block(`${request.method} ${request.url}`),
      ["query", "headers", "form", "json"].filter((part) => request[part] && Object.keys(request[part]).length)
        .map((part) => block(`${part}\n${shown(request[part])}`)),
      make("h4", {}, "Response"), answer.headers ? block(`headers\n${shown(answer.headers)}`) : null,
      block(shown(answer.json === undefined ? answer.body || end : answer.json)),
      request.tokens ? [make("h4", {}, "Tokens"), block(shown(request.tokens))] : null,
      make("p", {}, copyButton("Copy as a script step", asStep(request))),
    ].flat().filter(Boolean));
  });
  return view;
}

/** The requests and pages of a step, between those who take part. */
function sequence(requests, pages) {
  const rest = [...pages];
  const items = [];
  for (const request of requests) {
    items.push(request);
    while (rest.length && rest[0].url === request.url) items.push({ page: rest.shift() });
  }
  items.push(...rest.map((page) => ({ page })));
  const used = new Set(items.flatMap((item) => (item.page ? ["browser", "person"] : [sender(item), receiver(item)])));
  const rank = (name) => (lanesInOrder.includes(name) ? lanesInOrder.indexOf(name) : lanesInOrder.length);
  const lanes = [...used].sort((one, other) => rank(one) - rank(other));
  return make("section", {}, make("h3", {}, "Sequence"),
    make("div", { class: "lanes", style: `--n:${lanes.length}`, "aria-hidden": "true" }, lanes.map((lane) => make("span", {}, lane))),
    items.map((item) => (item.page
      ? make("div", { class: "seen" }, `the browser shows the page ${item.page.name}`
        + `${item.page.technicalProfile ? ` (${item.page.technicalProfile})` : ""}`, arrow(lanes, "browser", "person", false))
      : requestView(item, lanes))));
}

// What a step did

/** A page as the person saw it, drawn from its record: no script or style of the page runs. */
function pageView(page) {
  const fields = Object.entries(page.fields ?? {});
  return make("div", {}, make("p", { class: "soft" }, `${page.name} \u00b7 ${page.technicalProfile ?? page.contentDefinition ?? ""}`),
    make("div", { class: "page" }, page.title ? make("h4", {}, page.title) : null,
      page.error ? make("p", { class: "bad" }, page.error) : null, page.text ? make("p", {}, page.text) : null,
      fields.map(([id, field]) => [
        make("div", { class: "soft" }, `${field.label || id}${field.required ? " *" : ""}`),
        make("div", { class: "field" }, shown(field.value ?? "")), field.error ? make("div", { class: "bad" }, field.error) : null,
      ]), (page.buttons ?? []).map((button) => make("span", { class: "press" }, button))));
}

function traceView(trace) {
  const claims = (object) => Object.entries(object ?? {}).map(([name, value]) => `${name} = ${shown(value)}`).join("\n");
  return make("div", { class: "table", tabindex: "0", role: "region", "aria-label": "What the policy did" }, make("table", {},
    make("thead", {}, make("tr", {}, ["step", "what", "why, and claims"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, trace.map((entry) => {
      const isStep = entry.journey !== undefined;
      const what = isStep ? `${entry.journey}: ${entry.stepType}` : entry.profile ?? entry.transformation ?? "";
      const why = isStep ? [entry.ran ? "ran" : "skipped", entry.because].filter(Boolean).join(": ")
        : [entry.skipped ? `skipped: ${entry.skipped}` : entry.handler, entry.error].filter(Boolean).join(" ");
      const details = [["in", entry.in], ["out", entry.out], ["claims", isStep ? entry.claims : null]]
        .filter(([, object]) => object && Object.keys(object).length);
      return make("tr", {}, make("td", {}, String(entry.step ?? "")), make("td", {}, isStep ? make("strong", {}, what) : what),
        make("td", {}, why, details.map(([name, object]) => fold(`${name}: ${Object.keys(object).length}`, block(claims(object))))));
    }))));
}

function eventText({ type, ...rest }) {
  const more = Object.entries(rest).map(([name, value]) => `${name}: ${shown(value)}`).join(", ");
  return more ? `${type} \u2014 ${more}` : type;
}

function outcomeView(outcome, log) {
  const { requests = [], pages = [], messages = [], events = [], trace = [], ...rest } = outcome;
  const numbers = new Set(requests);
  const own = log.filter((request) => numbers.has(request.number));
  return [
    own.length || pages.length ? sequence(own, pages) : null,
    pages.length ? fold(`Pages: ${pages.map((page) => page.name).join(", ")}`, pages.map(pageView)) : null,
    trace.length ? fold("What the policy did", traceView(trace)) : null,
    messages.length ? fold(`Messages: ${messages.length}`, messages.map((message) => block(shown(message)))) : null,
    events.length ? fold(`Events: ${events.length}`, block(events.map(eventText).join("\n"))) : null,
    fold("Outcome of the step", block(shown(rest))),
  ];
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
