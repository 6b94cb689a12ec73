import type { ServerOptions } from "./kit";

/**
 * For `setupNodeEvents` of Cypress: registers tasks, starts the server, and gives `Cypress.env("b2c")` its settings (`url`,
 * `authority`, `metadataUrl`, `clientId`, `redirectUri`).
 *
 * Tasks: `b2c:fresh`, `b2c:token`, `b2c:signIn` (with `url`), `b2c:addPerson` and `b2c:changePerson` (with `name`), `b2c:codeFor`,
 * `b2c:inbox`, `b2c:advance`, `b2c:configure`, `b2c:rotateKeys`, `b2c:fault` (with `rule`), `b2c:clearFaults`, `b2c:requests`.
 */
export function b2cTasks<Config extends object>(
  on: (event: any, handler: any) => void, config: Config, options?: ServerOptions,
): Promise<Config>;
