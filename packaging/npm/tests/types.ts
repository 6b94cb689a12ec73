// That the types fit what people write. It is compiled, not run.

import { B2CError, Callback, PageError, Server, World } from "b2c-harness/kit";
import { useB2C } from "b2c-harness/runner";
import { fixtures, signInPage } from "b2c-harness/playwright";
import { b2cTasks } from "b2c-harness/cypress";
import { path } from "b2c-harness";

const b2c: World = useB2C({ tls: true, tenant: { name: "contoso" } }, { beforeAll() {}, beforeEach() {}, afterAll() {} });

export async function all(): Promise<string> {
  const server = await Server.start({ tenant: "tenant.json", seed: 2 });
  const world = await server.fresh();
  const callback: Callback = await world.signIn(new URL("http://127.0.0.1/"), { as: "ada", press: "signUp" });
  const code: string | undefined = callback.parameters.code;
  const token: string = await world.token({ as: "ada", expired: true, claims: { scp: null } });
  await world.addPerson("grace", { registered: false, city: "New York" });
  await world.faults.status("token", 503, { times: 1, json: { error: "busy" } });
  await signInPage({ url: () => "", isClosed: () => false }, world, { as: "ada" });
  const config: { env: object } = await b2cTasks(() => {}, { env: {} }, {});
  const error: B2CError = new PageError("x");
  // @ts-expect-error There is no such button.
  await world.signIn("x", { press: "next" });
  // @ts-expect-error A server is started, not made.
  new Server();
  await server.stop();
  return [code, token, await b2c.codeFor("ada"), path("b2c"), fixtures.b2cOptions[1].scope, String(config), error.message].join();
}
