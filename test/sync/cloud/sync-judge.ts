/** What must be true of a life at its end. */
import { expect } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../../src/domain/duration.ts";
import type { Tally } from "../../long-run/tally.ts";
import { Life, type Place, type Shown } from "./sync-life.ts";
import { numberIn } from "./sync-world.ts";

const QUARTER_MS = 15 * MINUTE_MS;

/** Lives through one seed. Throws what is wrong, with the command that runs the seed again. */
export async function liveThrough(seed: number, tally: Tally): Promise<void> {
  try {
    const life = new Life(seed, tally);
    await life.live();
    judgeEvents(life);
    judgeStates(life);
    await judgeTelemetry(life);
    // A card or a cloud service from before remembers neither a command nor its answer.
    if (!life.isRestored) judgeCommands(life);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${problem}; run it again: SYNC_SEEDS=${seed} npm run suite slow -- sync-lives`, { cause });
  }
}

function judgeEvents({ world, places, gone, tally, isRestored }: Life): void {
  const { effects, memory } = world;
  const arrived = new Set(effects);
  expect(effects.length, "nothing twice").toBe(arrived.size);
  const told = new Set(world.told.map(({ n }) => n));
  expect(
    effects.filter((n) => !told.has(n)),
    "nothing that was never told",
  ).toEqual([]);
  const missing = [...told].filter((n) => !arrived.has(n) && !gone.has(n));
  const unexplained = missing.filter((n) => !isInGap(memory.gaps, places.get(n) ?? []));
  expect(unexplained, "nothing lost that no gap names").toEqual([]);
  if (!isRestored) {
    expect(missing, "no gap but where something was brought back").toEqual([]);
    expect(effects, "in order").toEqual(effects.toSorted((one, other) => one - other));
  }
  if (missing.length > 0) tally.count("gap");
  for (const { payload, atMs, quality } of memory.effects) {
    const record = world.told.find(({ n }) => n === numberIn(payload));
    if (record === undefined || quality === "unset") continue;
    tally.count("time judged");
    expect(Math.abs(atMs - record.trueMs), `the time of ${record.n}, ${quality}`).toBeLessThan(SECOND_MS);
  }
}

function judgeStates({ world, box }: Life): void {
  const states = new Map([...world.memory.states].map(([entity, { payload }]) => [entity, numberIn(payload)]));
  for (const [entity, n] of box.states) expect([entity, states.get(`meter/${entity}`)]).toEqual([entity, n]);
}

interface Quarter {
  readonly fromMs: number;
  readonly resolution: string;
  readonly devices: readonly {
    readonly offsetsMs: readonly number[];
    readonly points: Readonly<Record<string, readonly number[]>>;
  }[];
}

/** What the gateway's history has, the cloud service has in full, as a mean, or as a gap; and nothing else. */
async function judgeTelemetry({ world, box, shown, tally, hadClone }: Life): Promise<void> {
  const quarters = new Map(
    world.memory.telemetry.map(({ payload }) => [(payload as Quarter).fromMs, payload as Quarter]),
  );
  const values = new Set(shown.map(({ atMs, power }) => `${atMs} ${power}`));
  for (const quarter of quarters.values()) {
    tally.count(`quarter ${quarter.resolution}`);
    if (quarter.resolution === "quarter-hour") judgeMean(quarter, shown);
    else expect(powersOf(quarter).filter(({ atMs, power }) => !values.has(`${atMs} ${power}`))).toEqual([]);
  }
  const [first] = shown;
  const kept = first === undefined ? [] : await box.run.store.history("meter", first.atMs, world.clock.nowMs());
  const missing = kept.filter(({ atMs }) => {
    const quarter = quarters.get(Math.floor(atMs / QUARTER_MS) * QUARTER_MS);
    if (quarter?.resolution === "quarter-hour" || (quarter !== undefined && hadClone)) return false;
    return quarter === undefined || powersOf(quarter).every((each) => each.atMs !== atMs);
  });
  const holes = world.memory.gaps.map(({ gap }) => gap);
  const unexplained = missing.filter(({ atMs }) => {
    return !holes.some(({ fromMs = Infinity, throughMs = 0 }) => fromMs <= atMs && atMs < throughMs);
  });
  expect(unexplained, "nothing measured that no gap names").toEqual([]);
  tally.count("measured", kept.length);
  if (missing.length > 0) tally.count("telemetry left out");
  if ([...quarters.values()].some(({ resolution }) => resolution === "quarter-hour")) tally.count("telemetry thinned");
}

function judgeMean(quarter: Quarter, shown: readonly Shown[]): void {
  const { fromMs } = quarter;
  const powers = shown.filter(({ atMs }) => fromMs <= atMs && atMs < fromMs + QUARTER_MS).map(({ power }) => power);
  const [mean] = powersOf(quarter);
  expect(mean?.power).toBeGreaterThanOrEqual(Math.min(...powers));
  expect(mean?.power).toBeLessThanOrEqual(Math.max(...powers));
}

function powersOf({ fromMs, devices }: Quarter): readonly Shown[] {
  return devices.flatMap(({ offsetsMs, points }) => {
    return offsetsMs.map((offsetMs, index) => ({
      atMs: fromMs + offsetMs,
      power: points["meter.power"]?.[index] ?? NaN,
    }));
  });
}

function judgeCommands(life: Life): void {
  const { effects } = life.world.memory;
  const paths = effects.map(({ payload }) => Reflect.get(Object(payload), "path"));
  for (const { id } of life.commands) {
    const answers = life.answersTo(id).map((payload) => Reflect.get(Object(payload), "outcome"));
    const ran = paths.filter((path) => path === `/${id}`).length;
    const [outcome, ...again] = answers;
    expect(outcome, `an answer to ${id}`).toBeDefined();
    // After eight days an id is known no more, and its answer may still wait.
    expect(again, `one answer to ${id}`).toEqual(life.hasMonth ? again.map(() => "expired") : []);
    life.tally.count(String(outcome));
    if (outcome === "executed") expect(ran, `the effect of ${id}`).toBe(1);
    else expect(ran, `the effect of ${id}, ${outcome}`).toBeLessThanOrEqual(outcome === "interrupted" ? 1 : 0);
  }
}

function isInGap(
  gaps: readonly { readonly place: string; readonly gap: { readonly from: number; readonly through: number } }[],
  places: readonly Place[],
): boolean {
  return gaps.some(({ place: where, gap }) => {
    return places.some(({ stream, epoch, seq }) => {
      return where === `${stream}/${epoch}` && gap.from <= seq && seq <= gap.through;
    });
  });
}
