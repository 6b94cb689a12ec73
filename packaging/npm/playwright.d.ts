import type { Server, ServerOptions, SignInOptions, World } from "./kit";

/** A page of Playwright, as far as it is used. */
interface BrowserPage {
  url(): string;
  isClosed(): boolean;
}

/** A world whose people sign in in a real browser. */
export interface BrowserWorld extends World {
  /** Plays a person at the hosted pages that the browser shows: see `signInPage`. */
  signInPage(page: BrowserPage, options: SignInOptions & { as: string }): Promise<void>;
}

/**
 * Plays a person at the hosted pages that a browser shows, until it is back at the app or the popup is closed. The page may still
 * be on its way to the server. Throws `PageError` with what the page says if the sign-in stops there.
 */
export function signInPage(page: BrowserPage, world: World, options: SignInOptions & { as: string }): Promise<void>;

/**
 * For `test.extend` of @playwright/test: `b2c` is a fresh tenant for each test, `b2cServer` the server of a worker, and
 * `b2cOptions` its options. What a failed test asked of the tenant is attached to its report.
 */
export const fixtures: {
  b2cOptions: [ServerOptions, { option: true; scope: "worker" }];
  b2cServer: [(args: { b2cOptions: ServerOptions }, use: (server: Server) => Promise<void>) => Promise<void>, { scope: "worker" }];
  b2c: (args: { b2cServer: Server }, use: (world: BrowserWorld) => Promise<void>, testInfo: any) => Promise<void>;
};
