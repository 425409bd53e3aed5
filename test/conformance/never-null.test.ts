/** Every record, in every version and in every event, is null only where the interface lets it be (part 2, supplement 14). */
import { describe, expect, it } from "vitest";
import { SERVED_VERSIONS } from "../../src/api/versions/served-versions.ts";
import { type ConformanceHouse, type HouseKind, idsOf, OWNER, openConformanceHouse } from "./house.ts";

const USERS_IN_PATHS = "2023-08-01";
const DATES = SERVED_VERSIONS.map(({ date }) => date);

const KINDS = {
  batteries: "battery",
  chargers: "charger",
  hvacs: "hvac",
  inverters: "inverter",
  meters: "meter",
  vehicles: "vehicle",
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];
type Resource = Kind | "hemSystem" | "user" | "vendorAction" | "schedule" | "status" | "location";

/** What devices report is null while they do not; `x.*`: each field of x. */
const MEASURED = {
  battery: ["chargeState.*", "config.*", "location.*", "information.id", "hemSystemId"],
  charger: ["chargeState.*", "location.*", "information.id", "information.serialNumber", "information.year"],
  hvac: ["thermostatState.*", "temperatureState.*", "location.*", "information.groupName", "consumptionRate"],
  inverter: ["productionState.*", "location.*", "information.id", "information.sn", "timezone", "hemSystemId"],
  meter: ["energyState.*", "location.*", "hemSystemId"],
  vehicle: ["chargeState.*", "odometer.*", "location.*", "information.vin", "information.year", "isReachable"],
} as const satisfies Record<Kind, readonly string[]>;

const PLACE = ["locationId", "chargingLocationId"];

const NULLABLE: Readonly<Record<Resource, readonly string[]>> = {
  ...MEASURED,
  battery: [...MEASURED.battery, ...PLACE],
  charger: [...MEASURED.charger, ...PLACE, "capabilities.setChargeRateLimit.range"],
  hvac: [
    ...MEASURED.hvac,
    ...PLACE,
    "heatSetpoint",
    "coolSetpoint",
    "holdType",
    "isActive",
    "currentTemperature",
    "mode",
    "capabilities.capableModes",
    "capabilities.capableHoldTypes",
    "capabilities.coolSetpointRange",
    "capabilities.heatSetpointRange",
    "capabilities.setpointDifferenceRange",
    "capabilities.setpointDifferenceRange.max",
  ],
  inverter: [...MEASURED.inverter, ...PLACE],
  vehicle: [...MEASURED.vehicle, ...PLACE, "smartChargingPolicy.deadline"],
  hemSystem: [
    "locationId",
    "information.latitude",
    "information.longitude",
    "information.address",
    "information.timezone",
    "information.lastUpdated",
    "status.lastSeen",
    "status.energy.today.*",
  ],
  user: ["createdAt"],
  vendorAction: ["completedAt", "failureReason"],
  schedule: ["locationId"],
  status: ["smartOverride", "externalStart", "current", "current.*"],
  location: [],
};

/** An event tells more of a unit that was discovered (supplement 14). */
const IN_DISCOVERY: ReadonlySet<string> = new Set(["temperatureState.isActive", "isActive"]);

function nullsOf(value: unknown, path = ""): readonly string[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((one) => nullsOf(one, path));
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, one]) => nullsOf(one, path === "" ? key : `${path}.${key}`));
}

function faultsOf(resource: Resource, record: unknown, isDiscovery = false): readonly string[] {
  const nullable = NULLABLE[resource];
  const mayBeNull = (path: string): boolean =>
    !(isDiscovery && IN_DISCOVERY.has(path)) &&
    (nullable.includes(path) || nullable.includes(`${path.slice(0, path.lastIndexOf("."))}.*`));
  return nullsOf(record).filter((path) => !mayBeNull(path));
}

async function ask(house: ConformanceHouse, version: string, url: string): Promise<unknown> {
  const user = version < USERS_IN_PATHS ? { "service-user-id": OWNER } : {};
  const answer = await house.ask({ url, headers: { "service-version": version, ...user } });
  expect(answer.statusCode, `${url} ${answer.body}`).toBe(200);
  return answer.json();
}

/** A house of made-up devices, as clients make them without a word of what they are. */
async function makeUp(house: ConformanceHouse): Promise<void> {
  for (const kind of Object.values(KINDS)) {
    await house.ask({ method: "POST", url: `/local/simulated/${kind}`, payload: { userId: OWNER } });
  }
}

async function listen(house: ConformanceHouse): Promise<void> {
  for (const apiVersion of DATES) {
    const payload = { url: `https://hooks.example/${apiVersion}`, secret: "example-secret", apiVersion };
    expect((await house.ask({ method: "POST", url: "/webhooks", payload })).statusCode).toBe(200);
  }
}

/** What the house says in a version of each record that it has, by resource. */
async function recordsOf(house: ConformanceHouse, version: string, ids: Record<string, string>) {
  const records: [Resource, unknown][] = [];
  for (const [plural, kind] of Object.entries(KINDS)) {
    records.push([kind, await ask(house, version, `/${plural}/${ids[kind]}`)]);
    if (version < USERS_IN_PATHS) continue;
    for (const url of [`/${plural}`, `/users/${OWNER}/${plural}`]) {
      const page = await ask(house, version, url);
      const { data } = Object(page);
      expect(data, url).not.toEqual([]);
      for (const one of data) records.push([kind, one]);
    }
  }
  if (version >= "2024-10-01") {
    for (const one of Object(await ask(house, version, "/hem-systems")).data) records.push(["hemSystem", one]);
  }
  if (version >= USERS_IN_PATHS) {
    records.push(["user", await ask(house, version, `/users/${OWNER}`)]);
    for (const one of Object(await ask(house, version, "/users")).data) records.push(["user", one]);
  }
  return records;
}

describe.each<HouseKind>(["home", "bare", "sandbox", "unlocated"])("the house %s", (kind) => {
  it("answers nothing null that may not be, in any version", async () => {
    await using house = await openConformanceHouse(kind);
    if (kind === "sandbox") await makeUp(house);
    const ids = await idsOf(house);
    const faults: string[] = [];
    for (const version of DATES) {
      for (const [resource, record] of await recordsOf(house, version, ids)) {
        faults.push(...faultsOf(resource, record).map((path) => `${version} ${resource} ${path}`));
      }
    }
    expect([...new Set(faults)]).toEqual([]);
  });
});

it("Webhooks carry nothing null that may not be, in any version", async () => {
  await using house = await openConformanceHouse("sandbox");
  await listen(house);
  await makeUp(house);
  await house.pass(10 * 60_000);
  const faults = new Set<string>();
  const seen = new Set<string>();
  for (const { event, version, ...payload } of house.receiver.events) {
    seen.add(`${version} ${event}`);
    for (const [key, record] of Object.entries(payload)) {
      if (!(key in NULLABLE) || key === "user") continue;
      const resource = key as Resource;
      for (const path of faultsOf(resource, record, event.endsWith(":discovered")))
        faults.add(`${version} ${event} ${path}`);
    }
  }
  expect([...faults]).toEqual([]);
  for (const version of DATES) {
    for (const one of Object.values(KINDS)) expect(seen).toContain(`${version} user:${one}:discovered`);
  }
});
