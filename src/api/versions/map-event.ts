/** Events in older versions: their records are told as the version's answers tell them. */
import { z } from "zod";
import { Action } from "../../domain/action.ts";
import { Battery } from "../../domain/battery.ts";
import { Charger } from "../../domain/charger.ts";
import { Hvac } from "../../domain/hvac.ts";
import { Inverter } from "../../domain/inverter.ts";
import { Meter } from "../../domain/meter.ts";
import { Schedule } from "../../domain/schedule.ts";
import { ScheduleStatus } from "../../domain/schedule-status.ts";
import { Vehicle } from "../../domain/vehicle.ts";
import { VehicleSmartStatus } from "../../domain/vehicle-smart-charging.ts";
import { tidySchema } from "../schema-tidying.ts";
import { createDownCompiler, type Down } from "./down-mapping.ts";
import { isObject, type JsonObject, listAt, objectAt } from "./json.ts";
import { olderDocument, resolverOf } from "./older-document.ts";
import { findVersion, SERVED_VERSIONS } from "./served-versions.ts";
import type { Step } from "./translation.ts";

/** What differs between versions of what events carry, by its key. */
const EventPayload = z
  .object({
    battery: Battery,
    charger: Charger,
    hvac: Hvac,
    inverter: Inverter,
    meter: Meter,
    vehicle: Vehicle,
    vendorAction: Action,
    schedule: Schedule,
    status: ScheduleStatus,
    smartChargingStatus: VehicleSmartStatus,
  })
  .partial();

const DEFS = "#/$defs/";
const SCHEMAS = "#/components/schemas/";

/**
 * Maps what an event carries beside its envelope to a version: the records, and the paths of `updatedFields`. An event
 * of the newest version, or of a version that is not served, comes back as it is.
 */
export type MapEvent = (event: string, payload: JsonObject, version: string) => JsonObject;

interface EventStep {
  readonly down: Down;
  /** The record's schema by the payload's key. */
  readonly names: ReadonlyMap<string, string>;
}

/** Made once; its work is done before the first event. */
export function createMapEvent(): MapEvent {
  const steps = eventSteps();
  return (_event, payload, version) =>
    (findVersion(version)?.steps ?? []).reduce((newer, step) => {
      const made = steps.get(step);
      return made === undefined ? newer : olderPayload(newer, step, made);
    }, payload);
}

function olderPayload(payload: JsonObject, { says }: Step, { down, names }: EventStep): JsonObject {
  const mapped = down?.(payload) ?? payload;
  if (!isObject(mapped) || !Array.isArray(mapped["updatedFields"])) return isObject(mapped) ? mapped : payload;
  const changes = Object.keys(mapped).flatMap((key) => says.records[names.get(key) ?? ""] ?? []);
  const updatedFields = listAt(mapped, "updatedFields").flatMap((field) => {
    if (typeof field !== "string") return [];
    const older = changes.reduce<string | null>((path, change) => (path === null ? null : change.path(path)), field);
    return older === null ? [] : [older];
  });
  return { ...mapped, updatedFields };
}

function eventSteps(): ReadonlyMap<Step, EventStep> {
  const steps = new Map<Step, EventStep>();
  let document = eventDocument();
  for (const step of SERVED_VERSIONS.at(-1)?.steps ?? []) {
    const payload = objectAt(objectAt(document, "paths"), "payload");
    steps.set(step, {
      down: createDownCompiler(resolverOf(document), step.says)(payload),
      names: namesOf(payload),
    });
    document = { ...olderDocument(document, step), paths: { payload } };
  }
  return steps;
}

/** The payload's schema and those it refers to, where a description has them. */
function eventDocument(): JsonObject {
  const { $defs: schemas = {}, ...payload } = objectAt(
    JSON.parse(
      JSON.stringify({ schema: z.toJSONSchema(EventPayload, { override: tidySchema }) }).replaceAll(DEFS, SCHEMAS),
    ),
    "schema",
  );
  return { components: { schemas }, paths: { payload } };
}

function namesOf(payload: JsonObject): ReadonlyMap<string, string> {
  const entries = Object.entries(objectAt(payload, "properties")).flatMap(([key, schema]): [string, string][] => {
    const ref = isObject(schema) ? schema["$ref"] : undefined;
    return typeof ref === "string" ? [[key, ref.slice(SCHEMAS.length)]] : [];
  });
  return new Map(entries);
}
