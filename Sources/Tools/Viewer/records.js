"use strict";

// How records of a run are shown: requests as a sequence, pages, what a policy did, differences. Used by the report of
// `b2c run`, by `b2c policy trace --html` and by the inspector of mock-server. Texts become text nodes, never markup; a page
// of the authority is shown in a frame without script.

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
      if (value === undefined || value === null) continue;
      if (key === "style") element.style.cssText = value;
      else if (key === "onclick") element.addEventListener("click", value);
      else element.setAttribute(key, value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== "").map(visible));
    return element;
  }

  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
  const compact = (value) => (value === undefined ? "nothing" : JSON.stringify(value));
  const cut = (text, most = 300) => (text.length > most ? `${text.slice(0, most)}\u2026` : text);
  const block = (text, name = "") => make("pre", { tabindex: "0", class: name }, text);
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  const fold = (text, ...children) => make("details", {}, make("summary", {}, text), ...children);
  const sentence = (parts) => parts.filter(Boolean).join(" \u00b7 ");

  /** A fold whose content is made when it opens for the first time. */
  function lazyFold(summary, content, attributes = {}) {
    const view = make("details", attributes, make("summary", {}, summary));
    const fill = () => {
      if (view.childElementCount === 1) view.append(...[content()].flat(Infinity).filter(Boolean));
    };
    view.addEventListener("toggle", () => { if (view.open) fill(); });
    view.fill = fill;
    return view;
  }

  const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

  /** Seconds in words: `15 days`, `1 hour 5 minutes`, `0.25 seconds`. */
  function durationText(total) {
    let rest = Math.abs(total);
    const parts = [];
    for (const [name, size] of units) {
      const count = name === "second" ? Math.round(rest * 1000) / 1000 : Math.floor(rest / size);
      if (count === 0) continue;
      rest -= count * size;
      parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
    }
    return parts.length ? parts.slice(0, 2).join(" ") : "0 seconds";
  }

  // Worlds of a run have a clock of their own; those of a server or a real tenant follow the clock of the machine.
  let clock = " (virtual)";
  const useRealTime = () => { clock = ""; };
  const virtual = (total) => `${durationText(total)}${clock}`;
  const moment = (text) => `${instant(text)}${clock}`;
  const instant = (text) => String(text ?? "").replace("T", " ").replace(/\.\d+Z$/, "Z");

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
    if (one.length * other.length > 250_000) return [...one.map((line) => ["wanted", line]), ...other.map((line) => ["found", line])];
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
        lines.push(["wanted", one[i]]);
        i += 1;
      } else {
        lines.push(["found", other[j]]);
        j += 1;
      }
    }
    return lines;
  }

  // Characters that take no room or look like a space.
  const unseen = /[^\S\n ]|[\u00ad\u200b-\u200f\u2060\ufeff]/g;
  const spelt = (text, which = unseen) => text.replace(which, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);

  /** What differs in the middle of two lines; in it what nobody sees is shown, and spaces that are not between two words. */
  function marked(line, other) {
    // By letters: half of a letter cannot be shown.
    const [own, twin] = [[...line], [...other]];
    let start = 0;
    while (start < own.length && start < twin.length && own[start] === twin[start]) start += 1;
    let end = 0;
    while (end < own.length - start && end < twin.length - start && own.at(-1 - end) === twin.at(-1 - end)) end += 1;
    const middle = spelt(own.slice(start, own.length - end).join("")).replace(/^ +| +$| {2,}/g, (spaces) => "\u00b7".repeat(spaces.length));
    return [own.slice(0, start).join(""), middle ? make("mark", {}, middle) : null, own.slice(own.length - end).join("")];
  }

  /** The two sides of a difference as texts, and what else there is to say; `null`: the words do not compare two values. */
  function sidesOf({ text, wanted, found }) {
    const words = /^expected ([\s\S]*?), actual ([\s\S]*)$/.exec(text);
    if (!words) return null;
    const [plain, actual] = [compact(wanted), compact(found)];
    // The words hold an operator's meaning, and long values cut.
    if (words[1] !== plain && !words[1].endsWith("...")) return { wanted: words[1], found: words[2], note: "" };
    const note = words[2].startsWith(actual) ? words[2].slice(actual.length) : "";
    const sides = [sideText(wanted), found === undefined ? "(absent)" : sideText(found)];
    // A text and a number that reads like it.
    const [left, right] = sides[0] === sides[1] ? [plain, actual] : sides;
    return { wanted: left, found: right, note: note.replace(/^; /, "") };
  }

  /** A value of a difference: on one line if it is short. */
  const sideText = (value) => (typeof value !== "string" && JSON.stringify(value)?.length <= 90 ? JSON.stringify(value) : shown(value));

  /** Two texts; if they differ only in what nobody sees, with that made visible. */
  function toldApart(one, other) {
    const plain = (text) => text.normalize().replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "").replace(/\s+/g, " ").replace(/^"? ?| ?"?$/g, "");
    if (one === other || plain(one) !== plain(other)) return [one, other];
    // An accent of its own and a letter with that accent look alike.
    const isAccented = one.normalize() !== one || other.normalize() !== other;
    return [one, other].map((text) => spelt(text.replace(/ /g, "\u00b7"))).map((text) => (isAccented ? spelt(text, /\p{M}/gu) : text));
  }

  function twoSides(one, other, words = ["expected  ", "actual    "]) {
    const lines = lineDifference(...toldApart(one, other));
    const view = make("pre", { class: "diff", tabindex: "0", "aria-label": words.map((word) => word.trim()).join(" and ") });
    lines.forEach(([kind, line], index) => {
      // A line that was replaced by one other shows what of it differs.
      const [next, before] = [lines[index + 1], lines[index - 1]];
      const twin = kind === "wanted" && next?.[0] === "found" && before?.[0] !== "wanted" ? next[1]
        : kind === "found" && before?.[0] === "wanted" && next?.[0] !== "found" ? before[1] : null;
      const sign = { wanted: words[0], found: words[1], "": " ".repeat(words[0].length) }[kind];
      view.append(make("div", { class: kind }, sign, twin === null ? line : marked(line, twin)));
    });
    return view;
  }

  function difference(mismatch) {
    const place = make("code", {}, mismatch.pointer || "the outcome");
    const sides = sidesOf(mismatch);
    if (sides) return make("div", {}, make("p", {}, place, sides.note ? ` ${sides.note}` : null), twoSides(sides.wanted, sides.found));
    if (mismatch.instead) return make("div", {}, make("p", {}, place), twoSides(sideText(mismatch.wanted), mismatch.instead));
    return make("div", {}, make("p", {}, place, ` ${mismatch.text}`),
      typeof mismatch.found === "object" && mismatch.found !== null ? lazyFold("the actual value", () => block(shown(mismatch.found))) : null);
  }

  /** A step that ended otherwise says so twice, of its end and of the result that was expected: once is enough. */
  function withoutRepeats(mismatches) {
    const result = mismatches.find(({ pointer }) => pointer === "/result");
    const end = mismatches.find(({ pointer }) => pointer === "/error" || pointer === "/pending");
    if (!result || !end || !result.text.endsWith(`, but ${end.text}`)) return mismatches;
    return mismatches.filter((one) => one !== end).map((one) => (one === result ? { ...one, instead: end.text } : one));
  }

  const differences = (mismatches) => withoutRepeats(mismatches).map(difference);

  /** The lines of the script around what failed, with a caret. */
  function sourceFrame(source, file) {
    if (!source) return null;
    const width = String(source.first + source.lines.length - 1).length;
    const view = make("pre", { class: "frame", tabindex: "0", "aria-label": `${file}, line ${source.line}` });
    const caret = make("strong", { class: "bad" }, "^".repeat(source.length));
    // When it has a size, and when a phone is turned: the caret is in view, its beginning if it is longer than the box.
    new ResizeObserver(() => {
      view.scrollLeft = Math.min(caret.offsetLeft - 20, caret.offsetLeft + caret.offsetWidth + 20 - view.clientWidth);
    }).observe(view);
    source.lines.forEach((line, index) => {
      const number = source.first + index;
      const isMeant = number === source.line;
      view.append(make("div", { class: isMeant ? "meant" : "" }, make("span", { class: "soft" }, `${String(number).padStart(width)} | `), line || " "));
      if (isMeant) {
        const before = [...line].slice(0, source.column - 1).map((one) => (one === "\t" ? "\t" : " ")).join("");
        view.append(make("div", {}, make("span", { class: "soft" }, `${" ".repeat(width)} | `), before, caret));
      }
    });
    return view;
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
  // A callback is handed to the app, which answers nobody.
  const isHanded = (request) => request.endpoint === "callback" && request.response?.status === undefined && !request.response?.networkError;
  const isRefused = (request) => Boolean(request.refusal || request.blocked) || !isHanded(request) && !(request.response?.status < 400);

  // What reports and the inspector put in the place of a secret.
  const label = /<(?:(?:access |id |refresh )?token|code|cookie|secret|(?:new )?password|redacted)[^<>]*>|\u2022{6}/;
  const isLabel = (value) => typeof value === "string" && label.test(value);
  const personOf = (value) => /<(?:new )?password of ([^<>]+)>/.exec(String(value))?.[1];

  /** Whether a page's post was answered with a message for the person. */
  const isRejected = (request) => request.method === "POST" && request.endpoint === "page" && request.response?.json !== undefined && String(request.response.json?.status) !== "200";

  /** What the person did that made the browser send a request; `null`: nothing. */
  function actOf(request) {
    if (request.from !== "browser" || request.endpoint !== "page") return null;
    const path = String(request.path ?? request.url ?? "").split("?")[0];
    const action = path.slice(path.lastIndexOf("/") + 1);
    const { request_type: type, claim_id: claim, claim_value: value, user_input: typed, ...rest } = request.form ?? {};
    if (request.method === "POST") {
      const control = /\/DisplayControlAction\/[^/]+\/([^/]+)\/([^/]+)$/.exec(path);
      if (control) return { fill: rest, press: `${control[1]}_but_${{ SendCode: "send_code", VerifyCode: "verify_code" }[control[2]] ?? control[2]}` };
      if (type === "VERIFICATION_REQUEST") return { fill: { [claim]: value }, press: `${claim}_ver_but_send` };
      if (type === "VALIDATION_REQUEST") return { fill: { [`${claim}_ver_input`]: typed }, press: `${claim}_ver_but_verify` };
      // The combined sign-in page names the kind of its post first, other pages last.
      return request.form ? { fill: rest, press: Object.keys(request.form)[0] === "request_type" ? "next" : "continue" } : null;
    }
    const query = request.query ?? {};
    if (action === "forgotPassword") return { fill: {}, press: "forgotPassword" };
    if (query.claimsexchange) return { fill: {}, press: query.claimsexchange };
    if (query.local === "signup") return { fill: {}, press: "createAccount" };
    return action === "error" && query.code === "cancel" ? { fill: {}, press: "cancel" } : null;
  }

  function actText({ fill, press }) {
    const typed = Object.entries(fill).filter(([, value]) => value !== "" && value !== undefined && value !== null);
    return [typed.length ? `types ${typed.map(([name, value]) => `${name}: ${cut(String(value), 60)}`).join(", ")}` : "", `presses ${press}`].filter(Boolean).join(", then ");
  }

  /** An answer in a few words. */
  function answerText(request) {
    const answer = request.response ?? {};
    if (answer.status === undefined) return answer.networkError ? `no answer: ${answer.networkError}` : request.blocked ? `blocked by the browser: ${request.blocked}` : "no answer";
    const json = answer.json;
    const code = /AADB2C\d+/.exec(`${json?.error_description ?? ""} ${json?.errorCode ?? ""} ${answer.location?.query?.error_description ?? ""} ${answer.location?.fragment?.error_description ?? ""}`)?.[0];
    const parts = [String(answer.status)];
    if (answer.location) {
      const given = { ...answer.location.query, ...answer.location.fragment };
      const target = String(answer.location.url ?? answer.location).split(/[?#]/)[0];
      parts.push(`redirect to ${cut(target, 60)}`, given.error ?? (given.code ? "with a code" : given.id_token ? "with tokens" : ""));
    } else if (json && typeof json === "object") {
      if (json.error) parts.push(typeof json.error === "string" ? json.error : json.error.code ?? "error");
      else if (json.message ?? json.userMessage) parts.push(cut(json.message ?? json.userMessage, 80));
      else if (json.access_token || json.id_token) parts.push(["access_token", "id_token", "refresh_token"].filter((name) => json[name]).join(", "));
    } else if (/^\s*<!doctype html|^\s*<html/i.test(answer.body ?? "")) {
      parts.push("a page");
    }
    if (code) parts.push(code);
    return sentence(parts);
  }

  /** A request's name in the sequence: its endpoint, of pages the end of their address. */
  function nameOf(request) {
    if (request.endpoint === "callback") return "callback";
    if (request.endpoint === "page") return String(request.path ?? request.url).split("?")[0].split("/").slice(-1)[0];
    if (!request.endpoint || ["rest", "api", "other"].includes(request.endpoint)) return String(request.url ?? "").split("?")[0];
    return request.endpoint;
  }

  // Steps of a script

  /** Parameters of a token request that a script need not name: the app sends them by itself. */
  const sentByItself = new Set(["grant_type", "code", "code_verifier", "redirect_uri", "client_id", "client_secret", "refresh_token", "client_info"]);
  const withoutLabels = (object) => Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => !isLabel(value)));
  /** A value with references for what a script can refer to. */
  const referenced = (value, person) => {
    const owner = personOf(value);
    if (owner) return `{{users/${owner}/password}}`;
    return /^<code \d+>$/.test(value) && person ? `{{inbox/${person}/code}}` : value;
  };

  /**
   * Steps that send a request again: with references to persons, codes and tokens where the record has labels of secrets.
   *
   * @param before the requests that came before it in the same step
   */
  function asSteps(request, before = []) {
    // The sign-in that the request belongs to, as far as it was accepted.
    const begun = before.findLastIndex((one) => one.endpoint === "authorize");
    const all = [...before.slice(Math.max(begun, 0)).filter((one) => !isRejected(one)), request];
    const person = all.flatMap((one) => Object.values(one.form ?? {})).map(personOf).find(Boolean);
    const policy = request.policy ? { policy: request.policy } : {};
    const status = request.response?.status;
    const expect = status === undefined || request.altered ? {} : { expect: { result: { status } } };
    const user = all.map(actOf).filter(Boolean).map((act) => {
      const fill = Object.fromEntries(Object.entries(act.fill).filter(([, value]) => value !== "").map(([name, value]) => [name, referenced(value, person)]).filter(([, value]) => !isLabel(value)));
      return { ...(Object.keys(fill).length ? { fill } : {}), press: act.press };
    });
    const signedIn = { id: "signIn", open: { endpoint: "authorize", ...(request.policy ? policy : policyOf(all)) }, ...(user.length ? { user } : {}) };
    if (request.endpoint === "token") {
      const form = request.form ?? {};
      const grant = form.grant_type;
      const rest = Object.fromEntries(Object.entries(form).filter(([name]) => !sentByItself.has(name)));
      const more = withoutLabels(rest);
      if (grant === "authorization_code") return [signedIn, { http: { endpoint: "token", ...policy, from: "signIn", ...(Object.keys(more).length ? { form: more } : {}) }, ...expect }];
      if (grant === "refresh_token") {
        return [{ id: "cache", inspect: "cache" },
          { http: { endpoint: "token", ...policy, form: { grant_type: grant, refresh_token: "{{cache/result/refreshTokens/0/secret}}", ...more } }, ...expect }];
      }
      const owner = personOf(rest.password);
      return [{ http: { endpoint: "token", ...policy, form: { grant_type: grant, ...more, ...(owner ? { password: `{{users/${owner}/password}}` } : {}) } }, ...expect }];
    }
    if (["authorize", "page", "callback"].includes(request.endpoint)) return [signedIn];
    // What the authority asks for cannot be asked by a script: it can say what the answer is.
    if (receiver(request) === "REST service") {
      const asked = request.json === undefined ? {} : { json: withoutLabels(request.json) };
      const given = request.response?.json === undefined ? {} : { json: request.response.json };
      return [{ configure: { rest: { copied: { match: { method: request.method, url: String(request.url ?? "").split(/[?#]/)[0], ...asked }, reply: { status: status ?? 500, ...given } } } } }];
    }
    if (["discovery", "keys"].includes(request.endpoint) && request.policy) return [{ http: { endpoint: request.endpoint, ...policy }, ...expect }];
    const headers = Object.fromEntries(Object.entries(withoutLabels(request.headers)).filter(([name]) => !/^(cookie|content-length|content-type|host|connection|user-agent|x-client-.*|client-request-id|return-client-request-id)$/i.test(name)));
    const body = request.json !== undefined ? { json: request.json } : request.form ? { form: withoutLabels(request.form) } : request.body && !isLabel(request.body) ? { body: request.body } : {};
    const method = request.method && request.method !== (Object.keys(body).length ? "POST" : "GET") ? { method: request.method } : {};
    if (receiver(request) === "API") return [{ callApi: { url: request.url, ...method, ...(body.json === undefined ? {} : body) }, ...expect }];
    const query = withoutLabels(request.query);
    return [{
      http: {
        url: String(request.url ?? "").split(/[?#]/)[0], ...method, ...(Object.keys(query).length ? { query } : {}),
        ...(Object.keys(headers).length ? { headers } : {}), ...body,
      }, ...expect,
    }];
  }

  const policyOf = (requests) => {
    const policy = requests.findLast((one) => one.policy)?.policy;
    return policy ? { policy } : {};
  };

  const stepText = (request, before) => asSteps(request, before).map((step) => JSON.stringify(step, null, 2)).join(",\n");

  function arrow(lanes, from, to, kind = "") {
    const [a, b] = [lanes.indexOf(from), lanes.indexOf(to)];
    const [low, high] = [Math.min(a, b) + 1, Math.max(a, b) + 1];
    const line = make("span", { class: `${a <= b ? "right" : "left"} ${kind}`, style: `grid-column:${low}/${high + 1};margin:0 calc(50% / ${high - low + 1})` });
    return make("span", { class: "arrow", style: `--n:${lanes.length}`, "aria-hidden": "true" }, line);
  }

  /** Where the text of an arrow begins, so that it is beside what it belongs to and has room. */
  function beside(lanes, from, to) {
    const low = Math.min(lanes.indexOf(from), lanes.indexOf(to));
    return `--at:${Math.min((low + 0.5) / lanes.length, 0.65)}`;
  }

  /** The parts of a request and its answer. */
  function requestParts(request, text) {
    const answer = request.response ?? {};
    return [
      make("h4", {}, "Request"), block(`${request.method} ${request.url}`),
      fold("Request headers", block(shown(request.headers ?? {}))),
      request.form ? [make("h4", {}, "Form"), block(shown(request.form))] : null,
      request.json !== undefined ? [make("h4", {}, "JSON"), block(shown(request.json))] : null,
      request.body && !request.form && request.json === undefined ? fold("Request body", block(request.body)) : null,
      make("h4", {}, "Response"), make("p", {}, answerText(request)),
      answer.location ? block(shown(answer.location.url ?? answer.location)) : null,
      answer.json !== undefined ? block(shown(answer.json)) : null,
      request.tokens ? [make("h4", {}, "Tokens"), block(shown(request.tokens))] : null,
      answer.headers ? fold("Response headers", block(shown(answer.headers))) : null,
      answer.body && answer.json === undefined ? fold("Response body", block(answer.body)) : null,
      text ? copyButton("Copy as a script step", text) : null,
    ].flat().filter(Boolean);
  }

  // A pause that is shown, in milliseconds.
  const shortestPause = 1000;

  /**
   * What happened, in order: acts of the person, requests with their answers, pages, messages, and the time between them.
   */
  function happenings(requests, pages, messages) {
    const items = [];
    const waiting = [...pages];
    const unsent = [...messages];
    const open = [];
    let time = null;
    const show = (record) => items.push({ kind: "page", page: record });
    const close = (request) => {
      if (isHanded(request)) return;
      items.push({ kind: "answer", request });
      const isCode = /SendCode|VERIFICATION_REQUEST/.test(`${request.path} ${request.form?.request_type}`);
      if (isCode && unsent.length) items.push({ kind: "message", message: unsent.shift() });
      if (waiting.length && (waiting[0].url === request.url || isRejected(request) && waiting[0].error)) show(waiting.shift());
    };
    for (const request of requests) {
      while (open.length && !String(request.number).startsWith(`${open.at(-1).number}.`)) close(open.pop());
      const at = Date.parse(request.at ?? "");
      if (time !== null && at - time >= shortestPause) items.push({ kind: "time", seconds: (at - time) / 1000, at: request.at });
      if (!Number.isNaN(at)) time = Math.max(at, time ?? at);
      const act = actOf(request);
      if (act) items.push({ kind: "act", text: actText(act) });
      items.push({ kind: "request", request });
      open.push(request);
    }
    while (open.length) close(open.pop());
    for (const record of waiting) show(record);
    for (const message of unsent) items.push({ kind: "message", message });
    return items;
  }

  /**
   * The requests, pages and messages of a step, between those who take part.
   *
   * @param options pages, messages; important: numbers of requests that explain a failure, the first of which is in view;
   *   log: all requests, if these are a part; toStep: makes the text of a script's step of a request; level: of the heading
   */
  function sequence(requests, { pages = [], messages = [], important = [], log = requests, toStep = stepText, level = 3 } = {}) {
    const items = happenings(requests, pages, messages);
    const ends = (item) => ({
      page: ["browser", "person"], act: ["person", "browser"], message: ["authority", "person"], time: [],
      request: item.request && [sender(item.request), receiver(item.request)], answer: item.request && [receiver(item.request), sender(item.request)],
    })[item.kind];
    const used = new Set(items.flatMap(ends));
    const rank = (name) => (lanesInOrder.includes(name) ? lanesInOrder.indexOf(name) : lanesInOrder.length);
    const lanes = [...used].sort((one, other) => rank(one) - rank(other));
    const begun = requests.find((request) => request.at)?.at;
    const rows = make("div", { class: "rows" });
    // A line below each name, drawn behind everything.
    rows.style.backgroundImage = lanes.map(() => "linear-gradient(var(--line), var(--line))").join(", ");
    rows.style.backgroundPosition = lanes.map((_, index) => `${lanes.length === 1 ? 50 : ((index + 0.5) / lanes.length) * 100}% 0`).join(", ");
    for (const item of items) {
      const [from, to] = ends(item);
      if (item.kind === "time") {
        rows.append(make("div", { class: "later" }, make("span", {}, `${virtual(item.seconds)} later, ${instant(item.at)}`)));
      } else if (item.kind === "request") {
        rows.append(requestRow(item.request, lanes, log.slice(0, log.indexOf(item.request)), important, toStep));
      } else if (item.kind === "answer") {
        const bad = isRefused(item.request) ? "bad" : "";
        rows.append(make("div", { class: "happening back", style: beside(lanes, from, to) },
          make("span", { class: "text" }, make("span", { class: bad || "soft" }, answerText(item.request)),
            item.request.refusal ? make("strong", { class: "bad said" }, `never sent to the app: ${item.request.refusal}`) : null),
          arrow(lanes, from, to, `answer ${bad}`)));
      } else {
        const text = item.kind === "act" ? [make("strong", {}, "person "), item.text]
          : item.kind === "message" ? [make("strong", {}, item.message.kind ?? "message"), ` to ${item.message.to}${item.message.subject ? `: ${item.message.subject}` : ""}`]
            : [make("strong", {}, "page "), `${item.page.name}${item.page.technicalProfile ? ` (${item.page.technicalProfile})` : ""}`,
              item.page.error ? make("span", { class: "bad" }, ` says \u201c${item.page.error}\u201d`) : null];
        rows.append(make("div", { class: `happening ${item.kind}`, style: beside(lanes, from, to) }, make("span", { class: "text" }, text), arrow(lanes, from, to, item.kind)));
      }
    }
    const box = make("div", { class: "sequence", tabindex: "0", role: "region", "aria-label": requests.length ? `Sequence of requests ${requests[0].number} to ${requests.at(-1).number}` : "Sequence" },
      make("div", { class: "lanes", style: `--n:${lanes.length}`, "aria-hidden": "true" }, lanes.map((lane) => make("span", {}, lane))), rows);
    return make("section", {}, make(`h${level}`, {}, "Sequence"), begun ? make("p", { class: "soft" }, `begins at ${moment(begun)}`) : null, box);
  }

  function requestRow(request, lanes, before, important, toStep) {
    const bad = isRefused(request) ? "bad" : "";
    const isImportant = important.includes(String(request.number));
    const view = lazyFold([
      make("span", { class: "text" }, make("span", { class: "soft" }, `#${request.number} `), make("strong", {}, `${request.method} ${nameOf(request)}`),
        make("span", { class: "ends" }, ` ${sender(request)} to ${receiver(request)}`), request.altered ? make("span", { class: "warn" }, " changed by a fault rule") : null,
        isHanded(request) ? make("span", { class: "soft" }, " handed over") : null),
      arrow(lanes, sender(request), receiver(request), bad),
    ], () => requestParts(request, toStep(request, before)), {
      class: `happening request ${bad ? "refused" : ""}${isImportant ? " important" : ""}`, "data-number": request.number, style: beside(lanes, sender(request), receiver(request)),
    });
    return view;
  }

  /** Opens a request where it is shown, and brings it into view. */
  function showRequest(root, number) {
    const found = root.querySelector(`details.request[data-number="${CSS.escape(String(number))}"]`);
    if (!found) return false;
    for (let around = found.parentElement; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
    found.open = true;
    found.scrollIntoView({ block: "center" });
    found.querySelector("summary").focus({ preventScroll: true });
    return true;
  }

  /** Scrolls each sequence, not the page, to the request that explains the failure, if that is not in view. */
  function centre(root) {
    for (const box of root.querySelectorAll(".sequence")) {
      const row = box.querySelector(".important") ?? box.querySelector(".refused");
      if (!row || row.offsetTop + row.offsetHeight <= box.clientHeight) continue;
      // Below the names of the lanes the first row is whole, if need be with room below the last one.
      const [rows, names, end] = [row.parentElement, box.firstElementChild.offsetHeight, box.scrollHeight - box.clientHeight];
      const first = [...rows.children].find((one) => one.offsetTop - names >= Math.min(row.offsetTop - box.clientHeight / 2, end)) ?? row;
      rows.style.paddingBottom = `${8 + Math.max(0, first.offsetTop - names - end)}px`;
      box.scrollTop = first.offsetTop - names;
    }
  }

  // What a step did

  /** The values that a page of the authority carries for its script: `var NAME = {...};` lines. */
  function settingsOf(html) {
    const found = {};
    for (const [, name, value] of html.matchAll(/^\s*(?:<script[^>]*>)?\s*var (SETTINGS|SA_FIELDS|CONTENT|CP|OPENING_MESSAGE) = (.+);\s*$/gm)) {
      try {
        found[name] = JSON.parse(value);
      } catch { /* A page of another making. */ }
    }
    return found;
  }

  /** The pages that requests brought, where no log of pages was kept. */
  function pagesOf(requests) {
    const pages = [];
    let url = "";
    for (const request of requests) {
      const body = request.response?.body ?? "";
      const about = /<meta name="b2c-harness-page" content="([^"]*)"/.exec(body)?.[1];
      const json = request.response?.json;
      if (about !== undefined) {
        const facts = Object.fromEntries(about.split("; ").map((fact) => fact.split(": ")));
        url = request.url;
        pages.push({ name: /<title>([^<]*)<\/title>/.exec(body)?.[1] ?? "page", technicalProfile: facts.TechnicalProfile, contentDefinition: facts.ContentDefinition, step: Number(facts.OrchestrationStep), url, fields: {} });
      } else if (pages.length && request.method === "POST" && request.endpoint === "page" && json?.message && String(json.status) !== "200") {
        pages.push({ ...pages.at(-1), error: json.message, url });
      }
    }
    return pages;
  }

  /**
   * The document of a hosted page as its own script draws it, without that script, with what was typed and what it said;
   * `null`: the record has no such page.
   */
  function hostedDocument(page, requests) {
    if (typeof hostedPages === "undefined") return null;
    const source = requests.find((request) => request.url === page.url && /<html/i.test(request.response?.body ?? ""));
    if (!source) return null;
    const body = source.response.body;
    const parts = settingsOf(body);
    const drawn = new DOMParser().parseFromString(body, "text/html");
    let isOwn = true;
    if (parts.SETTINGS) {
      try {
        isOwn = hostedPages.draw(drawn, parts);
      } catch {
        return null;
      }
    }
    for (const element of drawn.querySelectorAll("script, noscript, iframe, object, embed, base, meta[http-equiv], link, #no_cookie")) element.remove();
    for (const element of drawn.querySelectorAll("img")) if (!(element.getAttribute("src") ?? "").startsWith("data:")) element.remove();
    for (const element of drawn.querySelectorAll("*")) {
      if (element.style?.display === "none") element.setAttribute("hidden", "");
      element.classList.remove("busy");
      for (const name of element.getAttributeNames()) if (/^on|^(href|action|formaction|srcdoc)$/i.test(name)) element.removeAttribute(name);
    }
    // What was typed is in the request that left the page, which is the last one before the next page.
    const start = requests.indexOf(source);
    const acts = requests.slice(start + 1).map((request) => [request, actOf(request)]);
    const end = acts.findIndex(([request]) => request.from === "browser" && /<html/i.test(request.response?.body ?? ""));
    const typed = Object.assign({}, ...(end < 0 ? acts : acts.slice(0, end + 1)).map(([, act]) => act?.fill ?? {}));
    for (const [id, value] of Object.entries(typed)) if (value && !page.fields?.[id]) setValue(drawn, id, String(value));
    for (const [id, record] of Object.entries(page.fields ?? {})) {
      const value = typed[id] || record.value;
      if (value) setValue(drawn, id, String(value));
      if (record.error) say(drawn.querySelector(`.error[data-for="${CSS.escape(id)}"]`), record.error);
    }
    if (page.error) say(drawn.querySelector("#pageError, #claimVerificationServerError") ?? drawn.querySelector(".error.pageLevel"), page.error);
    if (hostedPages.sheet) {
      drawn.head.prepend(Object.assign(drawn.createElement("link"), { rel: "stylesheet", href: hostedPages.sheet }));
      for (const element of drawn.querySelectorAll("style")) element.remove();
      for (const element of drawn.querySelectorAll("[style]")) element.removeAttribute("style");
    } else {
      drawn.head.prepend(Object.assign(drawn.createElement("style"), { textContent: hostedPages.style }));
    }
    return { html: `<!DOCTYPE html>${drawn.documentElement.outerHTML}`, isOwn };
  }

  function setValue(drawn, id, value) {
    const field = drawn.getElementById(id);
    if (!field) return;
    if (field.tagName === "SELECT") {
      for (const option of field.options) option.toggleAttribute("selected", option.value === value);
    } else if (field.tagName === "INPUT") {
      // A label of a secret is to be read.
      if (field.type === "password") field.setAttribute("type", "text");
      field.setAttribute("value", value);
    } else if (field.tagName === "FIELDSET") {
      for (const box of field.querySelectorAll("input")) box.toggleAttribute("checked", value.split(",").includes(box.value));
    }
  }

  function say(element, text) {
    if (!element) return;
    (element.querySelector("p") ?? element).textContent = visible(text);
    element.removeAttribute("hidden");
    element.style.display = "block";
  }

  const captionOf = (page) => sentence([page.name, page.technicalProfile ?? page.contentDefinition ?? "", page.error ? `says \u201c${page.error}\u201d` : ""]);

  /** A page as the person saw it: the page itself in a frame without script; without it, what its record says. */
  function pageView(page, requests = [], level = 4) {
    const real = hostedDocument(page, requests);
    if (real) {
      // Without script in either case. A style sheet from a file needs the origin of the page around the frame.
      const frame = make("iframe", { sandbox: hostedPages.sheet ? "allow-same-origin" : "", title: `The page ${page.name} as the person saw it`, class: "hosted", tabindex: "0" });
      frame.srcdoc = real.html;
      return make("figure", {}, make("figcaption", { class: "soft" }, captionOf(page), real.isOwn ? "" : " \u00b7 drawn in a template of the service: that of the policy is not in the report"), frame);
    }
    const fields = Object.entries(page.fields ?? {});
    return make("div", {}, make("p", { class: "soft" }, captionOf(page)),
      make("div", { class: "page" }, page.title ? make(`h${level}`, {}, page.title) : null,
        page.error ? make("p", { class: "bad" }, page.error) : null, page.text ? make("p", {}, page.text) : null,
        fields.map(([id, field]) => [
          make("div", { class: "soft" }, `${field.label || id}${field.required ? " *" : ""}`),
          make("div", { class: "field" }, shown(field.value ?? "")), field.error ? make("div", { class: "bad" }, field.error) : null,
        ]), (page.buttons ?? []).map((button) => make("span", { class: "press" }, button))));
  }

  /** Pages in their order, beside each other where there is room. */
  const pagesView = (pages, requests, level) => make("div", { class: "beside" }, pages.map((page) => pageView(page, requests, level)));

  // What the policy did

  /** What stands before the name of the technical profile where the value is not the answer of its handler. */
  const originWords = { page: "the page of ", default: "a default of ", session: "the session of ", hint: "the id_token_hint of " };

  /**
   * The journeys of a trace: their steps, what ran in each, and for every claim what put it there. A record of what ran
   * comes before that of the step that it belongs to.
   */
  function journeysOf({ trace = [], pages = [], requests = [] }) {
    const calls = new Map(requests.map((request) => [String(request.number), request]));
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
        const isShown = items.some((item) => item.output.some((one) => one.name === claim.name && JSON.stringify(one.value) === JSON.stringify(claim.value)));
        if (!(claim.name in bag)) changes.push({ mark: "+", isShown, ...claim });
        else if (JSON.stringify(bag[claim.name]) !== JSON.stringify(claim.value)) changes.push({ mark: "~", isShown, ...claim });
      }
      for (const name of Object.keys(bag)) {
        if (name in after) continue;
        changes.push({ mark: "\u2212", name });
        origins.delete(name);
      }
      bag = after;
      for (const [name, value] of Object.entries(entry.out ?? {})) {
        origins.set(name, { origin: `${originWords[entry.origins?.[name]] ?? ""}step ${entry.step}`, value });
      }
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
      if (entry.exchange !== undefined) item.call = calls.get(entry.exchange);
      for (const claim of item.output) {
        const known = origins.get(claim.name);
        if (known && JSON.stringify(known.value) === JSON.stringify(claim.value)) continue;
        const kind = entry.origins?.[claim.name];
        // Handed on as it was: what put it into the bag is the source.
        if (kind === "bag" && known) continue;
        origins.set(claim.name, { origin: `${originWords[kind] ?? ""}${name}`, value: claim.value, step: entry.step, exchange: kind === undefined ? entry.exchange : undefined });
      }
      items.push(item);
    }
    const unfinished = { items, pages: waiting, number: items.findLast((item) => item.step !== undefined)?.step ?? waiting.at(-1)?.step };
    return { journeys, unfinished, origins };
  }

  const decoded = (token) => token.replaceAll("~1", "/").replaceAll("~0", "~");

  /**
   * Where a value that was not expected came from: `{ text, exchange }`, `exchange` only if a request brought it; `null`:
   * the records do not say.
   */
  function originOf(mismatch, outcome, requests, important = []) {
    const claim = /\/claims\/([^/]+)/.exec(mismatch.pointer)?.[1];
    if (claim === undefined) return null;
    const name = decoded(claim);
    const { origins } = journeysOf({ ...outcome, requests });
    // A relying party may rename a claim.
    const issued = (outcome.trace ?? []).findLast((entry) => entry.issued)?.issued ?? {};
    const key = issued[name] ?? name;
    const value = mismatch.found === undefined ? "" : ` = ${cut(compact(mismatch.found), 80)}`;
    const alias = key === name ? "" : ` is the claim ${key}, which`;
    const known = origins.get(key);
    if (known) {
      const places = [known.step === undefined ? "" : `step ${known.step}`, known.exchange === undefined ? "" : `exchange ${known.exchange}`].filter(Boolean);
      return { text: `${name}${value}${alias} came from ${known.origin}${places.length ? `, ${places.join(", ")}` : ""}`, exchange: known.exchange };
    }
    if (mismatch.found === undefined) {
      return (outcome.trace ?? []).length ? { text: `no technical profile of the journey put ${name} into the token` } : null;
    }
    const token = requests.filter((request) => important.includes(String(request.number)) || request.tokens)
      .findLast((request) => Object.values(request.tokens ?? {}).some((one) => one?.claims && name in one.claims));
    return token ? { text: `${name}${value} is in the token of exchange ${token.number}`, exchange: token.number } : null;
  }

  const valueOf = (value) => (value === undefined ? "" : cut(typeof value === "string" ? value : JSON.stringify(value)));

  function claimsTable(name, claims) {
    if (!claims.length) return null;
    return make("div", { class: "claims" }, make("table", {}, make("caption", {}, name),
      make("tbody", {}, claims.map((claim) => make("tr", {},
        claim.mark ? make("td", { class: "sign" }, claim.mark) : null, make("th", { scope: "row" }, claim.name),
        make("td", {}, make("code", {}, valueOf(claim.value)), claim.from ? make("span", { class: "soft" }, ` from ${claim.from}`) : null))))));
  }

  /** The XML of an element, where the page has it: one text per file that declares it. */
  function sourceView(sources, kind, id) {
    const found = sources.filter((source) => source.kind === kind && source.id.toLowerCase() === String(id).toLowerCase());
    return found.map((source) => lazyFold([make("span", { class: "soft" }, "XML: "), make("code", {}, `<${kind}>`), ` ${source.file}:${source.line}`], () => {
      const lines = source.text.split("\n");
      const depth = Math.min(...lines.slice(1).filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
      const width = String(source.line + lines.length - 1).length;
      return block(lines.map((line, index) => `${String(source.line + index).padStart(width)}  ${index ? line.slice(depth) : line}`).join("\n"), "xml");
    }, { class: "source" }));
  }

  /** What ran, beside it the claims that went in and out. */
  function itemView(item, sources, level) {
    const { call } = item;
    const status = call?.response?.status;
    const kind = sentence([item.transformation === undefined ? item.handler : `${item.method}, a claims transformation`, item.validation ? "as validation" : "", item.skipped ? `skipped: ${item.skipped}` : ""]);
    return make("section", { class: `item${item.error ? " failed" : ""}` },
      make("div", {}, make(`h${level}`, {}, item.name), make("p", { class: "soft" }, kind),
        item.error ? make("p", { class: "bad" }, item.error) : null,
        call ? make("p", {}, make("code", {}, `${call.number ? `#${call.number} ` : ""}${call.method} ${call.url}`), " ",
          make("strong", { class: status >= 200 && status < 300 ? "good" : "bad" }, String(status ?? call.response?.networkError ?? "no answer"))) : null,
        call && (call.json ?? call.form) !== undefined ? fold("sent", block(shown(call.json ?? call.form))) : null,
        call?.response?.json !== undefined ? fold("received", block(shown(call.response.json))) : null,
        sourceView(sources, item.transformation === undefined ? "TechnicalProfile" : "ClaimsTransformation", item.name)),
      make("div", {}, claimsTable("in", item.input), claimsTable("out", item.output),
        item.input.length || item.output.length ? null : make("p", { class: "soft" }, "no claims in or out")));
  }

  const seenView = (page, sources) => make("div", { class: "shownPage" },
    make("p", { class: "soft" }, "page ", make("strong", {}, page.name ?? ""), page.contentDefinition && page.contentDefinition !== page.name ? ` ${page.contentDefinition}` : "",
      Object.keys(page.fields ?? {}).length ? ` with ${Object.keys(page.fields).join(", ")}` : "",
      page.error ? make("span", { class: "bad" }, ` says \u201c${page.error}\u201d`) : null),
    sourceView(sources, "ContentDefinition", page.contentDefinition ?? ""));

  /** Whether something of a step failed and did not succeed at a later attempt. */
  const hasFailed = (step) => step.items.some((item, place) =>
    item.error && !step.items.slice(place + 1).some((later) => later.name === item.name && !later.error));

  /** A step's number, type and the technical profiles that ran in it or showed its page; validation is part of theirs. */
  function stepName({ number, type, items, pages }) {
    const names = [...pages.map((page) => page.technicalProfile), ...items.filter((item) => item.handler && !item.validation).map((item) => item.name)];
    return [number ?? "?", type, [...new Set(names)].join(", ")].filter((part) => part !== "").join(" ");
  }

  /**
   * The steps of each journey, what ran in them in the order in which it ran, and the claims that changed.
   *
   * @param outcome with the logs trace, pages and requests
   * @param options sources: XML of the policy's elements; id: what ids of steps begin with, none without it; level: of the
   *   headings of journeys
   */
  function journeyView(outcome, { sources = [], id = "", level = 4 } = {}) {
    const { journeys, unfinished } = journeysOf(outcome);
    const view = make("div", { class: "journeys" }, journeys.map((journey, place) => [
      make(`h${level}`, {}, `Journey ${journey.name}`),
      make("ol", {}, journey.steps.map((step, index) => make("li", { class: `step ${hasFailed(step) ? "failed" : step.ran ? "ran" : "skipped"}`, ...(id ? { id: `${id}${place}.${index}`, tabindex: "-1" } : {}) },
        make("div", {}, make("strong", {}, stepName(step)), " ", make("span", { class: step.ran ? "good" : "warn" }, step.ran ? "ran" : "skipped"),
          step.because ? make("span", { class: "soft" }, ` because ${step.because}`) : null),
        step.pages.map((page) => seenView(page, sources)), step.items.map((item) => itemView(item, sources, level + 1)),
        claimsTable("claims that also changed", step.changes.filter((change) => !change.isShown)),
        sourceView(sources, "OrchestrationStep", `${journey.name} ${step.number}`)))),
    ]));
    if (unfinished.items.length || unfinished.pages.length) {
      view.append(make(`h${level}`, id ? { id: `${id}open`, tabindex: "-1" } : {}, `${unfinished.number === undefined ? "A step" : `Step ${unfinished.number}`} was not finished`),
        ...unfinished.pages.map((page) => seenView(page, sources)), ...unfinished.items.map((item) => itemView(item, sources, level + 1)));
    }
    return view;
  }

  function eventText({ type, ...rest }) {
    const more = Object.entries(rest).map(([name, value]) => `${name}: ${shown(value)}`).join(", ");
    return more ? `${type} \u2014 ${more}` : type;
  }

  /**
   * @param log the records of all requests of the scenario
   * @param important numbers of requests that explain a failure
   */
  function outcomeView(outcome, log, important = []) {
    const { requests = [], pages = [], messages = [], events = [], trace = [], ...rest } = outcome;
    const numbers = new Set(requests);
    const own = log.filter((request) => numbers.has(request.number));
    return [
      own.length || pages.length ? sequence(own, { pages, messages, important, log }) : null,
      pages.length ? lazyFold(`Pages: ${pages.map((page) => page.name).join(", ")}`, () => pagesView(pages, log)) : null,
      trace.length ? lazyFold("What the policy did", () => journeyView({ trace, pages, requests: own })) : null,
      messages.length ? lazyFold(`Messages: ${messages.length}`, () => messages.map((message) => block(shown(message)))) : null,
      events.length ? lazyFold(`Events: ${events.length}`, () => block(events.map(eventText).join("\n"))) : null,
      lazyFold("Outcome of the step", () => block(shown(rest))),
    ].filter(Boolean);
  }

  // Keys

  /** Keys of a page: a table of them opens by `?`. A key acts where no text is typed. */
  function keys(table) {
    const dialog = make("dialog", { id: "keys", "aria-labelledby": "keys-title" }, make("h2", { id: "keys-title" }, "Keys"),
      make("table", {}, make("tbody", {}, [...table, { key: "?", text: "these keys" }].map(({ key, name, text }) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, name ?? key)), make("td", {}, text))))),
      make("form", { method: "dialog" }, make("button", {}, "Close")));
    dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      dialog.close();
    });
    document.body.append(dialog);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.key !== "Escape") return;
      if (dialog.open) return;
      if (event.key === "?") {
        dialog.showModal();
        event.preventDefault();
        return;
      }
      const found = table.find(({ key }) => key === event.key);
      if (found && found.act(event) !== false) event.preventDefault();
    });
    return make("button", { type: "button", class: "plain", onclick: () => dialog.showModal() }, "Keys: ?");
  }

  return {
    block, centre, copyButton, cut, differences, durationText, eventText, fold, hasFailed, instant, moment, journeyView, journeysOf, keys, lazyFold, make, marked, originOf, outcomeView, pagesOf, pagesView, pageView, requestParts,
    seconds, sentence, sequence, showRequest, shown, sidesOf, sourceFrame, stepName, stepText, toldApart, twoSides, useRealTime, virtual,
  };
})();
