/** Reads from the engine what people are notified of. It detects nothing by itself: each condition is a state that is there already. */
import { sunElevation } from "../../domain/checks/sun-elevation.ts";
import { instant } from "../../domain/fields.ts";
import type { Condition, ConditionFacts, Ending } from "../../domain/notifications/condition.ts";
import { isExpectedToAnswer } from "../../domain/notifications/quiet-hours.ts";
import type { BackupFindings } from "../../engine/contracts/backup.ts";
import type { LimitSourceDirection } from "../../engine/contracts/energy/energy.ts";
import type { DeviceStatus, Engine } from "../../engine/contracts/engine.ts";
import type { Services } from "../../engine/contracts/services.ts";
import type { Updates } from "../../engine/contracts/updates.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** Energy that may be missing without a notification, kWh; and that may be missing of a target that counts as reached. */
const SHORT_KWH = { noticed: 0.5, none: 0.1 } as const;

export interface HouseParts {
  readonly engine: Pick<Engine, "assets" | "devices"> & {
    readonly services: Pick<Services, "energyLimits" | "energyPlans" | "checks" | "fleet">;
  };
  /** `null`: no backups are made by a schedule. */
  readonly backups: Pick<BackupFindings, "finding"> | null;
  /** `null`: nothing updates the gateway. */
  readonly updates: Pick<Updates, "available" | "rolledBack"> | null;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly config: {
    readonly site: {
      readonly timezone: string;
      readonly place?: { readonly latitude: number; readonly longitude: number } | undefined;
    };
    readonly devices: readonly { readonly id: string; readonly name?: string | undefined }[];
  };
}

type FactsOf<Kind extends ConditionFacts["kind"]> = Extract<ConditionFacts, { readonly kind: Kind }>;

export class HouseConditions {
  readonly #parts: HouseParts;

  constructor(parts: HouseParts) {
    this.#parts = parts;
  }

  /** Returns everything that is so now, however long. */
  now(): readonly Condition[] {
    return [
      ...this.#silent(),
      ...this.#limits(),
      ...this.#missed(),
      ...this.#findings(),
      ...this.#backup(),
      ...this.#update(),
    ];
  }

  /** Returns what became of something that `now` does not report any more. */
  endingOf(facts: ConditionFacts): Ending {
    switch (facts.kind) {
      case "device-silent":
        return this.#silenceEnding(facts);
      case "grid-limit":
        return "over";
      case "target-missed":
        return this.#missedEnding(facts);
      case "finding":
        return this.#findingEnding(facts);
      case "backup-failed":
        return this.#backupEnding();
      // Installed, or followed by a later version, which is a separate condition.
      case "update-available":
        return this.#parts.updates?.available()?.version === facts.version ? "unknown" : "gone";
      // Another version stays, or was rolled back, which is a separate condition.
      case "update-rolled-back":
        return this.#parts.updates?.rolledBack() === facts.version ? "unknown" : "gone";
      default:
        return facts satisfies never;
    }
  }

  #silent(): readonly Condition[] {
    const { engine, clock, config } = this.#parts;
    const { timezone, place } = config.site;
    const nowMs = clock.nowMs();
    const elevation = place === undefined || clock.quality() !== "synced" ? null : sunElevation(nowMs, place);
    return engine
      .devices()
      .filter(({ isReachable }) => !isReachable)
      .filter(({ assets }) => {
        const hasPanels = assets.some(({ kind }) => kind === "inverter");
        return isExpectedToAnswer(nowMs, { hasPanels, sunElevation: elevation }, timezone);
      })
      .map((device) => ({
        key: `device-silent:${device.id}`,
        facts: {
          kind: "device-silent",
          deviceId: device.id,
          device: this.#nameOf(device.id, device),
          lastSeenMs: device.lastSeenMs,
        },
      }));
  }

  #silenceEnding({ deviceId }: FactsOf<"device-silent">): Ending {
    const device = this.#device(deviceId);
    if (device === undefined) return "gone";
    return device.isReachable ? "over" : "unknown";
  }

  /**
   * A configured schedule is known to the house already, and a source that was not heard since the start limits nothing
   * yet. Of the others the lowest limit counts, also while a schedule allows still less.
   */
  #limits(): readonly Condition[] {
    const lowest = new Map<string, Condition>();
    for (const { direction, scope, state, appliedW: watts } of this.#limited()) {
      const key = `grid-limit:${direction}:${scope}`;
      const { facts } = lowest.get(key) ?? {};
      if (state === "unknown" || watts === null || (facts?.kind === "grid-limit" && facts.watts <= watts)) continue;
      lowest.set(key, { key, facts: { kind: "grid-limit", direction, scope, watts } });
    }
    return [...lowest.values()];
  }

  #limited(): readonly LimitSourceDirection[] {
    const sources = this.#parts.engine.services.energyLimits.sources();
    return sources.filter(({ kind }) => kind !== "schedule").flatMap(({ directions }) => directions);
  }

  #missed(): readonly Condition[] {
    const nowMs = this.#parts.clock.nowMs();
    return this.#vehicles().flatMap(({ id, targets }) =>
      targets
        .filter(({ at, short }) => short >= SHORT_KWH.noticed && Date.parse(at) > nowMs)
        .map(({ at, short }) => ({
          key: `target-missed:${id}:${at}`,
          facts: {
            kind: "target-missed" as const,
            assetId: id,
            device: this.#nameOfAsset(id),
            atMs: Date.parse(at),
            shortKwh: short,
          },
        })),
    );
  }

  #missedEnding({ assetId, atMs }: FactsOf<"target-missed">): Ending {
    const { clock, engine } = this.#parts;
    if (atMs <= clock.nowMs()) return "gone";
    if (!engine.services.energyPlans.view().isPlanned) return "unknown";
    const vehicle = this.#vehicles().find(({ id }) => id === assetId);
    const target = vehicle?.targets.find(({ at }) => at === instant(atMs));
    if (target === undefined) return "gone";
    return target.short <= SHORT_KWH.none ? "over" : "unknown";
  }

  #vehicles() {
    const { devices } = this.#parts.engine.services.energyPlans.view();
    return devices.filter(({ deviceType }) => deviceType === "vehicle");
  }

  #findings(): readonly Condition[] {
    return this.#parts.engine.services.checks
      .list()
      .filter(({ state }) => state === "OPEN")
      .map(({ id, finding: { check, deviceId } }) => ({
        key: `finding:${id}`,
        facts: { kind: "finding", findingId: id, deviceId, device: this.#nameOf(deviceId), check },
      }));
  }

  #findingEnding({ findingId, deviceId }: FactsOf<"finding">): Ending {
    const isAnswered = this.#parts.engine.services.checks.get(findingId) !== null;
    return isAnswered || this.#device(deviceId) === undefined ? "gone" : "over";
  }

  #backup(): readonly Condition[] {
    const isOpen = this.#parts.backups?.finding()?.state === "OPEN";
    return isOpen ? [{ key: "backup-failed", facts: { kind: "backup-failed" } }] : [];
  }

  #backupEnding(): Ending {
    const { backups } = this.#parts;
    return backups === null || backups.finding() !== null ? "gone" : "over";
  }

  #update(): readonly Condition[] {
    const available = this.#parts.updates?.available() ?? null;
    const version = this.#parts.updates?.rolledBack() ?? null;
    const found: Condition[] = [];
    if (available !== null)
      found.push({ key: `update-available:${available.version}`, facts: { kind: "update-available", ...available } });
    if (version !== null)
      found.push({ key: `update-rolled-back:${version}`, facts: { kind: "update-rolled-back", version } });
    return found;
  }

  #device(deviceId: string): DeviceStatus | undefined {
    return this.#parts.engine.devices().find(({ id }) => id === deviceId);
  }

  #nameOf(deviceId: string, status = this.#device(deviceId)): string {
    const { engine, config } = this.#parts;
    const configured = config.devices.find(({ id }) => id === deviceId)?.name;
    const identity = status?.identity ?? null;
    const name = configured ?? engine.services.fleet.get(deviceId)?.name ?? identity?.name ?? null;
    if (name !== null) return name;
    const make = [identity?.manufacturer, identity?.model].filter((part) => part !== null && part !== undefined);
    return make.length === 0 ? deviceId : make.join(" ");
  }

  #nameOfAsset(assetId: string): string {
    const { engine } = this.#parts;
    const vehicle = engine.assets.get("vehicle", assetId);
    if (vehicle !== null) return vehicle.information.displayName;
    const device = engine.devices().find(({ assets }) => assets.some(({ id }) => id === assetId));
    return device === undefined ? assetId : this.#nameOf(device.id, device);
  }
}
