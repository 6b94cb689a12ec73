// A custom authentication extension of Microsoft Entra External ID, without packages.
//
//     node function.mjs --port 8080
//
// It checks the token of each call, and answers every event. Replace the functions of `answers` by your own. For production use a
// library for JWT and JWE, such as jose.
//
// B2C_EXTENSION_ISSUER    `iss` of the tokens; the keys are in its discovery document
// B2C_EXTENSION_AUDIENCE  `aud` of the tokens: the application id of the extension's app
// B2C_EXTENSION_KEY       a PEM file with the private key that opens passwords; optional

import { constants, createDecipheriv, createPublicKey, privateDecrypt, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const caller = "99045fe1-7639-4a75-9d4a-577b6ca3810f";
const issuer = process.env.B2C_EXTENSION_ISSUER;
const audience = process.env.B2C_EXTENSION_AUDIENCE;

/** A call that is not answered: status and reason. */
class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// The answers: an action of the event, with its members.

const passwords = new Map([["ada@example.test", "Analytical-1843"]]);

const answers = {
  tokenIssuanceStart: () => ["tokenIssuanceStart.provideClaimsForToken", { claims: { tier: "gold", roles: ["reader", "writer"] } }],
  attributeCollectionStart: () => ["attributeCollectionStart.setPrefillValues", { inputs: { city: "London" } }],
  attributeCollectionSubmit(data) {
    const isBlocked = (data.userSignUpInfo.identities ?? []).some((one) => one.issuerAssignedId?.endsWith("@blocked.test"));
    return isBlocked
      ? ["attributeCollectionSubmit.showBlockPage", { title: "Not here", message: "Use another address." }]
      : ["attributeCollectionSubmit.continueWithDefaultBehavior", {}];
  },
  // Here send data.otpContext.oneTimeCode to data.otpContext.identifier, and write neither to a log.
  emailOtpSend: () => ["OtpSend.continueWithDefaultBehavior", {}],
  passwordSubmit(data) {
    const context = passwordContext(data.encryptedPasswordContext);
    // Here ask the old directory.
    const known = passwords.get(context.username);
    const isRight = known !== undefined && known === context["user-password"];
    return [`passwordSubmit.${isRight ? "MigratePassword" : "Retry"}`, {}, context.nonce];
  },
  verifiedIdClaimValidation: () => ["verifiedIdClaimValidation.pass", {}],
};

/** The answer to a call: one action, and the nonce of a password beside it. */
function answer(body) {
  const event = body.type.split(".").at(-1);
  if (!Object.hasOwn(answers, event)) throw new Refused(400, `unknown event ${event}`);
  const [action, members, nonce] = answers[event](body.data);
  // The type of a one-time code's answer has a capital O, unlike the others.
  const stem = event === "emailOtpSend" ? "OnOtpSend" : `on${event[0].toUpperCase()}${event.slice(1)}`;
  return {
    data: {
      "@odata.type": `microsoft.graph.${stem}ResponseData`, ...(nonce === undefined ? {} : { nonce }),
      actions: [{ "@odata.type": `microsoft.graph.${action}`, ...members }],
    },
  };
}

// The token of a call.

const keys = new Map();

async function fetched(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.json();
}

/** A published key. Keys are read again if a token names an unknown one. */
async function key(kid) {
  if (!keys.has(kid)) {
    try {
      const discovery = await fetched(`${issuer}/.well-known/openid-configuration`);
      for (const jwk of (await fetched(discovery.jwks_uri)).keys) {
        keys.set(jwk.kid, createPublicKey({ key: jwk, format: "jwk" }));
      }
    } catch (error) {
      throw new Refused(503, `the keys of the issuer cannot be read: ${error.message}`);
    }
  }
  if (!keys.has(kid)) throw new Refused(401, "the key of the token is not published");
  return keys.get(kid);
}

const decoded = (text) => Buffer.from(text, "base64url");

function object(bytes, status, reason) {
  try {
    const value = JSON.parse(bytes.toString("utf8"));
    if (value !== null && typeof value === "object") return value;
  } catch {
    // Refused below.
  }
  throw new Refused(status, reason);
}

/** Checks signature, issuer, audience, caller and times. */
async function check(authorization) {
  const [scheme, token] = (authorization ?? "").split(" ");
  if (scheme.toLowerCase() !== "bearer" || !token) throw new Refused(401, "no token");
  const [head = "", payload = "", signature = ""] = token.split(".");
  const header = object(decoded(head), 401, "the token is malformed");
  const claims = object(decoded(payload), 401, "the token is malformed");
  if (header.alg !== "RS256") throw new Refused(401, "the token is not signed with RS256");
  if (!verify("RSA-SHA256", Buffer.from(`${head}.${payload}`), await key(header.kid), decoded(signature))) {
    throw new Refused(401, "the signature does not fit");
  }
  if (claims.iss !== issuer) throw new Refused(401, "another issuer");
  if (claims.aud !== audience) throw new Refused(401, "a token for another app");
  if ((claims.ver === "1.0" ? claims.appid : claims.azp) !== caller) throw new Refused(401, "another caller");
  const now = Date.now() / 1000;
  if (!(claims.nbf - 300 <= now && now < claims.exp + 300)) throw new Refused(401, "the token has expired or is not valid yet");
}

/** What is inside the encrypted context: claims of an unsigned JWT, or JSON. */
function passwordContext(text) {
  if (!process.env.B2C_EXTENSION_KEY) throw new Refused(400, "B2C_EXTENSION_KEY is not set");
  const privateKey = readFileSync(process.env.B2C_EXTENSION_KEY);
  try {
    const [head, wrapped, iv, content, tag] = text.split(".");
    const header = JSON.parse(decoded(head).toString());
    const oaepHash = { "RSA-OAEP-256": "sha256", "RSA-OAEP": "sha1" }[header.alg];
    if (!oaepHash || header.enc !== "A256GCM") throw new Error("expected RSA-OAEP-256 with A256GCM");
    const secret = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, decoded(wrapped));
    const cipher = createDecipheriv("aes-256-gcm", secret, decoded(iv), { authTagLength: 16 });
    cipher.setAAD(Buffer.from(head)).setAuthTag(decoded(tag));
    const inner = Buffer.concat([cipher.update(decoded(content)), cipher.final()]).toString();
    return JSON.parse(inner.startsWith("{") ? inner : decoded(inner.split(".")[1]).toString());
  } catch {
    throw new Refused(400, "the password context cannot be opened");
  }
}

async function respond(request) {
  if (request.method === "GET") return [200, { status: "ready" }];
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    await check(request.headers.authorization);
    return [200, answer(object(Buffer.concat(parts), 400, "the body of the call is malformed"))];
  } catch (error) {
    if (error instanceof Refused) return [error.status, { error: error.message }];
    if (error instanceof TypeError) return [400, { error: "the body of the call is malformed" }];
    throw error;
  }
}

if (!issuer || !audience) {
  console.error("set B2C_EXTENSION_ISSUER and B2C_EXTENSION_AUDIENCE, or start this with: b2c exec -- node function.mjs");
  process.exit(2);
}
const place = process.argv.indexOf("--port");
const server = createServer(async (request, response) => {
  const [status, body] = await respond(request).catch((error) => [500, { error: error.message }]);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});
server.listen(place > 0 ? Number(process.argv[place + 1]) : 8080, "127.0.0.1", () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
