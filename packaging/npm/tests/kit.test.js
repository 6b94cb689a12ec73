"use strict";

// The kit against a running server: every kind of page that it plays, and what it says about bad input.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const { once } = require("node:events");
const test = require("node:test");

const { B2CError, Callback, PageError, Server, totp } = require("b2c-harness/kit");
const { useB2C } = require("b2c-harness/runner");
const { b2cTasks } = require("b2c-harness/cypress");
const { fixtures } = require("b2c-harness/playwright");

const TENANT = {
  name: "contoso",
  policies: {
    susi: { id: "B2C_1_susi", type: "signUpOrSignIn", attributes: ["displayName", "city"], providers: ["facebook"] },
    edit: { id: "B2C_1_edit", type: "profileEditing", attributes: ["displayName", "city"], claims: ["displayName", "city"] },
    reset: { id: "B2C_1_reset", type: "passwordReset" },
  },
  apis: { tasks: { appIdUri: "https://contoso.onmicrosoft.com/tasks", scopes: ["read"] } },
  apps: {
    web: {
      registration: { secrets: ["a-secret-for-tests"] },
      client: { kind: "web", policy: "susi", redirectUri: "https://web.contoso.test/signin-oidc" },
    },
    spa: { client: { kind: "msal-browser", policy: "susi" }, platform: { origin: "http://localhost:3000" } },
    elsewhere: {
      registration: { secrets: ["not-sent"], redirectUris: { web: ["https://old.contoso.test/"], spa: ["http://localhost:3001/"] } },
      client: { kind: "msal-browser", policy: "susi" },
    },
    nowhere: { registration: { redirectUris: {} }, client: { kind: "msal-browser", policy: "susi" } },
  },
  providers: { facebook: { type: "oauth2" } },
  users: {
    ada: {
      email: "ada@example.test", password: "Analytical-1843", newPassword: "Difference-1822", displayName: "Ada", city: "London",
      phone: "+442079460000", providers: { facebook: {} },
    },
    nina: {
      registered: false, email: "nina@example.test", password: "Newcomer-2026", displayName: "Nina", city: "Oslo", phone: "+442079460001",
    },
  },
};

const b2c = useB2C({ tenant: TENANT }, test);

function url(policy = "susi", app = "web", more = {}) {
  const query = new URLSearchParams({
    client_id: b2c.clientId(app), redirect_uri: b2c.redirectUri(app), response_type: "code", scope: "openid", state: "s", nonce: "n",
    code_challenge: "c".repeat(43), code_challenge_method: "S256", ...more,
  });
  return `${b2c.authority(policy)}/oauth2/v2.0/authorize?${query}`;
}

const claims = (token) => JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());

function says(kind, text) {
  return (error) => {
    assert.equal(error.name, kind.name);
    if (text instanceof RegExp) assert.match(error.message, text);
    else assert.equal(error.message, text);
    return true;
  };
}

// Pages

test("the callback has parameters", async () => {
  const callback = await b2c.signIn(url(), { as: "ada" });
  assert.match(callback.url, /^https:\/\/web\.contoso\.test\/signin-oidc\?/);
  assert.equal(String(callback), callback.url);
  assert.equal(callback.parameters.state, "s");
  assert.ok(callback.parameters.code && !callback.posted);
});

test("a callback's own query stays beside the answer in the fragment", () => {
  const callback = new Callback("https://app.test/?tenant=1#code=abc&state=s");
  assert.deepEqual(callback.parameters, { tenant: "1", code: "abc", state: "s" });
});

test("an answer by form post, and in the fragment", async () => {
  const posted = await b2c.signIn(url("susi", "web", { response_mode: "form_post" }), { as: "ada" });
  assert.ok(posted.posted && posted.parameters.state === "s");
  assert.ok((await b2c.signIn(url("susi", "spa", { response_mode: "fragment" }), { as: "ada" })).parameters.code);
});

for (const verification of ["displayControl", "legacy", "off"]) {
  test(`sign-up, e-mail verification ${verification}`, async () => {
    await b2c.configure({ policies: { susi: { emailVerification: verification } } });
    assert.equal(claims(await b2c.token({ as: "nina", app: "spa", idToken: true })).name, "Nina");
    assert.equal((await b2c.inbox()).length > 0, verification !== "off");
    const nina = await b2c.person("nina");
    assert.ok(nina.registered && nina.city === "Oslo");
    // The account is there now.
    assert.ok(await b2c.token({ as: "nina" }));
  });
}

test("a person of the test", async () => {
  assert.equal((await b2c.addPerson("grace", { city: "New York" })).email, "grace@example.test");
  assert.equal(claims(await b2c.token({ as: "grace" })).name, "Grace");
  await b2c.addPerson("kim", { registered: false });
  await assert.rejects(b2c.token({ as: "kim" }), says(PageError, /requires city, which the record of kim does not have/));
});

for (const method of ["sms", "call", "email", "totp"]) {
  test(`a second factor by ${method}`, async () => {
    await b2c.configure({ policies: { susi: { mfa: { method, when: "always" } } } });
    assert.ok(await b2c.token({ as: "ada" }));
    assert.ok(await b2c.token({ as: "nina" }));
    // Somebody who has set up the second factor already; and a code of an authenticator app is good once.
    await b2c.advance(60);
    assert.ok(await b2c.token({ as: "nina" }));
  });
}

test("the code of an authenticator app", () => {
  // RFC 6238, appendix B: the last six of 94287082 and 07081804; the secret is 12345678901234567890.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  assert.deepEqual([totp(secret, 59), totp(secret, 1111111109)], ["287082", "081804"]);
  assert.throws(() => totp("1", 0), says(B2CError, "the secret of the authenticator app is not base32"));
});

test("a password reset", async () => {
  assert.ok((await b2c.signIn(url("reset"), { as: "ada" })).parameters.code);
  assert.ok(await b2c.codeFor("ada"));
  await assert.rejects(b2c.signIn(url(), { as: "ada", password: "Analytical-1843" }), PageError);
  assert.ok((await b2c.signIn(url(), { as: "ada" })).parameters.code);
});

test("a profile is edited", async () => {
  await b2c.changePerson("ada", { city: "Ockham" });
  assert.ok((await b2c.signIn(url("edit"), { as: "ada" })).parameters.code);
  assert.equal((await b2c.person("ada")).city, "Ockham");
});

test("a provider", async () => {
  assert.ok((await b2c.signIn(url(), { as: "ada", provider: "facebook" })).parameters.code);
  await assert.rejects(b2c.signIn(url(), { as: "ada", provider: "google" }), says(PageError, /has no provider google; it has FacebookExchange/));
  await assert.rejects(
    b2c.signIn(url(), { as: "nina", provider: "facebook" }),
    says(PageError, /nina stops at .* which says .*nina@example.test has no account at Facebook/));
});

test("buttons", async () => {
  assert.match((await b2c.signIn(url(), { as: "ada", press: "cancel" })).parameters.error_description, /^AADB2C90091/);
  assert.match((await b2c.signIn(url(), { as: "ada", press: "forgotPassword" })).parameters.error_description, /^AADB2C90118/);
  assert.ok((await b2c.signIn(url(), { as: "nina", press: "signUp" })).parameters.code);
  await assert.rejects(
    b2c.signIn(url(), { as: "ada", press: "next" }), says(B2CError, "there is no button next: expected cancel, forgotPassword, signUp"));
});

test("a session", async () => {
  const browser = b2c.browser();
  const silent = url("susi", "web", { prompt: "none" });
  assert.ok((await browser.signIn(silent)).parameters.error);
  await browser.signIn(url(), { as: "ada" });
  assert.ok((await browser.signIn(silent)).parameters.code);
  // Another browser has no session.
  await assert.rejects(b2c.signIn(url()), says(PageError, /shows the sign-in page, and nobody is at the browser/));
});

test("pages that refuse", async () => {
  await assert.rejects(b2c.signIn(url(), { as: "ada", password: "guessed" }), (error) => error.said && error.message.includes(error.said));
  await b2c.changePerson("ada", { accountEnabled: false });
  await assert.rejects(b2c.token({ as: "ada" }), says(PageError, /ada stops at the sign-in page/));
  await assert.rejects(
    b2c.signIn(url("susi", "web", { redirect_uri: "https://evil.example/" }), { as: "ada" }),
    says(PageError, /the server shows an error page to ada: .*redirect/));
  await b2c.configure({ policies: { susi: { captcha: true } } });
  await assert.rejects(b2c.signIn(url(), { as: "ada" }), says(PageError, /captcha/));
});

// Tokens, clock, inbox and faults

test("tokens", async () => {
  const now = (await b2c.now()).getTime() / 1000;
  const good = claims(await b2c.token({ as: "ada" }));
  assert.equal(good.aud, b2c.audience());
  assert.equal(good.iss, await b2c.issuer());
  assert.ok(good.scp === "read" && good.exp > now);
  assert.ok(claims(await b2c.token({ as: "ada", expired: true })).exp < now - 300);
  assert.ok(claims(await b2c.token({ as: "ada", notYet: true })).nbf > now + 300);
  assert.equal(claims(await b2c.token({ as: "ada", audience: "x" })).aud, "x");
  assert.ok(!("scp" in claims(await b2c.token({ as: "ada", claims: { scp: null } }))));
  assert.ok(Math.abs(claims(await b2c.token({ as: "ada", claims: { level: 3 } })).exp - good.exp) <= 60);
  assert.equal(claims(await b2c.token({ as: "ada", idToken: true })).aud, b2c.clientId());
  assert.match(await b2c.token({ as: "ada", algNone: true }), /\.$/);
  assert.notEqual((await b2c.token({ as: "ada", wrongKey: true })).split(".")[0], "");
  assert.equal(claims(await b2c.token({ as: "ada", policy: "B2C_1_edit" })).tfp, "B2C_1_edit");
});

test("the clock", async () => {
  const before = await b2c.now();
  await b2c.advance(3000.5);
  await b2c.advance("PT10M");
  const moved = (await b2c.now()) - before;
  assert.ok(moved > 3_600_000 && moved < 3_700_000);
});

test("the next test gets a fresh tenant", async () => {
  await b2c.addPerson("grace", { city: "New York" });
  await b2c.token({ as: "nina" });
  await b2c.advance(86400);
  await b2c.rotateKeys();
  await b2c.faults.disconnect();
  const world = await b2c.server.fresh();
  assert.deepEqual([await world.inbox(), await world.faults.rules(), await world.requests()], [[], [], []]);
  assert.ok(Math.abs((await world.now()) - Date.now()) < 60_000);
  assert.equal((await world.person("nina")).registered, false);
  await assert.rejects(world.token({ as: "grace" }), says(B2CError, /no person grace/));
});

function get(address) {
  return new Promise((resolve, reject) => {
    http.get(address, { agent: false }, (answer) => {
      let text = "";
      answer.on("data", (part) => { text += part; }).on("end", () => resolve({ status: answer.statusCode, json: JSON.parse(text) }));
    }).on("error", reject);
  });
}

test("faults", async () => {
  await b2c.faults.status("discovery", 503, { json: { error: "busy" }, times: 1 });
  await b2c.faults.disconnect("keys");
  await b2c.faults.delay("discovery", 0.3, { times: 1 });
  assert.equal((await get(b2c.metadataUrl())).status, 503);
  const began = performance.now();
  const { json } = await get(b2c.metadataUrl());
  assert.ok(performance.now() - began >= 290);
  await get(b2c.metadataUrl());
  for (let count = 0; count < 2; count += 1) await assert.rejects(get(json.jwks_uri));
  assert.deepEqual((await b2c.faults.rules()).map((rule) => rule.fired), [1, 2, 1]);
  await b2c.faults.clear();
  assert.ok((await get(json.jwks_uri)).json.keys.length);
});

test("faults of the service", async () => {
  await b2c.faults.claims({ accessToken: { scp: "other" }, times: 1 });
  assert.equal(claims(await b2c.token({ as: "ada" })).scp, "other");
  await b2c.faults.refuse("token", "AADB2C90080", { times: 1 });
  await assert.rejects(b2c.token({ as: "ada" }), says(B2CError, /ada gets no access_token: AADB2C90080/));
  assert.ok(await b2c.token({ as: "ada" }));
  assert.ok((await b2c.requests()).some((one) => one.endpoint === "token" && one.response.status === 400));
});

test("a fault's status is named", async () => {
  await b2c.faults.status("token", 503, { times: 1 });
  await assert.rejects(b2c.token({ as: "ada" }), says(B2CError, "ada gets no access_token: the answer has none (HTTP 503)"));
  await b2c.faults.status("token", 429, { json: { error: "slow down" }, times: 1 });
  await assert.rejects(b2c.token({ as: "ada" }), says(B2CError, "ada gets no access_token: slow down (HTTP 429)"));
  await b2c.faults.status("discovery", 503, { times: 1 });
  await assert.rejects(b2c.issuer(), says(B2CError, /openid-configuration names no issuer: the answer has none \(HTTP 503\)$/));
  await b2c.faults.status("authorize", 503, { times: 1 });
  await assert.rejects(b2c.signIn(url(), { as: "ada" }), says(PageError, "the server shows an error page to ada (HTTP 503): {}"));
});

test("an app that names no redirect URI uses the one registered for its platform", async () => {
  assert.equal(b2c.redirectUri("spa"), "http://localhost:3000/");
  assert.equal(b2c.redirectUri("elsewhere"), "http://localhost:3001/");
  assert.equal(claims(await b2c.token({ as: "ada", app: "elsewhere" })).azp, b2c.clientId("elsewhere"));
});

// Bad input

const sentences = [
  [() => b2c.token({ as: "bob" }), "the tenant has no person bob. It has ada, nina."],
  [() => b2c.token({ as: "adda" }), "the tenant has no person adda. Did you mean ada?"],
  [() => b2c.signIn(url(), { as: "bob" }), "the tenant has no person bob. It has ada, nina."],
  [() => b2c.changePerson("bob", { city: "x" }), "the tenant has no person bob. It has ada, nina."],
  [() => b2c.token({ as: "ada", app: "ios" }), "the tenant has no app ios. It has web, spa, elsewhere, nowhere."],
  [async () => b2c.clientId("sap"), "the tenant has no app sap. Did you mean spa?"],
  [async () => b2c.audience("x"), "the tenant has no API x. It has tasks."],
  [async () => b2c.authority("x"), "the tenant has no policy x. It has susi, edit, reset."],
  [async () => b2c.redirectUri("nowhere"), "the app `nowhere` has no redirect URI: add one to `registration.redirectUris.spa`"],
  [async () => b2c.clientSecret("spa"), "the app spa has no secret: add `secrets` to its registration"],
  [() => b2c.token({ as: "ada", expired: true, notYet: true }), "expired and notYet exclude each other"],
  [() => b2c.token({ as: "ada", wrongKey: true, algNone: true }), "wrongKey and algNone exclude each other: one signs, one does not"],
  [() => b2c.advance(0), "advance takes a number of seconds above 0 or an ISO 8601 duration such as \"PT2H\", not 0"],
  [() => b2c.advance(NaN), "advance takes a number of seconds above 0 or an ISO 8601 duration such as \"PT2H\", not NaN"],
  [() => b2c.advance(undefined), "advance takes a number of seconds above 0 or an ISO 8601 duration such as \"PT2H\", not undefined"],
  [() => b2c.advance("2h"), "advance takes a number of seconds above 0 or an ISO 8601 duration such as \"PT2H\", not \"2h\""],
  [() => b2c.advance("PT0S"), "advance takes a number of seconds above 0 or an ISO 8601 duration such as \"PT2H\", not \"PT0S\""],
  [() => b2c.advance("P1DT"), "advance takes a number of seconds above 0 or an ISO 8601 duration such as \"PT2H\", not \"P1DT\""],
  [() => b2c.codeFor("x@example.test"), "no code has gone to x@example.test; codes have gone to nobody"],
  [() => b2c.faults.status("tokn", 500), /\/rules\/0\/match\/endpoint: `endpoint` cannot be "tokn"/],
  [() => b2c.configure({ polices: {} }), /unknown key "polices" in tenant file\. Did you mean "policies"\?/],
];

test("what it says", async () => {
  for (const [call, sentence] of sentences) await assert.rejects(call, says(B2CError, sentence));
  for (const wrong of ["", "x", "http://evil.example/", b2c.url.replace("http:", "https:") + "/x", `${b2c.url}0/x`]) {
    await assert.rejects(
      b2c.signIn(wrong, { as: "ada" }), says(B2CError, /is not a sign-in address of this server: expected one that begins with http:\/\/localhost:/));
  }
});

test("servers that do not start", async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "b2c-tests-"));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const file = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text, { mode: 0o755 });
    return path.join(folder, name);
  };
  const cases = [
    [{ tenant: file("bad.json", '{"name": 3}') }, /mock-server did not start \(exit code 2\): .*bad\.json:1:10: error: `name` must be a string/],
    [{ tenant: path.join(folder, "none.json") }, /mock-server did not start \(exit code 2\): .*none\.json cannot be read: No such file/],
    [{ program: "/nothing/here" }, "/nothing/here cannot be run: No such file or directory"],
    [{ program: file("silent", "#!/bin/sh\nexit 9\n") }, "mock-server did not start (exit code 9): it says nothing"],
  ];
  for (const [options, sentence] of cases) await assert.rejects(Server.start(options), says(B2CError, sentence));
});

function node(script, environment = {}) {
  return spawnSync(process.execPath, ["-e", script], {
    cwd: __dirname, encoding: "utf8", timeout: 60_000, env: { ...process.env, ...environment },
  });
}

test("the environment", () => {
  const start = 'require("b2c-harness/kit").Server.start().then((s) => console.log(s.url), (e) => console.log(e.message))';
  assert.match(node(start, { MOCK_SERVER: "/nothing/here" }).stdout, /^MOCK_SERVER names \/nothing\/here, which is not a program$/m);
  // Each of them alone would keep the server from starting, or change it.
  const foreign = {
    B2C_TLS: "1", B2C_TENANT: "/nothing/here", B2C_CONTROL_TOKEN: "x", B2C_PUBLIC_URL: "not a url", B2C_JOURNEY_RECORDER: "/nothing/here/log",
    B2C_CERTIFICATE_DIRECTORY: "/nothing/here", B2C_FORWARDED: "1", B2C_PARENT: "0", B2C_SIGNER: "none",
  };
  assert.match(node(start, foreign).stdout, /^http:/);
  const none = node(start, { MOCK_SERVER: "", PATH: "/nothing/here" }).stdout;
  assert.ok(
    none.startsWith("http:") /* installed with its programs */
      || none.trim() === "the program mock-server is not found: install the npm package b2c-harness, put mock-server on the PATH, or set MOCK_SERVER",
    none);
});

// The server ends a moment after the process that owned it, and a connection of that moment is accepted and then reset.
async function untilGone(address) {
  const deadline = Date.now() + 30_000;
  let last = "it still answers";
  while (!/^no server answers at https?:.*ECONNREFUSED/.test(last) && Date.now() < deadline) {
    last = await Server.attach(address.trim()).then(() => "it still answers", (error) => error.message);
  }
  assert.match(last, /^no server answers at https?:.*ECONNREFUSED/);
}

// A folder for temporary files, and what is in it in the end: nothing.
async function inFolder(body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "b2c-tests-"));
  try {
    await body(folder);
    const deadline = Date.now() + 30_000;
    while (fs.readdirSync(folder).length && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(fs.readdirSync(folder), []);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

for (const end of ["", "throw new Error('test')", "process.exit()"]) {
  test(`a process that ends leaves no server and no folder behind: ${end || "nothing left to do"}`, () => inFolder(async (folder) => {
    const script = `require("b2c-harness/kit").Server.start().then((s) => { console.log(s.url); ${end} })`;
    await untilGone(node(script, { TMPDIR: folder }).stdout);
  }));
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"]) {
  test(`a run that is ended by ${signal} leaves no server, no folder and no key`, () => inFolder(async (folder) => {
    const script =
      'require("b2c-harness/kit").Server.start({ tls: true }).then((s) => { console.log(s.url); setInterval(() => {}, 1000); })';
    // A group of its own, and the signal goes to all of it, as Ctrl-C does.
    const child = spawn(process.execPath, ["-e", script], {
      stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TMPDIR: folder }, detached: true,
    });
    const [said] = await once(child.stdout, "data");
    const [made] = fs.readdirSync(folder);
    assert.ok(fs.existsSync(path.join(folder, made, "certificates", "ca.pem")));
    process.kill(-child.pid, signal);
    await once(child, "exit");
    await untilGone(String(said));
  }));
}

test("a server that has ended", async () => {
  const server = await Server.start();
  const world = await server.fresh();
  await server.stop();
  const refused = /no server answers at http:\/\/localhost:.*ECONNREFUSED/;
  await assert.rejects(world.token({ as: "ada" }), says(B2CError, refused));
  await assert.rejects(world.browser().signIn(`${world.authority()}/oauth2/v2.0/authorize`), says(B2CError, refused));
  await server.stop();
});

test("attach", async () => {
  await assert.rejects(Server.attach("x"), says(B2CError, /^x is not the address of a server/));
  await assert.rejects(
    Server.attach("https://127.0.0.1:9", { caFile: "/nothing/here" }), says(B2CError, "the certificate file /nothing/here cannot be read: ENOENT"));
  const attached = await Server.attach(`${b2c.url}/`);
  assert.ok(await (await attached.fresh()).token({ as: "ada" }));
  await attached.stop();
  // It goes on after that.
  assert.ok(await b2c.token({ as: "ada" }));
});

test("https", async () => {
  const server = await Server.start({ tenant: TENANT, tls: true });
  const world = await server.fresh();
  assert.match(world.url, /^https:/);
  assert.ok(fs.readFileSync(world.caFile, "utf8").includes("BEGIN CERTIFICATE"));
  assert.ok(await world.token({ as: "nina" }));
  await server.stop();
});

// Helpers of test runners

test("useB2C says which hooks it needs", () => {
  assert.throws(() => useB2C({}, {}), says(B2CError, /useB2C finds no hooks: give those of your test runner/));
  const idle = useB2C({}, { beforeAll() {}, beforeEach() {}, afterAll() {} });
  assert.throws(() => idle.url, says(B2CError, "b2c.url is used outside of a test: the tenant starts with the tests"));
});

test("the tasks of Cypress", async () => {
  const events = {};
  const config = await b2cTasks((name, handler) => { events[name] = handler; }, { env: { own: 1 } }, { tenant: TENANT });
  assert.equal(config.env.own, 1);
  assert.match(config.env.b2c.authority, /\/contoso\.onmicrosoft\.com\/B2C_1_susi$/);
  const tasks = events.task;
  assert.ok(await tasks["b2c:token"]({ as: "nina" }));
  assert.equal((await tasks["b2c:codeFor"]("nina@example.test")).length, 6);
  assert.equal(await tasks["b2c:fault"]({ rule: { network: "reset" }, endpoint: "token", times: 1 }), null);
  await assert.rejects(tasks["b2c:token"]({ as: "ada" }), B2CError);
  assert.equal(await tasks["b2c:fresh"](), null);
  assert.deepEqual(await tasks["b2c:inbox"](), []);
  // Cypress hands only what JSON can say to the browser.
  const { env } = config.env.b2c.url ? config : {};
  const callback = await tasks["b2c:signIn"]({
    url: `${env.b2c.authority}/oauth2/v2.0/authorize?${new URLSearchParams({
      client_id: env.b2c.clientId, redirect_uri: env.b2c.redirectUri, response_type: "code", scope: "openid", nonce: "n",
    })}`,
    as: "ada",
  });
  assert.deepEqual(JSON.parse(JSON.stringify(callback)), callback);
  assert.ok(callback.parameters.code);
  await events["after:run"]();
  await assert.rejects(tasks["b2c:token"]({}), says(B2CError, /no server answers/));
});

test("the fixtures of Playwright give each test a tenant, and attach what a failed one asked", async () => {
  const [startServer] = fixtures.b2cServer;
  const attached = [];
  await startServer({ b2cOptions: { tenant: TENANT } }, async (b2cServer) => {
    const info = { status: "failed", expectedStatus: "passed", attach: async (name, { body }) => attached.push([name, body]) };
    await fixtures.b2c({ b2cServer }, async (world) => {
      assert.equal(typeof world.signInPage, "function");
      assert.ok(await world.token({ as: "nina" }));
    }, info);
    await fixtures.b2c({ b2cServer }, async (world) => assert.deepEqual(await world.inbox(), []), { ...info, status: "passed" });
  });
  assert.equal(attached.length, 1);
  assert.equal(attached[0][0], "requests to the B2C tenant");
  assert.match(attached[0][1], /\/oauth2\/v2\.0\/token -> 200/);
  assert.ok(!attached[0][1].includes("Newcomer"));
});
