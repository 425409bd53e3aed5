/** Maps events to older versions: their records look as in that version's answers. */
import { z } from "zod";
import { Action } from "../../domain/actions/action.ts";
import { Battery } from "../../domain/assets/battery.ts";
import { Charger } from "../../domain/assets/charger.ts";
import { Hvac } from "../../domain/assets/hvac.ts";
import { Inverter } from "../../domain/assets/inverter.ts";
import { Meter } from "../../domain/assets/meter.ts";
import { Vehicle } from "../../domain/assets/vehicle.ts";
import { Schedule } from "../../domain/schedules/schedule.ts";
import { ScheduleStatus } from "../../domain/schedules/schedule-status.ts";
import { VehicleSmartStatus } from "../../domain/smart/vehicle-smart-charging.ts";
import { tidySchema } from "../openapi/schema-tidying.ts";
import { createDownCompiler, type Down, recordNames } from "./down-mapping.ts";
import { isObject, type JsonObject, objectAt } from "./json.ts";
import { olderDocument, resolverOf } from "./older-document.ts";
import type { Resolve } from "./schema-path.ts";
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
 * Maps what an event carries beside its envelope to a version: the records, and the paths of `updatedFields`. Null: the
 * version has no such record, or none of the fields that changed. An event of the newest version, or of a version that
 * is not served, comes back as it is.
 */
export type MapEvent = (event: string, payload: JsonObject, version: string) => JsonObject | null;

interface EventStep {
  readonly down: Down;
  /** The newer version's payload, and what it refers to. */
  readonly schema: JsonObject;
  readonly resolve: Resolve;
}

/** Made once; its work is done before the first event. */
export function createMapEvent(): MapEvent {
  const steps = eventSteps();
  return (_event, payload, version) =>
    (findVersion(version)?.steps ?? []).reduce<JsonObject | null>((newer, step) => {
      const made = steps.get(step);
      return made === undefined || newer === null ? newer : olderPayload(newer, step, made);
    }, payload);
}

function olderPayload(payload: JsonObject, { says }: Step, made: EventStep): JsonObject | null {
  const mapped = made.down?.(payload) ?? payload;
  if (!isObject(mapped)) return payload;
  if (Object.keys(payload).some((key) => payload[key] !== undefined && mapped[key] === undefined)) return null;
  const updated = payload["updatedFields"];
  if (!Array.isArray(updated)) return mapped;
  const changes = changedRecord(payload, made).flatMap((name) => says.records[name] ?? []);
  const updatedFields = changes.reduce(
    (paths, change) => paths.flatMap((path) => change.paths(path)),
    updated.filter((path) => typeof path === "string"),
  );
  return updated.length > 0 && updatedFields.length === 0 ? null : { ...mapped, updatedFields };
}

/** The names of the schemas of the record whose fields `updatedFields` lists. */
function changedRecord(payload: JsonObject, { schema, resolve }: EventStep): readonly string[] {
  const records = Object.entries(objectAt(schema, "properties")).filter(([key]) => Object.hasOwn(payload, key));
  // A schedule goes along with its status.
  const changed = records.length === 1 ? records : records.filter(([key]) => key !== "schedule");
  return changed.flatMap(([key, record]) => recordNames(record, payload[key], resolve));
}

function eventSteps(): ReadonlyMap<Step, EventStep> {
  const steps = new Map<Step, EventStep>();
  let document = eventDocument();
  for (const step of SERVED_VERSIONS.at(-1)?.steps ?? []) {
    const payload = objectAt(objectAt(document, "paths"), "payload");
    const resolve = resolverOf(document);
    steps.set(step, { down: createDownCompiler(resolve, step.says)(payload), schema: payload, resolve });
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
