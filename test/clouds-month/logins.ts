/** Whether logins last: those that nobody took back stay, the others are told and come back with the person. */

import type { RunningEngine } from "../../src/engine/running-engine.ts";
import type { Clock } from "../../src/platform/ports/ports.ts";
import { field } from "../long-run/json-fields.ts";
import { TokenDesk } from "../twins/clouds/token-desk.ts";
import { assetOf, type ShownAsset } from "./shown.ts";
import type { Vendor } from "./vendor.ts";

const MINUTE_MS = 60_000;
/** What a loop that backs off adds to the account's own pace. */
const NOTICED_MS = 90 * MINUTE_MS;

type Engine = Pick<RunningEngine, "services" | "assets">;

export class Logins {
  readonly #clock: Clock;
  /** Monotonic ms at which people took their permission back. */
  readonly #revokedAtMs = new Map<Vendor, number>();
  readonly counts = { revoked: 0, noticed: 0, restored: 0 };
  /** Of each user, how often a loss has to be told. */
  readonly expected = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isRevoked(vendor: Vendor): boolean {
    return this.#revokedAtMs.has(vendor);
  }

  revoke(vendor: Vendor): void {
    const { id } = vendor.estate;
    vendor.estate.revoke();
    this.counts.revoked += 1;
    this.expected.set(id, (this.expected.get(id) ?? 0) + 1);
    this.#revokedAtMs.set(vendor, this.#clock.monotonicMs());
  }

  restored(vendor: Vendor): void {
    this.#revokedAtMs.delete(vendor);
    this.counts.restored += 1;
  }

  judge(engine: Engine, vendor: Vendor, calmSinceMs: number | null): readonly string[] {
    const { id, twin } = vendor.estate;
    const isValid = engine.services.users.linkedVendors(id).every((linked) => linked.isValid);
    const revokedAtMs = this.#revokedAtMs.get(vendor);
    const reuse = "desk" in twin && twin.desk instanceof TokenDesk ? twin.desk.revoked : 0;
    if (reuse > 0) return [`${id}: a refresh token was used twice, the vendor ended the login`];
    if (revokedAtMs === undefined) return isValid ? [] : [`${id}: the login is lost, and nobody took it back`];
    if (isValid)
      return this.#isLate(vendor, revokedAtMs, calmSinceMs) ? [`${id}: nobody noticed that the login is refused`] : [];
    return vendor.truths.flatMap(({ fact }) => {
      const asset = assetOf(engine, vendor, fact);
      return asset === null ? [`${id}: the ${fact.kind} is gone with its login`] : refusedBreaches(id, asset);
    });
  }

  /** Whether the loss shows: its owner may act on it. */
  isTold(engine: Engine, vendor: Vendor): boolean {
    return engine.services.users.linkedVendors(vendor.estate.id).some((linked) => !linked.isValid);
  }

  #isLate({ estate }: Vendor, revokedAtMs: number, calmSinceMs: number | null): boolean {
    if (calmSinceMs === null) return false;
    const sinceMs = Math.max(revokedAtMs, calmSinceMs);
    return this.#clock.monotonicMs() - sinceMs > estate.ageMs + NOTICED_MS;
  }
}

/** Out of reach, and each capability names a remedy. */
function refusedBreaches(id: string, asset: ShownAsset): readonly string[] {
  const capabilities = Object.entries(Object(field(asset, "capabilities"))).filter(([, each]) => {
    return typeof field(each, "isCapable") === "boolean";
  });
  const bare = capabilities.filter(([, each]) => {
    const remedies = field(each, "interventionIds");
    return field(each, "isCapable") === true || !Array.isArray(remedies) || remedies.length === 0;
  });
  return [
    ...(asset.isReachable === true ? [`${id}: ${asset.id} is reachable without a login`] : []),
    ...bare.map(([name]) => `${id}: ${name} is capable without a login, or names no remedy`),
  ];
}
