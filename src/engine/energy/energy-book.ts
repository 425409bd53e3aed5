import {
  type BatteryUseSettings,
  DEFAULT_BATTERY_USE,
  DEFAULT_POLICY,
  type EnergyPolicy,
  type EnergyPolicyUpdate,
} from "../../domain/energy/energy-policy.ts";
import { changedHeatStore } from "../../domain/energy/heat-store.ts";
import type { SurplusRule } from "../../domain/energy/surplus-rule.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { AskedRecord, EnergyDeviceRecord } from "../../store/records/energy.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";

const SITE = "site";
const NO_RULE: SurplusRule = { minA: null, startExportW: null, stopImportW: null, delayMs: null };

export interface EnergyBookOptions {
  readonly store: Pick<Store, "all" | "get" | "commit">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
}

/** The stored settings of the energy manager, and what somebody asked for beside them. */
export class EnergyBook implements Forgetter {
  readonly #options: EnergyBookOptions;
  /** What was asked for after the stored record, until it is stored. */
  readonly #records = new Map<string, EnergyDeviceRecord>();
  /** By asset, what was asked for before the last command. */
  readonly #askedBefore = new Map<string, AskedRecord | null>();

  constructor(options: EnergyBookOptions) {
    this.#options = options;
    for (const record of options.store.all("energy-device")) this.#records.set(record.assetId, record);
  }

  get(assetId: string): EnergyDeviceRecord | null {
    return this.#records.get(assetId) ?? null;
  }

  all(): readonly EnergyDeviceRecord[] {
    return [...this.#records.values()];
  }

  batteryUse(): BatteryUseSettings {
    // A record of an earlier version lacks what came later.
    return { ...DEFAULT_BATTERY_USE, ...this.#options.store.get("energy-site", SITE)?.batteryUse };
  }

  /** Rejects if the disk refuses. */
  async setBatteryUse(batteryUse: BatteryUseSettings): Promise<void> {
    await this.#options.store.commit([{ table: "energy-site", key: SITE, put: { batteryUse } }], []);
  }

  surplusRule(chargerId: string): SurplusRule {
    return this.#options.store.get("surplus-rule", chargerId) ?? NO_RULE;
  }

  /** Rejects if the disk refuses. */
  async setSurplusRule(assetId: string, rule: SurplusRule): Promise<void> {
    const put = { assetId, ...rule };
    await this.#options.store.commit([{ table: "surplus-rule", key: assetId, put }], []);
  }

  /** Returns the record with changed settings; setting a mode ends what somebody asked for. */
  changed(
    asset: Pick<EnergyDeviceRecord, "assetId" | "kind" | "userId">,
    update: EnergyPolicyUpdate,
  ): EnergyDeviceRecord | null {
    const before = this.get(asset.assetId);
    const mode = update.mode ?? before?.mode;
    if (mode === undefined) return null;
    const settings = { ...DEFAULT_POLICY, ...(before ?? {}), ...withoutAbsent(update) };
    const { priority, gridShare, target, powerKw, phases } = settings;
    const isSet = update.mode !== undefined;
    return {
      ...asset,
      mode,
      priority,
      gridShare,
      target,
      powerKw: powerKw ?? null,
      phases: phases ?? null,
      heat: changedHeatStore(before?.heat ?? null, update.heat),
      modeChangedAtMs: mode === before?.mode ? before.modeChangedAtMs : this.#options.clock.nowMs(),
      asked: isSet ? null : (before?.asked ?? null),
    };
  }

  /** Rejects if the disk refuses; nothing has changed then. What is asked for meanwhile stays. */
  async put(record: EnergyDeviceRecord, events: readonly NewJournalEntry[]): Promise<void> {
    const before = this.get(record.assetId);
    await this.#options.store.commit([putRecord(record)], events);
    const now = this.get(record.assetId);
    this.#records.set(record.assetId, record);
    if (now !== null && now !== before) this.#keep({ ...record, asked: now.asked });
  }

  /** Rejects if the disk refuses; nothing has changed then. */
  async remove(assetId: string, events: readonly NewJournalEntry[]): Promise<void> {
    const before = this.get(assetId);
    await this.#options.store.commit([removeRecord(assetId)], events);
    const isStoredAgain = this.get(assetId) !== before;
    this.#records.delete(assetId);
    // What was asked for meanwhile would bring the record back at the next start.
    if (isStoredAgain) await this.#options.store.commit([removeRecord(assetId)], []);
  }

  /** Takes note of what somebody asked for, at once; the disk follows. */
  ask(assetId: string, asked: AskedRecord | null): void {
    const before = this.get(assetId);
    if (before === null || (before.asked === null && asked === null)) return;
    if (before.asked?.actionId !== asked?.actionId) this.#askedBefore.set(assetId, before.asked);
    this.#keep({ ...before, asked });
  }

  /** The last command is cancelled: what was asked for before it is in force again. */
  takeBack(assetId: string): void {
    const asked = this.#askedBefore.get(assetId) ?? null;
    this.ask(assetId, asked);
    this.#askedBefore.delete(assetId);
  }

  #keep(record: EnergyDeviceRecord): void {
    const { assetId } = record;
    this.#records.set(assetId, record);
    const { store, log } = this.#options;
    store.commit([putRecord(record)], []).catch((err: unknown) => {
      log.warn({ err, assetId }, "cannot store what was asked for; a restart would forget it");
    });
  }

  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "assets") return [];
    const rules = this.#options.store.all("surplus-rule").filter(({ assetId }) => removal.assetIds.has(assetId));
    return [
      ...this.all()
        .filter(({ assetId }) => removal.assetIds.has(assetId))
        .map(({ assetId }) => removeRecord(assetId)),
      ...rules.map(({ assetId }): Write => ({ table: "surplus-rule", key: assetId, remove: true })),
    ];
  }

  onForgotten(removal: Removal): void {
    if (removal.kind !== "assets") return;
    for (const assetId of removal.assetIds) {
      this.#records.delete(assetId);
      this.#askedBefore.delete(assetId);
    }
  }
}

export function policyOf(record: EnergyDeviceRecord): EnergyPolicy {
  const { mode, priority, gridShare, target, powerKw = null, phases = null, heat = null } = record;
  return { mode, priority, gridShare, target, powerKw, phases, heat };
}

function withoutAbsent({ heat: _heat, ...update }: EnergyPolicyUpdate): Partial<EnergyPolicy> {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
}

function putRecord(record: EnergyDeviceRecord): Write {
  return { table: "energy-device", key: record.assetId, put: record };
}

function removeRecord(assetId: string): Write {
  return { table: "energy-device", key: assetId, remove: true };
}
