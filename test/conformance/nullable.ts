/** The fields that may be null, by the name that a record has in the descriptions (rules I2 and S14). */
import { type Description, follow, operationsOf } from "../api/support/description.ts";

const NEWEST = "2024-10-01";
const ACTION = ["completedAt", "failureReason"];
const SERIES = ["nonSmartPrice.min", "nonSmartPrice.max", "nonSmartPrice.mean", "estimatedSavings"];
const INVERTER_SERIES = ["QUARTER_HOUR", "DAY"].flatMap((name) => [
  `resolutions.${name}`,
  `resolutions.${name}.data[].value`,
]);
const LOCATION = ["locationId", "chargingLocationId"];
const COORDINATES = ["location.id", "location.longitude", "location.latitude", "location.lastUpdated"];

/** By the record's name; `x.*`: each field of x. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  // 2.2 to 2.8: what a device does not report.
  Battery: ["chargeState.*", "config.*", "information.id", "hemSystemId", ...LOCATION, ...COORDINATES],
  Charger: [
    "chargeState.*",
    "information.id",
    "information.serialNumber",
    "information.year",
    ...LOCATION,
    ...COORDINATES,
  ],
  Hvac: [
    "consumptionRate",
    "information.groupName",
    "thermostatState.*",
    "temperatureState.*",
    ...["heatSetpoint", "coolSetpoint", "holdType", "isActive", "currentTemperature"],
    // Rule S2.7: ranges are null or have nullable ends.
    ...["capabilities.capableModes", "capabilities.capableHoldTypes"],
    ...["coolSetpointRange", "heatSetpointRange", "setpointDifferenceRange"].flatMap((name) => [
      `capabilities.${name}`,
      `capabilities.${name}.*`,
    ]),
    ...LOCATION,
    ...COORDINATES,
  ],
  Inverter: [
    "productionState.*",
    "information.id",
    "information.sn",
    "timezone",
    "hemSystemId",
    ...LOCATION,
    ...COORDINATES,
  ],
  Meter: ["energyState.*", "hemSystemId", ...COORDINATES],
  Vehicle: [
    "isReachable",
    "information.vin",
    "information.year",
    "chargeState.*",
    "odometer.*",
    ...LOCATION,
    ...COORDINATES,
  ],
  AssetLocation: ["id", "longitude", "latitude", "lastUpdated"],
  // 2.9
  HemSystem: [
    "locationId",
    ...["latitude", "longitude", "address", "timezone", "lastUpdated"].map((name) => `information.${name}`),
    "status.lastSeen",
    "status.energy.today.*",
  ],
  HemSeries: ["data[].v"],
  // 2.3, rule S2.1
  BatteryAction: ACTION,
  ChargeAction: ACTION,
  MaxCurrentAction: ACTION,
  HvacAction: ACTION,
  ChargeRateLimitAction: [...ACTION, "targetState.chargeRateLimit"],
  // 2.12
  ChargeSchedule: LOCATION,
  ChargeScheduleStatus: ["smartOverride", "externalStart"],
  TemperatureScheduleStatus: ["current"],
  // 2.13, rule S2.2
  SmartOverride: ["endedAt", "vendorActionId"],
  EmbeddedSmartOverride: ["endedAt", "vendorActionId"],
  // Rule S2.4
  VehicleSmartChargingStatus: ["consideration", "plan", "smartOverride", "externalStart"],
  VehicleSmartChargingPlan: [
    ...["smartCost", "startAt", "stopConfirmedAt", "startConfirmedAt", "endedAt", "finalState", "failureCondition"],
    "externalStart",
    ...LOCATION,
  ],
  // 2.15, rule S8
  ChargingStatistics: SERIES,
  ChargingSession: [...SERIES, ...SERIES.map((path) => `smartStats.${path}`), ...LOCATION],
  InverterStatistics: INVERTER_SERIES,
  PendingInverterStatistics: INVERTER_SERIES,
  // 2.16, rule S6.5: those that are for any vendor.
  Intervention: ["vendor", "vendorType", "brand", "resolution.action"],
  // Rule S1
  Webhook: ["apiVersion", "authentication"],
  WebhookTest: ["response", "response.headers"],
  // Rule S11 names the fields of the request; of the answer this is a guess.
  AccountVehicle: ["username", "name", "model", "year", "userId", "location"],
  // Rules S11.8 and S11.9: no limit is set, or nothing is measured; the gateway's own rule.
  PowerLimit: ["maxImportKw", "maxPhaseCurrent", "appliedImportKw", "importKw", "phaseCurrents[]"],
  SolarPolicy: ["minCurrent", "startExportKw", "stopImportKw", "delaySeconds"],
  // 2.19
  Pagination: ["after", "before"],
};
/** Further ones of the newest version, and of those before it (rules S2.3 and S9.2). */
const IN_NEWEST: Readonly<Record<string, readonly string[]>> = {
  VehicleSmartChargingPolicy: ["deadline"],
  ChargerSmartChargingPolicy: ["deadline", "chargingDuration"],
};
const BEFORE: Readonly<Record<string, readonly string[]>> = { Hvac: ["mode"], UserEntry: ["createdAt"] };

/** True if the interface lets a field of a record be null in a version. */
export function mayBeNull(record: string, path: string, version: string): boolean {
  const further = version >= NEWEST ? IN_NEWEST : BEFORE;
  const allowed = [...(ALWAYS[record] ?? []), ...(further[record] ?? [])];
  return allowed.includes(path) || allowed.includes(`${path.slice(0, Math.max(0, path.lastIndexOf(".")))}.*`);
}

/** The entries of the table above that no description has: `<record> <path>`. */
export function unusedEntries(used: ReadonlySet<string>): readonly string[] {
  const inUse = (record: string, path: string): boolean =>
    path.endsWith(".*")
      ? [...used].some((one) => one.startsWith(`${record} ${path.slice(0, -1)}`))
      : used.has(`${record} ${path}`);
  return Object.keys({ ...ALWAYS, ...IN_NEWEST, ...BEFORE }).flatMap((record) =>
    [ALWAYS, IN_NEWEST, BEFORE]
      .flatMap((table) => table[record] ?? [])
      .filter((path) => !SHARED.has(path) && !inUse(record, path))
      .map((path) => `${record} ${path}`),
  );
}

/** Written once for several records, of which each has some in some version. */
const SHARED: ReadonlySet<string> = new Set([...LOCATION, ...COORDINATES]);

/** Paths of the gateway's own routes, which the interface does not describe. */
const OWN = /^\/(local|metrics|health|link|flex)\b/;

type Schema = Readonly<Record<string, unknown>>;

/** Every field that a description lets be null in an answer: `<record> <path>`. */
export function nullableFields(document: Description): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (schema: Schema, record: string, path: string): void => {
    const ref = schema["$ref"];
    if (typeof ref === "string") {
      const name = ref.split("/").at(-1) ?? "";
      if (!seen.has(name)) {
        seen.add(name);
        walk(Object(follow(document, ref)), name, "");
      }
      return;
    }
    if (isNullable(schema)) found.add(`${record} ${path}`);
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      for (const each of listOf(schema[key])) walk(each, record, path);
    }
    for (const [name, each] of Object.entries(Object(schema["properties"]))) {
      walk(Object(each), record, path === "" ? name : `${path}.${name}`);
    }
    if (schema["items"] !== undefined) walk(Object(schema["items"]), record, `${path}[]`);
  };
  for (const { method, path, operation } of operationsOf(document)) {
    if (OWN.test(path)) continue;
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      for (const { schema } of Object.values(content)) walk(Object(schema), `${method}:${path}:${status}`, "");
    }
  }
  return found;
}

function isNullable(schema: Schema): boolean {
  const types = [schema["type"]].flat();
  const values = schema["enum"];
  return types.includes("null") || schema["const"] === null || (Array.isArray(values) && values.includes(null));
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.map((one) => Object(one)) : [];
}
