/** Rules I2.10 to I2.19: records that are not devices. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, BOOLEAN, HOUSE, INSTANT, LISTENING, NEWEST, NOT_CUT, PLACED, PRICED, TEXT, UUID } from "../words.ts";

const SCHEDULE = {
  targetId: "{charger}",
  targetType: "charger",
  locationId: null,
  isEnabled: true,
  defaultShouldCharge: false,
  rules: [{ hourMinute: { from: "22:00", to: "06:00" }, weekdays: [0, 6], shouldCharge: true }],
};
const STARTED = { ask: "POST /chargers/{charger}/smart-override" };

export const RESOURCE_RECORD_ROWS: readonly Row[] = [
  about("I2.10")("A location has these fields and no others", {
    versions: NEWEST,
    request: PLACED,
    expect: { status: 201, exactly: { ...HOUSE, id: UUID, userId: "{user}", createdAt: INSTANT } },
  }),
  about("I2.11")("A listed user has an id, a date and scopes", {
    request: { ask: "GET /users" },
    expect: {
      status: 200,
      body: {
        data: [
          { id: TEXT, createdAt: INSTANT, scopes: expect.any(Array) },
          { id: TEXT, createdAt: INSTANT, scopes: expect.any(Array) },
        ],
        pagination: NOT_CUT,
      },
    },
  }),
  about("I2.11")("A single user also lists linked vendors, and whether their credentials are valid", {
    request: { ask: "GET /users/{neighbour}" },
    expect: {
      status: 200,
      exactly: {
        id: "{neighbour}",
        createdAt: INSTANT,
        scopes: expect.any(Array),
        linkedVendors: [{ vendor: "HUAWEI", vendorType: "meter", isValid: true }],
      },
    },
  }),
  about("I2.12")("A schedule has these fields and no others", {
    versions: NEWEST,
    request: { ask: "POST /users/{user}/schedules", body: SCHEDULE },
    expect: { status: 200, exactly: { id: UUID, ...SCHEDULE } },
  }),
  about("I2.12")("A rule may be limited by instants", {
    versions: NEWEST,
    request: {
      ask: "POST /users/{user}/schedules",
      body: {
        ...SCHEDULE,
        rules: [
          { fromTimestamp: "2026-07-01T00:00:00Z", toTimestamp: "2026-07-02T00:00:00+02:00", shouldCharge: true },
        ],
      },
    },
    expect: { status: 200, body: { rules: [{ shouldCharge: true }] } },
  }),
  about("I2.12")("A schedule's status has these fields and no others, and at most two coming changes", {
    versions: NEWEST,
    given: [{ ask: "POST /users/{user}/schedules", body: SCHEDULE, keep: { schedule: "id" } }],
    request: { ask: "GET /schedules/{schedule}/status", after: 5 },
    expect: {
      status: 200,
      exactly: {
        scheduleId: "{schedule}",
        scheduleType: "CHARGE",
        changedAt: INSTANT,
        state: TEXT,
        isCharging: BOOLEAN,
        isChargingExpected: false,
        isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: false },
        upcomingTransitions: [
          { at: "2026-06-21T22:00:00.000Z", shouldCharge: true },
          { at: "2026-06-22T06:00:00.000Z", shouldCharge: false },
        ],
        smartOverride: null,
      },
    },
  }),
  about("I2.12")("A temperature schedule has target states", {
    versions: { from: "2023-08-01" },
    request: {
      ask: "POST /users/{user}/schedules",
      body: {
        targetId: "{hvac}",
        targetType: "hvac",
        isEnabled: false,
        defaultTargetState: { holdType: "SCHEDULED" },
        rules: [{ weekdays: [0], targetState: { holdType: "PERMANENT", mode: "COOL", coolSetpoint: 22 } }],
      },
    },
    expect: {
      status: 200,
      body: {
        targetType: "hvac",
        defaultTargetState: { holdType: "SCHEDULED" },
        rules: [{ targetState: { holdType: "PERMANENT", mode: "COOL", coolSetpoint: 22 } }],
      },
      lacks: ["locationId"],
    },
  }),
  about("I2.12")("Temperature schedules are from 2023-05-01", {
    versions: { from: "2023-05-01", before: "2023-08-01" },
    request: {
      ask: "POST /schedules",
      body: {
        targetId: "{hvac}",
        targetType: "hvac",
        isEnabled: false,
        defaultTargetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 20 },
        rules: [],
      },
    },
    expect: { status: 201, body: { defaultTargetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 20 } } },
  }),
  about("I2.13")("A smart override has these fields and no others", {
    versions: NEWEST,
    request: STARTED,
    expect: {
      status: 200,
      exactly: {
        createdAt: INSTANT,
        endedAt: null,
        targetId: "{charger}",
        targetType: "charger",
        vendorActionId: UUID,
        userId: "{user}",
        vendor: "KEBA",
      },
    },
  }),
  about("I2.13")("An override of what charges already names no action", {
    versions: NEWEST,
    given: [{ device: "charger", show: { "charger.state": "PLUGGED_IN:CHARGING", "charger.power": 7_400 }, after: 5 }],
    request: STARTED,
    expect: { status: 200, body: { vendorActionId: null, endedAt: null } },
  }),
  about("I2.14")("A tariff is names with costs as text", {
    given: [{ ask: "PUT /tariffs/t", body: [{ name: "a", cost: "0.123456789" }] }],
    request: { ask: "GET /tariffs/t" },
    expect: { status: 200, exactly: [{ name: "a", cost: "0.123456789" }] },
  }),
  about("I2.14")("A tariff's entries name the hours in UTC; without weekdays they are of the whole week", {
    versions: NEWEST,
    given: PRICED,
    request: { ask: "GET /locations/{location}/tariff" },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        { fromHourMinute: "03:00", toHourMinute: "06:00", tariffId: "night", tariffName: "night" },
      ]),
    },
  }),
  about("I2.16")("An intervention has these fields and no others", {
    versions: NEWEST,
    request: { ask: "GET /interventions" },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        {
          id: UUID,
          vendor: "ENPHASE",
          vendorType: "battery",
          brand: "Enphase",
          introducedAt: INSTANT,
          domain: "Account",
          resolution: { title: TEXT, description: TEXT, access: TEXT, agent: TEXT, action: "Link" },
        },
      ]),
    },
  }),
  about("I2.17")("An entry of vendor health has these fields and no others", {
    request: { ask: "GET /health/chargers" },
    expect: {
      status: 200,
      exactly: [{ vendor: "KEBA", displayName: "KEBA", portalName: TEXT, status: "READY", linkingStatus: "READY" }],
    },
  }),
  about("I2.18")("A client may have several webhooks", {
    given: [LISTENING, { ...LISTENING, body: { url: "https://hooks.example/more", secret: "example-secret" } }],
    request: { ask: "GET /webhooks" },
    expect: {
      status: 200,
      body: {
        data: expect.arrayContaining([
          expect.objectContaining({ url: "https://hooks.example/in" }),
          expect.objectContaining({ url: "https://hooks.example/more" }),
        ]),
      },
    },
  }),
  about("I2.19")("The first page has no cursor before it", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /meters?pageSize=1" },
    expect: {
      status: 200,
      exactly: { data: [expect.any(Object)], pagination: { after: TEXT, before: null } },
    },
  }),
  about("I2.19")("The last page has no cursor after it, and one before", {
    versions: { from: "2023-08-01" },
    given: [{ ask: "GET /meters?pageSize=1", keep: { next: "pagination.after" } }],
    request: { ask: "GET /meters?pageSize=1&after={next}" },
    expect: {
      status: 200,
      exactly: { data: [expect.any(Object)], pagination: { after: null, before: TEXT } },
    },
  }),
  about("I2.19")("The cursor before a page leads back", {
    versions: { from: "2023-08-01" },
    given: [
      { ask: "GET /meters?pageSize=1", keep: { next: "pagination.after", first: "data.0.id" } },
      { ask: "GET /meters?pageSize=1&after={next}", keep: { back: "pagination.before" } },
    ],
    request: { ask: "GET /meters?pageSize=1&before={back}" },
    expect: { status: 200, body: { data: [{ id: "{first}" }], pagination: { before: null } } },
  }),
];
