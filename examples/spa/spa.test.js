"use strict";

// The app in a real browser, with people who sign in at the tenant's pages.

const assert = require("node:assert/strict");
const { once } = require("node:events");
const fs = require("node:fs");
const path = require("node:path");
const { after, afterEach, before, beforeEach, test } = require("node:test");
const { chromium } = require("playwright-core");

const { Server } = require("b2c-harness/kit");
const { signInPage } = require("b2c-harness/playwright");
const { createServer } = require("./server.js");

let app, browser, page, origin, server, b2c;

before(async () => {
  // The API checks tokens by keys that it loads over https from the tenant's own certificate.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  app = createServer(() => ({
    authority: b2c.authority(), clientId: b2c.clientId(), audience: b2c.audience(), scopes: b2c.scopes(),
  })).listen(0, "127.0.0.1");
  await once(app, "listening");
  origin = `http://localhost:${app.address().port}`;
  const tenant = JSON.parse(fs.readFileSync(path.join(__dirname, "tenant.json"), "utf8"));
  tenant.apps.spa.platform.origin = origin;
  // MSAL for browsers takes https authorities only.
  server = await Server.start({ tenant, tls: true });
  const { CHROMIUM: executablePath } = process.env;
  browser = await chromium.launch(executablePath ? { executablePath, args: ["--no-sandbox"] } : {});
});

after(async () => {
  await browser?.close();
  await server?.stop();
  app?.close();
  app?.closeAllConnections();
});

beforeEach(async () => {
  b2c = await server.fresh();
  page = await browser.newPage({ ignoreHTTPSErrors: true });
  page.setDefaultTimeout(20_000);
});

afterEach(() => page.close());

const status = (text) => page.locator("#status", { hasText: text }).waitFor();

async function signIn(as, more) {
  await page.goto(origin);
  await page.locator("#sign-in").click();
  await signInPage(page, b2c, { as, ...more });
}

const call = (token) => fetch(`${origin}/tasks`, { headers: { Authorization: `Bearer ${token}` } });

test("sign in, and call the API", async () => {
  await signIn("ada");
  await status("Hello Ada");
  await page.locator("#load").click();
  await status("Tasks of Ada");
});

test("sign up with the code from the inbox", async () => {
  await signIn("nina");
  await status("Hello Nina");
  assert.equal((await b2c.codeFor("nina@example.test")).length, 6);
  assert.equal((await b2c.person("nina")).registered, true);
});

test("cancel and a wrong password", async () => {
  await assert.rejects(signIn("ada", { password: "guessed" }), (error) => /incorrect/.test(error.said));
  await page.locator("#createAccount").click();
  await page.locator("#cancel").click();
  await status("Signing in fails: access_denied");
});

test("interaction required once session and refresh token are over", async () => {
  await signIn("ada");
  await status("Hello Ada");
  await b2c.advance(25 * 3600);
  // The cached access token is dropped, as if its hour were over: the clock of the browser does not move.
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) if (key.includes("-accesstoken-")) sessionStorage.removeItem(key);
  });
  await page.locator("#load").click();
  await status("Sign in again");
  await page.locator("#sign-in").click();
  await signInPage(page, b2c, { as: "ada" });
  await status("Hello Ada");
});

test("the API refuses what it must refuse", async () => {
  assert.equal((await call(await b2c.token({ as: "ada" }))).status, 200);
  for (const wrong of [{ expired: true }, { notYet: true }, { wrongKey: true }, { algNone: true }, { audience: "x" }, { claims: { iss: "https://x/" } }]) {
    assert.equal((await call(await b2c.token({ as: "ada", ...wrong }))).status, 401, JSON.stringify(wrong));
  }
});

test("the tenant is down", async () => {
  const token = await b2c.token({ as: "ada" });
  await b2c.faults.disconnect("discovery");
  assert.equal((await call(token)).status, 503);
  await page.goto(origin);
  await page.locator("#sign-in").click();
  await status("Signing in fails: endpoints_resolution_error");
  await b2c.faults.clear();
  await signIn("ada");
  await status("Hello Ada");
});
