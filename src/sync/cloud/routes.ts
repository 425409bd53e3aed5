/** Where an entry of the journal goes when a cloud service is told. Pure. */
import { ASSET_KINDS } from "../../domain/assets/asset.ts";
import type { Route } from "../../store/outbox/outbox-row.ts";
import type { NewJournalEntry } from "../../store/store.ts";

const EVENT: Route = { stream: "event", entity: null };
const LIFE = /^user:([a-z-]+):(discovered|updated|deleted)$/;
/** What carries the state of something: by its name in events, its key in their payload. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...ASSET_KINDS.map((kind): [string, string] => [kind, kind]),
  ["hem-system", "hemSystem"],
]);
/** Told in full by the history: a record of each change would be a second copy. */
const STATISTICS = "user:inverter:statistics-updated";

/**
 * The streams that an entry goes to: changes of an asset or an energy system as their newest state, their coming and
 * going as a state and an event, all else as an event.
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
