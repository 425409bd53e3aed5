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

/** The parts of the engine that second views use. */
interface SecondViewNeeds {
  readonly store: Store;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
  readonly fleet: Fleet;
  readonly log: Log;
  readonly config: EngineConfig;
}

/** Assets that two devices show: decides which one stays visible, and shows the other when that one is removed. */
export class SecondViews {
  readonly #context: SecondViewNeeds;
  readonly #corrections: Corrections;
  readonly #revealed = new Set<string>();

  constructor(context: SecondViewNeeds, corrections: Corrections) {
    this.#context = context;
    this.#corrections = corrections;
  }

  /** Compares two assets of a kind: the one that stays visible comes first. */
  compare(assetId: string, otherId: string): number {
    const [a, b] = [this.#view(assetId), this.#view(otherId)];
    return a === null || b === null ? 0 : byPrecedence(a, b);
  }

  /** True for a duplicate whose devices report the same serial number, so that it needs no confirmation. */
  isSameDevice({ check, deviceId, against }: Finding): boolean {
    if (check !== "duplicate" || this.#arePartsOfOne(deviceId, against)) return false;
    return hasSameSerial(this.#known(deviceId), this.#known(against));
  }

  /** True for two sockets or relays of one device: they share its serial number, and its values while nothing is plugged in. */
  #arePartsOfOne(deviceId: string | null, otherId: string | null): boolean {
    const [one, other] = [this.#optionsOf(deviceId), this.#optionsOf(otherId)];
    if (one === null || other === null) return false;
    const isAlike = one["adapter"] === other["adapter"] && one["profile"] === other["profile"];
    return isAlike && (one["unit"] !== other["unit"] || channelOf(one) !== channelOf(other));
  }

  /** Returns the options of a device, with its adapter; `null` if it is unknown. */
  #optionsOf(deviceId: string | null): Readonly<Record<string, unknown>> | null {
    const { config, fleet } = this.#context;
    const added = deviceId === null ? null : fleet.get(deviceId);
    if (added !== null) return { ...added.options, adapter: added.adapter };
    return config.devices.find(({ id }) => id === deviceId) ?? null;
  }

  /** Returns the writes that show second views again whose first view is removed. */
  reveal(findings: readonly FindingRecord[], leaving: ReadonlySet<string>): readonly Write[] {
    const gone = findings.flatMap(({ state, finding: { fix, assetKind, against } }) =>
      state === "CONFIRMED" && fix?.kind === "hide" && leaving.has(`${assetKind} ${against}`) ? [fix] : [],
    );
    return [...Map.groupBy(gone, ({ deviceId }) => deviceId)].map(([deviceId, fixes]) => {
      this.#revealed.add(deviceId);
      return this.#corrections.writeWithout(deviceId, fixes);
    });
  }

  /** Restarts the devices of these second views after the writes of `reveal` are stored. */
  showRevealed(): void {
    const ids = [...this.#revealed];
    this.#revealed.clear();
    if (ids.length === 0) return;
    this.#context.fleet.restart(ids).catch((err: unknown) => {
      this.#context.log.warn(
        { err, deviceIds: ids },
        "cannot restart devices with revealed assets; the assets appear after the next start",
      );
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
