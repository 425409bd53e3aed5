/** Every record, in every version and in every event, is null only where the rules let it be (rules I2 and S14). */
import { describe, expect, it } from "vitest";
import { SERVED_VERSIONS } from "../../src/api/versions/served-versions.ts";
import type { Description } from "../api/support/description.ts";
import { type ConformanceHouse, type HouseKind, idsOf, OWNER, openConformanceHouse } from "./house.ts";
import { mayBeNull, nullableFields, unusedEntries } from "./nullable.ts";
import { HOUSE } from "./words.ts";

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

/** The records that answers and events carry, by the key that events have them under. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  battery: ["Battery"],
  charger: ["Charger"],
  hvac: ["Hvac"],
  inverter: ["Inverter"],
  meter: ["Meter"],
  vehicle: ["Vehicle"],
  hemSystem: ["HemSystem"],
  vendorAction: ["BatteryAction", "ChargeAction", "MaxCurrentAction", "HvacAction", "ChargeRateLimitAction"],
  schedule: ["ChargeSchedule", "TemperatureSchedule"],
  status: ["ChargeScheduleStatus", "TemperatureScheduleStatus"],
  smartChargingStatus: ["VehicleSmartChargingStatus"],
};

/** An event tells more of a unit that was discovered (rule S14). */
const IN_DISCOVERY: ReadonlySet<string> = new Set(["temperatureState.isActive", "isActive"]);

function nullsOf(value: unknown, path = ""): readonly string[] {
  if (value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((one) => nullsOf(one, path));
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, one]) => nullsOf(one, path === "" ? key : `${path}.${key}`));
}

function faultsOf(resource: string, record: unknown, version: string, isDiscovery = false): readonly string[] {
  const names = RECORDS[resource] ?? [resource];
  // Records within records have a table of their own.
  const fits = (path: string): boolean =>
    names.some((name) => mayBeNull(name, path, version)) ||
    (path.startsWith("smartChargingPolicy.") && mayBeNull("VehicleSmartChargingPolicy", path.slice(20), version)) ||
    (path.startsWith("plan.") && mayBeNull("VehicleSmartChargingPlan", path.slice(5), version)) ||
    (path.startsWith("smartOverride.") && mayBeNull("EmbeddedSmartOverride", path.slice(14), version));
  return nullsOf(record).filter((path) => (isDiscovery && IN_DISCOVERY.has(path)) || !fits(path));
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
  const records: [string, unknown][] = [];
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
    records.push(["User", await ask(house, version, `/users/${OWNER}`)]);
    for (const one of Object(await ask(house, version, "/users")).data) records.push(["UserEntry", one]);
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
        faults.push(...faultsOf(resource, record, version).map((path) => `${version} ${resource} ${path}`));
      }
    }
    expect([...new Set(faults)]).toEqual([]);
  });
});

it("The description of each version lets nothing be null that the interface does not", async () => {
  await using house = await openConformanceHouse("sandbox");
  const faults: string[] = [];
  const used = new Set<string>();
  for (const version of DATES) {
    const document = (await house.ask({ url: `/openapi.json?version=${version}` })).json<Description>();
    for (const field of nullableFields(document)) {
      used.add(field);
      const [record = "", path = ""] = field.split(" ");
      if (!mayBeNull(record, path, version)) faults.push(`${version} ${field}`);
    }
  }
  expect(faults).toEqual([]);
  // An entry that no version has would hide a mistake that comes later.
  expect(unusedEntries(used)).toEqual([]);
});

/** The id of the made-up device of a kind. */
async function madeUp(house: ConformanceHouse, kind: string): Promise<string> {
  const { data } = (await house.ask({ url: `/local/simulated/${kind}` })).json<{ data: { id: string }[] }>();
  return data[0]?.id ?? "";
}

/** Commands, a schedule, smart charging and a device that goes: what events are about beside devices. */
async function live(house: ConformanceHouse): Promise<void> {
  const ids = await idsOf(house);
  const send = async (method: "POST" | "PUT" | "PATCH" | "DELETE", url: string, payload?: object): Promise<void> => {
    const answer = await house.ask({ method, url, ...(payload !== undefined && { payload }) });
    expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300);
  };
  await send("POST", `/batteries/${ids["battery"]}/operation-mode`, { operationMode: "IMPORT_FOCUS" });
  await send("POST", `/hvacs/${ids["hvac"]}/permanent-hold`, { mode: "HEAT", heatSetpoint: 21 });
  await send("POST", `/chargers/${ids["charger"]}/max-current`, { maxCurrent: 10 });
  await send("POST", `/users/${OWNER}/schedules`, {
    targetId: ids["charger"],
    targetType: "charger",
    isEnabled: true,
    defaultShouldCharge: false,
    rules: [],
    locationId: null,
  });
  await send("POST", `/users/${OWNER}/schedules`, {
    targetId: ids["hvac"],
    targetType: "hvac",
    isEnabled: true,
    defaultTargetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 19 },
    rules: [],
  });
  const { longitude, latitude } = HOUSE;
  await send("PATCH", `/local/simulated/vehicle/${await madeUp(house, "vehicle")}`, {
    location: { longitude, latitude },
    state: { isPluggedIn: true },
  });
  await house.pass(60_000);
  const place = await house.ask({ method: "POST", url: `/users/${OWNER}/locations`, payload: HOUSE });
  await send("PUT", "/tariffs/flat", [{ name: "all", cost: "0.30" }]);
  await send("PUT", `/locations/${place.json<{ id: string }>().id}/tariff`, {
    tariffId: "flat",
    tariffIntervals: [{ name: "all", from: "00:00", to: "24:00" }],
  });
  await send("PUT", `/vehicles/${ids["vehicle"]}/smart-charging-policy`, { isEnabled: true, deadline: "06:00" });
  await house.pass(10 * 60_000);
  await send("DELETE", `/local/simulated/meter/${await madeUp(house, "meter")}`);
  await house.pass(10 * 60_000);
}

it("Webhooks carry nothing null that may not be, in any version", async () => {
  await using house = await openConformanceHouse("sandbox");
  await listen(house);
  await makeUp(house);
  await house.pass(10 * 60_000);
  await live(house);
  const faults = new Set<string>();
  const seen = new Set<string>();
  for (const { event, version, ...payload } of house.receiver.events) {
    for (const [key, record] of Object.entries(payload)) {
      if (!(key in RECORDS)) continue;
      seen.add(`${version} ${event} ${key}`);
      for (const path of faultsOf(key, record, version, event.endsWith(":discovered")))
        faults.add(`${version} ${event} ${key} ${path}`);
    }
  }
  expect([...faults]).toEqual([]);
  for (const version of DATES) {
    for (const one of Object.values(KINDS)) expect(seen).toContain(`${version} user:${one}:discovered ${one}`);
    for (const one of [
      "user:vendor-action:updated vendorAction",
      "user:schedule:execution-updated status",
      "user:schedule:execution-updated schedule",
      "user:vehicle:smart-charging-status-updated smartChargingStatus",
      "user:meter:deleted meter",
      "user:hem-system:updated hemSystem",
    ]) {
      expect(seen).toContain(`${version} ${one}`);
    }
  }
});
