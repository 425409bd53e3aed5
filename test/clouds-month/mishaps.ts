/** What goes wrong in a month, from a seed: vendors, the internet, the gateway's power and its clock. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/duration.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import { Tally } from "../long-run/tally.ts";
import type { Internet } from "./internet.ts";
import type { Trouble, Vendor } from "./vendor.ts";

/** The longest window of an action, and what a clock that steps may add to it. */
const ACTIONS_MS = 22 * MINUTE_MS;
const LONGEST_AWAY_MS = 48 * HOUR_MS;
/** No shorter, or the trouble may be over before anybody asks. */
const TROUBLES: readonly [Trouble, ...Trouble[]] = [
  "down",
  "hang",
  "break",
  "limited",
  "portal",
  "cut",
  "slow",
  "lost",
];

/** How often something happens, a minute. */
export interface Rates {
  /** A vendor. */
  readonly trouble: number;
  readonly exhaust: number;
  readonly expire: number;
  /** The house. */
  readonly internet: number;
  readonly power: number;
}

type Parts = {
  readonly world: World;
  readonly random: SeededRandom;
  readonly box: GatewayBox;
  readonly internet: Internet;
  readonly vendors: readonly Vendor[];
  readonly rates: Rates;
};

/** Monotonic ms until which things may be off the way that they are in peace. */
export class Mishaps {
  readonly #parts: Parts;
  readonly counts = new Tally();
  readonly #vendorOffUntilMs = new Map<Vendor, number>();
  #internetSinceMs: number | null = null;
  #houseOffUntilMs = 0;
  #startAtMs: number | null = null;
  #clockRightFromMs = 0;
  #isClockWrong = false;
  #cutAt: { readonly isCommand: boolean; readonly delayMs: number } | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const vendor of parts.vendors) {
      vendor.onAsked = (asked, isCommand) => this.#spring(isCommand, vendor.estate.isLogin(asked));
    }
  }

  /** Since when an account is in peace, monotonic ms; null: it is not. */
  calmSinceMs(vendor: Vendor): number | null {
    const { world, box, internet } = this.#parts;
    if (vendor.trouble !== null || internet.isAway || box.running === null || this.#isClockWrong) return null;
    const sinceMs = Math.max(
      this.#vendorOffUntilMs.get(vendor) ?? 0,
      this.#houseOffUntilMs,
      vendor.restUntilMs,
      vendor.untoldUntilMs,
      box.running.startedAtMs,
    );
    return sinceMs > world.clock.monotonicMs() ? null : sinceMs;
  }

  /** Since when nobody answers a gateway that runs; null: somebody may. */
  deadSinceMs(vendor: Vendor): number | null {
    const { running } = this.#parts.box;
    const since = this.#internetSinceMs;
    if (running === null || since === null) return null;
    // Who was told when to come back, or that nothing is left, asks nothing until then.
    const unaskedUntilMs = Math.max(vendor.restUntilMs, vendor.untoldUntilMs, this.#vendorOffUntilMs.get(vendor) ?? 0);
    return Math.max(since, running.startedAtMs, vendor.answeredAtMs, unaskedUntilMs);
  }

  get isClockRight(): boolean {
    return !this.#isClockWrong && this.#parts.world.clock.monotonicMs() >= this.#clockRightFromMs;
  }

  /** Whether the ends of actions can be told by their times: those from before a step of the clock are over by now. */
  get areActionsTimed(): boolean {
    return this.isClockRight && this.#parts.world.clock.monotonicMs() >= this.#clockRightFromMs + ACTIONS_MS;
  }

  /** Nothing is known of a vendor's account for a while: its owner or the vendor stopped it. */
  disturb(vendor: Vendor, forMs: number): void {
    const untilMs = this.#parts.world.clock.monotonicMs() + forMs;
    this.#vendorOffUntilMs.set(vendor, Math.max(untilMs, this.#vendorOffUntilMs.get(vendor) ?? 0));
  }

  happen(): void {
    const { random, vendors, rates, internet, box } = this.#parts;
    for (const vendor of vendors) this.#trouble(vendor);
    if (!internet.isAway && random.isChance(rates.internet)) this.loseInternet(random.between(5, 360) * MINUTE_MS);
    if (box.running !== null && this.#cutAt === null && random.isChance(rates.power)) this.#planCut();
  }

  /** Ends the internet, for the longest time that a household bears. */
  loseInternetForLong(): void {
    this.loseInternet(LONGEST_AWAY_MS);
  }

  loseInternet(forMs: number): void {
    const { internet, random, world } = this.#parts;
    if (internet.isAway) return;
    this.counts.count("internet away");
    internet.fail(random.pick(["unresolved", "silent"]));
    this.#internetSinceMs = world.clock.monotonicMs();
    world.clock.timer(forMs, () => {
      internet.mend();
      this.#internetSinceMs = null;
      this.#houseOffUntilMs = Math.max(this.#houseOffUntilMs, world.clock.monotonicMs());
    });
  }

  /** Whether the gateway is to be started now; it may begin with a wrong clock. */
  mayStart(trueNowMs: number): boolean {
    const { world, random } = this.#parts;
    if (this.#startAtMs === null || world.clock.monotonicMs() < this.#startAtMs) return false;
    this.#startAtMs = null;
    if (!random.isChance(0.4)) return true;
    this.counts.count("clock wrong at boot");
    this.#isClockWrong = true;
    const offsetMs = random.pick([-trueNowMs + 1_000, -2 * HOUR_MS, -20 * DAY_MS, 3 * DAY_MS]);
    world.clock.setQuality(offsetMs < -30 * DAY_MS ? "unset" : "restored");
    world.clock.setWallMs(trueNowMs + offsetMs);
    const wrongForMs = random.between(0.5, 40) * MINUTE_MS;
    world.clock.timer(wrongForMs, () => this.#setClock(trueNowMs + wrongForMs));
    return true;
  }

  #setClock(trueNowMs: number): void {
    const { clock } = this.#parts.world;
    clock.setWallMs(trueNowMs);
    clock.setQuality("synced");
    this.#isClockWrong = false;
    // What was read at the moment of the step.
    this.#clockRightFromMs = clock.monotonicMs() + MINUTE_MS;
    this.#houseOffUntilMs = clock.monotonicMs();
  }

  #trouble(vendor: Vendor): void {
    const { random, rates, world } = this.#parts;
    const { estate } = vendor;
    if (estate.expire !== undefined && random.isChance(rates.expire)) {
      this.counts.count("session over");
      estate.expire();
    }
    if (estate.exhaust !== undefined && random.isChance(rates.exhaust)) {
      this.counts.count("quota used elsewhere");
      estate.exhaust();
      this.disturb(vendor, 25 * HOUR_MS);
    }
    if (vendor.trouble !== null || !random.isChance(rates.trouble)) return;
    const trouble = random.pick(TROUBLES);
    this.counts.count(`vendor ${trouble}`);
    vendor.trouble = trouble;
    const lastsMs = random.between(3, random.isChance(0.2) ? 600 : 60) * MINUTE_MS;
    world.clock.timer(lastsMs, () => {
      vendor.trouble = null;
      this.disturb(vendor, 0);
    });
  }

  /** At any moment, or right after a vendor was asked for a token, or told something. */
  #planCut(): void {
    const { random, world } = this.#parts;
    const when = random.pick(["moment", "login", "command", "stop"]);
    if (when === "login" || when === "command") {
      this.#cutAt = { isCommand: when === "command", delayMs: random.pick([0, 20, 45, 70, 100, 200, 1_000]) };
      return;
    }
    this.counts.count(when === "stop" ? "stopped" : "power cut");
    this.#startAtMs = world.clock.monotonicMs() + this.#darkMs();
    if (when === "moment") world.clock.timer(random.between(0, MINUTE_MS), () => this.#cutPower());
    else this.#isStopWanted = true;
  }

  #isStopWanted = false;

  /** True once, when somebody stops the gateway as one should. */
  takeStop(): boolean {
    const isRequested = this.#isStopWanted;
    this.#isStopWanted = false;
    return isRequested;
  }

  #spring(isCommand: boolean, isLogin: boolean): void {
    const { world, box } = this.#parts;
    const plan = this.#cutAt;
    if (plan === null || box.running === null || (plan.isCommand ? !isCommand : !isLogin)) return;
    this.#cutAt = null;
    this.counts.count(plan.isCommand ? "power cut at a command" : "power cut at a login");
    world.clock.timer(plan.delayMs, () => this.#cutPower());
    this.#startAtMs = world.clock.monotonicMs() + plan.delayMs + this.#darkMs();
  }

  #cutPower(): void {
    this.#parts.box.kill();
    for (const vendor of this.#parts.vendors) vendor.powerCut();
  }

  #darkMs(): number {
    const { random } = this.#parts;
    return random.between(1, random.isChance(0.15) ? 720 : 20) * MINUTE_MS;
  }
}
