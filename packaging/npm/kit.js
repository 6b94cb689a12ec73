"use strict";

// Tests of a JavaScript app against an Azure AD B2C tenant on this machine.
//
//   const { Server } = require("b2c-harness/kit");
//
//   const server = await Server.start();
//   const b2c = await server.fresh();
//   const token = await b2c.token({ as: "ada", expired: true });
//   await server.stop();

const { spawn } = require("node:child_process");
const crypto = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const https = require("node:https");
const os = require("node:os");
const path = require("node:path");
const programs = require("./index.js");

// What a person may press on the first page, by the names of docs/pages.md.
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

// Servers that run: a test run that ends in the middle leaves none behind.
const running = new Set();
process.on("exit", () => {
  for (const server of running) server.abandon();
});

/** A tenant on this machine: `mock-server` at a free port, or one that runs already. */
class Server {
  #process = null;
  #folder = null;
  #certificates;
  #seen = 0;

  /** @private Use `Server.start` or `Server.attach`. */
  constructor() {
    this.url = "";
    this.caFile = null;
  }

  static async start({ tenant, tls = false, seed = 1, program } = {}) {
    const file = program ?? findProgram();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "b2c-"));
    const ready = path.join(folder, "ready");
    const log = path.join(folder, "log");
    const options = ["--port", "0", "--seed", String(seed), "--quiet"];
    const server = new Server();
    server.#folder = folder;
    if (tenant !== undefined && tenant !== null) {
      if (typeof tenant === "string" || tenant instanceof URL) {
        options.push("--tenant", tenant instanceof URL ? require("node:url").fileURLToPath(tenant) : tenant);
      } else {
        const written = path.join(folder, "tenant.json");
        fs.writeFileSync(written, JSON.stringify(tenant));
        options.push("--tenant", written);
      }
    }
    if (tls) {
      options.push("--tls", "--certificate-directory", path.join(folder, "certificates"));
      server.caFile = path.join(folder, "certificates", "ca.pem");
    }
    // Options that the program would read from the environment: a test must not depend on the shell that runs it.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("B2C_")));
    // However this process ends, the server ends after it and removes the folder.
    Object.assign(env, { B2C_PARENT: String(process.pid), B2C_PARENT_FOLDER: folder });
    const output = fs.openSync(log, "w");
    // In a group of its own: of Ctrl-C it learns by the end of this process, and cleans up then.
    const child = spawn(file, [...options, "--end-with-parent", "--ready-file", ready], { stdio: ["ignore", output, output], env, detached: true });
    fs.closeSync(output);
    server.#process = child;
    running.add(server);
    let failed = null;
    child.on("error", (error) => {
      failed = error;
    });
    // A test run ends though the server runs; it is ended then.
    child.unref();
    const deadline = Date.now() + 60_000;
    for (;;) {
      if (failed) {
        server.#remove();
        const reason = { ENOENT: "No such file or directory", EACCES: "Permission denied" }[failed.code] ?? failed.message;
        throw new B2CError(`${file} cannot be run: ${reason}`);
      }
      const said = fs.existsSync(ready) ? fs.readFileSync(ready, "utf8").trim() : "";
      if (said) {
        server.#connect(said);
        return server;
      }
      const ended = child.exitCode ?? child.signalCode;
      if (ended !== null || Date.now() > deadline) {
        const text = fs.readFileSync(log, "utf8").trim();
        const how = ended === null ? "did not become ready in 60 seconds" : `did not start (exit code ${ended})`;
        server.abandon();
        throw new B2CError(`mock-server ${how}: ${text || "it says nothing"}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  static async attach(url, { caFile } = {}) {
    const address = url ?? process.env.B2C_URL;
    if (!address) throw new B2CError("no server is named: give its url, or set B2C_URL");
    const server = new Server();
    server.caFile = caFile ?? process.env.B2C_CA_FILE ?? null;
    server.#connect(address.replace(/\/+$/, ""));
    await server.call("GET", "/clock");
    return server;
  }

  #connect(url) {
    let parts = null;
    try {
      parts = new URL(url);
    } catch {
      // Told below.
    }
    if (!parts || !["http:", "https:"].includes(parts.protocol) || !parts.hostname) {
      throw new B2CError(`${url} is not the address of a server: expected one such as http://localhost:9400`);
    }
    this.url = url;
    if (parts.protocol === "https:" && this.caFile) {
      try {
        this.#certificates = fs.readFileSync(this.caFile);
      } catch (error) {
        throw new B2CError(`the certificate file ${this.caFile} cannot be read: ${error.code}`, { cause: error });
      }
    }
  }

  get certificates() {
    return this.#certificates;
  }

  get origins() {
    const { protocol, hostname, port } = new URL(this.url);
    return [...new Set([hostname, "localhost", "127.0.0.1"])].map((name) => `${protocol}//${name}${port ? `:${port}` : ""}`);
  }

  async fresh() {
    await this.call("POST", "/reset", { to: "start" });
    // The log goes on over a reset: what was before belongs to other tests.
    this.#seen = (await log(this, this.#seen)).next;
    return World.open(this, this.#seen);
  }

  async call(method, route, body) {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const token = process.env.B2C_CONTROL_TOKEN;
    if (token && !this.#process) headers.Authorization = `Bearer ${token}`;
    let answer;
    try {
      answer = await request(`${this.url}/_b2c/v1${route}`, {
        method, headers, body: body === undefined ? null : JSON.stringify(body), certificates: this.#certificates,
      });
    } catch (error) {
      throw new B2CError(`no server answers at ${this.url}: ${error.message || error.code}`, { cause: error });
    }
    let json = null;
    try {
      if (answer.text) json = JSON.parse(answer.text);
    } catch {
      throw new B2CError(`${this.url} is not a mock-server: ${method} ${route} gives HTTP ${answer.status} without JSON`);
    }
    if (answer.status >= 400) {
      const fault = json?.error ?? {};
      const findings = (fault.findings ?? []).filter((one) => one.message)
        .map(({ pointer, message, remedy = "" }) => `${pointer}: ${message}${remedy && `. ${remedy[0].toUpperCase()}${remedy.slice(1)}`}`);
      throw new B2CError(findings.join("; ") || fault.message || `${method} ${route} gives HTTP ${answer.status}`);
    }
    return json;
  }

  async stop() {
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.ref();
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(kill);
    }
    this.#remove();
  }

  /** Ends the server without waiting, at the end of the process. */
  abandon() {
    this.#process?.kill("SIGKILL");
    this.#remove();
  }

  #remove() {
    running.delete(this);
    // A server that was killed may have been writing there.
    if (this.#folder) fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    await this.stop();
  }
}

/** The file of a program: that of the environment (`MOCK_SERVER`, `B2C`), of this package, or on the `PATH`. */
function findProgram(name = "mock-server") {
  const variable = name.toUpperCase().replaceAll("-", "_");
  const named = process.env[variable];
  if (named) {
    if (!isProgram(named)) throw new B2CError(`${variable} names ${named}, which is not a program`);
    return named;
  }
  const places = [programs.path(name), ...(process.env.PATH ?? "").split(path.delimiter).filter(Boolean).map((one) => path.join(one, name))];
  const found = places.find(isProgram);
  if (!found) {
    throw new B2CError(
      `the program ${name} is not found: install the npm package b2c-harness, put ${name} on the PATH, or set ${variable}`);
  }
  return found;
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** A browser with its own cookies. A second sign-in with the same one uses the single sign-on session of the first. */
class Browser {
  #world;
  #name;

  /** @private Use `World.browser`. `name`: by which the server keeps the cookies; without one it keeps none. */
  constructor(world, name) {
    this.#world = world;
    this.#name = name;
  }

  async signIn(url, { as, password, press, provider } = {}) {
    url = String(url);
    const { origins } = this.#world.server;
    if (!origins.some((origin) => url === origin || url.startsWith(`${origin}/`) || url.startsWith(`${origin}?`))) {
      throw new B2CError(`${url.slice(0, 200)} is not a sign-in address of this server: expected one that begins with ${origins[0]}/`);
    }
    if (press !== undefined && !PRESSES.includes(press)) {
      throw new B2CError(`there is no button ${press}: expected ${PRESSES.join(", ")}`);
    }
    const order = { url, person: as || undefined, password, provider, browser: this.#name };
    if (press === "cancel") order.cancel = true;
    else if (press !== undefined) order.actions = [{ press }];
    return callbackOf(await this.#world.play(order), as);
  }
}

/** The callback in which a sign-in has ended, or why there is none. */
function callbackOf({ end, callback, page = {}, problem, missing }, as) {
  if (end === "callback") {
    const { url, form } = callback;
    return form ? new Callback(`${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(form)}`, true) : new Callback(url);
  }
  const who = as || "nobody";
  const said = page.error ?? "";
  const name = inWords(page);
  // The service's own error page has the status 200.
  const status = page.status >= 400 ? ` (HTTP ${page.status})` : "";
  if (page.name === "error") throw new PageError(`the server shows an error page to ${who}${status}: ${said}`, said);
  if (end === "closed") throw new PageError(`${who} has closed the window`);
  if (missing?.length) throw new PageError(`${name} requires ${missing.join(", ")}, which the record of ${who} does not have`);
  if (problem) throw new PageError(problem, said);
  if (!as) throw new PageError(`the server shows ${name}, and nobody is at the browser: name a person with \`as\``, said);
  throw new PageError(`${who} stops at ${name}${said && `, which says "${said}"`}`, said);
}

function inWords({ name = "", fields = {}, url = "" }) {
  if (name === "signIn") return "the sign-in page";
  const ids = Object.keys(fields);
  return ids.length ? `the page with ${ids.join(", ")}` : `the page ${name}${url && ` at ${new URL(url).pathname}`}`;
}

/** One tenant in one test: people, sign-ins, tokens, inbox, clock and faults. `Server.fresh` makes it. */
class World {
  #settings;
  // What the server says of each app.
  #apps;
  #since;
  #issuers = new Map();
  // Keys of authenticator apps that people have set up.
  #secrets = new Map();

  /** @private Use `Server.fresh`. */
  constructor(server, since) {
    this.server = server;
    this.faults = new Faults(server);
    this.#since = since;
  }

  static async open(server, since) {
    const world = new World(server, since);
    await world.#load();
    return world;
  }

  async #load() {
    const answer = await this.server.call("GET", "/tenant?secrets=show");
    this.#settings = { ...answer.tenant, written: answer.written };
    this.#apps = answer.apps;
  }

  // Addresses and names

  get url() {
    return this.server.url;
  }

  get caFile() {
    return this.server.caFile;
  }

  get settings() {
    return this.#settings;
  }

  async configure(patch) {
    await this.server.call("PATCH", "/tenant", { patch });
    await this.#load();
  }

  get domain() {
    return `${this.#settings.name}.onmicrosoft.com`;
  }

  authority(policy) {
    return `${this.url}/${this.domain}/${this.#policy(policy).id}`;
  }

  metadataUrl(policy) {
    return `${this.authority(policy)}/v2.0/.well-known/openid-configuration`;
  }

  async issuer(policy) {
    const url = this.metadataUrl(policy);
    if (!this.#issuers.has(url)) {
      const { status, json } = await this.#fetch(url);
      if (!json.issuer) throw new B2CError(`${url} names no issuer: ${reason(json, status)}`);
      this.#issuers.set(url, json.issuer);
    }
    return this.#issuers.get(url);
  }

  clientId(app) {
    return this.#app(app).registration.clientId;
  }

  clientSecret(app) {
    const name = this.#named("app", "apps", app);
    const found = this.#settings.written.apps?.[name]?.registration?.secrets;
    if (!found?.length) throw new B2CError(`the app ${name} has no secret: add \`secrets\` to its registration`);
    return found[0];
  }

  redirectUri(app) {
    const { redirectUri, problem } = this.#apps[this.#named("app", "apps", app)];
    if (!redirectUri) throw new B2CError(problem);
    return redirectUri;
  }

  audience(api) {
    return this.#settings.apis[this.#named("API", "apis", api)].clientId;
  }

  scopes(api) {
    const found = this.#settings.apis[this.#named("API", "apis", api)];
    return found.scopes.map((scope) => `${found.appIdUri.replace(/\/+$/, "")}/${scope}`);
  }

  // People

  async person(name) {
    await this.#known(name);
    const row = await this.server.call("GET", `/users/${encodeURIComponent(name)}?secrets=show`);
    const known = Object.entries(row).filter(([, value]) => value !== null);
    return { ...this.#settings.written.users?.[name], ...Object.fromEntries(known) };
  }

  async #known(name) {
    const people = Object.keys(this.#settings.written.users ?? {});
    if (people.includes(name)) return;
    const all = await this.#people();
    if (!all.includes(name)) throw unknown("person", name, people.length ? people : all);
  }

  async #people() {
    return Object.keys((await this.server.call("GET", "/users")).users);
  }

  async addPerson(name, { email, password = "Password-2026", registered = true, ...attributes } = {}) {
    const displayName = name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase();
    const user = { email: email ?? `${name}@example.test`, password, displayName, ...attributes };
    if (!registered) user.registered = false;
    await this.server.call("POST", "/users", { name, user });
    await this.#load();
    return this.person(name);
  }

  async changePerson(name, changes) {
    await this.#known(name);
    await this.server.call("PATCH", `/users/${encodeURIComponent(name)}`, changes);
    await this.#load();
  }

  // Signing in

  browser() {
    return new Browser(this, crypto.randomBytes(8).toString("hex"));
  }

  /** What a person who signs in looks up. For real browsers. */
  get mail() {
    let now = 0;
    return {
      person: async (name) => {
        // The code of an authenticator app needs the clock, which is asked for once for each person that comes.
        now = (await this.now()).getTime() / 1000;
        const secret = this.#secrets.get(name);
        return { ...(secret ? { totpSecret: secret } : {}), ...(await this.person(name)) };
      },
      newestCode: async (addresses) => {
        const wanted = new Set(addresses.map((address) => address.toLowerCase()));
        return (await this.inbox()).findLast((message) => message.code && wanted.has(message.to.toLowerCase()))?.code ?? null;
      },
      seconds: () => now,
      keepSecret: (name, secret) => this.#secrets.set(name, secret),
    };
  }

  async signIn(url, options) {
    return new Browser(this).signIn(url, options);
  }

  /** @private One call of `POST /sign-ins`. */
  async play(order) {
    const { person } = order;
    if (person !== undefined) await this.#known(person);
    const secret = this.#secrets.get(person);
    const end = await this.server.call("POST", "/sign-ins?secrets=show", secret ? { ...order, user: { totpSecret: secret } } : order);
    if (end.accepted?.totpSecret) this.#secrets.set(person, end.accepted.totpSecret);
    return end;
  }

  async token({ as, app, policy, scopes, idToken = false, expired = false, notYet = false, wrongKey = false, algNone = false, audience, claims } = {}) {
    if (expired && notYet) throw new B2CError("expired and notYet exclude each other");
    if (wrongKey && algNone) throw new B2CError("wrongKey and algNone exclude each other: one signs, one does not");
    const token = await this.#issued(as ?? (await this.#firstPerson()), app, policy, scopes, idToken ? "id_token" : "access_token");
    const changed = {};
    if (expired || notYet) {
      // A token that is good for an hour, as B2C issues them.
      const begin = Math.floor((await this.now()).getTime() / 1000) + (notYet ? 3600 : -4200);
      Object.assign(changed, { iat: begin, nbf: begin, exp: begin + 3600 });
    }
    if (audience !== undefined) changed.aud = audience;
    Object.assign(changed, claims);
    if (!Object.keys(changed).length && !wrongKey && !algNone) return token;
    // Without this the copy would be valid for an hour from now.
    if (!Object.hasOwn(changed, "exp")) changed.exp = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString()).exp;
    const order = { from: token, claims: changed };
    if (wrongKey) order.key = "a key that nobody publishes";
    if (algNone) order.alg = "none";
    return (await this.server.call("POST", "/tokens", order)).token;
  }

  async #issued(person, app, policy, scopes, member) {
    const { client, registration } = this.#app(app);
    const base = this.authority(policy ?? client.policy ?? undefined);
    let asked = scopes ?? client.scopes ?? [];
    if (!asked.length && Object.keys(this.#settings.apis ?? {}).length) asked = this.scopes();
    // An app may ask for a token for itself.
    if (!asked.length) asked = [this.clientId(app)];
    const verifier = crypto.randomBytes(48).toString("base64url");
    const redirect = this.redirectUri(app);
    const query = new URLSearchParams({
      client_id: this.clientId(app), redirect_uri: redirect, response_type: "code", scope: ["openid", "offline_access", ...asked].join(" "),
      state: "kit", nonce: "kit", code_challenge: crypto.createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const answer = (await this.signIn(`${base}/oauth2/v2.0/authorize?${query}`, { as: person })).parameters;
    if (!("code" in answer)) throw new B2CError(`${person} gets no code: ${reason(answer)}`);
    const form = new URLSearchParams({
      grant_type: "authorization_code", client_id: this.clientId(app), code: answer.code, redirect_uri: redirect, code_verifier: verifier,
    });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    if (registration.redirectUris.web.includes(redirect)) form.set("client_secret", this.clientSecret(app));
    // The service gives a single-page app tokens only across origins.
    else if (registration.redirectUris.spa.includes(redirect)) headers.Origin = new URL(redirect).origin;
    const { status, json: granted } = await this.#fetch(`${base}/oauth2/v2.0/token`, { method: "POST", body: String(form), headers });
    if (!(member in granted)) throw new B2CError(`${person} gets no ${member}: ${reason(granted, status)}`);
    return granted[member];
  }

  async #fetch(url, options = {}) {
    let answer;
    try {
      answer = await request(url, { ...options, certificates: this.server.certificates });
    } catch (error) {
      throw new B2CError(`${url} cannot be loaded: ${error.message || error.code}`, { cause: error });
    }
    let json = null;
    try {
      json = JSON.parse(answer.text);
    } catch {
      // Told below.
    }
    if (json === null || typeof json !== "object" || Array.isArray(json)) {
      throw new B2CError(`${url} gives HTTP ${answer.status} without JSON`);
    }
    return { status: answer.status, json };
  }

  async #firstPerson() {
    const written = Object.keys(this.#settings.written.users ?? {});
    const people = written.length ? written : await this.#people();
    if (!people.length) throw new B2CError("the tenant has no person: add one with addPerson");
    return people[0];
  }

  // Keys, inbox, clock, log

  async rotateKeys({ keepPublished = true, keySet = "service" } = {}) {
    await this.server.call("POST", `/keys/${encodeURIComponent(keySet)}/rotate`, { keepPublished });
  }

  async inbox() {
    return this.#messages("");
  }

  async #messages(to) {
    const query = to ? `?to=${encodeURIComponent(to)}` : "";
    const { messages } = await this.server.call("GET", `/inbox${query}`);
    return messages.map(({ to: address = "", kind = "", code = null }) => ({ to: address, kind, code }));
  }

  async codeFor(to) {
    const found = (await this.#messages(to)).findLast((message) => message.code);
    if (found) return found.code;
    const others = [...new Set((await this.inbox()).filter((message) => message.code).map((message) => message.to))].sort();
    throw new B2CError(`no code has gone to ${to}; codes have gone to ${others.join(", ") || "nobody"}`);
  }

  async now() {
    return new Date((await this.server.call("GET", "/clock")).now);
  }

  async advance(seconds) {
    await this.server.call("PATCH", "/clock", { advance: span(seconds) });
  }

  async requests() {
    return (await log(this.server, this.#since)).requests;
  }

  // Names

  #named(what, key, name) {
    const known = Object.keys(this.#settings[key] ?? {});
    if (name === undefined) {
      if (!known.length) throw new B2CError(`the tenant has no ${what}`);
      return known[0];
    }
    if (!known.includes(name)) throw unknown(what, name, known);
    return name;
  }

  #app(name) {
    return this.#settings.apps[this.#named("app", "apps", name)];
  }

  #policy(name) {
    const all = Object.values(this.#settings.policies);
    const byId = name === undefined ? undefined : all.find((policy) => policy.id.toLowerCase() === name.toLowerCase());
    return byId ?? this.#settings.policies[this.#named("policy", "policies", name)];
  }
}

/** Rules that make the server fail. The first rule that matches a request applies. */
class Faults {
  #server;

  /** @private */
  constructor(server) {
    this.#server = server;
  }

  async status(endpoint, status, { json = {}, times } = {}) {
    await this.add({ respond: { status, json } }, { endpoint, times });
  }

  async disconnect(endpoint, { times } = {}) {
    await this.add({ network: "reset" }, { endpoint, times });
  }

  async delay(endpoint, seconds, { times } = {}) {
    await this.add({ delay: duration(seconds) }, { endpoint, times });
  }

  async refuse(endpoint, code, { times } = {}) {
    await this.add({ b2cError: code }, { endpoint, times });
  }

  async claims({ idToken, accessToken, times } = {}) {
    const patch = Object.fromEntries(Object.entries({ idToken, accessToken }).filter(([, value]) => value !== undefined));
    await this.add({ claims: patch }, { endpoint: "token", times });
  }

  async add(rule, { endpoint, times } = {}) {
    const added = { ...rule };
    if (endpoint != null) added.match = { ...added.match, endpoint };
    if (times !== undefined) added.times = times;
    const rules = await this.rules();
    await this.#server.call("PUT", "/faults", {
      rules: [...rules.map((one) => one.rule), added],
      // The older rules go on counting.
      counts: [...rules.map(({ met, fired }) => ({ met, fired })), { met: 0, fired: 0 }],
    });
  }

  async rules() {
    return (await this.#server.call("GET", "/faults")).rules;
  }

  async clear() {
    await this.#server.call("DELETE", "/faults");
  }
}

/** What `advance` was given, as the server takes it. */
function span(time) {
  const parts = typeof time === "string" ? /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(time) : null;
  const seconds = parts ? [604_800, 86_400, 3600, 60, 1].reduce((sum, unit, at) => sum + unit * (parts[at + 1] ?? 0), 0) : time;
  if (typeof seconds === "number" && seconds > 0 && seconds < Infinity) return parts ? time : duration(seconds);
  const shown = typeof time === "string" ? JSON.stringify(time) : String(time);
  throw new B2CError(`advance takes a number of seconds above 0 or an ISO 8601 duration such as "PT2H", not ${shown}`);
}

const duration = (seconds) => `PT${seconds.toFixed(3).replace(/\.000$/, "")}S`;

/** The requests after a place in the log, and where it ends. */
async function log(server, since) {
  const requests = [];
  for (;;) {
    const answer = await server.call("GET", `/requests?since=${since}`);
    since = answer.next;
    if (!answer.requests.length) return { requests, next: since };
    requests.push(...answer.requests);
  }
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

function unknown(what, name, known) {
  const near = known.map((one) => [distance(one, name), one]).sort(([one], [other]) => one - other)[0];
  const hint = near && near[0] <= Math.max(1, Math.floor(name.length / 3)) ? `Did you mean ${near[1]}?` : `It has ${known.join(", ")}.`;
  return new B2CError(`the tenant has no ${what} ${name}. ${hint}`);
}

/** How many letters two words differ by; letters that have changed places count once. */
function distance(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + cost);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}

/** Why an answer has not what it should: its error in one line, and the HTTP status if it has one. */
function reason(answer, status) {
  const text = String(answer.error_description || answer.error || "the answer has none").split(/\r?\n/)[0].trim();
  return status === undefined ? text : `${text} (HTTP ${status})`;
}

exports.B2CError = B2CError;
exports.Browser = Browser;
exports.Callback = Callback;
exports.Faults = Faults;
exports.PageError = PageError;
exports.Server = Server;
exports.World = World;
exports.findProgram = findProgram;
exports.totp = totp;
