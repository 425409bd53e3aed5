/** Rule S8: statistics. */
import { expect } from "vitest";
import { CHARGER_AT_HOME } from "../given.ts";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const charging = says("S8.1");
const production = says("S8.2");
const vendor = says("S8.3");
const inverter = says("S8.4");
const older = says("S8.5");
const CHARGING = "GET /users/{user}/statistics/charging";
const SESSIONS = `${CHARGING}/sessions`;
const START = "startDate=2026-06-21T00:00:00Z";
const GOOD = `type=charger&${START}`;
const INVERTER = "GET /inverters/{inverter}/statistics";
const WITH_USERS = { from: "2023-08-01" };
/** The charger stands where there are prices, and charges from the third minute on. */
const CHARGED = [
  ...CHARGER_AT_HOME,
  { ask: "POST /chargers/{charger}/charging", body: { action: "START" }, after: 180 },
] as const;
/** As above for ten minutes, and not any more. */
const SESSION = [
  ...CHARGED,
  { ask: "POST /chargers/{charger}/charging", body: { action: "STOP" }, after: 600 },
] as const;

const WRONG = [
  ["no type", START],
  ["no start", "type=charger"],
  ["a type that there is not", `type=battery&${START}`],
  ["a start that is no instant", "type=charger&startDate=yesterday"],
  ["an end before its start", `${GOOD}&endDate=2026-06-20T00:00:00Z`],
  ["a resolution that there is not", `${GOOD}&resolution=FORTNIGHT`],
  ["an offset that is none", `${GOOD}&utcOffset=east`],
] as const;

const WRONG_PERIODS = ["month=6", "year=2026", "year=1968&month=6", "year=2026&month=13", "year=2026&month=6&day=32"];

export const STATISTICS_ROWS: readonly Row[] = [
  charging("Charging is given in days unless something else is asked for, with every key", {
    versions: ["2024-10-01", "2023-08-01"],
    given: CHARGED,
    request: { ask: `${CHARGING}?${GOOD}`, after: 600 },
    expect: {
      status: 200,
      exactly: [
        {
          kw: { min: expect.any(Number), max: expect.any(Number), mean: expect.any(Number) },
          kwhSum: expect.any(Number),
          price: { min: 0.3, max: 0.3, mean: 0.3 },
          costSum: expect.any(Number),
          nonSmartPrice: { min: null, max: null, mean: null },
          estimatedSavings: null,
          isCostKnown: true,
          kwhPriced: expect.any(Number),
          date: "2026-06-21T00:00:00.000Z",
        },
      ],
    },
  }),
  ...(
    [
      ["QUARTER_HOUR", "2026-06-21T00:00:00.000Z"],
      ["HALF_HOUR", "2026-06-21T00:00:00.000Z"],
      ["HOUR", "2026-06-21T00:00:00.000Z"],
      ["DAY", "2026-06-21T00:00:00.000Z"],
      ["WEEK", "2026-06-15T00:00:00.000Z"],
      ["MONTH", "2026-06-01T00:00:00.000Z"],
      ["YEAR", "2026-01-01T00:00:00.000Z"],
    ] as const
  ).map(([resolution, date]) =>
    charging(`A bucket of ${resolution} begins at ${date}`, {
      versions: NEWEST,
      given: CHARGED,
      request: { ask: `${CHARGING}?${GOOD}&resolution=${resolution}`, after: 400 },
      expect: { status: 200, body: [{ date, kwhSum: expect.any(Number) }] },
    }),
  ),
  charging("Days follow the offset", {
    versions: NEWEST,
    given: CHARGED,
    request: { ask: `${CHARGING}?${GOOD}&utcOffset=-5.5`, after: 400 },
    expect: { status: 200, body: [{ date: "2026-06-20T05:30:00.000Z" }] },
  }),
  charging("Buckets without consumption are left out", {
    versions: WITH_USERS,
    request: { ask: `${CHARGING}?type=vehicle&${START}` },
    expect: { status: 200, exactly: [] },
  }),
  charging("Heating is given by the same request", {
    versions: NEWEST,
    given: [{ device: "hvac", after: 400 }],
    request: { ask: `${CHARGING}?type=hvac&${START}` },
    expect: { status: 200, body: [{ kw: { mean: 1.2 } }] },
  }),
  ...WRONG.map(([what, query]) =>
    charging(`A question with ${what} is refused`, {
      versions: WITH_USERS,
      request: { ask: `${CHARGING}?${query}` },
      expect: { status: 400, body: { issues: [{ in: "query" }] } },
    }),
  ),
  charging("A device of another kind than the type is not found", {
    versions: WITH_USERS,
    request: { ask: `${CHARGING}?${GOOD}&id={inverter}` },
    expect: { status: 404, problem: "not-found", body: { title: "Asset not found" } },
  }),
  charging("Sessions of an unknown device are not found", {
    versions: WITH_USERS,
    request: { ask: `${SESSIONS}?${GOOD}&id={unknown}` },
    expect: { status: 404, problem: "not-found", body: { title: "Asset not found" } },
  }),
  charging("A session that goes on is not listed yet", {
    versions: NEWEST,
    given: CHARGED,
    request: { ask: `${SESSIONS}?${GOOD}`, after: 600 },
    expect: { status: 200, exactly: [] },
  }),
  charging("A session is listed at most 15 minutes after it ended, with every key", {
    versions: ["2024-10-01", "2023-08-01"],
    given: SESSION,
    request: { ask: `${SESSIONS}?${GOOD}`, after: 900 },
    expect: {
      status: 200,
      exactly: [
        {
          kw: { min: expect.any(Number), max: expect.any(Number), mean: expect.any(Number) },
          kwhSum: expect.any(Number),
          price: { min: 0.3, max: 0.3, mean: 0.3 },
          costSum: expect.any(Number),
          id: "{charger}",
          locationId: "{location}",
          from: expect.any(String),
          to: expect.any(String),
          nonSmartPrice: { min: null, max: null, mean: null },
          estimatedSavings: null,
          isCostKnown: true,
          kwhPriced: expect.any(Number),
        },
      ],
    },
  }),
  older("Before 2023-08-01 charging is asked for by the header's user and by other names", {
    versions: { before: "2023-08-01" },
    request: { ask: `GET /statistics/charging?targetType=charger&targetId={charger}&${START}` },
    expect: { status: 200, exactly: [] },
  }),
  older("Before 2023-08-01 a session has what is smart about it in a place of its own", {
    versions: ["2023-04-01"],
    given: SESSION,
    request: { ask: `GET /statistics/charging/sessions?targetType=charger&${START}`, after: 900 },
    expect: { status: 200, body: [{ smartSession: false, smartStats: { estimatedSavings: null } }] },
  }),
  production("Production is given in days", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [{ device: "inverter", after: 400 }],
    request: { ask: `GET /users/{user}/statistics/production?type=inverter&${START}` },
    expect: {
      status: 200,
      exactly: [
        {
          kw: { min: 3.21, max: 3.21, mean: 3.21 },
          kwhSum: expect.any(Number),
          price: { min: 0, max: 0, mean: 0 },
          earningsSum: 0,
          isCostKnown: false,
          kwhPriced: 0,
          date: "2026-06-21T00:00:00.000Z",
        },
      ],
    },
  }),
  production("Production is given under the header's user before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: `GET /statistics/production?type=inverter&${START}` },
    expect: { status: 200, body: [{ kw: { max: 3.21 }, date: "2026-06-21T00:00:00.000Z" }] },
  }),
  vendor("A vendor's statistics are kWh by the hour", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [{ device: "inverter", after: 400 }],
    request: { ask: `GET /users/{user}/vendor-statistics?inverterId={inverter}&resolution=HOUR&${START}` },
    expect: {
      status: 200,
      exactly: { production: { unit: "kWh", data: [{ date: "2026-06-21T00:00:00.000Z", value: expect.any(Number) }] } },
    },
  }),
  ...[
    `inverterId={inverter}&resolution=HOUR&startDate=2026-06-21T00:30:00Z`,
    `inverterId={inverter}&resolution=HOUR&startDate=2026-04-01T00:00:00Z`,
    `inverterId={inverter}&resolution=WEEK&${START}`,
    `inverterId={inverter}&${START}`,
    `resolution=HOUR&${START}`,
  ].map((query) =>
    vendor(`A vendor's statistics of ${query} are refused`, {
      versions: WITH_USERS,
      request: { ask: `GET /users/{user}/vendor-statistics?${query}` },
      expect: { status: 400 },
    }),
  ),
  inverter("A running day of an inverter is 202 in quarters of an hour, with a time to ask again", {
    versions: NEWEST,
    request: { ask: `${INVERTER}?year=2026&month=6&day=21` },
    expect: {
      status: 202,
      body: {
        timezone: "Europe/Berlin",
        resolutions: { QUARTER_HOUR: { unit: "kWh", data: expect.any(Array) } },
        retryAfter: expect.any(String),
      },
      lacks: ["resolutions.DAY"],
    },
  }),
  inverter("A running month of an inverter is 202 in days", {
    versions: NEWEST,
    request: { ask: `${INVERTER}?year=2026&month=6` },
    expect: { status: 202, body: { resolutions: { DAY: { unit: "kWh" } } }, lacks: ["resolutions.QUARTER_HOUR"] },
  }),
  inverter("Days of an inverter begin at its own midnight", {
    versions: NEWEST,
    request: { ask: `${INVERTER}?year=2026&month=6&day=21` },
    expect: {
      status: 202,
      body: {
        resolutions: {
          QUARTER_HOUR: {
            data: expect.toSatisfy(
              (data: readonly { date: string }[]) =>
                data[0]?.date === "2026-06-21T00:00:00+02:00" && data.length === 96,
            ),
          },
        },
      },
    },
  }),
  inverter("Statistics of an inverter from before its installation are refused", {
    versions: NEWEST,
    request: { ask: `${INVERTER}?year=2025&month=6` },
    expect: { status: 400, problem: "bad-request" },
  }),
  ...WRONG_PERIODS.map((query) =>
    inverter(`Statistics of an inverter for ${query} are refused`, {
      versions: NEWEST,
      request: { ask: `${INVERTER}?${query}` },
      expect: { status: 400, body: { issues: [{ in: "query" }] } },
    }),
  ),
  inverter("Statistics of an unknown inverter are not found", {
    versions: NEWEST,
    request: { ask: "GET /inverters/{unknown}/statistics?year=2026&month=6" },
    expect: { status: 404, problem: "not-found", body: { title: "Asset not found" } },
  }),
];
