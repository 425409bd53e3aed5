import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import type { Finding } from "../../domain/checks/finding.ts";
import { type AssetView, byPrecedence, hasSameSerial } from "../../domain/checks/second-views.ts";
import type { Log } from "../../platform/ports/ports.ts";
import type { FindingRecord } from "../../store/records/checks.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Fleet } from "../contracts/fleet.ts";
import { channelOf } from "../discovery/channel-of.ts";
import type { EngineConfig, TellingDevice } from "../engine-part.ts";

import type { Corrections } from "./corrections.ts";

/** What looking at a house in another way needs of the engine. */
interface SecondViewNeeds {
  readonly store: Store;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
  readonly fleet: Fleet;
  readonly log: Log;
  readonly config: EngineConfig;
}

/** Assets that two devices see: which view stays, and what becomes of the other when that one leaves. */
export class SecondViews {
  readonly #context: SecondViewNeeds;
  readonly #corrections: Corrections;
  readonly #revealed = new Set<string>();

  constructor(context: SecondViewNeeds, corrections: Corrections) {
    this.#context = context;
    this.#corrections = corrections;
  }

  /** Orders assets of a kind: the view that stays first. */
  compare(assetId: string, otherId: string): number {
    const [a, b] = [this.#view(assetId), this.#view(otherId)];
    return a === null || b === null ? 0 : byPrecedence(a, b);
  }

  /** True for a duplicate whose devices tell one serial number: nobody has to be asked whether they are one. */
  isOne({ check, deviceId, against }: Finding): boolean {
    if (check !== "duplicate" || this.#arePartsOfOne(deviceId, against)) return false;
    return hasSameSerial(this.#known(deviceId), this.#known(against));
  }

  /** Sockets and relays of one device tell its serial number, and the same values while nothing is on them. */
  #arePartsOfOne(deviceId: string | null, otherId: string | null): boolean {
    const [one, other] = [this.#run(deviceId), this.#run(otherId)];
    if (one === null || other === null) return false;
    const isAlike = one["adapter"] === other["adapter"] && one["profile"] === other["profile"];
    return isAlike && (one["unit"] !== other["unit"] || channelOf(one) !== channelOf(other));
  }

  /** The adapter and the options that a device is run with. */
  #run(deviceId: string | null): Readonly<Record<string, unknown>> | null {
    const { config, fleet } = this.#context;
    const added = deviceId === null ? null : fleet.get(deviceId);
    if (added !== null) return { ...added.options, adapter: added.adapter };
    return config.devices.find(({ id }) => id === deviceId) ?? null;
  }

  /** What shows second views again whose first one is among those that leave. */
  reveal(findings: readonly FindingRecord[], leaving: ReadonlySet<string>): readonly Write[] {
    const gone = findings.flatMap(({ state, finding: { fix, assetKind, against } }) =>
      state === "CONFIRMED" && fix?.kind === "hide" && leaving.has(`${assetKind} ${against}`) ? [fix] : [],
    );
    return [...Map.groupBy(gone, ({ deviceId }) => deviceId)].map(([deviceId, fixes]) => {
      this.#revealed.add(deviceId);
      return this.#corrections.writeWithout(deviceId, fixes);
    });
  }

  /** It is stored. */
  showRevealed(): void {
    const ids = [...this.#revealed];
    this.#revealed.clear();
    if (ids.length === 0) return;
    this.#context.fleet.restart(ids).catch((err: unknown) => {
      this.#context.log.warn({ err, deviceIds: ids }, "second views are shown after the next start only");
    });
  }

  #view(assetId: string): AssetView | null {
    const record = this.#context.store.get("asset", assetId);
    if (record === null) return null;
    const { deviceId, kind, createdAtMs, device = null } = record;
    return { deviceId, kind, known: device, createdAtMs };
  }

  #known(deviceId: string | null): KnownDevice | null {
    return this.#context.devices().find(({ settings }) => settings.id === deviceId)?.known ?? null;
  }
}
