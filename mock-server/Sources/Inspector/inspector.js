"use strict";
const base = "/_b2c/v1";
// A page in a frame takes its style from a file, since the policy of this page allows no other.
hostedPages.sheet = location.origin + "/_b2c/hosted.css";
records.useRealTime();
const $ = (id) => document.getElementById(id);
const state = { world: "default", entries: [], exchanges: new Map(), extras: new Map(), journeys: [], last: 0, chosen: null, journey: null,
  tab: "requests", keys: {}, secrets: false, frozen: false, run: 0, inbox: [], users: {}, now: 0, seen: 0 };

// Elements. Text only ever becomes text nodes, never markup.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "onclick") node.addEventListener("click", value);
    else if (name in node && typeof value === "boolean") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const fill = (node, ...children) => clear(node).append(...children.flat().filter((child) => child !== null && child !== undefined));
const clear = (node) => { while (node.firstChild) node.firstChild.remove(); return node; };

// Calls.
function token() { try { return sessionStorage.getItem("control-token") || ""; } catch { return ""; } }
function headers(extra) {
  const all = { "B2C-World": state.world, ...extra };
  if (token()) all.Authorization = "Bearer " + token();
  return all;
}
async function call(method, path, body) {
  const options = { method, headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }) };
  if (body !== undefined) options.body = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(base + path, options);
  const text = await response.text();
  const json = text ? JSON.parse(text) : null;
  if (!response.ok) {
    const error = new Error(json && json.error ? json.error.message : "HTTP " + response.status);
    error.findings = (json && json.error && json.error.findings) || [];
    error.status = response.status;
    throw error;
  }
  return json;
}
const counted = (number, word) => number + " " + word + (number === 1 ? "" : "s");
function say(text, bad) {
  const node = $("message");
  node.textContent = text;
  node.className = bad ? "bad" : "";
  node.hidden = !text;
}
async function attempt(what, action) {
  try { const done = await action(); say(typeof done === "string" ? done : what); }
  catch (error) { say(what + " failed: " + error.message, true); if (error.status === 401) askForToken(); }
}

// Secrets are shown only while the switch is on.
const secretNames = /^(access_?token|id_?token|refresh_?token|id_?token_?hint|token|assertion|client_?assertion|client_?secret|secrets?|password|new_?password|old_?password|re_?enter_?password|code_?verifier|code|verification_?code|otp|otp_?code|csrf_?token|x-csrf-token|csrf|authorization|cookie|set-cookie|totp_?secret|state_?properties)$/i;
const opaque = /ey[A-Za-z0-9_-]{15,}(\.[A-Za-z0-9_-]*){1,4}/g;
const parameters = /((?:^|[?&#\s"])(?:code|access_token|id_token|refresh_token|client_secret|code_verifier|password|id_token_hint|csrf_token)=)([^&#\s"]+)/gi;
const members = /("(?:access_token|id_token|refresh_token|client_secret|password|newPassword|code|csrf)"\s*:\s*")((?:[^"\\]|\\.)+)(")/gi;
function hide(text, name, shows = state.secrets) {
  if (shows) return text;
  if (name && secretNames.test(name) && !text.startsWith("AADB2C")) return "\u2022\u2022\u2022\u2022\u2022\u2022";
  return text.replace(members, "$1\u2022\u2022\u2022\u2022\u2022\u2022$3")
    .replace(parameters, "$1\u2022\u2022\u2022\u2022\u2022\u2022").replace(opaque, "\u2022\u2022\u2022\u2022\u2022\u2022");
}
function hidden(value, name) {
  if (state.secrets) return value;
  if (typeof value === "string") return hide(value, name);
  if (Array.isArray(value)) return value.map((item) => hidden(item, name));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hidden(item, key)]));
  }
  return value;
}
const pretty = (value) => JSON.stringify(hidden(value), null, 2);

// The journal.
async function listen() {
  const run = ++state.run;
  while (run === state.run) {
    try {
      const response = await fetch(base + "/events/stream?secrets=show&since=" + state.last, { headers: headers() });
      if (response.status === 401) { askForToken(); return; }
      if (!response.ok) throw new Error("HTTP " + response.status);
      link("live", "live");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (run !== state.run) { reader.cancel(); return; }
        if (done) break;
        rest += value;
        const blocks = rest.split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const line = block.split("\n").find((text) => text.startsWith("data: "));
          if (line) take(JSON.parse(line.slice(6)));
        }
        openLast();
        schedule();
      }
    } catch { if (run !== state.run) return; }
    link("lost", "connection lost, trying again");
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}
// The page opens with the last journey and follows it until the person does something.
function openLast() {
  if (state.touched || state.chosen) return;
  const last = [...state.journeys].reverse().find((journey) => !journey.other);
  if (last) showJourney(last);
}
for (const kind of ["pointerdown", "keydown", "wheel"]) document.addEventListener(kind, () => { state.touched = true; }, { once: true, passive: true, capture: true });
function link(kind, text) { const node = $("link"); node.className = kind; node.textContent = text; }

function extras(number) {
  if (!state.extras.has(number)) state.extras.set(number, { trace: [], refusals: [], messages: [], other: [] });
  return state.extras.get(number);
}
function take(entry) {
  if (entry.seq <= state.last) return;
  state.last = entry.seq;
  if (entry.type === "request") {
    entry.request.seq = entry.seq;
    if (entry.request.from === "client" && isOfBrowser(entry.request)) entry.request.from = "browser";
    state.exchanges.set(entry.request.number, entry.request);
    // Messages come before the request that sent them is done.
    for (const message of pendingMessages.splice(0)) extras(entry.request.number).messages.push(message);
    place(entry.request);
    if (state.exchanges.size > 3000) forget();
  } else if (entry.type === "trace") extras(entry.exchange).trace.push(entry.entry);
  else if (entry.type === "refusal") extras(entry.exchange).refusals.push(entry.reason);
  else if (entry.type === "notSimulated") extras(entry.exchange).other.push("not simulated: " + entry.what);
  else if (entry.type === "message") { pendingMessages.push(entry.message); state.inbox.push(entry.message); }
  else if (entry.type === "unmatched") pendingNotes.push(entry.text);
  else if (entry.type === "control") {
    // From here on the same ids may come again.
    if (["reset", "import"].includes(entry.what)) for (const journey of state.journeys) { journey.marks.clear(); journey.over = true; }
    readClock();
  }
}
const pendingMessages = [];
const pendingNotes = [];
function forget() {
  const first = state.exchanges.keys().next().value;
  state.exchanges.delete(first); state.extras.delete(first);
  state.journeys = state.journeys.filter((journey) => { journey.numbers = journey.numbers.filter((n) => n !== first); return journey.numbers.length; });
}

// A runner says who sends a request. Other requests show it: what a page of an app fetches is the app's, and names its origin.
function isOfBrowser(record) {
  const { "user-agent": agent, origin, "sec-fetch-mode": mode } = record.headers || {};
  if (!(agent || "").startsWith("Mozilla/")) return false;
  return mode === "navigate" || !origin || origin === "null" || record.url.startsWith(origin + "/");
}
// A file of the pages that came as it should.
const isFile = (record) => record.method === "GET" && /\/static\//.test(record.path) && !record.refusal && (record.response || {}).status < 400;

// Requests belong to one journey when they name its transaction, redeem its code or refresh its tokens.
function transaction(text) {
  const match = /StateProperties=([A-Za-z0-9_\-%=]+)/.exec(text || "");
  if (!match) return null;
  try { return JSON.parse(decode(decodeURIComponent(match[1]))).TID || null; } catch { return null; }
}
function place(record) {
  const parent = record.number.includes(".") ? record.number.slice(0, record.number.indexOf(".")) : null;
  const marks = [];
  const query = record.query || {}, form = record.form || {};
  const response = record.response || {};
  const location = (response.location && { ...response.location.query, ...response.location.fragment }) || {};
  for (const text of [query.tx, query.state && String(query.state).startsWith("StateProperties") ? query.state : null, response.body && response.body.length < 400000 ? response.body : null]) {
    const id = transaction(typeof text === "string" ? text : null);
    if (id) marks.push("tx " + id);
  }
  for (const value of [location.code, form.code, form.refresh_token, response.json && response.json.refresh_token]) if (value) marks.push("grant " + value);
  let journey = parent ? state.journeys.find((known) => known.numbers.includes(parent)) : null;
  if (!journey && marks.length) journey = state.journeys.find((known) => marks.some((mark) => known.marks.has(mark)));
  const begins = record.endpoint === "authorize" || (record.endpoint === "token" && !journey) || record.endpoint === "logout";
  if (!journey && (begins || marks.length)) {
    journey = { marks: new Set(), numbers: [], title: "", begun: record.at };
    state.journeys.push(journey);
  }
  if (!journey) {
    const last = state.journeys[state.journeys.length - 1];
    // The files of a page follow it.
    if (last && !last.over && (last.other || isFile(record))) journey = last;
    else { journey = { marks: new Set(), numbers: [], other: true, begun: record.at }; state.journeys.push(journey); }
  }
  for (const mark of marks) journey.marks.add(mark);
  journey.numbers.push(record.number);
}
function outcome(journey) {
  let text = "", kind = "soft", who = "";
  for (const number of journey.numbers) {
    const record = state.exchanges.get(number);
    if (!record) continue;
    const location = record.response && record.response.location && { ...record.response.location.query, ...record.response.location.fragment };
    const json = record.response && record.response.json;
    if (location && location.error) { text = codeOf(location.error_description) || location.error; kind = "bad"; }
    else if (location && location.code) { text = "code issued"; kind = "good"; }
    else if (record.endpoint === "token" && json && json.error) { text = codeOf(json.error_description) || json.error; kind = "bad"; }
    else if (record.endpoint === "token" && json && (json.access_token || json.id_token)) { text = "tokens issued"; kind = "good"; }
    else if (record.endpoint === "logout") { text = "signed out"; kind = "good"; }
    else if (["authorize", "page"].includes(record.endpoint) && record.response && record.response.status === 200 && /text\/html/.test((record.response.headers || {})["content-type"] || "")) { text = "waits at a page"; kind = "warn"; }
    for (const entry of extras(number).trace) {
      const bag = entry.claims || entry.out || {};
      who = bag.displayName || bag.signInName || bag.email || who;
    }
  }
  return { text, kind, who: typeof who === "string" ? who : "" };
}
const codeOf = (text) => { const match = /AADB2C\d+/.exec(text || ""); return match ? match[0] : ""; };

// Lists.
let planned = false;
function schedule() { if (!planned) { planned = true; requestAnimationFrame(() => { planned = false; render(); }); } }
function render() {
  $("list").setAttribute("aria-labelledby", "tab-" + state.tab);
  if (state.tab === "requests") renderJourneys(); else if (state.tab === "inbox") renderInbox(); else renderUsers();
}
function matches(text) { const wanted = $("filter").value.trim().toLowerCase(); return !wanted || text.toLowerCase().includes(wanted); }
function renderJourneys() {
  const list = $("list"), top = list.scrollTop, focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.number : null;
  clear(list);
  const groups = [];
  for (const journey of [...state.journeys].reverse().slice(0, 150)) {
    const shown = journey.numbers.map((number) => state.exchanges.get(number)).filter(Boolean).filter((record) => matches(line(record) + " " + (record.refusal || "")));
    if (!shown.length) continue;
    const end = outcome(journey);
    const title = titleOf(journey, shown, end);
    groups.push(el("section", { class: "journey" }, el("h2", {},
      journey.other ? el("span", {}, title) : el("button", { type: "button", class: "open", onclick: () => showJourney(journey) }, title),
      el("span", { class: end.kind }, end.text)),
      el("ul", {}, lines(journey, shown))));
  }
  list.append(...(groups.length ? groups : [el("p", { class: "hint row" }, state.last ? "Nothing matches." : "Nothing has happened yet: sign in somewhere.")]));
  list.scrollTop = top;
  state.seen = state.last;
  if (focused) { const again = list.querySelector('[data-number="' + CSS.escape(focused) + '"]'); if (again) again.focus({ preventScroll: true }); }
}
// The files of the pages are one line, which opens.
function lines(journey, shown) {
  const files = shown.filter(isFile);
  return shown.filter((record) => !isFile(record) || record === files[0]).map((record) => {
    if (record !== files[0]) return el("li", {}, row(record));
    const fold = el("details", { open: journey.showsFiles === true }, el("summary", { class: "files" }, counted(files.length, "static file")), el("ul", {}, files.map((file) => el("li", {}, row(file)))));
    fold.addEventListener("toggle", () => { journey.showsFiles = fold.open; });
    return el("li", {}, fold);
  });
}
const line = (record) => record.method + " " + record.endpoint + " " + (record.policy || "") + " " + record.host + record.path + " " + ((record.response || {}).status || "");
function statusOf(record) {
  const response = record.response || {};
  const text = response.networkError || String(response.status || "?");
  const kind = record.refusal || response.networkError || response.status >= 400 ? "bad" : "good";
  return el("span", { class: "status " + kind }, text);
}
function row(record) {
  const more = extras(record.number);
  const why = record.refusal || more.other[0];
  const notes = [];
  if (record.altered) notes.push("a fault rule touched it");
  if (more.messages.length) notes.push(more.messages.map((message) => message.kind + " to " + message.to).join(", "));
  return el("button", { type: "button", class: "row" + (record.seq > state.seen ? " new" : ""), "data-number": record.number, "aria-current": state.chosen === record.number ? "true" : "false", onclick: () => choose(record.number) },
    el("span", { class: "number" }, record.number),
    el("span", { class: "what" }, record.method + " " + record.endpoint + (record.endpoint === "page" || record.endpoint === "other" || record.endpoint === "api" ? " " + (record.endpoint === "page" ? record.path.split("/").slice(-1)[0] : record.host + record.path) : "")),
    statusOf(record),
    why ? el("span", { class: "why" }, hide(why)) : null,
    notes.length ? el("span", { class: "note" }, notes.join("; ")) : null);
}
function renderInbox() {
  const list = clear($("list"));
  const messages = [...state.inbox].reverse().filter((message) => matches(message.to + " " + (message.subject || "") + " " + message.text));
  list.append(messages.length ? el("ul", {}, messages.map((message) => el("li", {}, el("div", { class: "row" },
    el("span", { class: "number" }, message.kind), el("span", { class: "what" }, message.to + (message.subject ? ": " + message.subject : "")),
    message.code ? el("strong", { class: "status" }, state.secrets ? message.code : "\u2022\u2022\u2022\u2022\u2022\u2022") : el("span", {}),
    el("span", { class: "note" }, state.secrets ? message.text : hide(message.code ? message.text.split(message.code).join("\u2022\u2022\u2022\u2022\u2022\u2022") : message.text)),
    message.code ? el("button", { type: "button", onclick: () => copy(message.code, "The code") }, "Copy code") : null))))
    : el("p", { class: "hint row" }, "No message has gone out."));
}
function renderUsers() {
  const list = clear($("list"));
  const names = Object.keys(state.users).filter((name) => matches(name + " " + JSON.stringify(state.users[name])));
  list.append(el("ul", {}, names.map((name) => {
    const user = state.users[name];
    return el("li", {}, el("button", { type: "button", class: "row", onclick: () => showUser(name) }, el("span", { class: "number" }, user.registered ? "\u2713" : "\u2013"),
      el("span", { class: "what" }, name + (user.email ? " " + user.email : "")),
      el("span", { class: "status " + (user.accountEnabled === false || user.locked ? "bad" : "") }, user.accountEnabled === false ? "disabled" : user.locked ? "locked" : ""),
      el("span", { class: "note" }, user.registered ? user.objectId || "" : "has no account yet")));
  })));
}
async function readUsers() { state.users = (await call("GET", "/users?secrets=show")).users; if (state.tab === "users") render(); }

// Details.
function choose(number) {
  state.chosen = number;
  state.journey = null;
  for (const node of document.querySelectorAll(".row[data-number]")) node.setAttribute("aria-current", String(node.dataset.number === number));
  show();
  if (window.matchMedia("(max-width: 56rem)").matches) { $("detail").scrollIntoView(); $("detail").focus({ preventScroll: true }); }
}
function show() {
  if (state.journey) { showJourney(state.journey); return; }
  const record = state.exchanges.get(state.chosen);
  const detail = $("detail");
  if (!record) return;
  const more = extras(record.number);
  const response = record.response || {};
  fill(detail,
    el("h2", {}, record.method + " " + record.endpoint + (record.policy ? " (" + record.policy + ")" : ""), " ", statusOf(record)),
    el("p", {}, el("code", {}, hide(record.url))),
    el("p", { class: "soft" }, "Exchange " + record.number + " at " + record.at + ", from " + record.from + (record.client ? " (" + record.client + ")" : "") + (record.altered ? ", touched by a fault rule" : "")),
    record.refusal ? el("div", { class: "reason", id: "refusal" }, el("strong", {}, "Refused: "), hide(record.refusal)) : null,
    ...more.other.map((text) => el("div", { class: "reason" }, hide(text))),
    el("div", { class: "tools" },
      el("button", { type: "button", id: "copy-step", onclick: () => copy(stepText(record), "The step") }, "Copy as a scenario step"),
      el("button", { type: "button", onclick: () => copy(JSON.stringify(hidden(record), null, 2), "The record") }, "Copy record")),
    ...messages(more.messages), ...tokens(record), ...trace(record, more.trace),
    table("Query", record.query), table("Form", record.form), record.json ? block("JSON sent", record.json) : null,
    response.location ? table("Location", { url: response.location.url, ...response.location.query, ...response.location.fragment }) : null,
    response.json !== undefined ? block("Answer", response.json) : response.body ? folded("Answer (" + response.body.length + " characters)", el("pre", {}, hide(response.body.slice(0, 20000)))) : null,
    folded("Request headers", rows(record.headers || {})), folded("Response headers", rows(response.headers || {})));
  detail.scrollTop = 0;
}
const folded = (title, ...inner) => el("details", {}, el("summary", {}, title), ...inner);
const block = (title, value) => el("div", {}, el("h3", {}, title), el("pre", {}, pretty(value)));
function rows(object) {
  return el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, Object.entries(object).map(([name, value]) =>
    el("tr", {}, el("td", { class: "name" }, name), el("td", {}, el("code", {}, typeof value === "string" ? hide(value, name) : JSON.stringify(hidden(value, name)))))))));
}
function table(title, object) { return object && Object.keys(object).length ? el("div", {}, el("h3", {}, title), rows(object)) : null; }
function messages(list) {
  if (!list.length) return [];
  return [el("h3", {}, "Sent"), el("ul", {}, list.map((message) => el("li", {}, message.kind + " to " + message.to + (message.subject ? ": " + message.subject : ""), " ",
    message.code ? el("code", {}, hide(message.code, "code")) : null)))];
}
function trace(record, list) {
  if (!list.length) return [];
  const calls = [...state.exchanges.values()].filter((one) => one.number.startsWith(record.number + "."));
  return [el("h3", {}, "What the policy did"), records.journeyView({ trace: list.map((entry) => hidden(entry)), requests: hidden(calls) })];
}
// A whole journey: the parties and their requests, and every step of the policy.
function showJourney(journey) {
  state.journey = journey;
  state.chosen = null;
  for (const node of document.querySelectorAll(".row[data-number]")) node.setAttribute("aria-current", "false");
  const list = journey.numbers.map((number) => state.exchanges.get(number)).filter(Boolean);
  if (!list.length) return;
  const end = outcome(journey);
  const steps = list.flatMap((record) => extras(record.number).trace).map((entry) => hidden(entry));
  const sent = list.flatMap((record) => extras(record.number).messages);
  const files = list.filter(isFile);
  const shown = list.filter((record) => !isFile(record)).map((record) => hidden(record));
  const pages = records.pagesOf(shown);
  const copies = new Map(list.map((record) => [record.number, labelled(record)]));
  fill($("detail"),
    el("h2", {}, titleOf(journey, list, end), " ", el("span", { class: end.kind }, end.text)),
    ...refusals(list.filter((record) => record.refusal), end),
    records.sequence(shown, { pages, messages: sent.map((message) => hidden(message)),
      toStep: (record, before) => records.stepText(copies.get(record.number), before.map((one) => copies.get(one.number))) }),
    files.length ? folded(counted(files.length, "static file"), el("ul", {}, files.map((file) => el("li", {}, el("code", {}, file.path))))) : null,
    ...(pages.length ? [records.lazyFold("Pages: " + pages.map((page) => page.name).join(", "), () => pages.map((page) => records.pageView(page, shown)))] : []),
    ...(steps.length ? [el("h3", {}, "What the policy did"), records.journeyView({ trace: steps, pages, requests: shown })] : []),
    ...messages(sent));
  records.centre($("detail"));
  $("detail").scrollTop = 0;
  if (window.matchMedia("(max-width: 56rem)").matches) { $("detail").scrollIntoView(); $("detail").focus({ preventScroll: true }); }
}
// Why requests were refused: an error if the journey did not go on, else what happened on the way.
function refusals(refused, end) {
  if (end.kind !== "good") return refused.map((record) => el("div", { class: "reason" }, el("strong", {}, "Refused: "), hide(record.refusal)));
  if (!refused.length) return [];
  return [folded(counted(refused.length, "attempt") + (refused.length === 1 ? " was refused" : " were refused"), el("ul", {}, refused.map((record) => el("li", {}, hide(record.refusal)))))];
}
const titleOf = (journey, list, end) => journey.other ? "Other requests" : [list[0].policy || list[0].endpoint, end.who].filter(Boolean).join(" \u2013 ");

// Tokens.
function decode(text) {
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder().decode(Uint8Array.from(raw, (c) => c.charCodeAt(0)));
}
function parse(text) {
  const parts = String(text).split(".");
  if (parts.length !== 3) return null;
  try { return { raw: text, header: JSON.parse(decode(parts[0])), claims: JSON.parse(decode(parts[1])), parts }; } catch { return null; }
}
function tokens(record) {
  const found = [];
  const response = record.response || {};
  const look = (where, object) => { for (const [name, value] of Object.entries(object || {})) { const parsed = typeof value === "string" ? parse(value) : null; if (parsed) found.push([where + " " + name, parsed]); } };
  look("answer", response.json);
  if (response.location) { look("redirect", response.location.query); look("redirect", response.location.fragment); }
  look("query", record.query); look("form", record.form);
  const bearer = /^Bearer (.+)$/i.exec((record.headers || {}).authorization || "");
  if (bearer) look("request", { "bearer token": bearer[1] });
  if (!found.length) return [];
  return [el("h3", {}, "Tokens"), ...found.map(([name, parsed]) => {
    const verdict = el("p", { class: "soft" }, "checking\u2026");
    verify(parsed).then((result) => { verdict.className = result.good ? "good" : "bad"; verdict.textContent = result.text; });
    return el("div", { class: "token" }, el("strong", {}, name), verdict, folded("Header", el("pre", {}, JSON.stringify(parsed.header, null, 2))),
      el("details", { open: true }, el("summary", {}, "Claims"), claims(parsed.claims)),
      state.secrets ? folded("Raw", el("pre", {}, parsed.raw)) : null);
  })];
}
function claims(object) {
  const shown = {};
  for (const [name, value] of Object.entries(object)) shown[name] = typeof value === "number" && /^(iat|nbf|exp|auth_time)$/.test(name) ? value + "  (" + new Date(value * 1000).toISOString() + ")" : value;
  return el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, Object.entries(shown).map(([name, value]) =>
    el("tr", {}, el("td", { class: "name" }, name), el("td", {}, el("code", {}, typeof value === "string" ? value : JSON.stringify(value))))))));
}
async function verify(parsed) {
  const time = () => {
    if (parsed.claims.exp && parsed.claims.exp * 1000 <= state.now) return "expired at " + new Date(parsed.claims.exp * 1000).toISOString();
    if (parsed.claims.nbf && parsed.claims.nbf * 1000 > state.now + 1000) return "not valid before " + new Date(parsed.claims.nbf * 1000).toISOString();
    return "";
  };
  if (parsed.header.alg !== "RS256") return { good: false, text: "Not valid: signed with " + parsed.header.alg + ", the tenant signs with RS256" };
  let found = null, set = "";
  for (const [name, keys] of Object.entries(state.keys)) for (const key of keys.publish || []) if (key.kid === parsed.header.kid && !found) { found = key; set = name; }
  if (!found) return { good: false, text: "Not valid: no published key has the kid " + parsed.header.kid };
  if (!(window.crypto && crypto.subtle)) return { good: false, text: "Key " + found.name + " of set " + set + "; the signature cannot be checked here: the page is not on a secure origin" };
  try {
    const key = await crypto.subtle.importKey("jwk", { kty: "RSA", n: found.jwk.n, e: found.jwk.e, alg: "RS256" }, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["verify"]);
    const signature = Uint8Array.from(atob(parsed.parts[2].replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const good = await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, signature, new TextEncoder().encode(parsed.parts[0] + "." + parsed.parts[1]));
    if (!good) return { good: false, text: "Not valid: the signature does not fit key " + found.name + " of set " + set };
    const late = time();
    return late ? { good: false, text: "Signed by key " + found.name + " of set " + set + ", but " + late } : { good: true, text: "Valid, signed by key " + found.name + " of set " + set };
  } catch (error) { return { good: false, text: "Not valid: " + error.message }; }
}

// A request as steps of a scenario take it: labels in place of secrets, those of passwords with the person's name.
function labelled(value, name) {
  if (typeof value === "string") {
    const owner = Object.keys(state.users).find((person) => value && state.users[person].password === value);
    return owner ? "<password of " + owner + ">" : hide(value, name, false);
  }
  if (Array.isArray(value)) return value.map((item) => labelled(item));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, labelled(item, key)]));
  return value;
}
function stepText(record) {
  const journey = state.journeys.find((one) => one.numbers.includes(record.number));
  const before = journey ? journey.numbers.slice(0, journey.numbers.indexOf(record.number)).map((number) => state.exchanges.get(number)).filter(Boolean) : [];
  return records.stepText(labelled(record), before.map((one) => labelled(one)));
}
async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); say(what + " is on the clipboard."); }
  catch { form(what, [], { text }, null); }
}

// Dialogs.
let submit = null;
function form(title, fields, extra, action) {
  $("dialog-title").textContent = title;
  const body = clear($("dialog-body"));
  clear($("dialog-findings"));
  if (extra && extra.note) body.append(el("p", { class: "soft" }, extra.note));
  for (const field of fields) {
    let input;
    if (field.choices) input = el("select", { name: field.name }, field.choices.map((choice) => el("option", { value: choice }, choice)));
    else if (field.long) { input = el("textarea", { name: field.name, spellcheck: "false" }); input.value = field.value || ""; }
    else { input = el("input", { name: field.name, type: field.type || "text", autocomplete: "off", required: field.required }); if (field.value) input.value = field.value; }
    body.append(el("label", {}, field.label, input));
  }
  if (extra && extra.text) body.append(el("pre", { tabindex: "0" }, extra.text));
  submit = action;
  $("dialog-ok").textContent = action ? (extra && extra.ok) || "OK" : "Close";
  $("dialog-cancel").hidden = !action;
  $("dialog").showModal();
}
$("dialog").querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!submit) { $("dialog").close(); return; }
  try {
    const values = Object.fromEntries(new FormData(event.target));
    const done = await submit(values);
    $("dialog").close();
    if (done) say(done);
  } catch (error) {
    const list = clear($("dialog-findings"));
    if (!(error.findings || []).length) list.append(el("p", {}, error.message));
    for (const finding of error.findings || []) list.append(el("p", {}, el("code", {}, finding.pointer), " " + finding.message + (finding.remedy ? " " + finding.remedy : "")));
  }
});
$("dialog-cancel").addEventListener("click", () => $("dialog").close());
function askForToken() {
  form("Control token", [{ name: "token", label: "The text after --control-token", type: "password", required: true }], { note: "This server asks for its control token." },
    async (values) => { sessionStorage.setItem("control-token", values.token); await begin(); });
}

// Actions.
for (const button of document.querySelectorAll("[data-advance]")) button.addEventListener("click", () => attempt("Clock moved on", async () => { showClock(await call("PATCH", "/clock", { advance: button.dataset.advance })); }));
$("freeze").addEventListener("click", () => attempt("Clock", async () => { const clock = await call("PATCH", "/clock", { freeze: !state.frozen }); showClock(clock); return clock.frozen ? "The clock stands still." : "The clock runs."; }));
$("end-sessions").addEventListener("click", () => attempt("Sessions", async () => counted((await call("DELETE", "/sessions")).ended, "session") + " ended."));
$("rotate").addEventListener("click", () => form("Rotate keys", [{ name: "set", label: "Key set", choices: Object.keys(state.keys) }, { name: "keep", label: "Previous keys", choices: ["stay published", "are withdrawn"] }], { ok: "Rotate" },
  async (values) => { state.keys = (await call("POST", "/keys/" + encodeURIComponent(values.set) + "/rotate", { keepPublished: values.keep === "stay published" })).keySets; show(); return "The set " + values.set + " signs with " + state.keys[values.set].use + "."; }));
$("add-user").addEventListener("click", () => form("Add user", [{ name: "name", label: "Name in the tenant file", required: true }, { name: "email", label: "E-mail address", type: "email", required: true }, { name: "password", label: "Password", type: "password", required: true }, { name: "displayName", label: "Display name" }], { ok: "Add" },
  async (values) => { const user = { email: values.email, password: values.password }; if (values.displayName) user.displayName = values.displayName; await call("POST", "/users", { name: values.name, user }); await readUsers(); return values.name + " can sign in now."; }));
$("reset").addEventListener("click", () => form("Reset", [{ name: "to", label: "What is forgotten", choices: ["journeys, grants, sessions, messages", "everything since the start"] }], { ok: "Reset" },
  async (values) => { await call("POST", "/reset", values.to.startsWith("everything") ? { to: "start" } : {}); await refresh(); return "Done."; }));
// Faults that people try first, in the scenario language.
const presets = [
  { name: "the next token request: 503", rules: [{ match: { endpoint: "token" }, times: 1, respond: { status: 503 } }] },
  { name: "token requests: 429 with Retry-After", rules: [{ match: { endpoint: "token" }, respond: { status: 429, headers: { "retry-after": "5" } } }] },
  { name: "token requests: no network", rules: [{ match: { endpoint: "token" }, network: "offline" }] },
  { name: "token requests: 10 seconds late", rules: [{ match: { endpoint: "token" }, delay: "PT10S" }] },
  { name: "the keys cannot be read: 500", rules: [{ match: { endpoint: "keys" }, respond: { status: 500 } }] },
  { name: "the metadata cannot be read: 503", rules: [{ match: { endpoint: "discovery" }, respond: { status: 503 } }] },
  { name: "APIs: 401", rules: [{ match: { endpoint: "api" }, respond: { status: 401 } }] },
  { name: "no rule", rules: [] },
];
$("fault").addEventListener("click", async () => {
  try {
    const standing = await call("GET", "/faults");
    const rules = standing.rules.length ? standing.rules.map((entry) => entry.rule) : presets[0].rules;
    const note = standing.rules.length ? standing.rules.map((entry, index) => "Rule " + (index + 1) + " met " + entry.met + ", struck " + entry.fired + ".").join(" ") : "No rule is in force. Choose one, or write your own.";
    form("Faults", [{ name: "rules", label: "Rules, as in the scenario language; [] takes all out of force", long: true, value: JSON.stringify(rules, null, 2) }], { note, ok: "Install" }, async (values) => {
      if (values.rules.trim() === "[]") { await call("DELETE", "/faults"); return "No rule is in force."; }
      const done = await call("PUT", "/faults", '{"rules":' + values.rules + "}");
      return counted(done.rules.length, "rule") + " in force.";
    });
    const choice = el("select", { name: "preset" }, el("option", { value: "" }, standing.rules.length ? "the rules in force" : presets[0].name),
      presets.slice(standing.rules.length ? 0 : 1).map((preset) => el("option", { value: preset.name }, preset.name)));
    const shown = JSON.stringify(rules, null, 2);
    choice.addEventListener("change", () => {
      const preset = presets.find((one) => one.name === choice.value);
      $("dialog-body").querySelector("textarea").value = preset ? JSON.stringify(preset.rules, null, 2) : shown;
    });
    $("dialog-body").prepend(el("label", {}, "Preset", choice));
  } catch (error) { say(error.message, true); }
});
function showUser(name) {
  const user = state.users[name];
  const detail = clear($("detail"));
  detail.append(el("h2", {}, name), el("div", { class: "tools" },
    el("button", { type: "button", onclick: () => attempt(name, async () => { await call("PATCH", "/users/" + encodeURIComponent(name), { accountEnabled: user.accountEnabled === false }); await readUsers(); showUser(name); return name + (state.users[name].accountEnabled === false ? " is disabled." : " is enabled."); }) }, user.accountEnabled === false ? "Enable" : "Disable"),
    el("button", { type: "button", class: "danger", onclick: () => form("Remove " + name + "?", [], { ok: "Remove" }, async () => { await call("DELETE", "/users/" + encodeURIComponent(name)); await readUsers(); clear(detail); return name + " is gone."; }) }, "Remove\u2026")),
    rows(user));
}
const tabs = ["requests", "inbox", "users"];
function select(tab) {
  state.tab = tab;
  for (const name of tabs) { $("tab-" + name).setAttribute("aria-selected", String(name === tab)); $("tab-" + name).tabIndex = name === tab ? 0 : -1; }
  if (tab === "users") readUsers().catch((error) => say(error.message, true));
  render();
}
for (const name of tabs) {
  $("tab-" + name).addEventListener("click", () => select(name));
  $("tab-" + name).addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const next = tabs[(tabs.indexOf(name) + move + tabs.length) % tabs.length];
    select(next); $("tab-" + next).focus();
  });
}
$("filter").addEventListener("input", render);
$("secrets").addEventListener("change", () => { state.secrets = $("secrets").checked; render(); show(); });
$("world").addEventListener("change", () => { state.world = $("world").value; start(); });

// Time.
function showClock(clock) {
  state.now = Date.parse(clock.now); state.frozen = clock.frozen;
  $("clock").textContent = clock.now.replace("T", " ").replace(/\.\d+Z$/, "Z") + (clock.frozen ? " (stands still)" : "");
  $("freeze").setAttribute("aria-pressed", String(clock.frozen));
  $("freeze").textContent = clock.frozen ? "Let clock run" : "Freeze clock";
  $("freeze").disabled = clock.virtual;
}
async function readClock() { try { showClock(await call("GET", "/clock")); } catch { /* the stream tells */ } }
setInterval(() => { if (!state.frozen && state.now && !document.hidden) { state.now += 1000; $("clock").textContent = new Date(state.now).toISOString().replace("T", " ").replace(/\.\d+Z$/, "Z"); } }, 1000);

async function refresh() {
  await readClock();
  state.keys = (await call("GET", "/keys")).keySets;
  state.inbox = (await call("GET", "/inbox")).messages;
  await readUsers();
  render();
}
async function start() {
  state.run++; state.last = 0; state.exchanges.clear(); state.extras.clear(); state.journeys = []; state.inbox = []; state.chosen = null; state.journey = null;
  clear($("detail")).append(el("p", { class: "hint" }, "Choose a request to see why it was answered as it was."));
  render();
  await refresh();
  state.inbox = [];
  listen();
}
async function begin() {
  try {
    const { worlds } = await call("GET", "/worlds");
    clear($("world")).append(...worlds.map((world) => el("option", { value: world.world }, world.world + " (" + world.tenant + ")")));
    $("world").value = state.world;
    await start();
  } catch (error) { if (error.status === 401) askForToken(); else say(error.message, true); }
}
begin();
