/** Rules S6.1 to S6.3: home energy systems and meters. */
import { expect } from "vitest";
import { LOCATION } from "../given.ts";
import type { Ask, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const system = says("S6.1");
const figures = says("S6.2");
const meter = says("S6.3");
const SYSTEM: Ask = { ask: "GET /users/{user}/hem-systems", keep: { system: "data.0.id" } };
const STATISTICS = "GET /hem-systems/{system}/statistics";
const TODAY = "2026-06-21";
const POWER = { isAvailable: true, unit: "kW", unitType: "Power", sampling: { mode: "bucketed", resolution: "PT5M" } };
const ENERGY = {
  isAvailable: true,
  unit: "kWh",
  unitType: "Energy",
  sampling: { mode: "bucketed", resolution: "P1D" },
};

export const SYSTEM_ROWS: readonly Row[] = [
  system("Systems of all users are listed in pages", {
    versions: NEWEST,
    request: { ask: "GET /hem-systems" },
    expect: {
      status: 200,
      body: { data: [expect.any(Object), expect.any(Object)], pagination: { after: null, before: null } },
    },
  }),
  system("Systems of a user are listed in pages", {
    versions: NEWEST,
    request: { ask: "GET /users/{user}/hem-systems" },
    expect: { status: 200, body: { data: [{ userId: "{user}" }] } },
  }),
  system("Systems of an unknown user are not found", {
    versions: NEWEST,
    request: { ask: "GET /users/nobody/hem-systems" },
    expect: { status: 404, problem: "not-found", body: { title: "User does not exist" } },
  }),
  system("A system is read, with what it is and what it did today", {
    versions: NEWEST,
    given: [SYSTEM],
    request: { ask: "GET /hem-systems/{system}" },
    expect: {
      status: 200,
      exactly: {
        id: "{system}",
        userId: "{user}",
        locationId: null,
        information: {
          vendor: expect.any(String),
          name: "Home",
          installationDate: expect.any(String),
          latitude: 52.5,
          longitude: 13.4,
          address: null,
          timezone: "Europe/Berlin",
          lastUpdated: expect.any(String),
        },
        status: {
          lastSeen: expect.any(String),
          energy: {
            today: {
              generation: expect.toSatisfy(isNumberOrNull),
              consumption: expect.toSatisfy(isNumberOrNull),
              charge: expect.toSatisfy(isNumberOrNull),
              discharge: expect.toSatisfy(isNumberOrNull),
              import: expect.toSatisfy(isNumberOrNull),
              export: expect.toSatisfy(isNumberOrNull),
              unit: "kWh",
              lastUpdated: expect.any(String),
            },
          },
        },
      },
    },
  }),
  system("Today's energies are summed up as they flow", {
    versions: NEWEST,
    given: [SYSTEM],
    request: { ask: "GET /hem-systems/{system}", after: 700 },
    expect: {
      status: 200,
      body: {
        status: {
          energy: {
            today: { generation: expect.any(Number), discharge: expect.any(Number), export: expect.any(Number) },
          },
        },
      },
    },
  }),
  system("An unknown system is not found", {
    versions: NEWEST,
    request: { ask: "GET /hem-systems/{unknown}" },
    expect: { status: 404, problem: "not-found" },
  }),
  ...["batteries/{battery}", "inverters/{inverter}", "meters/{meter}"].map((path) =>
    system(`${path} names its system`, {
      versions: NEWEST,
      given: [SYSTEM],
      request: { ask: `GET /${path}` },
      expect: { status: 200, body: { hemSystemId: "{system}" } },
    }),
  ),
  ...["chargers/{charger}", "vehicles/{vehicle}", "hvacs/{hvac}"].map((path) =>
    system(`${path} has no system`, {
      versions: NEWEST,
      request: { ask: `GET /${path}` },
      expect: { status: 200, lacks: ["hemSystemId"] },
    }),
  ),
  system("A system is at the location of its devices", {
    versions: NEWEST,
    given: [LOCATION, SYSTEM],
    request: { ask: "GET /hem-systems/{system}", after: 700 },
    expect: { status: 200, body: { locationId: "{location}" } },
  }),
  figures("A day is given as mean power in buckets of five minutes, from midnight of the system's zone to 23:55", {
    versions: NEWEST,
    given: [SYSTEM],
    request: { ask: `${STATISTICS}?interval=${TODAY}` },
    expect: {
      status: 200,
      body: {
        timeseries: {
          generation: { ...POWER, timezone: "Europe/Berlin" },
          consumption: POWER,
          import: POWER,
          export: POWER,
          charge: POWER,
          discharge: POWER,
          batteryLevel: { isAvailable: true, unit: "%", unitType: "SoC" },
        },
      },
    },
    afterwards: [
      {
        ask: `${STATISTICS}?interval=${TODAY}`,
        expect: {
          status: 200,
          body: {
            timeseries: {
              generation: {
                data: expect.toSatisfy(
                  (data: readonly { t: string }[]) =>
                    data.length === 288 &&
                    data[0]?.t === "2026-06-21T00:00:00+02:00" &&
                    data[287]?.t === "2026-06-21T23:55:00+02:00",
                ),
              },
            },
          },
        },
      },
    ],
  }),
  figures("A month is given as energy in days, without the state of charge", {
    versions: NEWEST,
    given: [SYSTEM],
    request: { ask: `${STATISTICS}?interval=2026-06` },
    expect: {
      status: 200,
      body: {
        timeseries: {
          generation: ENERGY,
          import: ENERGY,
          export: ENERGY,
          charge: ENERGY,
          discharge: ENERGY,
          batteryLevel: { isAvailable: false, reason: expect.any(String) },
        },
      },
    },
  }),
  ...["2026-06-20", "2026-05", "2026-06-22", "2026-07", "2026-06-31", "2026-13", "2026", "today"].map((interval) =>
    figures(`The statistics of ${interval} are refused on ${TODAY}, the day of the installation`, {
      versions: NEWEST,
      given: [SYSTEM],
      request: { ask: `${STATISTICS}?interval=${interval}` },
      expect: { status: 400, problem: "bad-request" },
    }),
  ),
  figures("Statistics of a system need an interval", {
    versions: NEWEST,
    given: [SYSTEM],
    request: { ask: STATISTICS },
    expect: { status: 400, body: { issues: [{ path: ["interval"], in: "query" }] } },
  }),
  figures("Statistics of an unknown system are not found", {
    versions: NEWEST,
    request: { ask: `GET /hem-systems/{unknown}/statistics?interval=${TODAY}` },
    expect: { status: 404, problem: "not-found" },
  }),
  meter("A meter's power is in kW, negative while the house exports", {
    request: { ask: "GET /meters/{meter}" },
    expect: { status: 200, body: { energyState: { power: -0.45, lastUpdated: expect.any(String) } } },
  }),
  meter("A meter's power is positive while the house imports", {
    request: { ask: "GET /users/{neighbour}/meters", version: "2024-10-01" },
    expect: { status: 200, body: { data: [{ energyState: { power: 0.8 } }] } },
  }),
  meter("A meter has no id of its vendor", {
    request: { ask: "GET /meters/{meter}" },
    expect: { status: 200, lacks: ["information.id"] },
  }),
  meter("A meter's location has its id and its time from 2024-10-01", {
    versions: NEWEST,
    request: { ask: "GET /meters/{meter}" },
    expect: {
      status: 200,
      body: { location: { id: null, longitude: 13.4, latitude: 52.5, lastUpdated: expect.any(String) } },
    },
  }),
  meter("A meter's location was its coordinates alone before 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /meters/{meter}" },
    expect: { status: 200, body: { location: { longitude: 13.4, latitude: 52.5 } }, lacks: ["location.id"] },
  }),
  meter("A meter says whether it measures consumption and production", {
    request: { ask: "GET /meters/{meter}" },
    expect: {
      status: 200,
      body: { capabilities: { measuresConsumption: { isCapable: true }, measuresProduction: { isCapable: true } } },
    },
  }),
  meter("An unknown meter is not found", {
    request: { ask: "GET /meters/{unknown}" },
    expect: { status: 404, problem: "not-found" },
  }),
];

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === "number";
}
