/** Rules I2.1 to I2.3, as the newest version has them; what older versions call otherwise is in rule I9. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, BOOLEAN, CAPABLE, INCAPABLE, INSTANT, NEWEST, TEXT, UUID } from "../words.ts";

const capability = about("I2.1");
const battery = about("I2.2");
const action = about("I2.3");

const MODE = "POST /batteries/{battery}/operation-mode";
const LATER = expect.stringMatching(/^2026-06-21T00:01:0/);
const AT_FIRST = expect.stringMatching(/^2026-06-21T00:00:0/);
/** Long enough for a device that is dead to be held for it. */
const A_WHILE = 120;

const CAPABILITY_ROWS: readonly Row[] = [
  ...(
    [
      ["battery", "batteries", ["exportFocus", "importFocus", "timeOfUse", "selfReliance", "idle"]],
      ["hvac", "hvacs", ["setFollowSchedule", "setPermanentHold"]],
      ["charger", "chargers", ["information", "chargeState", "startCharging", "stopCharging", "setMaxCurrent"]],
      ["inverter", "inverters", ["productionState", "productionStatistics"]],
      ["meter", "meters", ["measuresConsumption", "measuresProduction"]],
    ] as const
  ).map(([kind, plural, names]) =>
    capability(`Each capability of a ${kind} says whether it can, and what would help`, {
      request: { ask: `GET /${plural}/{${kind}}` },
      expect: {
        status: 200,
        body: {
          capabilities: Object.fromEntries(
            names.map((name) => [name, { isCapable: BOOLEAN, interventionIds: expect.any(Array) }]),
          ),
        },
      },
    }),
  ),
  capability("What a device does not offer is not capable", {
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { capabilities: { timeOfUse: INCAPABLE, idle: CAPABLE } } },
  }),
];

const BATTERY_ROWS: readonly Row[] = [
  battery("A battery has these fields and no others", {
    versions: NEWEST,
    request: { ask: "GET /batteries/{battery}" },
    expect: {
      status: 200,
      exactly: {
        id: UUID,
        userId: "{user}",
        vendor: "SOLAREDGE",
        lastSeen: INSTANT,
        isReachable: true,
        chargeState: {
          status: "DISCHARGING",
          batteryCapacity: 10.24,
          batteryLevel: 55.5,
          chargeRate: -1.234,
          dischargeLimit: 10,
          lastUpdated: INSTANT,
        },
        config: { operationMode: "SELF_RELIANCE", lastUpdated: INSTANT },
        information: {
          id: "B-1",
          brand: "SolarEdge",
          model: "Home Battery",
          siteName: TEXT,
          installationDate: INSTANT,
        },
        capabilities: {
          exportFocus: CAPABLE,
          importFocus: CAPABLE,
          timeOfUse: INCAPABLE,
          selfReliance: CAPABLE,
          idle: CAPABLE,
        },
        scopes: ["battery:control:operation_mode", "battery:read:data", "battery:read:location"],
        location: { id: null, longitude: 13.4, latitude: 52.5, lastUpdated: INSTANT },
        hemSystemId: UUID,
      },
    },
  }),
  ...(
    [
      ["CHARGING", 2_000, 2],
      ["DISCHARGING", -2_000, -2],
      ["IDLE", 0, 0],
    ] as const
  ).map(([status, power, chargeRate]) =>
    battery(`A battery at ${power} W says ${status}`, {
      versions: NEWEST,
      given: [{ device: "battery", show: { "battery.power": power }, after: 5 }],
      request: { ask: "GET /batteries/{battery}" },
      expect: { status: 200, body: { chargeState: { status, chargeRate } } },
    }),
  ),
  battery("A battery says that it is at fault", {
    versions: NEWEST,
    given: [{ device: "battery", show: { "battery.status": "FAULT" }, after: 5 }],
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { chargeState: { status: "FAULT" } } },
  }),
  battery("What a battery cannot tell is null", {
    given: [
      {
        device: "battery",
        show: { "battery.power": null, "battery.soc": null, "battery.capacity": null, "battery.reserve": null },
        after: 5,
      },
    ],
    request: { ask: "GET /batteries/{battery}" },
    expect: {
      status: 200,
      body: { chargeState: { batteryCapacity: null, batteryLevel: null, chargeRate: null, dischargeLimit: null } },
    },
  }),
  battery("A mode that somebody else set is reported", {
    versions: NEWEST,
    given: [{ device: "battery", show: { "battery.mode": "IMPORT_FOCUS" }, after: 5 }],
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { config: { operationMode: "IMPORT_FOCUS" } } },
  }),
  battery("A mode that has no name here is UNKNOWN", {
    versions: NEWEST,
    given: [{ device: "battery", show: { "battery.mode": "UNKNOWN" }, after: 5 }],
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { config: { operationMode: "UNKNOWN" } } },
  }),
  battery("Each reading moves lastSeen, and lastUpdated of what it reported", {
    versions: NEWEST,
    request: { ask: "GET /batteries/{battery}", after: 60 },
    expect: { status: 200, body: { lastSeen: LATER, chargeState: { lastUpdated: LATER }, isReachable: true } },
  }),
  battery("A battery that does not answer is not reachable, and keeps what was known and when", {
    versions: NEWEST,
    given: [{ device: "battery", isUp: false, after: A_WHILE }],
    request: { ask: "GET /batteries/{battery}" },
    expect: {
      status: 200,
      body: { isReachable: false, lastSeen: AT_FIRST, chargeState: { batteryLevel: 55.5, lastUpdated: AT_FIRST } },
    },
  }),
  battery("A battery that answers again is reachable again", {
    versions: NEWEST,
    given: [
      { device: "battery", isUp: false, after: A_WHILE },
      { device: "battery", isUp: true, after: A_WHILE },
    ],
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { isReachable: true, lastSeen: expect.stringMatching(/T00:0[34]:/) } },
  }),
  battery("A location at its coordinates is the battery's", {
    versions: NEWEST,
    given: [
      {
        ask: "POST /users/{user}/locations",
        body: { name: "Here", latitude: 52.5, longitude: 13.4 },
        keep: { place: "id" },
      },
    ],
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { location: { id: "{place}" } } },
  }),
];

const ACTION_ROWS: readonly Row[] = [
  action("A battery's action has these fields and no others", {
    versions: NEWEST,
    request: { ask: MODE, body: { operationMode: "IMPORT_FOCUS" } },
    expect: {
      status: 200,
      exactly: {
        id: UUID,
        userId: "{user}",
        createdAt: INSTANT,
        updatedAt: INSTANT,
        completedAt: null,
        state: "PENDING",
        targetId: "{battery}",
        targetType: "battery",
        targetState: { operationMode: "IMPORT_FOCUS" },
        failureReason: null,
      },
    },
  }),
  action("An action of a unit's hold carries its target", {
    versions: NEWEST,
    request: { ask: "POST /hvacs/{hvac}/permanent-hold", body: { mode: "COOL", coolSetpoint: 24 } },
    expect: {
      status: 200,
      exactly: {
        id: UUID,
        userId: "{user}",
        createdAt: INSTANT,
        updatedAt: INSTANT,
        completedAt: null,
        state: "PENDING",
        targetId: "{hvac}",
        targetType: "hvac",
        target: { mode: "COOL", coolSetpoint: 24, holdType: "PERMANENT" },
        failureReason: null,
      },
    },
  }),
  action("A reason of failure has a type and words", {
    versions: NEWEST,
    given: [{ ask: MODE, body: { operationMode: "IMPORT_FOCUS" }, keep: { action: "id" } }],
    request: { ask: "POST /batteries/actions/{action}/cancel" },
    expect: {
      status: 200,
      body: {
        completedAt: INSTANT,
        failureReason: { type: "REQUESTED_CANCELLATION", detail: expect.stringMatching(/\w/) },
      },
    },
  }),
];

export const RESOURCE_DEVICE_ROWS: readonly Row[] = [...CAPABILITY_ROWS, ...BATTERY_ROWS, ...ACTION_ROWS];
