/**
 * Answers of Easee's chargers, read through the connector. They were recorded when the state had names; the numbers that
 * the names have today are pyeasee's.
 */
import { expect, test } from "vitest";
import { easee } from "../../adapters/clouds/easee/easee.ts";
import type { CloudDevice } from "../../adapters/clouds/kit/connector.ts";
import { read } from "../adapters/clouds/values-of.ts";
import { recorded, recordedSession } from "./recorded-cloud.ts";

const SIGNAL = new AbortController().signal;

const NUMBERS: Readonly<Record<string, number>> = {
  detectedPowerGridType: 21,
  isEnabled: 31,
  maxChargerCurrent: 47,
  dynamicChargerCurrent: 48,
  chargerFirmware: 80,
  chargerOpMode: 109,
  totalPower: 120,
  sessionEnergy: 121,
  inCurrentT3: 183,
  inCurrentT4: 184,
  inCurrentT5: 185,
  inVoltageT2T3: 194,
  inVoltageT2T4: 195,
  inVoltageT2T5: 196,
  isOnline: 250,
};

async function chargerOf(id: string, ...states: readonly unknown[]): Promise<CloudDevice> {
  const named = Object.entries(Object.assign({}, ...states));
  const observations = named.flatMap(([name, value]) =>
    NUMBERS[name] === undefined ? [] : [{ id: NUMBERS[name], value }],
  );
  const session = recordedSession(easee, {
    "/api/chargers": [{ id, name: "Easee" }],
    [`/state/${id}/observations`]: { observations },
  });
  return await easee.open(session, id, SIGNAL);
}

test("the list of an account's chargers", async () => {
  const session = recordedSession(easee, { "/api/chargers": recorded("easee", "chargers.json") });
  expect(await easee.list(session, SIGNAL)).toMatchObject([{ key: "EH12345", name: "Easee Home 12345" }]);
});

test("the token of a recorded Easee login is read", async () => {
  const answer = { status: 200, headers: {}, body: recorded("easee", "token.json") };
  const login = easee.login.kind === "form" ? easee.login : null;
  const tools = {
    ask: async () => answer,
    app: { clientId: "", clientSecret: null, apiKey: null },
    nowMs: () => 1_000,
  };
  expect(await login?.signIn({}, tools, SIGNAL)).toEqual({
    access: "sometoken1234",
    refresh: "arefreshtoken1234",
    expiresAtMs: 86_401_000,
  });
});

test("a charger whose vehicle waits to start", async () => {
  const device = await chargerOf("EH12345", recorded("easee", "charger-state.json"));
  expect(await read(device)).toMatchObject({
    "charger.state": "PLUGGED_IN:STOPPED",
    "charger.maxCurrent": 32,
    "charger.power": 0,
    "charger.current.l1": expect.closeTo(0.01, 4),
    "charger.voltage.l1": expect.closeTo(240.77, 2),
    "charger.voltage.l2": expect.closeTo(236.59, 2),
    "charger.voltage.l3": expect.closeTo(228.78, 2),
    "charger.energySession": expect.closeTo(5_395.1, 1),
    "charger.energy": null,
  });
});

test("a charger of a site's state, with its settings", async () => {
  const { circuitStates } = Object(recorded("easee", "site-state.json"));
  const { chargerID, chargerConfig, chargerState } = circuitStates[0].chargerStates[0];
  const device = await chargerOf(chargerID, chargerConfig, chargerState);
  expect(await read(device)).toMatchObject({
    "charger.state": "UNPLUGGED",
    "charger.enabled": true,
    "charger.maxCurrent": 32,
    "charger.power": 0,
  });
  expect(device.identity.version).toBe("230");
});
