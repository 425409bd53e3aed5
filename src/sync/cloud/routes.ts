/** Decides to which streams of the cloud service a journal entry goes. Pure. */
import { ASSET_KINDS } from "../../domain/assets/asset.ts";
import type { Route } from "../../store/outbox/outbox-row.ts";
import type { NewJournalEntry } from "../../store/store.ts";

const EVENT: Route = { stream: "event", entity: null };
const LIFE = /^user:([a-z-]+):(discovered|updated|deleted)$/;
/** Kinds of entities with a state: the name in events, and the key in their payload. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...ASSET_KINDS.map((kind): [string, string] => [kind, kind]),
  ["hem-system", "hemSystem"],
]);
/** Not sent: the telemetry stream contains all of it. */
const STATISTICS = "user:inverter:statistics-updated";

/**
 * Returns the streams that an entry goes to. A change of an asset or an energy system goes to the state stream; its
 * creation and deletion go to the state and event streams; everything else goes to the event stream.
 */
export function routesOf({ event, payload }: NewJournalEntry): readonly Route[] {
  if (event === STATISTICS) return [];
  const [, name = "", happened] = LIFE.exec(event) ?? [];
  const key = ENTITIES.get(name);
  const id = key === undefined ? null : idIn(payload, key);
  if (id === null) return [EVENT];
  const state: Route = { stream: "state", entity: `${name}/${id}` };
  return happened === "updated" ? [state] : [EVENT, state];
}

function idIn(payload: unknown, key: string): string | null {
  const entity: unknown = Reflect.get(Object(payload), key);
  const id: unknown = Reflect.get(Object(entity), "id");
  return typeof id === "string" ? id : null;
}
