import type { ServerOptions, World } from "./kit";

type Hook = (action: () => Promise<void>) => unknown;

/** The hooks of a test runner, as vitest and Jest or as node:test and Mocha name them. */
export interface Hooks {
  beforeAll?: Hook;
  before?: Hook;
  beforeEach: Hook;
  afterAll?: Hook;
  after?: Hook;
}

/**
 * Registers the hooks: one server for a test file, a fresh tenant for each test. The object is the world of the test that runs.
 *
 * Without `hooks` the global functions of the test runner are used. If `B2C_URL` is set, as by `b2c exec`, the server there is used.
 */
export function useB2C(options?: ServerOptions, hooks?: Hooks): World;
