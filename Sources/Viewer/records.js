"use strict";

// How records of a run are shown: requests as a sequence, pages, what a policy did, differences. Used by the report of
// `b2c run`, by `b2c policy trace --html` and by the inspector of mock-server. Texts become text nodes, never markup.

// oxlint-disable-next-line no-unused-vars -- the scripts after this one use it
const records = (() => {
  const lanesInOrder = ["person", "app", "browser", "authority", "API", "identity provider", "REST service"];

  // Characters that hide, or turn the direction of reading round, are spelt, as in reports on a terminal.
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
  const visible = (value) => (typeof value === "string" ? value.replaceAll(hidden, (found) => `\\u{${found.codePointAt(0).toString(16)}}`) : value);

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (key === "style") element.style.cssText = value;
      else element.setAttribute(key, value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== "").map(visible));
    return element;
  }

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

  function requestView(request, lanes, toStep) {
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
        make("p", {}, copyButton("Copy as a script step", toStep(request))),
      ].flat().filter(Boolean));
    });
    return view;
  }

  /**
   * The requests and pages of a step, between those who take part.
   *
   * @param toStep makes the text of a script's step of a request
   */
  function sequence(requests, pages, toStep = asStep) {
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
        : requestView(item, lanes, toStep))));
  }

  // What a step did

  /** A page as the person saw it, drawn from its record: no script or style of the page runs. */
  /** @param level of the heading with the title of the page */
  function pageView(page, level = 4) {
    const fields = Object.entries(page.fields ?? {});
    return make("div", {}, make("p", { class: "soft" }, `${page.name} \u00b7 ${page.technicalProfile ?? page.contentDefinition ?? ""}`),
      make("div", { class: "page" }, page.title ? make(`h${level}`, {}, page.title) : null,
        page.error ? make("p", { class: "bad" }, page.error) : null, page.text ? make("p", {}, page.text) : null,
        fields.map(([id, field]) => [
          make("div", { class: "soft" }, `${field.label || id}${field.required ? " *" : ""}`),
          make("div", { class: "field" }, shown(field.value ?? "")), field.error ? make("div", { class: "bad" }, field.error) : null,
        ]), (page.buttons ?? []).map((button) => make("span", { class: "press" }, button))));
  }

  // What the policy did

  /**
   * The journeys of a trace: their steps, what ran in each, and for every claim what put it there. A record of what ran
   * comes before that of the step that it belongs to.
   */
  function journeysOf({ trace = [], pages = [], requests = [] }) {
    const calls = requests.filter((request) => request.endpoint === "rest");
    const waiting = pages.filter((page) => page.technicalProfile);
    const origins = new Map();
    const claims = (object, id) => Object.entries(object ?? {}).map(([name, value]) => {
      const origin = origins.get(name)?.origin;
      return { name, value, from: origin === id ? "" : origin ?? "" };
    });
    const journeys = [];
    let [items, bag] = [[], {}];
    const finish = (entry) => {
      const last = journeys.at(-1);
      if (last?.name !== entry.journey || (entry.step === 1 && last.steps.length)) {
        // A called sub-journey keeps the bag; a journey that begins again does not.
        if (entry.step === 1 && journeys.some(({ name }) => name === entry.journey)) bag = {};
        journeys.push({ name: entry.journey ?? "", steps: [] });
      }
      const after = entry.claims ?? bag;
      const changes = [];
      for (const claim of claims(after)) {
        if (!(claim.name in bag)) changes.push({ mark: "+", ...claim });
        else if (JSON.stringify(bag[claim.name]) !== JSON.stringify(claim.value)) changes.push({ mark: "~", ...claim });
      }
      for (const name of Object.keys(bag)) {
        if (name in after) continue;
        changes.push({ mark: "\u2212", name });
        origins.delete(name);
      }
      bag = after;
      const seen = [];
      while (entry.ran && waiting.length && waiting[0].step === entry.step) seen.push(waiting.shift());
      journeys.at(-1).steps.push({ number: entry.step, type: entry.stepType ?? "", ran: entry.ran ?? true, because: entry.because ?? "", pages: seen, items, changes });
      items = [];
    };
    for (const entry of trace) {
      if (entry.profile === undefined && entry.transformation === undefined) {
        finish(entry);
        continue;
      }
      // A transformation also names the profile that it belongs to.
      const name = entry.transformation ?? entry.profile;
      const item = { ...entry, name, input: claims(entry.in, name), output: Object.entries(entry.out ?? {}).map(([key, value]) => ({ name: key, value, from: "" })) };
      for (const claim of item.output) {
        const known = origins.get(claim.name);
        if (known && JSON.stringify(known.value) === JSON.stringify(claim.value)) continue;
        origins.set(claim.name, { origin: entry.skipped === "session" ? `the session of ${name}` : name, value: claim.value });
      }
      if (entry.handler === "RestfulProvider" && !entry.skipped) item.call = calls.shift();
      items.push(item);
    }
    const unfinished = { items, pages: waiting, number: items.findLast((item) => item.step !== undefined)?.step ?? waiting.at(-1)?.step };
    return { journeys, unfinished };
  }

  const cut = (text) => (text.length > 300 ? `${text.slice(0, 300)}\u2026` : text);
  const valueOf = (value) => (value === undefined ? "" : cut(typeof value === "string" ? value : JSON.stringify(value)));

  function claimsTable(label, claims) {
    if (!claims.length) return null;
    return make("div", { class: "claims" }, make("table", {}, make("caption", {}, label),
      make("tbody", {}, claims.map((claim) => make("tr", {},
        claim.mark ? make("td", { class: "sign" }, claim.mark) : null, make("th", { scope: "row" }, claim.name),
        make("td", {}, make("code", {}, valueOf(claim.value))), make("td", { class: "soft" }, claim.from ? `from ${claim.from}` : ""))))));
  }

  /** The XML of an element, where the page has it: one text per file that declares it. */
  function sourceView(sources, kind, id) {
    const found = sources.filter((source) => source.kind === kind && source.id.toLowerCase() === String(id).toLowerCase());
    return found.map((source) => {
      const lines = source.text.split("\n");
      const depth = Math.min(...lines.slice(1).filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
      return fold(`${kind}: ${source.file}:${source.line}`, block(lines.map((line, index) => (index ? line.slice(depth) : line)).join("\n"), "xml"));
    });
  }

  function itemView(item, sources, level) {
    const { call } = item;
    const status = call?.response?.status;
    const kind = [item.handler ?? item.method, item.validation ? "as validation" : "", item.skipped ? `skipped: ${item.skipped}` : ""].filter(Boolean).join(", ");
    return make("section", { class: `item${item.error ? " failed" : ""}` },
      make(`h${level}`, {}, item.name, " ", make("span", { class: "soft" }, kind)),
      item.error ? make("p", { class: "bad" }, item.error) : null,
      claimsTable("in", item.input),
      call ? make("p", {}, make("code", {}, `${call.method} ${call.url}`), " ",
        make("strong", { class: status >= 200 && status < 300 ? "good" : "bad" }, String(status ?? call.response?.networkError ?? "no answer"))) : null,
      call && (call.json ?? call.form) !== undefined ? fold("sent", block(shown(call.json ?? call.form))) : null,
      call?.response?.json !== undefined ? fold("received", block(shown(call.response.json))) : null,
      claimsTable("out", item.output),
      sourceView(sources, item.transformation === undefined ? "TechnicalProfile" : "ClaimsTransformation", item.name));
  }

  const seenView = (page, sources) => [
    make("p", { class: "soft" }, "page ", make("strong", {}, page.name ?? ""), ` ${page.contentDefinition ?? ""}`,
      Object.keys(page.fields ?? {}).length ? ` with ${Object.keys(page.fields).join(", ")}` : ""),
    sourceView(sources, "ContentDefinition", page.contentDefinition ?? ""),
  ];

  /**
   * The steps of each journey, what ran in them, and the claims that changed.
   *
   * @param outcome with the logs trace, pages and requests
   * @param options sources: XML of the policy's elements; id: what ids of steps begin with, none without it; level: of the
   *   headings of journeys
   */
  function journeyView(outcome, { sources = [], id = "", level = 4 } = {}) {
    const { journeys, unfinished } = journeysOf(outcome);
    const view = make("div", { class: "journeys" }, journeys.map((journey, place) => [
      make(`h${level}`, {}, `Journey ${journey.name}`),
      make("ol", {}, journey.steps.map((step, index) => make("li", { class: `step ${step.items.some((item) => item.error) ? "failed" : step.ran ? "ran" : "skipped"}`, ...(id ? { id: `${id}${place}.${index}`, tabindex: "-1" } : {}) },
        make("strong", {}, `${step.number ?? "?"} ${step.type}`), " ", make("span", { class: step.ran ? "good" : "warn" }, step.ran ? "ran" : "skipped"),
        step.because ? make("span", { class: "soft" }, ` because ${step.because}`) : null,
        step.pages.map((page) => seenView(page, sources)), step.items.map((item) => itemView(item, sources, level + 1)),
        claimsTable("claims that changed", step.changes),
        sourceView(sources, "OrchestrationStep", `${journey.name} ${step.number}`)))),
    ]));
    if (unfinished.items.length || unfinished.pages.length) {
      view.append(make(`h${level}`, id ? { id: `${id}open`, tabindex: "-1" } : {}, `${unfinished.number === undefined ? "A step" : `Step ${unfinished.number}`} was not finished`),
        ...unfinished.pages.flatMap((page) => seenView(page, sources)).flat(), ...unfinished.items.map((item) => itemView(item, sources, level + 1)));
    }
    return view;
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
      pages.length ? fold(`Pages: ${pages.map((page) => page.name).join(", ")}`, pages.map((page) => pageView(page))) : null,
      trace.length ? fold("What the policy did", journeyView({ trace, pages, requests: own })) : null,
      messages.length ? fold(`Messages: ${messages.length}`, messages.map((message) => block(shown(message)))) : null,
      events.length ? fold(`Events: ${events.length}`, block(events.map(eventText).join("\n"))) : null,
      fold("Outcome of the step", block(shown(rest))),
    ];
  }

  return { block, copyButton, difference, eventText, fold, journeyView, journeysOf, make, outcomeView, pageView, seconds, sequence, shown };
})();
