import { z } from "zod";
import { olderProblemType } from "../../domain/problem.ts";
import { had, lacks, moved, was } from "./field-change.ts";
import { isObject, type JsonObject, listAt } from "./json.ts";
import { type Field, withoutValues } from "./schema-path.ts";
import { refusedValue, type VersionStep } from "./step.ts";

/**
 * What 2024-10-01 changed: locations inside the devices, HEM systems, statistics of inverters, and problems that say
 * their type and detail once. Later fields and routes of the gateway's own are in every version.
 */
export const VERSION_2024_01_01: VersionStep = {
  date: "2024-01-01",
  records: {
    Battery: [
      moved("location.id", "locationId"),
      lacks("location.lastUpdated"),
      lacks("hemSystemId"),
      idleIsUnknown("config.operationMode"),
    ],
    BatteryAction: [idleIsUnknown("targetState.operationMode")],
    Charger: [lacks("location"), lacks("information.serialNumber"), lacks("chargeState.pluggedInVehicleId")],
    Vehicle: [lacks("location.id"), lacks("chargeState.pluggedInChargerId")],
    Inverter: [lacks("location.id"), lacks("location.lastUpdated"), lacks("information.sn"), lacks("hemSystemId")],
    Meter: [lacks("location.id"), lacks("location.lastUpdated"), lacks("hemSystemId")],
    Hvac: [unknownModeIsNull("thermostatState.mode"), unknownModeIsNull("mode")],
    VehicleSmartChargingPolicy: [
      was("isEnabled", (value) => value, optional),
      was("minimumChargeLimit", (value) => value, optional),
      was("deadline", (value) => value ?? undefined, optionalNotNull),
    ],
    ChargerSmartChargingPolicy: [
      was("isEnabled", (value) => value, optional),
      was("chargingDuration", (value) => value ?? undefined, optionalNotNull),
      was("deadline", (value) => value ?? undefined, optionalNotNull),
    ],
    HvacSmartPolicy: [was("isEnabled", (value) => value, optional)],
    VehicleSmartChargingPlan: [
      had("chargingLocationId", z.uuid().nullable().meta({ deprecated: true }), ({ locationId }) => locationId),
      // The status reports external control of charging; plans had the field, but never a value.
      had("externalStart", z.null().meta({ deprecated: true }), () => null),
    ],
    UserEntry: [was("createdAt", (value) => value, nullable)],
    Intervention: [lacks("resolution.action")],
    Location: [lacks("createdAt")],
    Problem: [
      was("type", (type, problem) => {
        const slugged = isValidation(type, problem) ? validationType(type, problem) : type;
        return typeof slugged === "string" ? olderProblemType(slugged) : slugged;
      }),
      had("error", z.string().meta({ description: "The same as `type`." }), ({ type }) => type),
      had("message", z.string().meta({ description: "The same as `detail`." }), ({ detail }) => detail),
    ],
  },
  routes: {
    "POST /batteries/{batteryId}/operation-mode": { body: refusedValue("operationMode", "IDLE") },
  },
  lacks: [
    "* /hem-systems/*",
    "* /hem-systems",
    "GET /users/{userId}/hem-systems",
    "GET /inverters/{inverterId}/statistics",
    "POST /assets/{assetId}/relink",
    "GET /integrations",
  ],
  slugs: { "bad-request": ["validation-error", "payload-validation-error"] },
};

/** The version does not list the mode IDLE; a mode that a version does not list is UNKNOWN there (rule S14). */
function idleIsUnknown(field: string) {
  return was(
    field,
    (mode) => (mode === "IDLE" ? "UNKNOWN" : mode),
    ({ schema, isRequired }) => ({ schema: withUnknown(withoutValues(schema, ["IDLE"])), isRequired }),
  );
}

function withUnknown(schema: unknown): unknown {
  if (!isObject(schema) || !Array.isArray(schema["enum"])) return schema;
  return { ...schema, enum: [...new Set([...listAt(schema, "enum"), "UNKNOWN"])] };
}

function unknownModeIsNull(field: string) {
  return was(
    field,
    (mode) => (mode === "UNKNOWN" ? null : mode),
    ({ schema, isRequired }) => ({
      schema: { ...(isObject(schema) ? schema : {}), type: ["string", "null"], enum: modesOrNull(schema) },
      isRequired,
    }),
  );
}

function modesOrNull(schema: unknown): readonly unknown[] {
  return [...listAt(schema, "enum").filter((mode) => mode !== "UNKNOWN"), null];
}

function optional({ schema }: Field): Field {
  return { schema, isRequired: false };
}

function nullable({ schema, isRequired }: Field): Field {
  return { schema: isObject(schema) ? { ...schema, type: [schema["type"], "null"] } : schema, isRequired };
}

/** A field that is left out where the newer version says null. */
function optionalNotNull({ schema }: Field): Field {
  const types = listAt(schema, "type").filter((type) => type !== "null");
  const [only] = types;
  return { schema: isObject(schema) && types.length === 1 ? { ...schema, type: only } : schema, isRequired: false };
}

/** Detects a request that its schema refuses. Such problems had two types: one for bodies, one for everything else. */
function isValidation(type: unknown, problem: JsonObject): type is string {
  return typeof type === "string" && type.endsWith("/bad-request") && listAt(problem, "issues").length > 0;
}

function validationType(type: string, problem: JsonObject): string {
  const isOfBody = listAt(problem, "issues").some((issue) => isObject(issue) && issue["in"] === "body");
  return type.replace(/bad-request$/, isOfBody ? "payload-validation-error" : "validation-error");
}
