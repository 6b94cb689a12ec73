/** Tests of a JavaScript app against an Azure AD B2C tenant on this machine. */

/** What is wrong, in one sentence. */
export class B2CError extends Error {}

/** A sign-in that stops at a page. */
export class PageError extends B2CError {
  /** The text that the page shows, or an empty text. */
  readonly said: string;
}

/** The address by which the app gets the answer. */
export class Callback {
  readonly url: string;
  /** Whether the answer is a form post; its fields are in the query of `url`. */
  readonly posted: boolean;
  /** The parameters of the query and of the fragment. */
  readonly parameters: Record<string, string>;
  toString(): string;
}

/** What `signIn` plays. */
export interface SignInOptions {
  /**
   * A name of the tenant file. A person without an account signs up. Without a name nobody types anything, which is enough if
   * there is a session, or for `prompt=none`.
   */
  as?: string;
  /** Another password than the one on record. */
  password?: string;
  /** What the person presses on the first page. */
  press?: "cancel" | "forgotPassword" | "signUp";
  /** An identity provider of the tenant file, such as `"facebook"`. */
  provider?: string;
}

/** A browser with its own cookies. A second sign-in with the same one uses the single sign-on session of the first. */
export class Browser {
  /**
   * Plays a person at a sign-in address, and returns the address by which the app gets the answer.
   *
   * Throws `PageError` if the sign-in stops at a page, with what the page says.
   */
  signIn(url: string | URL, options?: SignInOptions): Promise<Callback>;
}

export interface ServerOptions {
  /**
   * A tenant file, or its content without policy files. Default: the embedded tenant, the one that `b2c init` writes, with the
   * people `ada` and `nina`.
   */
  tenant?: string | URL | object | null;
  /** Serve https, by a new certificate authority in `caFile`. Default: false. */
  tls?: boolean;
  /** Ids and codes are drawn from it. Default: 1. */
  seed?: number;
  /** The file of `mock-server`. Default: that of the variable `MOCK_SERVER`, the one in this package, or the one on the `PATH`. */
  program?: string;
}

/** A tenant on this machine: `mock-server` at a free port, or one that runs already. */
export class Server {
  private constructor();
  /** Starts a server and waits until it answers. Throws `B2CError` if it does not start, with what it says. */
  static start(options?: ServerOptions): Promise<Server>;
  /** A server that runs already: at `url`, or at the address in `B2C_URL`, which `b2c exec` sets. `stop` does not end it. */
  static attach(url?: string, options?: { caFile?: string }): Promise<Server>;
  /** Its address, such as `http://localhost:41234`. */
  readonly url: string;
  /** The PEM file by which it is trusted, for `NODE_EXTRA_CA_CERTS`; null without https. */
  readonly caFile: string | null;
  /** The addresses at which a browser on this machine reaches it. */
  readonly origins: string[];
  /** The tenant as its file says: no sessions, no messages, no faults, the system's clock. What was changed is undone. */
  fresh(): Promise<World>;
  /** One call of the control API (docs/control-api.md), such as `call("GET", "/clock")`: its JSON, or null. */
  call(method: string, path: string, body?: object): Promise<any>;
  /** Ends the server, if this object started it. Its address refuses connections from then on. */
  stop(): Promise<void>;
}

/** An e-mail, SMS or call that went out. */
export interface Message {
  /** The address or phone number. */
  to: string;
  /** `email`, `sms`, `call` or `captcha`. */
  kind: string;
  /** The code in it. */
  code: string | null;
}

export interface TokenOptions {
  /** A name of the tenant file. Default: the first person. */
  as?: string;
  /** Default: the first app. */
  app?: string;
  /** Default: the app's policy. */
  policy?: string;
  /** Default: the app's, else all of the first API. */
  scopes?: string[];
  /** The ID token instead of the access token. */
  idToken?: boolean;
  /** It ended ten minutes ago. */
  expired?: boolean;
  /** It begins in an hour. */
  notYet?: boolean;
  /** A key has signed it that nobody publishes. */
  wrongKey?: boolean;
  /** It is unsigned. */
  algNone?: boolean;
  /** Another `aud`. */
  audience?: string;
  /** Other claims; null removes a claim. */
  claims?: Record<string, unknown>;
}

/** The record of a person. */
export type Person = Record<string, any>;

/** One tenant in one test: people, sign-ins, tokens, inbox, clock and faults. `Server.fresh` makes it. */
export class World {
  private constructor();
  readonly server: Server;
  readonly faults: Faults;
  /** The server's address. */
  readonly url: string;
  readonly caFile: string | null;
  /** The tenant file with all defaults filled in. */
  readonly settings: Record<string, any>;
  /** The tenant's domain, such as `contoso.onmicrosoft.com`. */
  readonly domain: string;
  /** Lays a merge patch (RFC 7396) over the tenant file, such as `{ policies: { susi: { mfa: { when: "always" } } } }`. */
  configure(patch: object): Promise<void>;
  /** What an app is configured with: server, domain and policy. `policy` is a name of the tenant file or an id; default: the first. */
  authority(policy?: string): string;
  /** The address of a policy's discovery document. */
  metadataUrl(policy?: string): string;
  /** The `iss` of a policy's tokens. */
  issuer(policy?: string): Promise<string>;
  /** The client id of an app; of the first by default. */
  clientId(app?: string): string;
  /** The first secret of an app. */
  clientSecret(app?: string): string;
  /** Where an app gets its answers; of the first by default. An app that has no redirect URI is an error with the reason. */
  redirectUri(app?: string): string;
  /** The `aud` of the access tokens for an API; for the first by default. */
  audience(api?: string): string;
  /** The scopes of an API, as an app asks for them; of the first by default. */
  scopes(api?: string): string[];
  /** The record of a person, with their password as it is now. */
  person(name: string): Promise<Person>;
  /**
   * Adds a person, and returns their record. `email` is the name at `example.test` by default. With `registered: false` the
   * person has no account, and signs up at the first sign-in.
   */
  addPerson(name: string, record?: { email?: string; password?: string; registered?: boolean; [attribute: string]: unknown }): Promise<Person>;
  /** Changes a person, such as `{ accountEnabled: false }`. A new password revokes older refresh tokens. */
  changePerson(name: string, changes: object): Promise<void>;
  /** A new browser with its own cookies, for several sign-ins of one person. */
  browser(): Browser;
  /** Plays a person at the sign-in address that the app opens, in a new browser: see `Browser.signIn`. */
  signIn(url: string | URL, options?: SignInOptions): Promise<Callback>;
  /** Signs a person in and returns an access token, or the ID token. Call it before you set faults. */
  token(options?: TokenOptions): Promise<string>;
  /** Lets the tenant sign with another key from now on. With `keepPublished`, the default, the old keys stay published. */
  rotateKeys(options?: { keepPublished?: boolean; keySet?: string }): Promise<void>;
  /** The e-mails, SMS and calls that went out, oldest first. */
  inbox(): Promise<Message[]>;
  /** The newest code that went to an address, a phone number or a person. Throws `B2CError` if there is none. */
  codeFor(to: string): Promise<string>;
  /** What the tenant's clock shows. */
  now(): Promise<Date>;
  /**
   * Moves the tenant's clock forward, by a number of seconds or an ISO 8601 duration such as "PT2H": refresh tokens, sessions
   * and codes of the tenant get older. The clock of your app does not move. For a token that has expired, use `token({ expired: true })`.
   */
  advance(seconds: number | string): Promise<void>;
  /** The requests that came in since the test began, with the reason of each refusal (`refusal`); secrets are masked. */
  requests(): Promise<Record<string, any>[]>;
}

/** How many requests fail; default: all. */
export interface FaultTimes {
  times?: number;
}

/**
 * Rules that make the server fail. The first rule that matches a request applies. `endpoint` is `discovery`, `keys`, `authorize`,
 * `page`, `token`, `userinfo`, `logout`, `graph` or another that `b2c explain faults` lists; null matches all.
 */
export class Faults {
  private constructor();
  /** Answers with this HTTP status. */
  status(endpoint: string | null, status: number, options?: FaultTimes & { json?: unknown }): Promise<void>;
  /** Closes the connection without an answer. */
  disconnect(endpoint?: string | null, options?: FaultTimes): Promise<void>;
  /** Lets the answer wait. */
  delay(endpoint: string | null, seconds: number, options?: FaultTimes): Promise<void>;
  /** Refuses the request as the service does for an error code, such as `AADB2C90080`. */
  refuse(endpoint: string | null, code: string, options?: FaultTimes): Promise<void>;
  /** Issues tokens with other claims; null removes a claim. */
  claims(options: FaultTimes & { idToken?: object; accessToken?: object }): Promise<void>;
  /** Adds a fault rule as scenarios have it (docs/scenario-files.md#fault-rule). */
  add(rule: object, options?: FaultTimes & { endpoint?: string | null }): Promise<void>;
  /** The rules in force, with how often each matched (`met`) and applied (`fired`). */
  rules(): Promise<{ rule: object; met: number; fired: number }[]>;
  /** Removes all rules. */
  clear(): Promise<void>;
}

/** The file of a program: that of the environment (`MOCK_SERVER`, `B2C`), of this package, or on the `PATH`. */
export function findProgram(name?: "mock-server" | "b2c"): string;

/** The code of an authenticator app (RFC 6238) at a time in seconds. */
export function totp(secret: string, seconds: number): string;
