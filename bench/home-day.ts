/** A day of the sandbox home on its own gateway, without faults: what a gateway has to tell of it. */

import { ADAPTERS } from "../src/cli/adapters.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway, type Gateway } from "../src/gateway.ts";
import type { JournalEntry } from "../src/store/records.ts";
import type { NewJournalEntry, TelemetrySample } from "../src/store/store.ts";
import { MemoryDisk } from "../src/testing/memory-disk.ts";
import { World } from "../src/testing/world.ts";
import { startHouse } from "../test/simulation/simulated-house.ts";

export const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;
const STEP_MS = 60_000;
/** What is committed within so short a time goes out together. */
const ROUND_MS = 50;
const START_WITHIN_MS = 30_000;

export interface HomeDay {
  /** What was journaled together, in order. */
  readonly rounds: readonly (readonly NewJournalEntry[])[];
  readonly devices: readonly string[];
  /** By device, then by quarter of the day; `atMs` from the quarter's beginning. */
  readonly quarters: ReadonlyMap<string, readonly (readonly TelemetrySample[])[]>;
}

export async function homeDay(seed: number, hours: number): Promise<HomeDay> {
  const world = new World({ seed });
  const house = await startHouse(world, { onWrite: () => undefined });
  const config = configSchema(ADAPTERS).parse({ devices: house.devices });
  const { platform } = world.boot("gateway", new MemoryDisk());
  const opening = createGateway({ platform, config, adapters: ADAPTERS, listen: false });
  const gateway = await world.clock.resolve(opening, START_WITHIN_MS);
  const quarters = new Map<string, (readonly TelemetrySample[])[]>(config.devices.map(({ id }) => [id, []]));
  const entries: JournalEntry[] = [];
  let fromMs = world.clock.nowMs();
  const endMs = fromMs + hours * 3_600_000;
  while (world.clock.nowMs() < endMs) {
    await world.clock.advance(STEP_MS);
    entries.push(...(await told(gateway, entries.at(-1) ?? null)));
    if (world.clock.nowMs() < fromMs + QUARTER_MS) continue;
    for (const [deviceId, own] of quarters) {
      const samples = await gateway.store.history(deviceId, fromMs, fromMs + QUARTER_MS);
      own.push(samples.map((sample) => ({ ...sample, atMs: sample.atMs - fromMs })));
    }
    fromMs += QUARTER_MS;
  }
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), START_WITHIN_MS);
  return { rounds: roundsOf(entries), devices: [...quarters.keys()], quarters };
}

async function told({ store }: Gateway, last: JournalEntry | null): Promise<readonly JournalEntry[]> {
  return await store.journalAfter(last, 1_000);
}

function roundsOf(entries: readonly JournalEntry[]): readonly (readonly NewJournalEntry[])[] {
  const rounds: NewJournalEntry[][] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { atMs, event, payload } of entries) {
    if (atMs - lastMs > ROUND_MS) rounds.push([]);
    rounds.at(-1)?.push({ event, payload });
    lastMs = atMs;
  }
  return rounds;
}
