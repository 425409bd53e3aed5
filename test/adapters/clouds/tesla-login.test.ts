import type { LinkAnswer } from "hemgate/sdk";
import { expect, test } from "vitest";
import type { LoginDesk, SignInResult } from "../../../adapters/clouds/kit/login/login-desk.ts";
import { renewGrant, signInStep } from "../../../adapters/clouds/kit/login/sign-in.ts";
import { tesla } from "../../../adapters/clouds/tesla/tesla.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { APP, askTwin, plainAsk } from "./fake-session.ts";
import { makeTeslaHome, SIGNAL } from "./tesla-houses.ts";

const CALLBACK = { url: "http://gateway.local:8080/link/callback", state: "state-1" };

function signIn() {
  const { twin, clock } = makeTeslaHome({});
  const desk: LoginDesk = {
    clock,
    random: new SeededRandom(1),
    app: APP,
    ask: askTwin(tesla, twin),
    askAnyway: async (request) => plainAsk(twin, request),
  };
  const take = (answer: LinkAnswer, memo?: unknown) =>
    signInStep(tesla.login, { vendorId: "tesla", answer, memo, callback: CALLBACK }, desk, SIGNAL);
  return { twin, desk, take };
}

/** The person signs in on Tesla's page, and comes back with its code. */
async function comeBack({ twin, take }: ReturnType<typeof signIn>): Promise<SignInResult> {
  const turn = await take({ kind: "form", values: {} });
  if (turn.kind !== "redirect") expect.unreachable(`a ${turn.kind} is no redirect`);
  const asked = new URL(turn.url).searchParams;
  expect(asked.get("scope")).toContain("vehicle_charging_cmds");
  const code = twin.agree(asked.get("code_challenge") ?? "");
  return await take({ kind: "returned", query: { code, state: CALLBACK.state } }, turn.memo);
}

test("a person who agrees on Tesla's page is signed in, and stays so by renewals", async () => {
  const home = signIn();
  const turn = await comeBack(home);
  if (turn.kind !== "signed-in") expect.unreachable(`a ${turn.kind} is no grant`);
  expect(home.twin.desk.accepts(turn.grant.access)).toBe(true);
  const renewed = await renewGrant(tesla.login, turn.grant, home.desk, SIGNAL);
  expect(home.twin.desk.accepts(renewed.access)).toBe(true);
  expect(renewed.refresh).not.toBe(turn.grant.refresh);
  await expect(renewGrant(tesla.login, turn.grant, home.desk, SIGNAL)).rejects.toMatchObject({ kind: "login-refused" });
});

test("a code of somebody else's sign-in is no good", async () => {
  const { twin, take } = signIn();
  const turn = await take({ kind: "form", values: {} });
  const code = twin.agree("the challenge of another browser");
  const back = take({ kind: "returned", query: { code, state: CALLBACK.state } }, "memo" in turn ? turn.memo : null);
  await expect(back).rejects.toMatchObject({ kind: "login-refused" });
});
