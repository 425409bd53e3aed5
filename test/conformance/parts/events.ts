/** Rule I6: events. How they are delivered is in rule S1. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { about, INSTANT, LISTENING, NEWEST } from "../words.ts";

const says = about("I6");

const ALL_VERSIONS = ["2024-10-01", "2024-01-01", "2023-08-01", "2023-05-01", "2023-04-15", "2023-04-01"];
const IN_AN_HOUR = 3_600;

/** What each kind shows when something changes, and the field that tells it. */
const CHANGES = [
  { kind: "battery", show: { "battery.soc": 70 }, seen: { battery: { chargeState: { batteryLevel: 70 } } } },
  {
    kind: "charger",
    show: { "charger.state": "UNPLUGGED" },
    seen: { charger: { chargeState: { isPluggedIn: false } } },
  },
  { kind: "hvac", show: { "hvac.heatSetpoint": 18 }, seen: { hvac: { thermostatState: { heatSetpoint: 18 } } } },
  { kind: "inverter", show: { "inverter.power": 0 }, seen: { inverter: { productionState: { isProducing: false } } } },
  { kind: "meter", show: { "meter.power": 2_500 }, seen: { meter: { energyState: { power: 2.5 } } } },
  {
    kind: "vehicle",
    show: { "vehicle.soc": 60 },
    seen: { vehicle: { chargeState: { batteryLevel: 60 } } },
  },
] as const;

function listening(apiVersion: string): Ask {
  return { ...LISTENING, body: { url: "https://hooks.example/in", secret: "example-secret", apiVersion } };
}

export const EVENT_ROWS: readonly Row[] = [
  ...CHANGES.map(({ kind, show, seen }) =>
    says(`A change of a ${kind} sends an event within seven minutes`, {
      versions: NEWEST,
      given: [LISTENING, { device: kind, show: { ...show } }],
      request: { ask: "GET /webhooks/{webhook}" },
      expect: { status: 200 },
      afterwards: [
        {
          told: {
            event: `user:${kind}:updated`,
            version: "2024-10-01",
            createdAt: INSTANT,
            user: { id: "{user}" },
            updatedFields: expect.any(Array),
            ...seen,
          },
          after: 7 * 60,
        },
      ],
    }),
  ),
  ...ALL_VERSIONS.map((version) =>
    says(`An event to a webhook of ${version} carries that version`, {
      versions: NEWEST,
      given: [listening(version), { device: "battery", show: { "battery.soc": 70 } }],
      request: { ask: "GET /webhooks/{webhook}" },
      expect: { status: 200, body: { apiVersion: version } },
      afterwards: [{ told: { event: "user:battery:updated", version, battery: { id: "{battery}" } }, after: 420 }],
    }),
  ),
  says("An event's asset is in the webhook's version", {
    versions: NEWEST,
    given: [listening("2023-08-01"), { device: "battery", show: { "battery.soc": 70 } }],
    request: { ask: "GET /webhooks/{webhook}" },
    expect: { status: 200 },
    afterwards: [
      {
        told: { event: "user:battery:updated", battery: { locationId: null, location: { longitude: 13.4 } } },
        after: 420,
      },
    ],
  }),
  says("A webhook without a version gets the version that the client is pinned to", {
    versions: ["2023-04-01"],
    given: [LISTENING, { device: "battery", show: { "battery.soc": 70 } }],
    request: { ask: "GET /webhooks/{webhook}" },
    expect: { status: 200, body: { apiVersion: null } },
    afterwards: [{ told: { event: "user:battery:updated", version: "2024-10-01" }, after: 420 }],
  }),
  ...["battery", "charger", "hvac", "vehicle"].map((kind) => {
    const command = {
      battery: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "IMPORT_FOCUS" } },
      charger: { ask: "POST /chargers/{charger}/charging", body: { action: "START" } },
      hvac: { ask: "POST /hvacs/{hvac}/permanent-hold", body: { mode: "OFF" } },
      vehicle: { ask: "POST /vehicles/{vehicle}/charging", body: { action: "START" } },
    }[kind] ?? { ask: "" };
    return says(`An action on a ${kind} sends an event when it changes state`, {
      versions: NEWEST,
      given: [LISTENING],
      request: { ...command, keep: { action: "id" } },
      expect: { status: 200 },
      afterwards: [
        {
          told: {
            event: "user:vendor-action:updated",
            user: { id: "{user}" },
            vendorAction: { id: "{action}", state: "CONFIRMED", targetType: kind },
          },
          after: 60,
        },
      ],
    });
  }),
  says("What does not change sends no event", {
    versions: NEWEST,
    given: [LISTENING],
    request: { ask: "GET /webhooks/{webhook}", after: 420 },
    expect: { status: 200 },
    // Panels whose counter stands still while they give power would be told of, and rightly.
    afterwards: [{ notTold: { event: "user:meter:updated" } }, { notTold: { event: "user:charger:updated" } }],
  }),
  says("A webhook hears only of what it asked for", {
    versions: NEWEST,
    given: [
      {
        ...LISTENING,
        body: { url: "https://hooks.example/in", secret: "example-secret", events: ["user:charger:updated"] },
      },
      { device: "battery", show: { "battery.soc": 70 } },
      { device: "charger", show: { "charger.state": "UNPLUGGED" } },
    ],
    request: { ask: "GET /webhooks/{webhook}", after: 420 },
    expect: { status: 200 },
    afterwards: [{ told: { event: "user:charger:updated" } }, { notTold: { event: "user:battery:updated" } }],
  }),
  says("A battery that falls silent sends an event", {
    versions: NEWEST,
    given: [LISTENING, { device: "battery", isUp: false }],
    request: { ask: "GET /webhooks/{webhook}" },
    expect: { status: 200 },
    afterwards: [{ told: { event: "user:battery:updated", battery: { isReachable: false } }, after: 420 }],
  }),
  says("No event is sent of a user whose authorization was deleted", {
    versions: NEWEST,
    given: [LISTENING, { ask: "DELETE /users/{neighbour}/authorization" }],
    request: { ask: "GET /webhooks/{webhook}" },
    expect: { status: 200 },
    afterwards: [
      { device: "neighbourMeter", show: { "meter.power": 3_000 }, after: IN_AN_HOUR / 6 },
      { notTold: { user: { id: "{neighbour}" } } },
    ],
  }),
  says("A schedule sends an event when it changes state", {
    versions: NEWEST,
    given: [
      LISTENING,
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetId: "{charger}",
          targetType: "charger",
          locationId: null,
          isEnabled: true,
          defaultShouldCharge: true,
          rules: [],
        },
        keep: { schedule: "id" },
      },
    ],
    request: { ask: "GET /webhooks/{webhook}" },
    expect: { status: 200 },
    afterwards: [
      {
        told: {
          event: "user:schedule:execution-updated",
          status: { scheduleId: "{schedule}", state: "ALIGNED" },
          schedule: { id: "{schedule}" },
        },
        after: 90,
      },
    ],
  }),
];
