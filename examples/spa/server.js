"use strict";

// Serves the app, its settings, and a small API that checks access tokens.
//
//   AUTHORITY=https://... CLIENT_ID=... AUDIENCE=... SCOPES=... node server.js [PORT]

const crypto = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const FILES = { "/": ["index.html", "text/html"], "/app.js": ["app.js", "text/javascript"] };

/** The library as its package has it for pages without a bundler. */
const library = () => path.join(path.dirname(require.resolve("@azure/msal-browser/package.json")), "lib", "msal-browser.min.js");

/**
 * Checks an access token, and returns its claims.
 *
 * So that the example needs no packages; your own API uses a library, such as jose.
 */
async function check(token, { authority, audience }) {
  const metadata = await (await fetch(`${authority}/v2.0/.well-known/openid-configuration`)).json();
  const { keys } = await (await fetch(metadata.jwks_uri)).json();
  const [head, body, signature] = token.split(".");
  const header = JSON.parse(Buffer.from(head, "base64url"));
  const key = keys.find((one) => one.kid === header.kid);
  // The algorithm is the API's choice, never the token's.
  if (header.alg !== "RS256" || !key) throw new Error("no key of the tenant has signed it");
  const isSigned = crypto.verify(
    "RSA-SHA256", Buffer.from(`${head}.${body}`), crypto.createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url"));
  const claims = JSON.parse(Buffer.from(body, "base64url"));
  const now = Date.now() / 1000;
  if (!isSigned || claims.iss !== metadata.issuer || claims.aud !== audience || claims.exp <= now || claims.nbf > now + 300) {
    throw new Error("it is forged, over, or for somebody else");
  }
  return claims;
}

/** `settings` has `authority`, `clientId`, `audience` and `scopes`; a function may give them later. */
function createServer(settings) {
  const current = () => (typeof settings === "function" ? settings() : settings);
  return http.createServer(async (request, response) => {
    const send = (status, type, body) => response.writeHead(status, { "Content-Type": type }).end(body);
    const { pathname } = new URL(request.url, "http://localhost");
    const { authority, clientId, scopes } = current();
    if (pathname === "/settings.json") return send(200, "application/json", JSON.stringify({ authority, clientId, scopes }));
    if (pathname === "/msal-browser.js") return send(200, "text/javascript", fs.readFileSync(library()));
    if (pathname === "/tasks") {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
      try {
        if (!token) throw new Error("there is no token");
        const claims = await check(token, current());
        return send(200, "application/json", JSON.stringify({ tasks: [`Tasks of ${claims.name}`] }));
      } catch (error) {
        // fetch fails with TypeError: the tenant is down, and the token may be good.
        return send(error instanceof TypeError ? 503 : 401, "application/json", JSON.stringify({ error: error.message }));
      }
    }
    const [file, type] = FILES[pathname] ?? [];
    if (!file) return send(404, "text/plain", "not found");
    return send(200, type, fs.readFileSync(path.join(__dirname, file)));
  });
}

module.exports = { createServer };

if (require.main === module) {
  const { AUTHORITY, CLIENT_ID, AUDIENCE, SCOPES } = process.env;
  const server = createServer({ authority: AUTHORITY, clientId: CLIENT_ID, audience: AUDIENCE, scopes: (SCOPES ?? "").split(" ") });
  server.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/`));
}
