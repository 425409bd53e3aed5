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
import { type JsonObject, objectAt } from "./json.ts";
import { olderDocument, resolverOf } from "./older-document.ts";
import type { Resolve } from "./schema-path.ts";
import { findVersion } from "./served-versions.ts";
import type { Step } from "./translation.ts";

/** What differs between versions of what events carry, by its key. */
const RECORDS: Readonly<Record<string, z.ZodType>> = {
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
};

const DEFS = "#/$defs/";
const SCHEMAS = "#/components/schemas/";

/**
 * Maps what an event carries beside its envelope to a version: the records, and the paths of `updatedFields`. Null: the
 * version has no such record, or none of the fields that changed. An event of the newest version, or of a version that
 * is not served, comes back as it is.
 */
export type MapEvent = (event: string, payload: JsonObject, version: string) => JsonObject | null;

interface RecordStep {
  readonly down: Down;
  /** The newer version's record, and what it refers to. */
  readonly schema: unknown;
  readonly resolve: Resolve;
}

/** Maps one record over a step; made when the first event with it is mapped, as few houses have a client that needs it. */
type RecordSteps = (step: Step) => RecordStep;

export function createMapEvent(): MapEvent {
  const records = new Map<string, RecordSteps>();
  const stepsOf = (key: string): RecordSteps => {
    const steps = records.get(key) ?? recordSteps(key);
    records.set(key, steps);
    return steps;
  };
  return (_event, payload, version) =>
    (findVersion(version)?.steps ?? []).reduce<JsonObject | null>(
      (newer, step) => newer && olderPayload(newer, step, stepsOf),
      payload,
    );
}

function olderPayload(payload: JsonObject, step: Step, stepsOf: (key: string) => RecordSteps): JsonObject | null {
  const mapped: Record<string, unknown> = { ...payload };
  const keys = Object.keys(payload).filter((key) => Object.hasOwn(RECORDS, key) && payload[key] !== undefined);
  for (const key of keys) {
    const { down } = stepsOf(key)(step);
    if (down !== null) mapped[key] = down(payload[key]);
    if (mapped[key] === undefined) return null;
  }
  const updated = payload["updatedFields"];
  if (!Array.isArray(updated)) return mapped;
  // A schedule goes along with its status.
  const changed = keys.length === 1 ? keys : keys.filter((key) => key !== "schedule");
  const names = changed.flatMap((key) => {
    const { schema, resolve } = stepsOf(key)(step);
    return recordNames(schema, payload[key], resolve);
  });
  const changes = names.flatMap((name) => step.says.records[name] ?? []);
  const updatedFields = changes.reduce(
    (paths, change) => paths.flatMap((path) => change.paths(path)),
    updated.filter((path) => typeof path === "string"),
  );
  return updated.length > 0 && updatedFields.length === 0 ? null : { ...mapped, updatedFields };
}

function recordSteps(key: string): RecordSteps {
  const steps = new Map<Step, RecordStep>();
  let document = recordDocument(key);
  // The steps of a version are newest first, and those of an older one go on from there.
  return (step) => {
    const known = steps.get(step);
    if (known !== undefined) return known;
    const resolve = resolverOf(document);
    const schema = objectAt(objectAt(document, "paths"), "record")["schema"];
    const made = { down: createDownCompiler(resolve, step.says)(schema), schema, resolve };
    document = { ...olderDocument(document, step), paths: objectAt(document, "paths") };
    steps.set(step, made);
    return made;
  };
}

/** The record's schema and those it refers to, where a description has them. */
function recordDocument(key: string): JsonObject {
  const record = z.object({ schema: RECORDS[key] ?? z.never() });
  const json = z.toJSONSchema(record, { override: tidySchema });
  const text = JSON.stringify({ schema: json }).replaceAll(DEFS, SCHEMAS);
  const { $defs: schemas = {}, properties } = objectAt(JSON.parse(text), "schema");
  return { components: { schemas }, paths: { record: properties } };
}
