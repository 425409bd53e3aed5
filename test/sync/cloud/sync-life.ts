/** One gateway and its cloud service for a while, by chance from a seed; and what must be true at the end. */
import { expect } from "vitest";
import type { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { Box, GATEWAY, numberIn, SyncWorld } from "./sync-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STEPS = 30;

/** What happened how often; what never did, nothing was shown about. */
export type Tally = Map<string, number>;

interface Place {
  readonly stream: "event";
  readonly epoch: string;
  readonly seq: number;
}

class Life {
  readonly world: SyncWorld;
  readonly chance: SeededRandom;
  readonly box: Box;
  readonly tally: Tally;
  /** Where each number was when it first had an effect. */
  readonly places = new Map<number, Place>();
  /** Numbers that nobody has: they were on a card that is gone, and in no memory of the cloud service. */
  readonly gone = new Set<number>();
  /** Numbers that were on a card that is gone. */
  readonly #offCard = new Set<number>();
  /** Commands that the cloud service sends until they are answered. */
  readonly commands: { readonly id: string; readonly expiresAtMs: number }[] = [];
  #card: { readonly disk: MemoryDisk; readonly told: number } | null = null;
  #restoreCloud: (() => void) | null = null;
  #isRestored = false;

  constructor(seed: number, tally: Tally) {
    this.world = new SyncWorld(seed);
    this.chance = this.world.random.fork("life");
    this.box = new Box(this.world);
    this.tally = tally;
    this.world.twin.onEffect = (_gateway, { payload, seq }, epoch) => {
      const n = numberIn(payload);
      if (n !== null && !this.places.has(n)) this.places.set(n, { stream: "event", epoch, seq });
    };
  }

  async live(): Promise<void> {
    const { net, clock } = this.world;
    if (this.chance.isChance(0.2)) this.#begin1970();
    await this.box.start();
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step(this.chance.next());
      if (this.chance.isChance(0.5)) await this.#command();
      await clock.advance(this.chance.pick([0, 50, 500, 5 * SECOND, 2 * MINUTE]));
    }
    Object.assign(net.faults, { forgotten: 0, doubled: 0, late: 0 });
    net.cut(false);
    this.#setClock();
    await clock.advance(MINUTE);
    // A last word, so that the two sides meet about what was restored under them.
    while (!(await this.box.tell("a"))) await clock.advance(MINUTE);
    await this.world.settle(this.box);
    for (let turn = 0; turn < 3; turn += 1) {
      await this.#command();
      await clock.advance(MINUTE);
    }
    await this.world.settle(this.box);
  }

  /** What was answered to a command. */
  answersTo(id: string): readonly unknown[] {
    const { effects } = this.world.memory;
    return effects.map(({ payload }) => Object(payload)).filter(({ commandId }) => commandId === id);
  }

  /** Sends a command, and those again that are not answered. */
  async #command(): Promise<void> {
    const { net, trueMs } = this.world;
    const expiresAtMs = trueMs + this.chance.pick([0, MINUTE, 60 * MINUTE]);
    this.commands.push({ id: `c${this.commands.length + 1}`, expiresAtMs });
    const shape = { v: 1, kind: "command", version: "2024-10-01", method: "PUT" } as const;
    for (const command of this.commands.filter(({ id }) => this.answersTo(id).length === 0)) {
      await net.tell(GATEWAY, { ...shape, ...command, path: `/${command.id}` });
    }
  }

  async #step(draw: number): Promise<void> {
    if (draw < 0.42) await this.#tell();
    else if (draw < 0.52) await this.#powerCut();
    else if (draw < 0.56) await this.#restart();
    else if (draw < 0.64) this.#note("partition", () => this.world.net.cut(!this.world.net.faults.isCut));
    else if (draw < 0.71) this.#disturb();
    else if (draw < 0.78) this.#failCloud();
    else if (draw < 0.88) this.#backUp();
    else if (draw < 0.95) await this.#restoreCard();
    else if (draw < 0.98) this.#note("clock set", () => this.#setClock());
    else await this.#offline();
  }

  async #tell(): Promise<void> {
    const { disk } = this.box;
    if (this.chance.isChance(0.12)) {
      this.#note("disk full", () => disk.failWrites(this.chance.isChance(0.5) ? "lost" : "kept"));
    }
    const isTaken = await this.box.tell(this.chance.pick(["a", "b", "c"]), this.chance.pick([1, 1, 2, 20]));
    if (!isTaken) await this.world.clock.advance(30 * SECOND);
  }

  async #powerCut(): Promise<void> {
    this.#count("power cut");
    this.box.kill();
    await this.world.clock.advance(this.chance.pick([0, SECOND, MINUTE]));
    await this.box.start();
  }

  async #restart(): Promise<void> {
    this.#count("restart");
    await this.box.stop();
    await this.box.start();
  }

  #disturb(): void {
    const { faults } = this.world.net;
    const fault = this.chance.pick(["forgotten", "doubled", "late"] as const);
    this.#note(fault, () => {
      faults[fault] = faults[fault] > 0 ? 0 : 0.3;
    });
  }

  #failCloud(): void {
    const fault = this.chance.pick(["before-commit", "after-commit"] as const);
    this.#note(fault, () => this.world.twin.failNext(fault));
  }

  /** Takes an image of the card, or a backup of the cloud service; or brings the cloud service's back. */
  #backUp(): void {
    if (this.#restoreCloud !== null && this.chance.isChance(0.3)) {
      this.#note("cloud restored", this.#restoreCloud);
      this.#isRestored = true;
      for (const n of this.#offCard) this.gone.add(n);
      this.#forgetEpochsBefore();
      this.#restoreCloud = null;
      // Whoever restores a database ends its connections.
      const { isCut } = this.world.net.faults;
      this.world.net.cut(true);
      this.world.net.cut(isCut);
    } else if (this.chance.isChance(0.5)) this.#card = { disk: this.box.image(), told: this.world.told.length };
    else this.#restoreCloud = this.world.twin.backup();
  }

  /** A gateway knows what was acknowledged in its epoch; a cloud service that lost those before it is not told so. */
  #forgetEpochsBefore(): void {
    const epoch = this.box.isRunning ? this.box.run.store.outbox.meta?.epoch : null;
    for (const [n, place] of this.places) if (place.epoch !== epoch) this.gone.add(n);
  }

  async #restoreCard(): Promise<void> {
    if (this.#card === null) return;
    this.#count("card restored");
    this.#isRestored = true;
    this.box.kill();
    const arrived = new Set(this.world.effects);
    for (const { n } of this.world.told.slice(this.#card.told)) {
      this.#offCard.add(n);
      if (!arrived.has(n)) this.gone.add(n);
    }
    this.box.disk = this.#card.disk;
    this.#card = null;
    await this.box.start();
  }

  async #offline(): Promise<void> {
    this.#count("a day offline");
    this.world.net.cut(true);
    await this.box.tell("a");
    await this.world.clock.advance(24 * 60 * MINUTE);
    this.world.net.cut(false);
  }

  #begin1970(): void {
    this.#count("clock of 1970");
    this.world.clock.setWallMs(0);
    this.world.clock.setQuality("unset");
  }

  #setClock(): void {
    this.world.clock.setWallMs(this.world.trueMs);
    this.world.clock.setQuality("synced");
  }

  get isRestored(): boolean {
    return this.#isRestored;
  }

  #note(what: string, act: () => void): void {
    this.#count(what);
    act();
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}

/** Lives through one seed. Throws what is wrong, with the seed in it. */
export async function liveThrough(seed: number, tally: Tally): Promise<void> {
  const life = new Life(seed, tally);
  try {
    await life.live();
    judge(life);
  } catch (cause) {
    throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function judge(life: Life): void {
  const { world, box, places, gone, tally } = life;
  const { effects, memory } = world;
  const arrived = new Set(effects);
  expect(effects.length, "nothing twice").toBe(arrived.size);
  const told = new Set(world.told.map(({ n }) => n));
  expect(
    effects.filter((n) => !told.has(n)),
    "nothing that was never told",
  ).toEqual([]);
  const missing = [...told].filter((n) => !arrived.has(n) && !gone.has(n));
  const unexplained = missing.filter((n) => !isInGap(memory.gaps, places.get(n)));
  expect(unexplained, "nothing lost that no gap names").toEqual([]);
  if (missing.length > 0) tally.set("gap", (tally.get("gap") ?? 0) + 1);
  const states = new Map([...memory.states].map(([entity, { payload }]) => [entity, numberIn(payload)]));
  for (const [entity, n] of box.states) expect([entity, states.get(`meter/${entity}`)]).toEqual([entity, n]);
  for (const { payload, atMs, quality } of memory.effects) {
    const record = world.told.find(({ n }) => n === numberIn(payload));
    if (record === undefined || quality === "unset") continue;
    expect(Math.abs(atMs - record.trueMs), `the time of ${record.n}, ${quality}`).toBeLessThan(SECOND);
  }
  // A card or a cloud service from before remembers neither a command nor its answer.
  if (!life.isRestored) judgeCommands(life);
}

function judgeCommands(life: Life): void {
  for (const { id } of life.commands) {
    const answers = life.answersTo(id).map((payload) => Reflect.get(Object(payload), "outcome"));
    const paths = life.world.memory.effects.map(({ payload }) => Reflect.get(Object(payload), "path"));
    const effects = paths.filter((path) => path === `/${id}`).length;
    expect(answers, `one answer to ${id}`).toHaveLength(1);
    const [outcome] = answers;
    life.tally.set(String(outcome), (life.tally.get(String(outcome)) ?? 0) + 1);
    if (outcome === "executed") expect(effects, `the effect of ${id}`).toBe(1);
    else expect(effects, `the effect of ${id}, ${outcome}`).toBeLessThanOrEqual(outcome === "interrupted" ? 1 : 0);
  }
}

function isInGap(
  gaps: readonly { readonly place: string; readonly gap: { readonly from: number; readonly through: number } }[],
  place: Place | undefined,
): boolean {
  if (place === undefined) return false;
  return gaps.some(({ place: where, gap }) => {
    return where === `${place.stream}/${place.epoch}` && gap.from <= place.seq && place.seq <= gap.through;
  });
}
