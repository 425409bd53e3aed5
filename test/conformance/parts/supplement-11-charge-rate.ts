/** Rule S11.2: a charger's most power. */
import { CHARGER_AT_HOME } from "../given.ts";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const row = says("S11.2");

const LIMIT = "POST /chargers/{charger}/charge-rate-limit";

export const CHARGE_RATE_ROWS: readonly Row[] = [
  row("A charger says between which powers it can be limited", {
    request: { ask: "GET /chargers/{charger}" },
    expect: {
      status: 200,
      body: {
        capabilities: {
          setChargeRateLimit: { isCapable: true, interventionIds: [], range: { min: 4.14, max: 22.08 } },
        },
      },
    },
  }),
  row("A limit of a charger's power is an action with the limit as its target", {
    request: { ask: LIMIT, body: { chargeRateLimit: 7 }, keep: { action: "id" } },
    expect: {
      status: 200,
      body: {
        state: "PENDING",
        targetType: "charger",
        targetId: "{charger}",
        targetState: { chargeRateLimit: 7 },
        failureReason: null,
      },
      lacks: ["kind"],
    },
    afterwards: [
      {
        ask: "GET /chargers/actions/{action}",
        after: 30,
        expect: { status: 200, body: { state: "CONFIRMED", targetState: { chargeRateLimit: 7 } } },
      },
      {
        ask: "GET /chargers/{charger}",
        expect: { status: 200, body: { chargeState: { maxCurrent: 10, chargeRateLimit: 6.9 } } },
      },
    ],
  }),
  row("A limit that is pending is answered again", {
    versions: NEWEST,
    given: [{ ask: LIMIT, body: { chargeRateLimit: 7 }, keep: { action: "id" } }],
    request: { ask: LIMIT, body: { chargeRateLimit: 7 } },
    expect: { status: 200, body: { id: "{action}", state: "PENDING" } },
  }),
  row("A limit stays when the vehicle leaves and another one comes", {
    versions: NEWEST,
    given: [
      { ask: LIMIT, body: { chargeRateLimit: 7 } },
      { device: "charger", after: 30 },
      { device: "charger", show: { "charger.state": "UNPLUGGED" }, after: 60 },
      { device: "charger", show: { "charger.state": "PLUGGED_IN:CHARGING" }, after: 60 },
    ],
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { chargeState: { isCharging: true, maxCurrent: 10, chargeRateLimit: 6.9 } } },
  }),
  row("What is changed at the charger is shown, and stands", {
    versions: NEWEST,
    given: [
      { ask: LIMIT, body: { chargeRateLimit: 7 } },
      { device: "charger", after: 30 },
      { device: "charger", show: { "charger.maxCurrent": 12 }, after: 120 },
    ],
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { chargeState: { maxCurrent: 12, chargeRateLimit: 8.28 } } },
  }),
  row("A limit of null lifts it", {
    versions: NEWEST,
    given: [
      { ask: LIMIT, body: { chargeRateLimit: 7 } },
      { device: "charger", after: 30 },
    ],
    request: { ask: LIMIT, body: { chargeRateLimit: null } },
    expect: { status: 200, body: { state: "PENDING", targetState: { chargeRateLimit: null } } },
    afterwards: [
      {
        ask: "GET /chargers/{charger}",
        after: 30,
        expect: { status: 200, body: { chargeState: { maxCurrent: 32, chargeRateLimit: null } } },
      },
    ],
  }),
  row("A limit that the charger cannot keep is refused with the range", {
    request: { ask: LIMIT, body: { chargeRateLimit: 3 } },
    expect: {
      status: 400,
      problem: "bad-request",
      body: { detail: "The charge rate limit of this charger must be between 4.14 and 22.08 kW." },
    },
  }),
  ...[{}, { chargeRateLimit: 0 }, { chargeRateLimit: "7" }, { chargeRateLimit: 7, until: "later" }].map((body) =>
    row(`A limit is asked for as a positive power or null, and nothing more: ${JSON.stringify(body)}`, {
      versions: NEWEST,
      request: { ask: LIMIT, body },
      expect: { status: 400, problem: "bad-request" },
    }),
  ),
  row("A charger that is not there cannot be limited", {
    request: { ask: "POST /chargers/{unknown}/charge-rate-limit", body: { chargeRateLimit: 7 } },
    expect: { status: 404, problem: "not-found" },
  }),
  row("A limit needs the scope to control charging", {
    versions: NEWEST,
    house: "readOnly",
    request: { ask: LIMIT, body: { chargeRateLimit: 7 } },
    expect: { status: 403, problem: "forbidden" },
  }),
  row("A charger that a feature is in charge of takes no limit", {
    versions: NEWEST,
    given: [
      ...CHARGER_AT_HOME,
      {
        ask: "PUT /chargers/{charger}/smart-charging-policy",
        body: { isEnabled: true, deadline: "08:00", chargingDuration: "08:00" },
      },
      { device: "charger", after: 60 },
    ],
    request: { ask: LIMIT, body: { chargeRateLimit: 7 } },
    expect: { status: 422, problem: "service-controlled-entity" },
  }),
];
