/** Rule S1.7: what the events say. */
import { expect } from "vitest";
import { LOCATION } from "../given.ts";
import type { Happening, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { LISTENING } from "../words.ts";
import { HOOK, HOOKED } from "./supplement-1-webhooks.ts";
import { TEMPERATURE } from "./supplement-7-schedules.ts";

const row = says("S1.7");
const READ = { ask: "GET /webhooks" };
const BATTERY_CHANGE: Happening = { device: "battery", show: { "battery.mode": "EXPORT_FOCUS" }, after: 5 };
const ENVELOPE = { createdAt: expect.any(String), version: "2024-10-01" };

/** By the vendor's point; a meter has numbers alone, which are told within minutes. */
const CHANGES = [
  ["battery", { "battery.mode": "EXPORT_FOCUS" }, "config.operationMode", 5],
  ["charger", { "charger.state": "UNPLUGGED" }, "chargeState.isPluggedIn", 5],
  ["hvac", { "hvac.mode": "COOL" }, "thermostatState.mode", 5],
  ["inverter", { "inverter.power": 0 }, "productionState.isProducing", 5],
  ["meter", { "meter.power": 1_000 }, "energyState.power", 400],
  ["vehicle", { "vehicle.state": "UNPLUGGED" }, "chargeState.isPluggedIn", 5],
] as const;

const SIMULATED_KINDS = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const;

/** A webhook of a version; what it hears of when the house's location is made, which moves its devices. */
const movedIn = (apiVersion: string) =>
  ({
    versions: NEWEST,
    given: [{ ...LISTENING, body: { ...HOOK, apiVersion } }],
    request: { ...LOCATION },
    expect: { status: 201 },
  }) as const;

export const EVENT_ROWS: readonly Row[] = [
  row("updatedFields of an older version are that version's fields", {
    ...movedIn("2024-01-01"),
    afterwards: [
      {
        after: 30,
        told: { event: "user:battery:updated", version: "2024-01-01", updatedFields: ["locationId"] },
        notTold: { event: "user:battery:updated", updatedFields: expect.arrayContaining(["location.id"]) },
      },
    ],
  }),
  row("An event with none of a version's fields is not sent in that version", {
    ...movedIn("2024-01-01"),
    afterwards: [{ after: 30, told: { event: "user:vehicle:updated" }, notTold: { event: "user:meter:updated" } }],
  }),
  row("The same event is sent in a version that has the field", {
    ...movedIn("2024-10-01"),
    afterwards: [
      { after: 30, told: { event: "user:meter:updated", updatedFields: expect.arrayContaining(["location.id"]) } },
    ],
  }),
  row("updatedFields name the fields that only an older version has", {
    versions: NEWEST,
    given: [{ ...LISTENING, body: { ...HOOK, apiVersion: "2023-05-01" } }, LOCATION],
    request: { ask: "PUT /hvacs/{hvac}", body: { locationId: "{location}" } },
    expect: { status: 200 },
    afterwards: [
      {
        after: 30,
        told: {
          event: "user:hvac:updated",
          updatedFields: expect.arrayContaining(["locationId", "chargingLocationId"]),
          hvac: { chargingLocationId: "{location}" },
        },
      },
    ],
  }),
  row("A schedule of a kind that a version lacks sends no event in that version", {
    versions: NEWEST,
    given: [{ ...LISTENING, body: { ...HOOK, apiVersion: "2023-04-15" } }],
    request: { ask: "POST /users/{user}/schedules", body: { ...TEMPERATURE, isEnabled: true } },
    expect: { status: 200 },
    afterwards: [{ after: 30, notTold: { event: "user:schedule:execution-updated" } }],
  }),
  ...CHANGES.map(([kind, show, path, after]) =>
    row(`user:${kind}:updated has the whole ${kind}, its user, and the paths that changed`, {
      versions: NEWEST,
      given: [HOOKED, { device: kind, show, after }],
      request: READ,
      expect: { status: 200 },
      afterwards: [
        {
          told: {
            ...ENVELOPE,
            event: `user:${kind}:updated`,
            user: { id: "{user}" },
            [kind]: { id: `{${kind}}`, vendor: expect.any(String), capabilities: expect.any(Object) },
            updatedFields: expect.arrayContaining([path]),
          },
        },
      ],
    }),
  ),
  ...SIMULATED_KINDS.flatMap((kind) => [
    row(`user:${kind}:discovered comes with what the ${kind} is, and :updated soon after`, {
      versions: NEWEST,
      house: "sandbox",
      given: [HOOKED, { ask: `POST /local/simulated/${kind}`, body: { userId: "ada" }, keep: { made: "id" } }],
      request: { ...READ, after: 30 },
      expect: { status: 200 },
      afterwards: [
        {
          told: {
            ...ENVELOPE,
            event: `user:${kind}:discovered`,
            user: { id: "ada" },
            [kind]: { id: expect.any(String), userId: "ada", isReachable: false, information: expect.any(Object) },
          },
        },
        { notTold: { event: `user:${kind}:discovered`, updatedFields: expect.anything() } },
        {
          told: {
            event: `user:${kind}:updated`,
            user: { id: "ada" },
            [kind]: { isReachable: true },
            updatedFields: expect.arrayContaining(["isReachable"]),
          },
        },
      ],
    }),
    row(`user:${kind}:deleted comes with the ${kind} as it was known last`, {
      versions: NEWEST,
      house: "sandbox",
      given: [
        { ask: `POST /local/simulated/${kind}`, body: { userId: "ada" }, keep: { made: "id" } },
        { ...HOOKED, after: 30 },
      ],
      request: { ask: `DELETE /local/simulated/${kind}/{made}` },
      expect: { status: 204 },
      afterwards: [
        {
          after: 120,
          told: {
            ...ENVELOPE,
            event: `user:${kind}:deleted`,
            user: { id: "ada" },
            [kind]: { userId: "ada", information: expect.any(Object) },
          },
        },
      ],
    }),
  ]),
  row("A webhook of an older version gets assets as that version has them", {
    versions: NEWEST,
    given: [{ ...HOOKED, body: { ...HOOK, apiVersion: "2024-01-01" } }, BATTERY_CHANGE],
    request: READ,
    expect: { status: 200 },
    afterwards: [
      { told: { version: "2024-01-01", event: "user:battery:updated", battery: { locationId: null } } },
      { notTold: { battery: { hemSystemId: expect.anything() } } },
    ],
  }),
  ...["2023-04-01", "2023-04-15", "2023-05-01", "2023-08-01"].map((apiVersion) =>
    row(`A webhook of ${apiVersion} gets events that say so`, {
      versions: NEWEST,
      given: [{ ...HOOKED, body: { ...HOOK, apiVersion } }, BATTERY_CHANGE],
      request: READ,
      expect: { status: 200 },
      afterwards: [
        { told: { version: apiVersion, createdAt: expect.any(String), event: "user:battery:updated" } },
        { notTold: { version: "2024-10-01" } },
      ],
    }),
  ),
  row("A webhook gets only the events that it asks for", {
    versions: NEWEST,
    given: [{ ...HOOKED, body: { ...HOOK, events: ["user:meter:updated"] } }, BATTERY_CHANGE],
    request: READ,
    expect: { status: 200 },
    afterwards: [{ requests: 0 }],
  }),
  ...(
    [
      ["charge", "charger", "/chargers/{charger}/charging", { action: "START" }, { kind: "START" }],
      [
        "max-current",
        "charger",
        "/chargers/{charger}/max-current",
        { maxCurrent: 10 },
        { targetState: { maxCurrent: 10 } },
      ],
      ["hold", "hvac", "/hvacs/{hvac}/permanent-hold", { mode: "OFF" }, { target: { mode: "OFF" } }],
      ["follow-schedule", "hvac", "/hvacs/{hvac}/follow-schedule", undefined, { target: { holdType: "SCHEDULED" } }],
      [
        "battery",
        "battery",
        "/batteries/{battery}/operation-mode",
        { operationMode: "IMPORT_FOCUS" },
        { targetState: { operationMode: "IMPORT_FOCUS" } },
      ],
    ] as const
  ).map(([name, targetType, path, body, more]) =>
    row(`user:vendor-action:updated tells of every step of a ${name} action`, {
      versions: NEWEST,
      given:
        name === "follow-schedule"
          ? [
              { ask: "POST /hvacs/{hvac}/permanent-hold", body: { mode: "OFF" } },
              { ...HOOKED, after: 60 },
            ]
          : [HOOKED],
      request: { ask: `POST ${path}`, ...(body !== undefined && { body }) },
      expect: { status: 200 },
      afterwards: [
        {
          after: 60,
          told: {
            ...ENVELOPE,
            event: "user:vendor-action:updated",
            user: { id: "{user}" },
            vendorAction: { targetType, state: "PENDING", ...more },
            updatedFields: expect.any(Array),
          },
        },
        {
          told: {
            event: "user:vendor-action:updated",
            vendorAction: { targetType, state: "CONFIRMED" },
            updatedFields: expect.arrayContaining(["state"]),
          },
        },
      ],
    }),
  ),
  row("user:schedule:execution-updated has the schedule and its status", {
    versions: NEWEST,
    given: [HOOKED],
    request: {
      ask: "POST /users/{user}/schedules",
      body: {
        targetType: "charger",
        targetId: "{charger}",
        locationId: null,
        isEnabled: true,
        defaultShouldCharge: true,
        rules: [],
      },
    },
    expect: { status: 200 },
    afterwards: [
      {
        after: 60,
        told: {
          ...ENVELOPE,
          event: "user:schedule:execution-updated",
          user: { id: "{user}" },
          status: { scheduleType: "CHARGE", state: "ALIGNED" },
          schedule: { targetId: "{charger}", isEnabled: true },
          updatedFields: expect.any(Array),
        },
      },
    ],
  }),
  row("user:vehicle:smart-charging-status-updated has the status", {
    versions: NEWEST,
    given: [
      HOOKED,
      {
        ask: "POST /users/{user}/locations",
        body: { name: "House", latitude: 52.5, longitude: 13.4 },
        keep: { location: "id" },
      },
      { ask: "PUT /tariffs/flat", body: [{ name: "flat", cost: "0.30" }] },
      {
        ask: "PUT /locations/{location}/tariff",
        body: { tariffId: "flat", tariffIntervals: [{ name: "flat", from: "00:00", to: "24:00" }] },
      },
    ],
    request: {
      ask: "PUT /vehicles/{vehicle}/smart-charging-policy",
      body: { isEnabled: true, deadline: "07:00" },
      after: 30,
    },
    expect: { status: 200 },
    afterwards: [
      {
        after: 60,
        told: {
          ...ENVELOPE,
          event: "user:vehicle:smart-charging-status-updated",
          user: { id: "{user}" },
          smartChargingStatus: { vehicleId: "{vehicle}", state: "CONSIDERING" },
          updatedFields: expect.arrayContaining(["state"]),
        },
      },
    ],
  }),
  row("user:hem-system:updated tells of a system that changes", {
    versions: NEWEST,
    given: [HOOKED],
    request: { ask: "GET /hem-systems", after: 900 },
    expect: { status: 200 },
    afterwards: [
      {
        told: {
          ...ENVELOPE,
          event: "user:hem-system:updated",
          user: { id: "{user}" },
          hemSystem: { information: { name: "Home" } },
          updatedFields: expect.any(Array),
        },
      },
    ],
  }),
  row("user:inverter:statistics-updated names the inverter and the days", {
    versions: NEWEST,
    given: [HOOKED, { ask: "GET /inverters/{inverter}/statistics?year=2026&month=6&day=21" }],
    request: { ...READ, after: 1_900 },
    expect: { status: 200 },
    afterwards: [
      {
        told: {
          ...ENVELOPE,
          event: "user:inverter:statistics-updated",
          user: { id: "{user}" },
          statistics: {
            inverterId: "{inverter}",
            year: 2026,
            timezone: expect.any(String),
            resolutions: expect.anything(),
          },
        },
      },
    ],
  }),
  row("A user without authorization causes no more events", {
    versions: NEWEST,
    given: [HOOKED, { ask: "DELETE /users/{user}/authorization" }],
    request: { ...READ, after: 30 },
    expect: { status: 200 },
    afterwards: [
      BATTERY_CHANGE,
      { notTold: { event: "user:battery:updated", battery: { config: { operationMode: "EXPORT_FOCUS" } } } },
    ],
  }),
];
