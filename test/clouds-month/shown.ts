/** Whether what the API shows is so: each value against what the device was when the asset says that it was. */

import type { AssetKind } from "../../src/domain/assets/asset.ts";
import type { RunningEngine } from "../../src/engine/running-engine.ts";
import type { Clock } from "../../src/platform/ports/ports.ts";
import { field } from "../long-run/json-fields.ts";
import type { Value } from "./estate.ts";
import type { Truth } from "./truth.ts";
import type { Vendor } from "./vendor.ts";

const MINUTE_MS = 60_000;
/** A reading, an answer on its way, a minute of the simulated house. */
const AROUND_MS = 90_000;
/** Between two looks, and some. */
const LOOKS_MS = 6 * MINUTE_MS;
/** What chance, restarts and seldom read details add to the period at which a quota lasts. */
const PERIOD_SLACK = 1.5;
/** The part of the time for which a fact has to be known. */
const MOSTLY = 0.8;
/** After this long without an answer an asset is out of reach. */
const DEAD_MS = 2 * 60 * MINUTE_MS;

export interface ShownAsset {
  readonly id: string;
  readonly vendor: string;
  readonly userId: string;
  readonly isReachable: boolean | null;
}

/** How things stand with a vendor's account, for who judges. */
export interface Standing {
  /** Since when nothing was wrong, monotonic ms; null: something is. */
  readonly calmSinceMs: number | null;
  /** Since when nothing can be known of it, monotonic ms; null: something can. */
  readonly deadSinceMs: number | null;
  /** False: the gateway dates what it reads by a wrong clock, which it dates anew once that is right. */
  readonly isClockRight: boolean;
}

export class Shown {
  readonly #clock: Clock;
  readonly counts = { judged: 0, known: 0, aged: 0, dead: 0 };
  /** How often each fact was judged, and how often it was known then, so that none is null for long. */
  readonly #told = new Map<string, number>();
  readonly #known = new Map<string, number>();
  oldestMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Facts that were known too seldom, with how often they were. */
  unknown(vendors: readonly Vendor[]): readonly string[] {
    const names = vendors.flatMap((vendor) => vendor.truths.map((truth) => nameOf(vendor, truth)));
    return names.flatMap((name) => {
      const [known = 0, told = 0] = [this.#known.get(name), this.#told.get(name)];
      return known > told * MOSTLY ? [] : [`${name}: known ${known} times of ${told}`];
    });
  }

  judge(engine: Pick<RunningEngine, "assets">, vendor: Vendor, standing: Standing): readonly string[] {
    vendor.planReadings();
    return vendor.truths.flatMap((truth) => {
      const asset = assetOf(engine, vendor, truth.fact);
      if (asset === null) return [`${nameOf(vendor, truth)}: the asset is not there`];
      return [...this.#value(vendor, truth, asset, standing), ...this.#reach(vendor, asset, standing)];
    });
  }

  #value(vendor: Vendor, truth: Truth, asset: ShownAsset, standing: Standing): readonly string[] {
    const { group, field: name } = truth.fact;
    const told = field(asset, group, name);
    const shown = told === "UNKNOWN" || told === undefined ? null : (told as Value);
    const stamp = field(asset, group, "lastUpdated");
    const text = typeof stamp === "string" ? stamp : "";
    if (!standing.isClockRight) return [];
    this.counts.judged += 1;
    const what = nameOf(vendor, truth);
    if (text === "") return shown === null ? [] : [`${what} is ${String(shown)} of no time`];
    const atMs = Date.parse(text);
    const nowMs = this.#clock.nowMs();
    if (atMs > nowMs + AROUND_MS) return [`${what} is of ${text}, which is to come`];
    const isNothing = truth.was(null, atMs - AROUND_MS, atMs + AROUND_MS + vendor.estate.lagMs);
    if (!isNothing) this.#told.set(what, (this.#told.get(what) ?? 0) + 1);
    // Such as a flow whose direction is in doubt: it is of when that was last known. That none stays so is seen in the end.
    if (shown === null) return [];
    const old = this.#age(vendor, standing, nowMs - atMs).map((breach) => `${what} ${breach}`);
    this.counts.known += 1;
    if (!isNothing) this.#known.set(what, (this.#known.get(what) ?? 0) + 1);
    if (truth.was(shown, atMs - AROUND_MS, atMs + AROUND_MS + vendor.estate.lagMs)) return old;
    return [...old, `${what} is shown as ${String(shown)} of ${text}, it was ${truth.around(atMs)}`];
  }

  #age(vendor: Vendor, { calmSinceMs }: Standing, ageMs: number): readonly string[] {
    const { estate } = vendor;
    if (calmSinceMs === null || estate.isSilent?.() === true) return [];
    const calmMs = this.#clock.monotonicMs() - calmSinceMs;
    const mayMs = this.#mayBeMs(vendor, ageMs) + estate.lagMs;
    if (calmMs < mayMs + 10 * MINUTE_MS) return [];
    this.counts.aged += 1;
    this.oldestMs = Math.max(this.oldestMs, ageMs);
    return ageMs <= mayMs ? [] : [`is ${Math.round(ageMs / MINUTE_MS)} minutes old in peace`];
  }

  /** How old a value may be in peace that is so old, ms. */
  #mayBeMs(vendor: Vendor, ageMs: number): number {
    const periodMs = vendor.readingPeriodMs(this.#clock.nowMs() - ageMs - LOOKS_MS);
    return Math.max(vendor.estate.ageMs, periodMs * PERIOD_SLACK);
  }

  #reach(vendor: Vendor, { isReachable, id }: ShownAsset, { deadSinceMs, calmSinceMs }: Standing): readonly string[] {
    const { estate } = vendor;
    const nowMs = this.#clock.monotonicMs();
    const deadMs = deadSinceMs === null ? 0 : nowMs - deadSinceMs;
    if (deadMs > DEAD_MS + this.#mayBeMs(vendor, deadMs)) {
      this.counts.dead += 1;
      return isReachable === true ? [`${estate.id} ${id} is shown as reachable, and nobody answers since hours`] : [];
    }
    const isCalm = calmSinceMs !== null && nowMs - calmSinceMs > this.#mayBeMs(vendor, DEAD_MS) + 30 * MINUTE_MS;
    const isOut = isCalm && isReachable === false;
    return isOut ? [`${estate.id} ${id} is shown as out of reach in peace`] : [];
  }
}

/** The asset that shows a fact; null: there is none. */
export function assetOf(
  { assets }: Pick<RunningEngine, "assets">,
  { estate }: Vendor,
  { kind, name }: { readonly kind: AssetKind; readonly name?: string },
): ShownAsset | null {
  const own = assets
    .list(kind)
    .map(({ asset }) => asset)
    .filter(({ userId }) => userId === estate.id);
  const found = own.find((asset) => name === undefined || field(asset, "information", "displayName") === name);
  return found ?? null;
}

function nameOf({ estate }: Vendor, { fact }: Truth): string {
  return `${estate.id} ${fact.kind} ${fact.name ?? ""} ${fact.group}.${fact.field}`;
}
