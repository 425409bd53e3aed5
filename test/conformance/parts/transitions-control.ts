/** Rules I3.2 and I3.3: schedules, overrides and smart charging of a charger. */
import type { Ask, Happening, Row } from "../row.ts";
import { about, INSTANT, LISTENING, NEWEST, PLACED, PRICED } from "../words.ts";

const schedule = about("I3.2");
const smart = about("I3.3");

/** A schedule that wants the charger to charge, always. */
function scheduled(change: object = {}): Ask {
  return {
    ask: "POST /users/{user}/schedules",
    body: {
      targetId: "{charger}",
      targetType: "charger",
      locationId: null,
      isEnabled: true,
      defaultShouldCharge: true,
      rules: [],
      ...change,
    },
    keep: { schedule: "id" },
  };
}

const STATUS = "GET /schedules/{schedule}/status";
const DEAF: Happening = { device: "charger", ignoresCommands: true };
const CHARGING: Happening = {
  device: "charger",
  show: { "charger.state": "PLUGGED_IN:CHARGING", "charger.power": 7_400, "charger.enabled": true },
  after: 5,
};

function at(state: string, after: number, more: object = {}) {
  return { request: { ask: STATUS, after }, expect: { status: 200, body: { state, ...more } } };
}

const SCHEDULE_ROWS: readonly Row[] = [
  schedule("A target that does as expected is ALIGNED", {
    versions: NEWEST,
    given: [scheduled()],
    ...at("ALIGNED", 60, { isCharging: true, isChargingExpected: true }),
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: true } } } },
    ],
  }),
  schedule("A target whose command is under way is PENDING", {
    versions: NEWEST,
    given: [DEAF, scheduled()],
    ...at("PENDING", 30, { isCharging: false, isChargingExpected: true }),
  }),
  schedule("A target that did not follow is MISALIGNED", {
    versions: NEWEST,
    given: [DEAF, scheduled()],
    ...at("MISALIGNED", 320, { isCharging: false, isChargingExpected: true }),
  }),
  schedule("A schedule that is off is INACTIVE:DISABLED", {
    versions: NEWEST,
    given: [scheduled({ isEnabled: false })],
    ...at("INACTIVE:DISABLED", 10, { isCharging: false }),
  }),
  schedule("A target that is somewhere else is INACTIVE:AWAY", {
    versions: NEWEST,
    given: [PLACED, scheduled({ locationId: "{location}" })],
    ...at("INACTIVE:AWAY", 30, { isCharging: false }),
  }),
  schedule("A target that cannot be commanded is INACTIVE:INCAPABLE", {
    versions: NEWEST,
    given: [scheduled(), { ask: "DELETE /users/{user}/vendors/KEBA" }],
    ...at("INACTIVE:INCAPABLE", 30),
  }),
  schedule("A smart override makes a schedule INACTIVE:OVERRIDDEN, and it sends nothing", {
    versions: NEWEST,
    given: [LISTENING, scheduled({ defaultShouldCharge: false }), { ask: "POST /chargers/{charger}/smart-override" }],
    ...at("INACTIVE:OVERRIDDEN", 120, { isCharging: true, smartOverride: { endedAt: null } }),
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: true } } } },
      { told: { event: "user:schedule:execution-updated", status: { state: "INACTIVE:OVERRIDDEN" } } },
      { notTold: { event: "user:vendor-action:updated", vendorAction: { kind: "STOP" } } },
    ],
  }),
  schedule("Ending the override does not stop charging itself; the schedule resumes and does", {
    versions: NEWEST,
    given: [
      LISTENING,
      scheduled({ defaultShouldCharge: false }),
      { ask: "POST /chargers/{charger}/smart-override" },
      { device: "charger", after: 60 },
    ],
    request: { ask: "DELETE /chargers/{charger}/smart-override" },
    expect: { status: 200, body: { endedAt: INSTANT } },
    afterwards: [
      {
        ask: STATUS,
        after: 60,
        expect: { status: 200, body: { state: "ALIGNED", isCharging: false, smartOverride: null } },
      },
      { told: { event: "user:vendor-action:updated", vendorAction: { kind: "STOP", state: "CONFIRMED" } } },
    ],
  }),
  schedule("Ending an override without a schedule leaves the charger charging", {
    versions: NEWEST,
    given: [{ ask: "POST /chargers/{charger}/smart-override" }, { device: "charger", after: 60 }],
    request: { ask: "DELETE /chargers/{charger}/smart-override" },
    expect: { status: 200, body: { endedAt: INSTANT } },
    afterwards: [
      {
        ask: "GET /chargers/{charger}",
        after: 60,
        expect: { status: 200, body: { chargeState: { isCharging: true } } },
      },
    ],
  }),
  schedule("An override lasts until charging stops, for any reason", {
    versions: NEWEST,
    given: [
      scheduled({ defaultShouldCharge: false }),
      { ask: "POST /chargers/{charger}/smart-override" },
      { device: "charger", after: 60 },
      { device: "charger", show: { "charger.state": "UNPLUGGED", "charger.power": 0 }, after: 30 },
    ],
    request: { ask: "GET /chargers/{charger}/smart-override" },
    expect: { status: 404, problem: "not-found" },
    afterwards: [{ ask: STATUS, expect: { status: 200, body: { state: "ALIGNED", smartOverride: null } } }],
  }),
  schedule("A schedule stops what should not charge", {
    versions: NEWEST,
    given: [CHARGING, scheduled({ defaultShouldCharge: false })],
    ...at("ALIGNED", 60, { isCharging: false, isChargingExpected: false }),
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: false } } } },
    ],
  }),
  schedule("Before 2023-05-01 the override in the status is an external start", {
    versions: { before: "2023-05-01" },
    given: [
      { ...scheduled({ defaultShouldCharge: false }), version: "2024-10-01", ask: "POST /users/{user}/schedules" },
      { ask: "POST /chargers/{charger}/external-start" },
    ],
    ...at("INACTIVE:OVERRIDDEN", 60, { externalStart: { endedAt: null } }),
  }),
];

const POLICY = "PUT /chargers/{charger}/smart-charging-policy";
const SMART_STATUS = "GET /chargers/{charger}/smart-charging-status";

/** Smart charging of a charger that is at a location with prices. */
function smartly(body: object): readonly Ask[] {
  return [
    ...PRICED,
    { ask: "PUT /chargers/{charger}", body: { locationId: "{location}" } },
    { ask: POLICY, body: { isEnabled: true, ...body } },
  ];
}

const NIGHT = { deadline: "08:00", chargingDuration: "03:00" };

function seen(state: string, after = 30) {
  return { request: { ask: SMART_STATUS, after }, expect: { status: 200, body: { state, chargerId: "{charger}" } } };
}

const SMART_ROWS: readonly Row[] = [
  smart("Without a policy it is DISABLED", {
    request: { ask: SMART_STATUS },
    expect: {
      status: 200,
      exactly: { chargerId: "{charger}", userId: "{user}", state: "DISABLED", chargingIntervals: [] },
    },
  }),
  smart("A charger that does not answer is CHARGER_NOT_REACHABLE", {
    versions: NEWEST,
    given: [...smartly(NIGHT), { device: "charger", isUp: false, after: 120 }],
    ...seen("CHARGER_NOT_REACHABLE"),
  }),
  smart("A charger without a car is VEHICLE_NOT_PLUGGED_IN", {
    versions: NEWEST,
    given: [...smartly(NIGHT), { device: "charger", show: { "charger.state": "UNPLUGGED" }, after: 5 }],
    ...seen("VEHICLE_NOT_PLUGGED_IN"),
  }),
  smart("Outside of the cheapest hours it is CHARGING_PAUSED, and says when it will charge", {
    versions: NEWEST,
    given: [CHARGING, ...smartly(NIGHT)],
    request: { ask: SMART_STATUS, after: 60 },
    expect: {
      status: 200,
      body: {
        state: "CHARGING_PAUSED",
        chargingIntervals: [
          { status: "PLANNED", startTime: "2026-06-21T03:00:00.000Z", endTime: "2026-06-21T06:00:00.000Z" },
        ],
      },
    },
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: false } } } },
    ],
  }),
  smart("In the chosen hours it is CHARGING, and charges", {
    versions: NEWEST,
    given: smartly({ deadline: "08:00", chargingDuration: "08:00" }),
    request: { ask: SMART_STATUS, after: 60 },
    expect: { status: 200, body: { state: "CHARGING", chargingIntervals: [{ status: "IN_PROGRESS" }] } },
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: true } } } },
    ],
  }),
  smart("Without prices it is AWAITING_PRICES", {
    versions: NEWEST,
    given: [{ ask: POLICY, body: { isEnabled: true, ...NIGHT } }],
    ...seen("AWAITING_PRICES"),
  }),
  smart("When it is switched off it is DISABLED again", {
    versions: NEWEST,
    given: [...smartly(NIGHT), { ask: POLICY, body: { isEnabled: false } }],
    ...seen("DISABLED"),
  }),
];

export const CONTROL_TRANSITION_ROWS: readonly Row[] = [...SCHEDULE_ROWS, ...SMART_ROWS];
