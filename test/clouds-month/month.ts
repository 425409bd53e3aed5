/** A month with an account at each vendor: watched minute by minute, from a seed. */

import { HOUR_MS, MINUTE_MS } from "../../src/domain/duration.ts";
import type { Clock } from "../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { World } from "../../src/testing/world.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import { LongRun, type RunReport } from "../long-run/long-run.ts";
import { TokenDesk } from "../twins/clouds/token-desk.ts";
import { Checks } from "./checks.ts";
import { cloudBox } from "./cloud-box.ts";
import { allEstates } from "./estates/all.ts";
import { Homeowner } from "./homeowner.ts";
import { Internet } from "./internet.ts";
import { Logins } from "./logins.ts";
import { Mishaps, type Rates } from "./mishaps.ts";
import { assetOf, Shown } from "./shown.ts";
import { trueClock } from "./true-clock.ts";
import { Vendor } from "./vendor.ts";

const MINUTES_A_DAY = 1_440;
/** Summer time ends on the 25th. */
const START_MS = Date.UTC(2026, 9, 9, 22);
const BERLIN = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "numeric", minute: "numeric" });
const LOOK_EVERY_MINUTES = 5;
const MAX_TIMERS = 400;
const MAX_UNDER_WAY = 60;

export interface MonthOptions {
  readonly seed: number;
  readonly days: number;
  readonly rates: Rates;
  /** How many commands a client sends, a minute. */
  readonly commands: number;
  /** On which day each vendor's owner takes the permission back, by the vendor's place; null: never. */
  revokesOn(place: number): number | null;
  /** On which day the internet goes for two days; null: never. */
  readonly longAwayOn: number | null;
  /** Only these; default all. */
  readonly only?: readonly string[];
}

export interface MonthResult extends RunReport {
  readonly counts: Readonly<Record<string, unknown>>;
  readonly vendors: readonly string[];
  readonly unknown: readonly string[];
  /** Vendors of which a client wished things, and that were never told any. */
  readonly untold: readonly string[];
  readonly mishaps: ReadonlyMap<string, number>;
  readonly ended: ReadonlyMap<string, number>;
}

export async function liveWithClouds(options: MonthOptions): Promise<MonthResult> {
  const month = new Month(options);
  await month.begin();
  return await month.live();
}

class Month {
  readonly #options: MonthOptions;
  readonly #run: LongRun;
  readonly #world: World;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #vendors: readonly Vendor[];
  readonly #internet: Internet;
  readonly #box: GatewayBox;
  readonly #owner: Homeowner;
  readonly #mishaps: Mishaps;
  readonly #checks: Checks;
  readonly #shown: Shown;
  readonly #logins: Logins;
  /** Monotonic ms at which people come back to a login that they took away. */
  readonly #returns = new Map<Vendor, number>();
  readonly #counts = { wishes: 0, taken: 0, restarts: 0, mostTimers: 0 };

  constructor(options: MonthOptions) {
    this.#options = options;
    this.#world = new World({ seed: options.seed, startMs: START_MS });
    this.#run = new LongRun(this.#world);
    this.#clock = trueClock(this.#world.clock, START_MS);
    this.#random = this.#world.random.fork("month");
    const estates = allEstates(this.#clock, this.#world.random.fork("estates"));
    const { only } = options;
    this.#vendors = estates
      .filter(({ id }) => only === undefined || only.includes(id))
      .map((estate) => new Vendor(estate, this.#clock));
    this.#internet = new Internet(this.#world.web, this.#world.webSockets);
    for (const vendor of this.#vendors) this.#internet.join(vendor);
    for (const { estate } of this.#vendors) forgiveOnce(estate.twin);
    this.#box = cloudBox(this.#world);
    this.#owner = new Homeowner(this.#world, this.#box);
    this.#mishaps = new Mishaps({
      world: this.#world,
      random: this.#world.random.fork("mishaps"),
      box: this.#box,
      internet: this.#internet,
      vendors: this.#vendors,
      rates: options.rates,
    });
    this.#checks = new Checks(this.#world, this.#box);
    this.#shown = new Shown(this.#clock);
    this.#logins = new Logins(this.#world.clock);
  }

  async begin(): Promise<void> {
    await this.#box.start();
    await this.#owner.join();
    this.#liveOn();
    for (const vendor of this.#vendors) await this.#owner.link(vendor);
    await this.#world.clock.advance(5 * MINUTE_MS);
  }

  async live(): Promise<MonthResult> {
    const minute = async (turn: number) => [...(await this.#happen(turn)), ...(await this.#check(turn))];
    this.#run.every(MINUTE_MS, minute, { afterMs: 0, times: this.#options.days * MINUTES_A_DAY });
    await this.#run.live();
    if (!this.#run.isOver) this.#run.broke(await this.#end());
    return this.#result();
  }

  async #happen(minute: number): Promise<readonly string[]> {
    const nowMs = this.#clock.nowMs();
    this.#liveOn();
    const { longAwayOn } = this.#options;
    if (longAwayOn !== null && minute === longAwayOn * MINUTES_A_DAY) this.#mishaps.loseInternetForLong();
    this.#mishaps.happen();
    if (this.#mishaps.takeStop()) await this.#stop();
    if (this.#box.running === null && this.#mishaps.mayStart(nowMs)) return await this.#start();
    await this.#permissions(minute);
    if (this.#random.isChance(this.#options.commands)) await this.#command();
    return [];
  }

  #liveOn(): void {
    const nowMs = this.#clock.nowMs();
    const [hour = 0, past = 0] = BERLIN.format(nowMs).split(":").map(Number);
    for (const vendor of this.#vendors) {
      vendor.estate.live({ nowMs, hour: hour + past / 60 });
      vendor.look();
    }
  }

  async #stop(): Promise<void> {
    await this.#checks.newJournal();
    await this.#box.stop();
  }

  async #start(): Promise<readonly string[]> {
    this.#counts.restarts += 1;
    return this.#checks.afterStart(await this.#box.start());
  }

  /** Somebody takes the permission back, and signs in anew some hours after that showed. */
  async #permissions(minute: number): Promise<void> {
    const engine = this.#box.running?.gateway.engine;
    for (const [place, vendor] of this.#vendors.entries()) {
      const day = this.#options.revokesOn(place);
      if (day !== null && minute === day * MINUTES_A_DAY + 601) this.#logins.revoke(vendor);
      if (engine === undefined || !this.#logins.isRevoked(vendor) || !this.#logins.isTold(engine, vendor)) continue;
      const nowMs = this.#world.clock.monotonicMs();
      const returnsAtMs = this.#returns.get(vendor) ?? nowMs + this.#random.between(1, 12) * HOUR_MS;
      this.#returns.set(vendor, returnsAtMs);
      if (nowMs < returnsAtMs || this.#mishaps.calmSinceMs(vendor) === null) continue;
      await this.#relink(vendor);
    }
  }

  async #relink(vendor: Vendor): Promise<void> {
    const engine = this.#box.running?.gateway.engine;
    const [truth] = vendor.truths;
    const asset = engine === undefined || truth === undefined ? null : assetOf(engine, vendor, truth.fact);
    if (asset === null) throw new Error(`${vendor.estate.id} has no asset to link again`);
    const { running } = this.#box;
    try {
      await this.#owner.relink(vendor, asset.id);
    } catch (error) {
      // The vendor or the power went meanwhile: the person tries again in an hour.
      if (this.#box.running === running && this.#mishaps.calmSinceMs(vendor) !== null) throw error;
      this.#returns.set(vendor, this.#world.clock.monotonicMs() + HOUR_MS);
      return;
    }
    this.#returns.delete(vendor);
    this.#logins.restored(vendor);
    this.#mishaps.disturb(vendor, 0);
  }

  async #command(): Promise<void> {
    const engine = this.#box.running?.gateway.engine;
    const vendor = this.#random.pick(this.#vendors as readonly [Vendor, ...Vendor[]]);
    const wish = vendor.estate.wish?.(this.#random);
    if (engine === undefined || wish === undefined) return;
    const asset = assetOf(engine, vendor, wish);
    if (asset === null) throw new Error(`${vendor.estate.id} has no ${wish.kind} ${wish.name ?? ""}`);
    this.#counts.wishes += 1;
    const id = await this.#owner.command(vendor, wish, asset.id);
    if (id === null) return;
    this.#counts.taken += 1;
    this.#checks.acknowledged(id);
  }

  async #check(minute: number): Promise<readonly string[]> {
    const asked = this.#vendors.flatMap((vendor) => vendor.breaches.splice(0));
    const breaches = [...asked, ...this.#checks.actions(this.#mishaps.areActionsTimed), ...this.#bounds()];
    const engine = this.#box.running?.gateway.engine;
    if (minute % LOOK_EVERY_MINUTES !== 0 || engine === undefined) return breaches;
    const { isClockRight } = this.#mishaps;
    for (const vendor of this.#vendors) {
      const calmSinceMs = this.#logins.isRevoked(vendor) ? null : this.#mishaps.calmSinceMs(vendor);
      const deadSinceMs = this.#mishaps.deadSinceMs(vendor);
      breaches.push(...this.#shown.judge(engine, vendor, { calmSinceMs, deadSinceMs, isClockRight }));
      breaches.push(...this.#logins.judge(engine, vendor, this.#mishaps.calmSinceMs(vendor)));
    }
    return [...breaches, ...(await this.#checks.newJournal())];
  }

  #bounds(): readonly string[] {
    const { pendingTimers } = this.#world.clock;
    this.#counts.mostTimers = Math.max(this.#counts.mostTimers, pendingTimers);
    const streams = this.#box.running?.process.resources.streams ?? 0;
    return [
      ...(pendingTimers > MAX_TIMERS ? [`${pendingTimers} timers wait`] : []),
      ...(streams > MAX_UNDER_WAY ? [`${streams} streams are open`] : []),
    ];
  }

  async #end(): Promise<readonly string[]> {
    if (this.#box.running === null) await this.#start();
    await this.#world.clock.advance(MINUTE_MS);
    const journal = await this.#checks.newJournal();
    const told = [...this.#logins.expected].filter(([user, times]) => this.#checks.lost.of(user) > times);
    const extra = told.map(([user]) => `${user}: told ${this.#checks.lost.of(user)} times that the login is refused`);
    const wrong = [...this.#checks.lost.keys()].filter((user) => !this.#logins.expected.has(user));
    await this.#box.stop();
    return [...journal, ...extra, ...wrong.map((user) => `${user}: told as refused, and nobody took it back`)];
  }

  #result(): MonthResult {
    return {
      ...this.#run.report(),
      counts: { ...this.#counts, ...this.#shown.counts, ...this.#logins.counts, oldestMs: this.#shown.oldestMs },
      vendors: this.#vendors.map(({ summary }) => summary),
      unknown: this.#shown.unknown(this.#vendors),
      untold: this.#vendors.filter((vendor) => vendor.isUntold).map(({ estate }) => estate.id),
      mishaps: this.#mishaps.counts,
      ended: this.#checks.ended,
    };
  }
}

/** An answer that got lost does not end a login, a refresh token that comes a second time does. */
function forgiveOnce(twin: object): void {
  if ("desk" in twin && twin.desk instanceof TokenDesk) twin.desk.change({ forgives: true, revokesReuse: true });
}
