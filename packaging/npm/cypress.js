"use strict";

// Tasks for Cypress: what runs in Node while the test runs in the browser.
//
//   // cypress.config.js
//   const { b2cTasks } = require("b2c-harness/cypress");
//   module.exports = defineConfig({ e2e: { setupNodeEvents: (on, config) => b2cTasks(on, config, { tenant: "tenant.json" }) } });
//
//   // in a test
//   beforeEach(() => cy.task("b2c:fresh"));
//   cy.task("b2c:token", { as: "ada" }).then((token) => ...);

const { B2CError, Server } = require("./kit.js");

/** Registers the tasks, starts the server, and gives its settings to the tests as `Cypress.env("b2c")`. */
async function b2cTasks(on, config, options = {}) {
  const server = await Server.start(options);
  let world = await server.fresh();
  const calls = {
    fresh: async () => {
      world = await server.fresh();
    },
    token: (more) => world.token(more ?? {}),
    signIn: async ({ url, ...more }) => {
      const { url: address, parameters, posted } = await world.signIn(url, more);
      return { url: address, parameters, posted };
    },
    addPerson: ({ name, ...more }) => world.addPerson(name, more),
    changePerson: ({ name, ...more }) => world.changePerson(name, more),
    codeFor: (to) => world.codeFor(to),
    inbox: () => world.inbox(),
    advance: (seconds) => world.advance(seconds),
    configure: (patch) => world.configure(patch),
    rotateKeys: (more) => world.rotateKeys(more ?? {}),
    fault: ({ rule, ...more }) => world.faults.add(rule, more),
    clearFaults: () => world.faults.clear(),
    requests: () => world.requests(),
  };
  on("task", Object.fromEntries(Object.entries(calls).map(([name, call]) => [`b2c:${name}`, async (argument) => {
    const value = await call(argument);
    // Cypress takes undefined for a task that does not exist.
    return value === undefined ? null : value;
  }])));
  on("after:run", () => server.stop());
  const found = { ...config, env: { ...config?.env } };
  found.env.b2c = {
    url: world.url, authority: world.authority(), metadataUrl: world.metadataUrl(), clientId: world.clientId(), redirectUri: world.redirectUri(),
  };
  return found;
}

exports.B2CError = B2CError;
exports.b2cTasks = b2cTasks;
