"use strict";

// A person at the hosted pages, over HTTP: what a browser sends, without a browser.
//
// The pages draw themselves from settings objects in their text (docs/pages.md). This module reads the same objects, types what
// the person's record says, and sends what the page's script would send.

const crypto = require("node:crypto");
const http = require("node:http");
const https = require("node:https");

// Ids of fields by their purpose, in lower case, as tenants have them.
const NAMES = new Set(["username", "userid", "signinnames.username", "signinname", "logonidentifier", "user"]);
const ADDRESSES = new Set([
  "email", "emailaddress", "signinnames.emailaddress", "readonlyemail", "displayemailaddress", "emailmfa", "signinname", "logonidentifier",
]);
const PHONES = new Set(["number", "phonenumber", "nationalnumber", "strongauthenticationphonenumber", "mobile", "displayphonenumber"]);
const CODES = new Set([
  "verificationcode", "emailverificationcode", "otpcode", "totpverificationcode", "verification_code", "user_input", "code",
  "phoneverificationcode",
]);
const APP_CODES = new Set(["otpcode", "totpverificationcode"]);
const isSentCode = (key) => CODES.has(key) && !APP_CODES.has(key);

// How the buttons of docs/pages.md are named here.
const PRESSES = ["cancel", "forgotPassword", "signUp"];

/** What is wrong, in one sentence. */
class B2CError extends Error {
  constructor(sentence, options) {
    super(sentence, options);
    this.name = new.target.name;
  }
}

/** A sign-in that stops at a page. `said` is the text that the page shows, or an empty text. */
class PageError extends B2CError {
  constructor(sentence, said = "", options) {
    super(sentence, options);
    this.said = said;
  }
}

/** The address by which the app gets the answer. */
class Callback {
  constructor(url, posted = false) {
    this.url = url;
    this.posted = posted;
  }

  get parameters() {
    const parts = new URL(this.url);
    // A redirect URI may have a query of its own, and the answer in the fragment.
    return Object.fromEntries([parts.search, parts.hash].flatMap((part) => [...new URLSearchParams(part.slice(1))]));
  }

  toString() {
    return this.url;
  }
}

// HTML

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function unescaped(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = parseInt(hex ?? decimal, hex ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The text of a page without its markup. */
function words(text) {
  const plain = text.replace(/<(script|style|title)[^]*?<\/\1>|<[^>]*>/g, " ");
  return unescaped(plain).split(/\s+/).filter(Boolean).join(" ").slice(0, 300);
}

/** The first form of a page: its action, its inputs and its buttons. */
function formOf(text) {
  const form = { action: null, id: "", inputs: [], buttons: [] };
  const tags = /<(\/?)(form|input|button)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
  for (const [, end, name, rest] of text.matchAll(tags)) {
    if (end) {
      if (name.toLowerCase() === "form" && form.action !== null) break;
      continue;
    }
    const attributes = {};
    for (const [, key, double, single, bare] of rest.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
      attributes[key.toLowerCase()] = unescaped(double ?? single ?? bare ?? "");
    }
    const tag = name.toLowerCase();
    if (tag === "form" && form.action === null) {
      form.action = attributes.action ?? "";
      form.id = attributes.id ?? "";
    } else if (form.action !== null && tag !== "form") {
      (tag === "button" || attributes.type === "submit" ? form.buttons : form.inputs).push(attributes);
    }
  }
  return form;
}

/** One page, by the settings objects that its script draws it from. */
class Page {
  constructor(url, status, text) {
    this.url = url;
    this.status = status;
    this.text = text;
    // The rules of the sanitizer are code, not JSON, and the last member.
    this.settings = this.variable("SETTINGS", (found) => found.replace(/,"sanitizerPolicy":[^]*$/, "}"));
    this.fields = this.variable("SA_FIELDS")?.AttributeFields ?? [];
    this.choices = (this.variable("CP")?.list ?? []).map((choice) => choice.id);
    this.phones = this.variable("UV_PHONE")?.PhoneNumbers ?? [];
    this.texts = this.variable("CONTENT") ?? {};
    this.api = this.settings?.api ?? "";
    this.csrf = this.settings?.csrf ?? "";
  }

  variable(name, trimmed = (found) => found) {
    const found = new RegExp(`(?:^|>)var ${name} = (.*);$`, "m").exec(this.text);
    return found ? JSON.parse(trimmed(found[1])) : undefined;
  }

  get isSignIn() {
    return this.api === "CombinedSigninAndSignup";
  }

  get isPhone() {
    return this.api === "Phonefactor";
  }

  /** The page in words. */
  get name() {
    if (this.isSignIn) return "the sign-in page";
    if (this.isPhone) return "the page for a phone number";
    const ids = this.allFields.filter((field) => field.UX_INPUT_TYPE !== "DisplayControl").map((field) => field.ID);
    return ids.length ? `the page with ${ids.join(", ")}` : `the page at ${new URL(this.url).pathname}`;
  }

  /** The fields with those inside display controls. */
  get allFields() {
    return this.fields.flatMap((field) => [field, ...(field.DISPLAY_FIELDS ?? [])]);
  }

  /** The text of an error page. */
  get error() {
    if (this.settings && this.api !== "GlobalException") return null;
    const detail = this.settings && this.variable("GLOBALEX");
    if (detail) return String(detail.Detail || detail.ErrorCode || "an error");
    return this.settings || this.status >= 400 ? words(this.text) || `HTTP ${this.status}` : null;
  }

  config(name) {
    return String(this.settings?.config?.[name] ?? "").toLowerCase();
  }
}

// What a person knows

function textOf(value) {
  return Array.isArray(value) ? value.map(textOf).join(",") : String(value);
}

/** What the person types into each field of a page; changes the record where the page gives or takes something for good. */
function typedInto(page, record, who, mail) {
  const typed = {};
  const ids = new Set(page.allFields.map((field) => field.ID.toLowerCase()));
  const setsPassword = ids.has("newpassword") && !["displayname", "email", "givenname"].some((id) => ids.has(id)) && !page.isSignIn;
  const missing = [];
  const shown = page.allFields.find((field) => field.ID === "secretKey")?.PRE;
  if (shown && !record.totpSecret) {
    // A person who sets an authenticator app up scans its key off the page, and uses it from then on.
    record.totpSecret = shown;
    mail.keepSecret(who, shown);
  }
  for (const field of page.allFields) {
    const kind = field.UX_INPUT_TYPE;
    const name = field.ID;
    const key = name.toLowerCase();
    if (kind === "DisplayControl") {
      if (field.DISPLAY_CONTROL_TYPE === "CaptchaControl") {
        throw new PageError(`${page.name} shows a captcha, which the kit does not solve: set \`captcha\` of the policy to false`);
      }
      continue;
    }
    if (kind === "Paragraph") continue;
    let value;
    if (kind === "Password") {
      const old = page.isSignIn || key === "password" || key === "oldpassword";
      value = old || !setsPassword ? record.password : record.newPassword;
    } else if (APP_CODES.has(key)) {
      value = record.totpSecret ? totp(String(record.totpSecret), mail.seconds()) : undefined;
    } else if (CODES.has(key)) {
      continue;
    } else if (Object.hasOwn(record, name)) {
      value = textOf(record[name]);
    } else if (NAMES.has(key) && (page.isSignIn || ids.has("email") || !ADDRESSES.has(key))) {
      const byName = page.config("operatingMode") === "username" || !page.isSignIn;
      value = (byName ? record.username || record.email : record.email || record.username) || who;
    } else if (ADDRESSES.has(key)) {
      value = record.email;
    } else if (PHONES.has(key)) {
      value = record.phone;
    }
    value ??= field.PRE;
    if (!value && field.IS_REQ && !field.IS_RDO) missing.push(kind === "Password" && setsPassword ? "newPassword" : name);
    if (value != null || ["TextBox", "EmailBox", "Password"].includes(kind)) typed[name] = value || "";
  }
  if (missing.length) {
    throw new PageError(`${page.name} requires ${missing.join(", ")}, which the record of ${who} does not have`);
  }
  // From the next page on, this is the password.
  if (setsPassword && record.newPassword) record.password = record.newPassword;
  return typed;
}

/** The newest code that has gone to a person. */
async function codeOf(record, who, mail) {
  const addresses = ["email", "phone"].filter((name) => record[name]).map((name) => String(record[name]));
  const code = await mail.newestCode(addresses);
  if (code == null) throw new PageError(`no code has come for ${who} at ${addresses.join(" or ") || "any address"}`);
  return code;
}

/** A browser with its own cookies. A second sign-in with the same one uses the single sign-on session of the first. */
class Browser {
  #origins;
  #mail;
  #certificates;
  #cookies = new Map();

  constructor(origins, mail, certificates) {
    this.#origins = origins;
    this.#mail = mail;
    this.#certificates = certificates;
  }

  async signIn(url, { as, password, press, provider } = {}) {
    url = String(url);
    if (!this.#isOurs(url)) {
      throw new B2CError(
        `${url.slice(0, 200)} is not a sign-in address of this server: expected one that begins with ${this.#origins[0]}/`);
    }
    if (press !== undefined && !PRESSES.includes(press)) {
      throw new B2CError(`there is no button ${press}: expected ${PRESSES.join(", ")}`);
    }
    const record = as ? { ...(await this.#mail.person(as)) } : {};
    if (password !== undefined) record.password = password;
    const who = as || "nobody";
    let found = await this.#open(url);
    for (let count = 0; count < 40; count += 1) {
      if (found instanceof Callback) return found;
      if (found.error !== null) throw new PageError(`the server shows an error page to ${who}: ${found.error}`, found.error);
      if (press !== undefined) {
        found = await this.#press(found, press, who);
        press = undefined;
      } else if (!as) {
        throw new PageError(`the server shows ${found.name}, and nobody is at the browser: name a person with \`as\``);
      } else if (!found.settings) {
        found = await this.#providerPage(found, record, who);
      } else if (provider !== undefined && found.choices.length) {
        found = await this.#choose(found, provider);
        provider = undefined;
      } else if (found.isSignIn && record.registered === false && found.config("showSignupLink") !== "false") {
        // The next page creates the account: do not press it twice.
        record.registered = true;
        found = await this.#press(found, "signUp", who);
      } else {
        found = await this.#act(found, record, who);
      }
    }
    throw new PageError(`${who} was shown 40 pages, and the sign-in has not ended; the last is ${found.name ?? "the callback"}`);
  }

  // What a person does on a page

  #press(page, button, who) {
    if (button === "cancel") return this.#go(page, "error", "code=cancel&desc=cancelled");
    if (!page.isSignIn || (button === "signUp" && page.config("showSignupLink") === "false")) {
      throw new PageError(`${page.name} has no button ${button} for ${who}`);
    }
    if (button === "signUp") return this.#go(page, "unified", "local=signup");
    const exchange = page.settings.config?.forgotPasswordLinkOverride;
    return exchange ? this.#go(page, "unified", `claimsexchange=${exchange}`) : this.#go(page, "forgotPassword");
  }

  #choose(page, provider) {
    const wanted = provider.toLowerCase();
    const choice = page.choices.find((one) => [wanted, `${wanted}exchange`].includes(one.toLowerCase()));
    if (choice) return this.#go(page, "unified", `claimsexchange=${choice}`);
    throw new PageError(`${page.name} has no provider ${provider}; it has ${page.choices.join(", ")}`);
  }

  #providerPage(page, record, who) {
    const form = formOf(page.text);
    if (form.action === null) throw new PageError(`${who} stops at ${page.name}, which has no form`);
    if (record._provider === form.action) {
      // The same form again: it does not let this person in.
      const said = words(page.text);
      throw new PageError(`${who} stops at ${page.name}, which says "${said}"`, said);
    }
    record._provider = form.action;
    const sent = new URLSearchParams();
    for (const input of form.inputs) {
      const name = input.name ?? "";
      if (input.type === "password") sent.set(name, record.password || "provider-password");
      else if (input.type === "hidden") sent.set(name, input.value ?? "");
      else sent.set(name, record.email || record.username || who);
    }
    const button = form.buttons.find((one) => one.id !== "cancel" && one.value !== "cancel" && one.name);
    if (button) sent.set(button.name, button.value ?? "");
    return this.#open(new URL(form.action, page.url).href, "POST", String(sent));
  }

  async #act(page, record, who) {
    if (page.isPhone) return this.#provePhone(page, record, who);
    const typed = typedInto(page, record, who, this.#mail);
    for (const field of page.fields) {
      if (field.VERIFY) await this.#proveClaim(page, field.ID, typed, record, who);
      else if (field.UX_INPUT_TYPE === "DisplayControl") await this.#proveControl(page, field, typed, record, who);
    }
    // A code that an earlier page had sent goes into a field like any other.
    for (const field of page.allFields) {
      if (isSentCode(field.ID.toLowerCase()) && !field.IS_RDO && !typed[field.ID]) typed[field.ID] = await codeOf(record, who, this.#mail);
    }
    const form = { request_type: "RESPONSE" };
    for (const field of page.allFields) {
      const isShown = field.UX_INPUT_TYPE !== "DisplayControl" && field.UX_INPUT_TYPE !== "Paragraph";
      if (isShown && Object.hasOwn(typed, field.ID)) form[field.ID] = typed[field.ID];
    }
    await this.#submit(page, "SelfAsserted", form, who);
    return this.#go(page, "confirmed", page.isSignIn ? "rememberMe=false" : "");
  }

  async #proveClaim(page, name, typed, record, who) {
    const claim = { claim_id: name, claim_value: typed[name] ?? "" };
    await this.#submit(page, "SelfAsserted", { request_type: "VERIFICATION_REQUEST", ...claim }, who);
    const code = await codeOf(record, who, this.#mail);
    await this.#submit(page, "SelfAsserted", { request_type: "VALIDATION_REQUEST", ...claim, user_input: code }, who);
  }

  async #proveControl(page, control, typed, record, who) {
    const fields = (control.DISPLAY_FIELDS ?? []).map((field) => field.ID);
    const codes = fields.filter((name) => isSentCode(name.toLowerCase()));
    if (!codes.length) return;
    const path = `SelfAsserted/DisplayControlAction/vbeta/${control.ID}/`;
    const form = Object.fromEntries(fields.filter((name) => !codes.includes(name)).map((name) => [name, typed[name] ?? ""]));
    await this.#submit(page, path + "SendCode", form, who);
    typed[codes[0]] = await codeOf(record, who, this.#mail);
    await this.#submit(page, path + "VerifyCode", { ...form, [codes[0]]: typed[codes[0]] }, who);
  }

  async #provePhone(page, record, who) {
    const calls = page.config("authenticationMode") === "phone";
    const form = { request_type: "VERIFICATION_REQUEST", auth_type: calls ? "dialphone" : "onewaysms" };
    if (page.phones.length) form.id = String(page.phones[0].Id);
    else if (record.phone) Object.assign(form, { id: "UserAsserted", number: String(record.phone) });
    else throw new PageError(`${page.name} requires phone, which the record of ${who} does not have`);
    await this.#submit(page, "Phonefactor/verify", form, who);
    if (calls) {
      // A call is answered, not typed: the page asks until the service knows.
      let isAnswered = false;
      for (let count = 0; count < 20 && !isAnswered; count += 1) {
        isAnswered = (await this.#post(page, "Phonefactor/verify", { request_type: "VALIDATION_REQUEST" })).status === "200";
        if (!isAnswered) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      if (!isAnswered) throw new PageError(`${who} does not answer the call`);
    } else {
      const code = await codeOf(record, who, this.#mail);
      await this.#submit(page, "Phonefactor/verify", { request_type: "VALIDATION_REQUEST", verification_code: code }, who);
    }
    return this.#go(page, "confirmed");
  }

  // What the page's script sends

  async #post(page, path, form) {
    const { hosts, transId } = page.settings;
    // As the script does: the transaction is not encoded.
    const target = new URL(`${hosts.tenant}/${path}?tx=${transId}&p=${hosts.policy}`, page.url).href;
    const answer = await this.#request("POST", target, String(new URLSearchParams(form)), {
      "X-CSRF-TOKEN": page.csrf, "X-Requested-With": "XMLHttpRequest", Referer: page.url, Origin: new URL(page.url).origin,
    });
    // An answer may set the token again, and the page goes on with that one.
    for (const line of answer.cookies) {
      const found = /^x-ms-cpim-csrf=([^;]+)/.exec(line);
      if (found) page.csrf = found[1];
    }
    let json;
    try {
      json = JSON.parse(answer.text);
    } catch {
      json = null;
    }
    if (json === null || typeof json !== "object" || Array.isArray(json)) {
      throw new PageError(`${page.name} gets HTTP ${answer.status} instead of an answer to its script`, answer.text.slice(0, 200));
    }
    return { status: String(json.status ?? answer.status), json };
  }

  async #submit(page, path, form, who) {
    const { status, json } = await this.#post(page, path, form);
    if (status === "200") return;
    const said = unescaped(String(json.message || page.texts[`error_${status}`] || `status ${status}`));
    throw new PageError(`${who} stops at ${page.name}, which says "${said}"`, said);
  }

  #go(page, action, query = "") {
    const { hosts, transId } = page.settings;
    const more = `csrf_token=${page.csrf}&tx=${transId}&p=${hosts.policy}`;
    return this.#open(new URL(`${hosts.tenant}/api/${page.api}/${action}?${query}${query ? "&" : ""}${more}`, page.url).href);
  }

  // HTTP

  #isOurs(url) {
    return this.#origins.some((origin) => url === origin || url.startsWith(`${origin}/`) || url.startsWith(`${origin}?`));
  }

  async #open(url, method = "GET", body = null) {
    for (let count = 0; count < 20; count += 1) {
      if (!this.#isOurs(url)) {
        return body === null ? new Callback(url) : new Callback(`${url}${url.includes("?") ? "&" : "?"}${body}`, true);
      }
      const answer = await this.#request(method, url, body);
      if ([301, 302, 303, 307, 308].includes(answer.status)) {
        url = absolute(answer.headers.location ?? "", url);
        method = "GET";
        body = null;
        continue;
      }
      const page = new Page(url, answer.status, answer.text);
      if (page.settings || !answer.text.includes("<form")) return page;
      const form = formOf(answer.text);
      if (form.id !== "auto") return page;
      // An answer by form post: the browser sends it by itself.
      url = absolute(form.action ?? "", url);
      method = "POST";
      body = String(new URLSearchParams(form.inputs.filter((one) => one.name).map((one) => [one.name, one.value ?? ""])));
    }
    throw new PageError("the server redirects more than 20 times");
  }

  async #request(method, url, body, headers = {}) {
    const parts = new URL(url);
    if (!this.#cookies.has(parts.host)) this.#cookies.set(parts.host, new Map());
    // Byte for byte: cookies of B2C have characters that cookie jars change.
    const jar = this.#cookies.get(parts.host);
    const sent = { Accept: "text/html,*/*", ...headers };
    if (body !== null) sent["Content-Type"] = "application/x-www-form-urlencoded; charset=UTF-8";
    if (jar.size) sent.Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    let answer;
    try {
      answer = await request(url, { method, body, headers: sent, certificates: this.#certificates });
    } catch (error) {
      throw new PageError(`${parts.origin}${parts.pathname} cannot be loaded: ${error.message || error.code}`, "", { cause: error });
    }
    for (const line of answer.cookies) {
      const pair = line.split(";")[0];
      const at = pair.indexOf("=");
      if (pair.slice(at + 1)) jar.set(pair.slice(0, at), pair.slice(at + 1));
      else jar.delete(pair.slice(0, at));
    }
    return answer;
  }
}

// An app's own address may have a scheme that a URL is not resolved against.
function absolute(location, base) {
  return /^[a-z][a-z0-9+.-]*:/i.test(location) ? location : new URL(location, base).href;
}

/** One request to the server; no proxy of the environment is used, since the server is on this machine. */
function request(url, { method = "GET", body = null, headers = {}, certificates } = {}) {
  return new Promise((resolve, reject) => {
    const isTLS = url.startsWith("https:");
    const length = body === null ? {} : { "Content-Length": Buffer.byteLength(body) };
    // The path as it is written: `new URL` would encode what the pages' script does not.
    const found = /^https?:\/\/([^/?#]*)([^#]*)/.exec(url);
    const { hostname, port } = new URL(url);
    const path = found[2].startsWith("/") ? found[2] : `/${found[2]}`;
    const sent = (isTLS ? https : http).request({
      hostname: hostname.replace(/^\[|\]$/g, ""), port: port || undefined, path, method, headers: { ...headers, ...length }, agent: false,
      ca: isTLS ? certificates : undefined, timeout: 60_000,
    }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => resolve({
        status: answer.statusCode, headers: answer.headers, cookies: answer.headers["set-cookie"] ?? [],
        text: Buffer.concat(parts).toString("utf8"),
      }));
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in 60 seconds")));
    sent.on("error", reject);
    sent.end(body ?? undefined);
  });
}

/** The code of an authenticator app (RFC 6238). */
function totp(secret, seconds) {
  const letters = secret.replace(/[\s=-]/g, "").toUpperCase();
  let bits = "";
  for (const letter of letters) {
    const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter);
    if (value < 0) throw new B2CError("the secret of the authenticator app is not base32");
    bits += value.toString(2).padStart(5, "0");
  }
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / 30)));
  const digest = crypto.createHmac("sha1", key).update(counter).digest();
  const start = digest[digest.length - 1] & 15;
  return String((digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

module.exports = { B2CError, Browser, Callback, Page, PageError, codeOf, isSentCode, request, totp, typedInto };
