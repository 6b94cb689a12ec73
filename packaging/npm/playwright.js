"use strict";

// Fixtures for Playwright Test, and a person at the hosted pages of a real browser.
//
//   const { test: base, expect } = require("@playwright/test");
//   const { fixtures } = require("b2c-harness/playwright");
//   const test = base.extend(fixtures);
//
//   test("somebody signs in", async ({ page, b2c }) => {
//     await page.goto("http://localhost:3000/");
//     await page.getByText("Sign in").click();
//     await b2c.signInPage(page, { as: "ada" });
//   });

const { B2CError, PageError, Server, totp } = require("./kit.js");

/** How long a page may take, in milliseconds. */
const PATIENCE = 30_000;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An element by its id, which may have characters that a CSS selector does not take. */
const byId = (page, id) => page.locator(`[id=${JSON.stringify(id)}]`);

// What a page shows, and what a person types there

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

// What a person does in the browser

/** What a page shows, once it is idle; `null` when it is closed or no longer one of the server's. */
async function shown(page, origins) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    if (page.isClosed()) return null;
    const url = page.url();
    const isOurs = origins.some((origin) => url.startsWith(`${origin}/`));
    if (!isOurs && url !== "about:blank") return null;
    try {
      const isIdle = isOurs && (await page.evaluate(() => {
        const api = document.getElementById("api");
        const isForm = document.querySelector("form, #api, pre, h1") !== null;
        const isDrawn = !api || api.children.length > 0;
        return document.readyState === "complete" && isForm && isDrawn && api?.getAttribute("aria-busy") !== "true";
      }));
      if (isIdle) return new Page(url, 200, await page.content());
    } catch {
      // The page is changing.
    }
    if (Date.now() > end) throw new PageError(`the page at ${new URL(url).pathname} is not ready after ${PATIENCE / 1000} seconds`);
    await sleep(20);
  }
}

/** Does something that leads to another page, and waits for it. Throws what the page says instead. */
async function leave(page, found, who, act) {
  await page.evaluate(() => {
    window.b2cKit = true;
  });
  await act();
  const end = Date.now() + PATIENCE;
  while (!page.isClosed()) {
    let state = "changing";
    try {
      state = await page.evaluate(() => {
        if (!window.b2cKit) return "left";
        if (document.getElementById("api")?.getAttribute("aria-busy") === "true") return "busy";
        const said = [...document.querySelectorAll(".error")]
          .filter((one) => one.offsetParent !== null && one.innerText.trim()).map((one) => one.innerText.trim());
        return said.length ? { said: said.join(" ") } : "waiting";
      });
    } catch {
      // The page is changing.
    }
    if (state === "left") return;
    if (state.said) throw new PageError(`${who} stops at ${found.name}, which says "${state.said}"`, state.said);
    if (Date.now() > end) throw new PageError(`${who} stops at ${found.name}, which does not go on`);
    await sleep(20);
  }
}

function noChoice(field, value, values) {
  return new PageError(`the page has no ${value} for ${field.ID}; it has ${values.filter(Boolean).join(", ").slice(0, 200)}`);
}

async function fill(page, field, value) {
  const element = byId(page, field.ID);
  if (await element.count()) {
    const kind = await element.evaluate((one) => (one.disabled || one.readOnly ? "fixed" : one.tagName.toLowerCase()));
    if (kind === "select") {
      const values = await element.locator("option").evaluateAll((all) => all.map((one) => one.value));
      if (!values.includes(value)) throw noChoice(field, value, values);
      return void (await element.selectOption(value));
    }
    if (kind === "input" || kind === "textarea") {
      if (await element.isVisible()) return void (await element.fill(value));
    }
    if (kind === "fixed") return;
  }
  if (!value) return;
  // A date has three lists, a choice one box for each value.
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (parts && (await byId(page, `${field.ID}_day`).count())) {
    for (const [name, part] of [["year", parts[1]], ["month", parts[2]], ["day", parts[3]]]) {
      await fill(page, { ID: `${field.ID}_${name}` }, part);
    }
    return;
  }
  const chosen = value.split(",");
  const values = (field.OPTIONS ?? []).map((option) => option.VAL);
  for (const one of chosen) if (values.length && !values.includes(one)) throw noChoice(field, one, values);
  for (const one of values.length ? values : chosen) {
    const box = byId(page, `${field.ID}_${one}`);
    if (!(await box.count())) continue;
    if (chosen.includes(one)) await box.check();
    // What was chosen before, and is not in the person's record.
    else if ((await box.getAttribute("type")) === "checkbox") await box.uncheck();
  }
}

/** Clicks what sends or verifies a code, and waits until `next` shows, or the button hides. Throws what the page says instead. */
async function sent(page, found, who, button, next) {
  await byId(page, button).click();
  const end = Date.now() + PATIENCE;
  while (!(await (next ? byId(page, next).isVisible() : byId(page, button).isHidden()))) {
    const said = await page.locator(".error:visible, .verificationErrorText:visible").allInnerTexts();
    const text = said.map((one) => one.trim()).filter(Boolean).join(" ");
    if (text) throw new PageError(`${who} stops at ${found.name}, which says "${text}"`, text);
    if (Date.now() > end) throw new PageError(`${who} stops at ${found.name}, where #${button} does nothing`);
    await sleep(20);
  }
}

async function act(page, found, record, who, mail) {
  const typed = typedInto(found, record, who, mail);
  for (const field of found.fields) {
    const inner = field.DISPLAY_FIELDS ?? [];
    const code = inner.find((one) => isSentCode(one.ID.toLowerCase()));
    if (field.VERIFY) {
      await fill(page, field, typed[field.ID] ?? "");
      await sent(page, found, who, `${field.ID}_ver_but_send`, `${field.ID}_ver_input`);
      await byId(page, `${field.ID}_ver_input`).fill(await codeOf(record, who, mail));
      await sent(page, found, who, `${field.ID}_ver_but_verify`);
    } else if (code) {
      for (const one of inner) if (one !== code) await fill(page, one, typed[one.ID] ?? "");
      await sent(page, found, who, `${field.ID}_but_send_code`, `${field.ID}_but_verify_code`);
      await fill(page, code, await codeOf(record, who, mail));
      await sent(page, found, who, `${field.ID}_but_verify_code`);
    } else {
      if (isSentCode(field.ID.toLowerCase()) && !field.IS_RDO) typed[field.ID] ||= await codeOf(record, who, mail);
      for (const one of [field, ...inner]) if (typed[one.ID]) await fill(page, one, typed[one.ID]);
    }
  }
  await leave(page, found, who, () => byId(page, found.isSignIn ? "next" : "continue").click());
}

async function provePhone(page, found, record, who, mail) {
  if (!found.phones.length) {
    if (!record.phone) throw new PageError(`${found.name} requires phone, which the record of ${who} does not have`);
    await byId(page, "localNumber").fill(String(record.phone));
  }
  if (found.config("authenticationMode") === "phone") {
    await leave(page, found, who, () => byId(page, "verifyPhone").click());
    return;
  }
  // One button sends the code and then takes it.
  await sent(page, found, who, "verifyCode", "verificationCode");
  await byId(page, "verificationCode").fill(await codeOf(record, who, mail));
  await leave(page, found, who, () => byId(page, "verifyCode").click());
}

/**
 * Plays a person at the hosted pages that a browser shows, until it is back at the app or the popup is closed.
 *
 * The page may still be on its way to the server when this is called.
 */
async function signInPage(page, world, { as, password, press, provider } = {}) {
  if (!as) throw new B2CError("nobody is at the browser: name a person with `as`");
  const { origins } = world.server;
  const mail = world.mail;
  const record = { ...(await mail.person(as)) };
  if (password !== undefined) record.password = password;
  const arrival = Date.now() + PATIENCE;
  while (!origins.some((origin) => page.url().startsWith(`${origin}/`))) {
    if (Date.now() > arrival) throw new B2CError(`the browser is at ${page.url()}, which is not a page of ${world.url}`);
    await sleep(20);
  }
  for (let count = 0; count < 40; count += 1) {
    const found = await shown(page, origins);
    if (found === null) return;
    if (found.error !== null) throw new PageError(`the server shows an error page to ${as}: ${found.error}`, found.error);
    if (press !== undefined) {
      const button = { cancel: "cancel", forgotPassword: "forgotPassword", signUp: "createAccount" }[press];
      if (!button) throw new B2CError(`there is no button ${press}: expected cancel, forgotPassword, signUp`);
      if (!(await byId(page, button).count())) throw new PageError(`${found.name} has no button ${press} for ${as}`);
      await leave(page, found, as, () => byId(page, button).click());
      press = undefined;
    } else if (!found.settings) {
      for (const [id, value] of [["username", record.email || record.username || as], ["password", record.password || "provider-password"]]) {
        if (await byId(page, id).count()) await byId(page, id).fill(String(value));
      }
      await leave(page, found, as, () => byId(page, "accept").click());
    } else if (provider !== undefined && found.choices.length) {
      const wanted = provider.toLowerCase();
      const choice = found.choices.find((one) => [wanted, `${wanted}exchange`].includes(one.toLowerCase()));
      if (!choice) throw new PageError(`${found.name} has no provider ${provider}; it has ${found.choices.join(", ")}`);
      await leave(page, found, as, () => byId(page, choice).click());
      provider = undefined;
    } else if (found.isSignIn && record.registered === false && found.config("showSignupLink") !== "false") {
      // The next page creates the account: do not press it twice.
      record.registered = true;
      await leave(page, found, as, () => byId(page, "createAccount").click());
    } else if (found.isPhone) {
      await provePhone(page, found, record, as, mail);
    } else {
      await act(page, found, record, as, mail);
    }
  }
  throw new PageError(`${as} was shown 40 pages, and the sign-in has not ended`);
}

/** For `test.extend` of @playwright/test: `b2c` is a fresh tenant for each test; `b2cOptions` are those of `Server.start`. */
const fixtures = {
  b2cOptions: [{}, { option: true, scope: "worker" }],
  b2cServer: [async ({ b2cOptions }, use) => {
    const server = await Server.start(b2cOptions);
    await use(server);
    await server.stop();
  }, { scope: "worker" }],
  b2c: async ({ b2cServer }, use, testInfo) => {
    const world = await b2cServer.fresh();
    world.signInPage = (page, options) => signInPage(page, world, options);
    await use(world);
    if (testInfo.status !== testInfo.expectedStatus) {
      const lines = (await world.requests()).map((one) => {
        const status = one.response?.status ?? "no answer";
        return `${one.method} ${one.path} -> ${status} ${one.refusal ?? ""}`.trimEnd();
      });
      await testInfo.attach("requests to the B2C tenant", { body: lines.join("\n") || "none", contentType: "text/plain" });
    }
  },
};

exports.fixtures = fixtures;
exports.signInPage = signInPage;
