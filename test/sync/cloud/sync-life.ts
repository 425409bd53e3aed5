/** One gateway and its cloud service for a while, by chance from a seed. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/domain/duration.ts";
import type { Batch } from "../../../src/sync/protocol/batch.ts";
import type { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import type { Tally } from "../../long-run/tally.ts";
import { CRASH_POINTS, cutPowerAt } from "./crash-points.ts";
import { Box, GATEWAY, numberIn, SyncWorld } from "./sync-world.ts";

const MONTH_DAYS = 30;
const STEPS = 30;
/** Every so many lives have a month offline in them. */
const LIVES_A_MONTH = 24;
/** So little that of a month offline the oldest is left out, and what follows is thinned. */
const MONTH_TELEMETRY_BYTES = 300_000;

export interface Place {
  readonly stream: "event";
  readonly epoch: string;
  readonly seq: number;
}

/** A value that the meter showed, W, and when. */
export interface Shown {
  readonly atMs: number;
  readonly power: number;
}

export class Life {
  readonly world: SyncWorld;
  readonly chance: SeededRandom;
  readonly box: Box;
  readonly tally: Tally;
  /** Where each number was sent. */
  readonly places = new Map<number, Place[]>();
  /** Numbers that nobody has: they were on a card that is gone, and in no memory of the cloud service. */
  readonly gone = new Set<number>();
  readonly shown: Shown[] = [];
  /** Commands that the cloud service sends until they are answered. */
  readonly commands: { readonly id: string; readonly expiresAtMs: number }[] = [];
  /** Numbers that were on a card that is gone. */
  readonly #offCard = new Set<number>();
  readonly hasMonth: boolean;
  /** Whether something is brought back to how it was, or a card is copied. */
  readonly #hasRestores: boolean;
  #card: { readonly disk: MemoryDisk; readonly told: number } | null = null;
  #clone: Box | null = null;
  #restoreCloud: (() => void) | null = null;
  /** Two boxes had one card: of a quarter that both measured, the cloud service keeps what was told last. */
  hadClone = false;
  #isRestored = false;

  constructor(seed: number, tally: Tally) {
    this.world = new SyncWorld(seed);
    this.chance = this.world.random.fork("life");
    this.hasMonth = seed % LIVES_A_MONTH === 7;
    this.#hasRestores = this.chance.isChance(0.6);
    this.box = new Box(this.world, undefined, this.hasMonth ? { maxTelemetryBytes: MONTH_TELEMETRY_BYTES } : {});
    this.tally = tally;
    const { hear } = this.world.twin;
    this.world.twin.hear = (gateway, message) => {
      if (message.kind === "batch" && message.stream === "event") this.#notePlaces(message);
      return hear.call(this.world.twin, gateway, message);
    };
  }

  /** True: something was brought back to how it was, or two boxes had one card. */
  get isRestored(): boolean {
    return this.#isRestored;
  }

  async live(): Promise<void> {
    if (this.chance.isChance(0.2)) this.#begin1970();
    await this.box.start();
    const monthAt = this.chance.below(STEPS);
    for (let step = 0; step < STEPS; step += 1) {
      if (this.hasMonth && step === monthAt) await this.#monthOffline();
      await this.#step(this.chance.next());
      if (this.chance.isChance(0.5)) await this.#command();
      await this.#pass(this.chance.pick([0, 50, 500, 5 * SECOND_MS, 2 * MINUTE_MS]));
    }
    await this.#comeToRest();
  }

  /** What was answered to a command. */
  answersTo(id: string): readonly unknown[] {
    const { effects } = this.world.memory;
    return effects.map(({ payload }) => Object(payload)).filter(({ commandId }) => commandId === id);
  }

  #notePlaces({ epoch, records }: Batch): void {
    for (const { payload, seq } of records) {
      const n = numberIn(payload);
      if (n !== null) this.places.set(n, [...(this.places.get(n) ?? []), { stream: "event", epoch, seq }]);
    }
  }

  async #comeToRest(): Promise<void> {
    const { net, clock } = this.world;
    this.#endClone();
    Object.assign(net.faults, { forgotten: 0, doubled: 0, late: 0 });
    net.cut(false);
    this.#setClock();
    await this.#pass(MINUTE_MS);
    // A last word, so that the two sides meet about what was restored under them.
    while (!(await this.box.tell("a"))) await clock.advance(MINUTE_MS);
    await this.world.settle(this.box);
    for (let turn = 0; turn < 3; turn += 1) {
      await this.#command();
      await clock.advance(MINUTE_MS);
    }
    // The quarter of an hour that runs is told when it is over.
    await clock.advance(25 * MINUTE_MS);
    await this.world.settle(this.box);
    await this.world.settleTelemetry(this.box);
  }

  /** Lets time pass, after which the meter is read. */
  async #pass(durationMs: number): Promise<void> {
    const { clock } = this.world;
    await clock.advance(durationMs);
    if (!this.box.isRunning || clock.quality() !== "synced") return;
    const { store } = this.box.run;
    if (store.get("cloud-telemetry", "current") === null) return;
    const shown: Shown = { atMs: clock.nowMs(), power: this.chance.below(10_000) };
    store.record({ deviceId: "meter", atMs: shown.atMs, values: [{ point: "meter.power", value: shown.power }] });
    this.shown.push(shown);
  }

  /** Sends a command, and those again that are not answered. */
  async #command(): Promise<void> {
    const { net, trueMs } = this.world;
    const expiresAtMs = trueMs + this.chance.pick([0, MINUTE_MS, HOUR_MS]);
    this.commands.push({ id: `c${this.commands.length + 1}`, expiresAtMs });
    const shape = { v: 1, kind: "command", version: "2024-10-01", method: "PUT" } as const;
    for (const command of this.commands.filter(({ id }) => this.answersTo(id).length === 0)) {
      await net.tell(GATEWAY, { ...shape, ...command, path: `/${command.id}` });
    }
  }

  async #step(draw: number): Promise<void> {
    if (draw < 0.36) await this.#tell();
    else if (draw < 0.41) await this.#powerCut();
    else if (draw < 0.55) await this.#crash();
    else if (draw < 0.58) await this.#restart();
    else if (draw < 0.66) this.#note("partition", () => this.world.net.cut(!this.world.net.faults.isCut));
    else if (draw < 0.73) this.#disturb();
    else if (draw < 0.8) this.#failCloud();
    else if (draw < 0.96) await (this.#hasRestores ? this.#bringBack() : this.#tell());
    else if (draw < 0.98) this.#note("clock set", () => this.#setClock());
    else await this.#dayOffline();
  }

  async #tell(): Promise<void> {
    const { disk } = this.box;
    if (this.chance.isChance(0.12)) {
      this.#note("disk full", () => disk.failWrites(this.chance.isChance(0.5) ? "lost" : "kept"));
    }
    const isTaken = await this.#tellAny(this.box);
    if (!isTaken) await this.world.clock.advance(30 * SECOND_MS);
    if (this.#clone !== null) await this.#tellAny(this.#clone);
  }

  async #tellAny(box: Box): Promise<boolean> {
    return await box.tell(this.chance.pick(["a", "b", "c"]), this.chance.pick([1, 1, 2, 20]));
  }

  async #powerCut(): Promise<void> {
    this.tally.count("power cut");
    this.box.kill();
    await this.world.clock.advance(this.chance.pick([0, SECOND_MS, MINUTE_MS]));
    await this.box.start();
  }

  /** A power cut at a moment that has a name. */
  async #crash(): Promise<void> {
    const point = this.chance.pick(CRASH_POINTS);
    const isCut = await cutPowerAt(point, this.box, () => this.#tellAny(this.box));
    if (!isCut) return;
    this.tally.count(point);
    await this.world.clock.advance(this.chance.pick([0, SECOND_MS, MINUTE_MS]));
    await this.box.start();
  }

  async #restart(): Promise<void> {
    this.tally.count("restart");
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

  /** Takes an image of the card, or a backup of the cloud service; or brings one of them back, or copies the card. */
  async #bringBack(): Promise<void> {
    const what = this.chance.pick(["card", "card", "cloud", "cloud", "clone"] as const);
    if (what === "clone") await this.#copyCard();
    else if (what === "cloud" && this.#restoreCloud === null) this.#restoreCloud = this.world.twin.backup();
    else if (what === "cloud") this.#bringBackCloud();
    else if (this.#card === null) this.#card = { disk: this.box.image(), told: this.world.told.length };
    else await this.#bringBackCard(this.#card);
  }

  #bringBackCloud(): void {
    this.#note("cloud restored", this.#restoreCloud ?? (() => undefined));
    this.#isRestored = true;
    for (const n of this.#offCard) this.gone.add(n);
    this.#restoreCloud = null;
    // Whoever restores a database ends its connections.
    const { isCut } = this.world.net.faults;
    this.world.net.cut(true);
    this.world.net.cut(isCut);
  }

  async #bringBackCard({ disk, told }: { readonly disk: MemoryDisk; readonly told: number }): Promise<void> {
    this.tally.count("card restored");
    this.#isRestored = true;
    this.box.kill();
    this.#lose(this.world.told.slice(told).filter(({ box }) => box === this.box));
    this.box.disk = disk;
    this.#card = null;
    await this.box.start();
  }

  /** A second box begins with a copy of the card; or it ends, and its card is thrown away. */
  async #copyCard(): Promise<void> {
    if (this.#clone !== null) return this.#endClone();
    this.tally.count("clone");
    this.#isRestored = true;
    this.hadClone = true;
    this.#clone = this.box.clone();
    await this.#clone.start();
  }

  #endClone(): void {
    const clone = this.#clone;
    if (clone === null) return;
    clone.kill();
    this.#lose(this.world.told.filter(({ box }) => box === clone));
    this.#clone = null;
  }

  /** The card is gone that had these; who else has them is asked when the cloud service is brought back, too. */
  #lose(told: readonly { readonly n: number }[]): void {
    const arrived = new Set(this.world.effects);
    for (const { n } of told) {
      this.#offCard.add(n);
      if (!arrived.has(n)) this.gone.add(n);
    }
  }

  async #dayOffline(): Promise<void> {
    this.tally.count("a day offline");
    this.world.net.cut(true);
    await this.box.tell("a");
    await this.#pass(DAY_MS);
    this.world.net.cut(false);
  }

  async #monthOffline(): Promise<void> {
    this.tally.count("a month offline");
    // What is measured by a clock that is not set is told under no date.
    this.#setClock();
    this.world.net.cut(true);
    for (let hour = 0; hour < MONTH_DAYS * 24; hour += 4) {
      if (this.chance.isChance(0.2)) await this.#tellAny(this.box);
      await this.#pass(4 * HOUR_MS);
    }
    this.world.net.cut(false);
  }

  #begin1970(): void {
    this.tally.count("clock of 1970");
    this.world.clock.setWallMs(0);
    this.world.clock.setQuality("unset");
  }

  #setClock(): void {
    this.world.clock.setWallMs(this.world.trueMs);
    this.world.clock.setQuality("synced");
  }

  #note(what: string, act: () => void): void {
    this.tally.count(what);
    act();
  }
}
