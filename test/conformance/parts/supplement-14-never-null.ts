/** Rule S14: fields that are never null. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { BOOLEAN, INSTANT, LISTENING, TEXT } from "../words.ts";

const row = says("S14");

const PLURALS = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
} as const;
const KINDS = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const;

const DISCOVERED_HVAC = "user:hvac:discovered";

/** A client that hears of a unit that is made up. */
function madeUp(state: object) {
  return {
    versions: NEWEST,
    house: "sandbox",
    given: [LISTENING],
    request: { ask: "POST /local/simulated/hvac", body: { userId: "home", state } },
    expect: { status: 200 },
  } as const;
}

export const NEVER_NULL_ROWS: readonly Row[] = [
  ...KINDS.map((kind) =>
    row(`A ${kind} that reports no brand and no model has both`, {
      house: "bare",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { information: { brand: TEXT, model: "Unknown" } } },
    }),
  ),
  ...KINDS.map((kind) =>
    row(`A made-up ${kind} is of the brand Simulated`, {
      versions: NEWEST,
      house: "sandbox",
      given: [{ ask: `POST /local/simulated/${kind}`, body: { userId: "home" }, keep: { made: "assetId" } }],
      request: { ask: `GET /${PLURALS[kind]}/{made}` },
      expect: { status: 200, body: { information: { brand: "Simulated", model: TEXT } } },
    }),
  ),
  ...(["battery", "inverter", "meter"] as const).map((kind) =>
    row(`A ${kind} was installed when the gateway first met it`, {
      house: "bare",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { information: { siteName: TEXT, installationDate: INSTANT } } },
    }),
  ),
  row("A HVAC unit that reports no category has one by what it can do", {
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { information: { category: "HEAT_PUMP", displayName: TEXT } } },
  }),
  row("A HVAC unit that can do nothing is of the category HEATING", {
    house: "bare",
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { information: { category: "HEATING" } } },
  }),
  row("The event of a discovered HVAC unit says whether it is active", {
    ...madeUp({ mode: "HEAT", heatSetpoint: 28, currentTemperature: 18 }),
    afterwards: [
      {
        after: 120,
        told: { event: DISCOVERED_HVAC, hvac: { temperatureState: { isActive: BOOLEAN, lastUpdated: INSTANT } } },
      },
      { notTold: { event: DISCOVERED_HVAC, hvac: { temperatureState: { isActive: null } } } },
      { notTold: { event: DISCOVERED_HVAC, hvac: { isActive: null } } },
    ],
  }),
  row("The event of a discovered HVAC unit has its brand, model and category", {
    ...madeUp({}),
    afterwards: [
      {
        after: 120,
        told: {
          event: DISCOVERED_HVAC,
          hvac: { information: { brand: "Simulated", model: TEXT, category: expect.stringMatching(/^H/) } },
        },
      },
    ],
  }),
];
