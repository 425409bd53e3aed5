import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startFailure } from "../../../src/cli/start-failure.ts";
import { sealJson } from "../../../src/store/envelope.ts";
import { SCHEMA_KEY } from "../../../src/store/keys.ts";
import { MIGRATIONS } from "../../../src/store/migrations.ts";
import {
  diskOf,
  historyOf,
  lastingOf,
  MINUTE_MS,
  type RecordedState,
  startHouse,
  unpackState,
} from "./recorded-house.ts";

const NAMES = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".gz"));

function recorded(name: string): RecordedState {
  return unpackState(readFileSync(new URL(name, import.meta.url)));
}

test("there is a recorded state of today's layout; record-layout.ts makes it", () => {
  expect(NAMES).toContain(`layout-${MIGRATIONS.length}.json.gz`);
});

test.each(NAMES)(
  "a house that was left in %s is as it was: nothing is lost, and no secret stays closed",
  async (name) => {
    const state = recorded(name);
    await using house = await startHouse(diskOf(state), state.atMs + 10 * MINUTE_MS);
    const { store } = house.gateway;
    expect([store.recovered, store.locked.length, store.all("webhook")[0]?.secret]).toEqual([
      [],
      0,
      "a-secret-of-some-length",
    ]);
    for (const [url, answer] of Object.entries(state.answers)) {
      // A later version may say more.
      expect([url, lastingOf(await house.ask(state.client, { url }))]).toMatchObject([url, lastingOf(answer)]);
    }
    expect(await historyOf(house, state.atMs)).toEqual(state.history);
    expect(state.history.samples).toBeGreaterThan(100);
  },
);

test("a state of a newer layout is refused with what to do, and left as it is", async () => {
  const newer = diskOf(recorded(`layout-${MIGRATIONS.length}.json.gz`));
  const layout = MIGRATIONS.length + 1;
  newer.contents("critical").set(SCHEMA_KEY, sealJson(SCHEMA_KEY, { epoch: 1, seq: 0 }, layout));
  const before = new Map(newer.contents("critical"));
  const error = await startHouse(newer).catch((refusal: unknown) => refusal);
  expect(startFailure(error, "/var/lib/hemgate")?.message).toBe(
    `the state folder /var/lib/hemgate was written by a newer hemgate (the critical database has layout ${layout}, this version of hemgate supports ${layout - 1}: run the later version again); start that one`,
  );
  expect(newer.contents("critical")).toStrictEqual(before);
});
