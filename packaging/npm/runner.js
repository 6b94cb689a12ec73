"use strict";

// Hooks for vitest, Jest, Mocha and node:test: one server for a test file, a fresh tenant for each test.
//
//   const { useB2C } = require("b2c-harness/runner");
//   const b2c = useB2C();
//
//   test("an expired token is refused", async () => {
//     const token = await b2c.token({ as: "ada", expired: true });
//   });

const { B2CError, Server } = require("./kit.js");

/**
 * Registers the hooks, and gives an object that is the world of the test that runs.
 *
 * Without `hooks` the global functions of the test runner are used.
 */
function useB2C(options = {}, hooks = globalThis) {
  const before = hooks.beforeAll ?? hooks.before;
  const after = hooks.afterAll ?? hooks.after;
  const { beforeEach } = hooks;
  if (![before, after, beforeEach].every((hook) => typeof hook === "function")) {
    throw new B2CError(
      "useB2C finds no hooks: give those of your test runner, such as useB2C({}, require(\"node:test\")), or useB2C({}, { beforeAll, "
        + "beforeEach, afterAll }) with vitest");
  }
  let server;
  let world;
  before(async () => {
    if (process.env.B2C_URL) {
      const worker = [process.env.JEST_WORKER_ID, process.env.VITEST_POOL_ID].map(Number).find((number) => number > 1);
      // One test's reset would be in the middle of another test.
      if (worker) throw new B2CError("B2C_URL names one server, and tests run side by side: unset B2C_URL, or use one worker");
      server = await Server.attach();
    } else {
      server = await Server.start(options);
    }
  });
  beforeEach(async () => {
    world = await server.fresh();
  });
  after(async () => {
    await server?.stop();
  });
  return new Proxy(Object.create(null), {
    get(_, name) {
      // Runners that look at what a test file exports ask for these.
      if (typeof name === "symbol" || name === "then") return undefined;
      if (!world) throw new B2CError(`b2c.${name} is used outside of a test: the tenant starts with the tests`);
      const value = world[name];
      return typeof value === "function" ? value.bind(world) : value;
    },
    has: (_, name) => world !== undefined && name in world,
  });
}

exports.useB2C = useB2C;
