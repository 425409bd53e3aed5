/** What happens to the gateway itself: it is killed, stopped, and its disk and clock fail it. */
import type { SeededRandom, World } from "hemgate/testing";
import { MINUTE_MS } from "../../src/domain/duration.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import { boundBreaches, closedBreaches } from "../long-run/invariants/bounded.ts";
import { Tally } from "../long-run/tally.ts";
import { Deck } from "./deck.ts";
import type { Deeds } from "./deeds.ts";

/** What a board without a battery for its clock begins with. */
const OLD_TIME_MS = Date.UTC(2026, 0, 1);
const EVERY_MINUTES = 180;
/** Of so many starts one is without a clock, the first among them. */
const UNSET_EVERY = 3;
/** A write that the disk refused is noticed by the next write. */
const REFUSES_MS = 30 * MINUTE_MS;
const MISHAPS = ["gateway killed", "gateway stopped", "disk refuses"] as const;
/** A timer for each device's loop, call and answers, and the gateway's own. */
const MAX_TIMERS_A_DEVICE = 12;
const MAX_STREAMS_A_DEVICE = 3;

export class Mishaps {
  readonly fired = new Tally();
  readonly #parts: {
    readonly world: World;
    readonly box: GatewayBox;
    readonly deeds: Deeds;
    readonly devices: number;
    readonly minutes: number;
  };
  readonly #random: SeededRandom;
  readonly #mishaps: Deck<(typeof MISHAPS)[number]>;
  #starts = 0;
  #startAtMinute: number | null = null;
  #isClockUnset = false;
  #diskFailedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: {
    readonly world: World;
    readonly box: GatewayBox;
    readonly deeds: Deeds;
    readonly devices: number;
    readonly minutes: number;
  }) {
    this.#parts = parts;
    this.#random = parts.world.random.fork("mishaps");
    this.#mishaps = new Deck(MISHAPS, this.#random);
  }

  static readonly names: readonly string[] = [...MISHAPS, "clock unset at boot"];

  /** Whether the API may answer that nothing can be stored. */
  get mayRefuse(): boolean {
    const { world, box } = this.#parts;
    const isFresh = world.clock.monotonicMs() - this.#diskFailedMs < REFUSES_MS;
    return isFresh || box.running?.gateway.store.isWritable === false;
  }

  async atMinute(minute: number): Promise<readonly string[]> {
    const { box, world } = this.#parts;
    if (this.#startAtMinute === minute) return await this.#start();
    if (this.#isClockUnset && this.#random.isChance(0.2)) this.#setClock();
    const breaches = this.#held();
    if (box.running === null || !this.#random.isChance(Math.max(1 / EVERY_MINUTES, 6 / this.#parts.minutes))) {
      return breaches;
    }
    const mishap = this.#mishaps.next();
    this.fired.count(mishap);
    world.events.add("mishap", mishap);
    if (mishap === "disk refuses") {
      this.#diskFailedMs = world.clock.monotonicMs();
      box.disk.failWrites(this.#random.pick(["lost", "kept"]));
      return breaches;
    }
    const longest = Math.min(90, Math.ceil(this.#parts.minutes / 8));
    const lasts = this.#random.isChance(0.3) ? this.#random.below(longest) : this.#random.below(5);
    this.#startAtMinute = minute + 1 + lasts;
    if (mishap === "gateway killed") box.kill();
    else {
      this.#parts.deeds.stopping();
      const held = await box.stop();
      if (held !== null) breaches.push(...closedBreaches(held));
    }
    return breaches;
  }

  async #start(): Promise<readonly string[]> {
    const { world, box } = this.#parts;
    this.#startAtMinute = null;
    this.#starts += 1;
    if (this.#starts % UNSET_EVERY === 1) {
      this.fired.count("clock unset at boot");
      this.#isClockUnset = true;
      world.clock.setQuality("unset");
      world.clock.setWallMs(OLD_TIME_MS);
    }
    await box.start();
    return [];
  }

  #setClock(): void {
    const { clock } = this.#parts.world;
    this.#isClockUnset = false;
    clock.setWallMs(WEEK_START_MS + clock.monotonicMs());
    clock.setQuality("synced");
  }

  #held(): string[] {
    const { box, devices } = this.#parts;
    const held = box.running?.process.resources;
    if (held === undefined) return [];
    return [
      ...boundBreaches([
        { what: "open streams of the gateway", value: held.streams, limit: MAX_STREAMS_A_DEVICE * devices },
        { what: "waiting timers of the gateway", value: held.timers, limit: MAX_TIMERS_A_DEVICE * devices },
      ]),
    ];
  }
}

/** Midsummer, midnight in Greenwich. */
export const WEEK_START_MS = Date.UTC(2026, 5, 21);
