/** Compares what the receiver keeps of a gateway with what the gateway has. */
import { expect } from "vitest";
import type { NewJournalEntry } from "../../src/store/store.ts";
import { routesOf } from "../../src/sync/cloud/routes.ts";
import type { Site } from "./copies.ts";
import type { House } from "./house.ts";
import { until } from "./until.ts";

/** What was kept at the end. */
export interface Figures {
  readonly events: number;
  readonly states: number;
}

interface Entity {
  readonly isDeleted: boolean;
  readonly payload: unknown;
}

/** Waits until all has arrived of a gateway that rests, and holds every row against its journal. */
export async function expectEqual({ database }: Site, house: House, waitMs: number): Promise<Figures> {
  const { name } = house;
  const { journal } = await house.report();
  const count = async (): Promise<number | undefined> => {
    const [row] = await database.rows<{ count: number }>("SELECT count(*) FROM record WHERE gateway = $1", [name]);
    return row?.count;
  };
  // What is missing after that is shown by the comparison.
  await until(async () => (await count()) === eventsOf(journal).length, waitMs).catch(() => undefined);
  const told = await database.rows("SELECT event, payload FROM record WHERE gateway = $1 ORDER BY turn, seq", [name]);
  expect(told).toEqual(eventsOf(journal));
  const states = statesOf(journal);
  const kept = async (): Promise<ReadonlyMap<string, Entity>> => {
    const sql = `SELECT entity, is_deleted AS "isDeleted", payload FROM entity WHERE gateway = $1 ORDER BY entity`;
    const rows = await database.rows<Entity & { readonly entity: string }>(sql, [name]);
    return new Map(rows.map(({ entity, ...rest }) => [entity, rest]));
  };
  await until(async () => JSON.stringify([...(await kept())]) === JSON.stringify([...states]), waitMs).catch(
    () => undefined,
  );
  expect([...(await kept())]).toEqual([...states]);
  await expectOneHistory({ database }, name);
  return { events: told.length, states: states.size };
}

/** Nothing was lost or repeated on the way: one epoch, no gap, no fork, no number left out. */
async function expectOneHistory({ database }: Pick<Site, "database">, name: string): Promise<void> {
  for (const table of ["gap", "fork", "alias"]) {
    expect([table, ...(await database.rows(`SELECT * FROM ${table} WHERE gateway = $1`, [name]))]).toEqual([table]);
  }
  const [event] = await database.rows<{ epoch: string; applied: number; turn: number }>(
    "SELECT epoch, applied, turn FROM stream_position WHERE gateway = $1 AND stream = 'event'",
    [name],
  );
  expect(event?.turn).toBe(1);
  const holes = "SELECT * FROM missing_events($1, $2, 1, $3)";
  expect(await database.rows(holes, [name, event?.epoch, event?.applied])).toEqual([]);
}

function eventsOf(journal: readonly NewJournalEntry[]): readonly NewJournalEntry[] {
  return journal.filter((entry) => routesOf(entry).some(({ stream }) => stream === "event"));
}

/** The newest of each, by name. */
function statesOf(journal: readonly NewJournalEntry[]): ReadonlyMap<string, Entity> {
  const newest = new Map<string, Entity>();
  for (const entry of journal) {
    for (const { entity } of routesOf(entry)) {
      if (entity !== null)
        newest.set(entity, { isDeleted: entry.event.endsWith(":deleted"), payload: entry.payload ?? null });
    }
  }
  return new Map([...newest].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
