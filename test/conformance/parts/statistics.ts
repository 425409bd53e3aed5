/** Rules I4.11 and I2.15: statistics. */
import { expect } from "vitest";
import type { Ask, Happening, Row } from "../row.ts";
import { about, INSTANT, NEWEST, NUMBER, PRICED, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const says = about("I4.11");
const record = about("I2.15");

const SINCE = "startDate=2026-06-20T00:00:00Z";
const CHARGING = `/users/{user}/statistics/charging?type=charger&${SINCE}`;
const SESSIONS = `/users/{user}/statistics/charging/sessions?type=charger&${SINCE}`;
const PRODUCTION = `/users/{user}/statistics/production?type=inverter&${SINCE}`;
const VENDOR = `/inverters/{inverter}/vendor-statistics?resolution=HOUR&${SINCE}`;
const RANGE = { min: NUMBER, max: NUMBER, mean: NUMBER };
const REFUSED = { status: 400, body: { issues: expect.any(Array) } };
const NO_ASSET = { status: 404, problem: "not-found", body: { title: "Asset not found" } };

const CHARGES: Happening = {
  device: "charger",
  show: { "charger.state": "PLUGGED_IN:CHARGING", "charger.power": 6_000 },
  after: 600,
};
const STOPS: Happening = {
  device: "charger",
  show: { "charger.state": "PLUGGED_IN:STOPPED", "charger.power": 0 },
  after: 900,
};
/** Charging at a place with prices, for ten minutes. */
const CHARGED: readonly (Ask | Happening)[] = [
  ...PRICED,
  { ask: "PUT /chargers/{charger}", body: { locationId: "{location}" } },
  CHARGES,
];

/** A kWh for ten minutes of 6 kW, at 0.30. */
const ENERGY = expect.closeTo(1, 1);
const MONEY = expect.closeTo(0.3, 1);

const RECORD_ROWS: readonly Row[] = [
  record("A charging entry has power, energy, prices, cost and savings", {
    versions: NEWEST,
    given: CHARGED,
    request: { ask: `GET ${CHARGING}&resolution=DAY` },
    expect: {
      status: 200,
      exactly: [
        {
          kw: { min: 6, max: 6, mean: 6 },
          kwhSum: ENERGY,
          price: { min: 0.3, max: 0.3, mean: 0.3 },
          costSum: MONEY,
          nonSmartPrice: expect.any(Object),
          estimatedSavings: null,
          isCostKnown: true,
          kwhPriced: NUMBER,
          date: "2026-06-21T00:00:00.000Z",
        },
      ],
    },
  }),
  record("A session has its edges, its charger and its location", {
    versions: NEWEST,
    given: [...CHARGED, STOPS],
    request: { ask: `GET ${SESSIONS}` },
    expect: {
      status: 200,
      exactly: [
        {
          kw: { min: 6, max: 6, mean: 6 },
          kwhSum: ENERGY,
          price: { min: 0.3, max: 0.3, mean: 0.3 },
          costSum: MONEY,
          id: "{charger}",
          locationId: "{location}",
          from: INSTANT,
          to: INSTANT,
          nonSmartPrice: expect.any(Object),
          estimatedSavings: null,
          isCostKnown: true,
          kwhPriced: NUMBER,
        },
      ],
    },
  }),
  record("Before 2023-08-01 a session's savings are in smartStats, beside a flag", {
    versions: USER_IN_HEADER,
    given: [CHARGES, STOPS],
    request: { ask: `GET /statistics/charging/sessions?targetType=charger&${SINCE}` },
    expect: {
      status: 200,
      body: [
        { id: "{charger}", smartSession: false, smartStats: { estimatedSavings: null }, chargingLocationId: null },
      ],
      lacks: ["0.estimatedSavings", "0.nonSmartPrice", "0.locationId"],
    },
  }),
  record("A production entry has power, energy, prices and earnings", {
    versions: NEWEST,
    request: { ask: `GET ${PRODUCTION}` },
    expect: {
      status: 200,
      exactly: [
        {
          kw: { min: 3.21, max: 3.21, mean: 3.21 },
          kwhSum: NUMBER,
          price: RANGE,
          earningsSum: NUMBER,
          isCostKnown: expect.any(Boolean),
          kwhPriced: NUMBER,
          date: INSTANT,
        },
      ],
    },
  }),
  record("Charging whose price nobody knows says so, with no cost", {
    versions: { from: "2023-08-01" },
    given: [CHARGES, STOPS],
    request: { ask: `GET ${CHARGING}` },
    expect: { status: 200, body: [{ isCostKnown: false, kwhPriced: 0, costSum: 0, estimatedSavings: null }] },
    afterwards: [
      {
        ask: `GET ${SESSIONS}`,
        expect: { status: 200, body: [{ isCostKnown: false, kwhPriced: 0, costSum: 0, estimatedSavings: null }] },
      },
    ],
  }),
  record("Vendor statistics are production with its unit", {
    request: { ask: `GET ${VENDOR}` },
    expect: {
      status: 200,
      exactly: { production: { unit: "kWh", data: [{ date: "2026-06-21T00:00:00.000Z", value: NUMBER }] } },
    },
  }),
];

/** What every statistic of the newer paths refuses. */
const WRONG: readonly (readonly [string, string])[] = [
  ["charging without a start", "/users/{user}/statistics/charging?type=charger"],
  ["charging without a type", `/users/{user}/statistics/charging?${SINCE}`],
  ["charging of a type that does not charge", `/users/{user}/statistics/charging?type=battery&${SINCE}`],
  ["charging with a resolution that there is not", `${CHARGING}&resolution=FORTNIGHT`],
  ["charging with a start that is no instant", "/users/{user}/statistics/charging?type=charger&startDate=yesterday"],
  ["sessions without a start", "/users/{user}/statistics/charging/sessions?type=charger"],
  ["sessions without a type", `/users/{user}/statistics/charging/sessions?${SINCE}`],
  ["production without a start", "/users/{user}/statistics/production?type=inverter"],
];
const WRONG_VENDOR: readonly (readonly [string, string])[] = [
  ["without a resolution", `/inverters/{inverter}/vendor-statistics?${SINCE}`],
  ["by the week", `/inverters/{inverter}/vendor-statistics?resolution=WEEK&${SINCE}`],
  ["without a start", "/inverters/{inverter}/vendor-statistics?resolution=HOUR"],
  ["from within an hour", "/inverters/{inverter}/vendor-statistics?resolution=HOUR&startDate=2026-06-20T00:30:00Z"],
  ["over more than a month", "/inverters/{inverter}/vendor-statistics?resolution=DAY&startDate=2026-05-01T00:00:00Z"],
  ["that end before they begin", `${VENDOR}&endDate=2026-06-19T00:00:00Z`],
];

export const STATISTICS_ROWS: readonly Row[] = [
  ...RECORD_ROWS,
  ...["QUARTER_HOUR", "HALF_HOUR", "HOUR", "DAY", "WEEK", "MONTH", "YEAR"].flatMap((resolution) => [
    says(`Charging may be asked for by ${resolution}`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET ${CHARGING}&resolution=${resolution}` },
      expect: { status: 200, exactly: [] },
    }),
    says(`Production may be asked for by ${resolution}`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET ${PRODUCTION}&resolution=${resolution}` },
      expect: { status: 200, body: [{ kw: { max: 3.21 } }] },
    }),
  ]),
  ...(
    [
      ["charger", []],
      ["vehicle", []],
      ["hvac", [{ kw: { max: 1.2 } }]],
    ] as const
  ).map(([type, body]) =>
    says(`Charging may be asked for of the type ${type}`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET /users/{user}/statistics/charging?type=${type}&${SINCE}` },
      expect: { status: 200, body },
    }),
  ),
  says("The kind of device must be that of type", {
    versions: USERS_IN_PATHS,
    request: { ask: `GET ${CHARGING}&id={vehicle}` },
    expect: NO_ASSET,
  }),
  ...[CHARGING, SESSIONS, PRODUCTION].map((path) =>
    says(`An unknown device is not found at ${path.split("?")[0]}`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET ${path}&id={unknown}` },
      expect: NO_ASSET,
    }),
  ),
  ...WRONG.map(([what, path]) =>
    says(`Statistics are refused: ${what}`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET ${path}` },
      expect: REFUSED,
    }),
  ),
  says("A location that has nothing at it has no statistics", {
    versions: NEWEST,
    given: CHARGED.concat([
      { ask: "POST /users/{user}/locations", body: { name: "Else", latitude: 1, longitude: 1 }, keep: { other: "id" } },
    ]),
    request: { ask: `GET ${CHARGING}&locationId={other}` },
    expect: { status: 200, exactly: [] },
    afterwards: [
      { ask: `GET ${CHARGING}&locationId={location}`, expect: { status: 200, body: [{ kwhSum: ENERGY }] } },
      { ask: `GET ${CHARGING}&id={charger}`, expect: { status: 200, body: [{ kwhSum: ENERGY }] } },
    ],
  }),
  says("Days follow utcOffset; hours do not", {
    versions: NEWEST,
    given: [CHARGES],
    request: { ask: `GET ${CHARGING}&resolution=DAY&utcOffset=-5.5` },
    expect: { status: 200, body: [{ date: "2026-06-20T05:30:00.000Z" }] },
    afterwards: [
      {
        ask: `GET ${CHARGING}&resolution=HOUR&utcOffset=-5.5`,
        expect: { status: 200, body: [{ date: "2026-06-21T00:00:00.000Z" }] },
      },
    ],
  }),
  says("A session appears within 15 minutes of its end", {
    versions: NEWEST,
    given: [CHARGES, { ...STOPS, after: 900 }],
    request: { ask: `GET ${SESSIONS}` },
    expect: { status: 200, body: [{ id: "{charger}" }] },
  }),
  says("Before 2023-08-01 statistics are of the header's user, by targetType and targetId", {
    versions: USER_IN_HEADER,
    request: { ask: `GET /statistics/charging?targetType=charger&targetId={charger}&${SINCE}` },
    expect: { status: 200, exactly: [] },
  }),
  says("Before 2023-08-01 an unknown target is not found", {
    versions: USER_IN_HEADER,
    request: { ask: `GET /statistics/charging/sessions?targetType=charger&targetId={unknown}&${SINCE}` },
    expect: NO_ASSET,
  }),
  says("Before 2023-08-01 production is of the header's user", {
    versions: USER_IN_HEADER,
    request: { ask: `GET /statistics/production?${SINCE}` },
    expect: { status: 200, body: [{ kw: { max: 3.21 } }] },
  }),
  says("The paths without a user are gone from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: `GET /statistics/charging?type=charger&${SINCE}` },
    expect: { status: 404, problem: "not-found" },
  }),
  ...WRONG_VENDOR.map(([what, path]) =>
    says(`Vendor statistics are refused ${what}`, { request: { ask: `GET ${path}` }, expect: { status: 400 } }),
  ),
  says("Vendor statistics of an unknown inverter are not found", {
    request: { ask: `GET /inverters/{unknown}/vendor-statistics?resolution=HOUR&${SINCE}` },
    expect: { status: 404, problem: "not-found" },
  }),
  says("Vendor statistics are also under the user, from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: `GET /users/{user}/vendor-statistics?inverterId={inverter}&resolution=DAY&${SINCE}` },
    expect: { status: 200, body: { production: { unit: "kWh" } } },
  }),
];
