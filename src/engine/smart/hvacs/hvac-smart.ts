import type { ActionWish, HvacTarget } from "../../../domain/actions/action.ts";
import { CONTROL_SCOPES } from "../../../domain/actions/action-refusal.ts";
import type { Hvac } from "../../../domain/assets/hvac.ts";
import { problem } from "../../../domain/problem.ts";
import {
  type HvacPolicyUpdate,
  type HvacSmartPolicy,
  type HvacSmartStatus,
  NO_HVAC_POLICY,
} from "../../../domain/smart/hvac-smart-policy.ts";
import { timeOfDayAt } from "../../../domain/smart/smart-deadline.ts";
import type { HvacSmartRecord } from "../../../store/records.ts";
import type { Controller } from "../../contracts/control.ts";
import type { HvacSmart } from "../../contracts/smart.ts";
import type { EnginePart } from "../../engine-part.ts";
import { FeatureCommands } from "../feature-commands.ts";
import { RoundLoop } from "../round-loop.ts";
import { smartRemovals } from "../smart-forgetter.ts";
import type { SmartParts } from "../smart-parts.ts";
import { type HvacSight, setpointIn, turnedHvac, wantedHold } from "./hvac-turn.ts";

/** Prices are looked up again this often, ms; sooner when they change. */
const PRICES_EVERY_MS = 15 * 60_000;
/** Putting back what the user had set is tried this often. */
const MAX_RESTORES = 5;

/** The smart policy of HVAC units: a degree warmer while it is cheap, a degree cooler while it is dear. */
export class HvacSmartService implements HvacSmart, Controller, EnginePart {
  readonly kind = "smart-policy";
  readonly #parts: SmartParts;
  readonly #commands: FeatureCommands;
  readonly #rounds: RoundLoop;
  /** Monotonic ms at which the day was planned; absent: it is stale. */
  readonly #plannedAtMs = new Map<string, number>();
  /** The hold that a unit took; it is not sent again until another one is wanted. */
  readonly #settled = new Map<string, string>();

  constructor(parts: SmartParts) {
    const { clock, actions, log } = parts;
    this.#parts = parts;
    this.#commands = new FeatureCommands({ actions, clock, log, origin: this.kind });
    this.#rounds = new RoundLoop({
      clock,
      log,
      ids: () => parts.store.all("hvac-smart").map(({ hvacId }) => hvacId),
      dueInMs: (id) => this.#dueInMs(id),
      look: (id) => this.#look(id),
    });
  }

  latenessMs(): number {
    return this.#rounds.latenessMs();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { assets, actions, prices, locations } = this.#parts;
    using _assets = assets.observe((kind, id) => kind === "hvac" && this.#mark(id));
    using _actions = actions.observe(({ targetId }) => this.#mark(targetId));
    using _prices = prices.observe(() => this.#planAnew());
    using _locations = locations.observe(() => this.#planAnew());
    await this.#rounds.run(signal);
  }

  controls(targetId: string): boolean {
    return this.#record(targetId)?.policy.isEnabled ?? false;
  }

  async release(targetId: string): Promise<void> {
    if (!this.controls(targetId)) return;
    // Whoever takes over decides what is held.
    await this.#change(targetId, (record) => ({ ...switchedOff(record), owesRestore: false }));
  }

  policy(hvacId: string): HvacSmartPolicy {
    this.#require(hvacId);
    return this.#record(hvacId)?.policy ?? NO_HVAC_POLICY;
  }

  async setPolicy(hvacId: string, { isEnabled }: HvacPolicyUpdate): Promise<HvacSmartPolicy> {
    const hvac = this.#require(hvacId);
    if (isEnabled === true && !this.controls(hvacId)) {
      refuseIncapable(hvac);
      // Before this unit's turn: another feature may be waiting for that turn.
      await this.#parts.controllers.takeOver(hvacId, this.kind, () => this.#change(hvacId, switchedOn));
    }
    if (isEnabled === false && this.controls(hvacId)) await this.#change(hvacId, switchedOff);
    return this.policy(hvacId);
  }

  status(hvacId: string): HvacSmartStatus {
    const hvac = this.#require(hvacId);
    const record = this.#record(hvacId);
    const { base, spans, policy } = record ?? newRecord(hvacId);
    if (base === null || !policy.isEnabled) return { hvacId, userId: hvac.userId, intervals: [] };
    const zone = this.#parts.locations.zoneOf(hvac.locationId);
    const intervals = spans.map(({ fromMs, toMs, shift }) => ({
      from: timeOfDayAt(fromMs, zone),
      to: toMs === record?.dayEndMs ? "24:00" : timeOfDayAt(toMs, zone),
      heatSetpoint: setpointIn(base, shift, hvac),
    }));
    return { hvacId, userId: hvac.userId, intervals };
  }

  /** The unit is gone, with what was stored of it. */
  forget(hvacId: string): void {
    this.#rounds.forget(hvacId);
    this.#commands.forget(hvacId);
    this.#plannedAtMs.delete(hvacId);
    this.#settled.delete(hvacId);
  }

  async #change(hvacId: string, change: (record: HvacSmartRecord) => HvacSmartRecord): Promise<void> {
    await this.#rounds.inTurn(hvacId, async () => {
      await this.#commit(change(this.#record(hvacId) ?? newRecord(hvacId))).catch((cause: unknown) => {
        throw problem("service-unavailable", "The policy cannot be stored now, so it did not change.", { cause });
      });
      this.#plannedAtMs.delete(hvacId);
      this.#settled.delete(hvacId);
      await this.#commands.withdraw(hvacId);
    });
    this.#mark(hvacId);
  }

  async #look(hvacId: string): Promise<void> {
    const { store, assets, clock } = this.#parts;
    const before = this.#record(hvacId);
    const hvac = assets.get("hvac", hvacId);
    if (before === null) return;
    if (hvac === null) {
      if (store.get("asset", hvacId) === null) await store.commit(smartRemovals(store, new Set([hvacId])), []);
      return;
    }
    // Before the clock can be trusted nothing is begun because of the time.
    if (before.policy.isEnabled && clock.quality() !== "synced") return;
    const record = turnedHvac(before, this.#sight(before, hvac));
    if (record !== before) await this.#commit(record);
    await this.#follow(record, hvac);
  }

  #sight(record: HvacSmartRecord, hvac: Hvac): HvacSight {
    const { clock, locations, prices } = this.#parts;
    const atMs = clock.monotonicMs();
    const isStale = atMs - (this.#plannedAtMs.get(hvac.id) ?? Number.NEGATIVE_INFINITY) >= PRICES_EVERY_MS;
    if (isStale && record.policy.isEnabled) this.#plannedAtMs.set(hvac.id, atMs);
    return {
      hvac,
      nowMs: clock.nowMs(),
      zone: locations.zoneOf(hvac.locationId),
      isStale,
      isBusy: this.#parts.actions.pendingOf(hvac.id) !== null,
      isSettled: this.#settled.has(hvac.id),
      prices: (fromMs, toMs) => prices.between(hvac.locationId, fromMs, toMs),
    };
  }

  /** Sends what is wanted, once for each hold; again only when that failed. */
  async #follow(record: HvacSmartRecord, hvac: Hvac): Promise<void> {
    const { clock } = this.#parts;
    const { hvacId } = record;
    const target = wantedHold(record, hvac, clock.nowMs());
    if (target === null) return this.#commands.forget(hvacId);
    if (this.#settled.get(hvacId) !== keyOf(target)) this.#settled.delete(hvacId);
    const wish: ActionWish = { targetType: "hvac", target };
    if (this.#settled.has(hvacId)) return;
    const progress = this.#commands.progress(hvacId, wish);
    if (progress === "pending") return;
    if (progress === "done") return await this.#settle(record, target);
    if (progress === "failed") {
      if (clock.monotonicMs() < this.#commands.retryAtMs(hvacId)) return;
      if (record.owesRestore && this.#commands.failures(hvacId) >= MAX_RESTORES) return await this.#restored(record);
      this.#commands.renew(hvacId);
    }
    await this.#noteSent(record, target);
    await this.#commands.send(hvacId, wish);
    this.#mark(hvacId);
  }

  /** On disk before it is sent: what the policy set is never taken for what the user wants, not after a crash either. */
  async #noteSent(record: HvacSmartRecord, target: HvacTarget): Promise<void> {
    if (!("heatSetpoint" in target) || target.heatSetpoint === record.sentSetpoints[0]) return;
    const [latest] = record.sentSetpoints;
    const sentSetpoints = [target.heatSetpoint, ...(latest === undefined ? [] : [latest])];
    await this.#commit({ ...record, sentSetpoints });
  }

  async #settle(record: HvacSmartRecord, target: HvacTarget): Promise<void> {
    if (record.owesRestore) return await this.#restored(record);
    this.#settled.set(record.hvacId, keyOf(target));
    this.#commands.forget(record.hvacId);
  }

  async #restored(record: HvacSmartRecord): Promise<void> {
    await this.#commit({ ...record, owesRestore: false, base: null, sentSetpoints: [] });
    this.#commands.forget(record.hvacId);
  }

  async #commit(record: HvacSmartRecord): Promise<void> {
    await this.#parts.store.commit([{ table: "hvac-smart", key: record.hvacId, put: record }], []);
  }

  #planAnew(): void {
    this.#plannedAtMs.clear();
    for (const { hvacId } of this.#parts.store.all("hvac-smart")) this.#mark(hvacId);
  }

  #mark(hvacId: string): void {
    if (this.#record(hvacId) !== null) this.#rounds.mark(hvacId);
  }

  #record(hvacId: string): HvacSmartRecord | null {
    return this.#parts.store.get("hvac-smart", hvacId);
  }

  #require(hvacId: string): Hvac {
    const hvac = this.#parts.assets.get("hvac", hvacId);
    if (hvac === null) throw problem("not-found", `There is no HVAC unit "${hvacId}".`);
    return hvac;
  }

  /** How long until the setpoint changes, or a command is tried again, ms. */
  #dueInMs(hvacId: string): number {
    const { clock } = this.#parts;
    const record = this.#record(hvacId);
    if (record === null || clock.quality() !== "synced") return Number.POSITIVE_INFINITY;
    const retryMs = Math.max(this.#commands.retryAtMs(hvacId) - clock.monotonicMs(), 1);
    if (!record.policy.isEnabled) return retryMs;
    const aheadMs = record.spans.map(({ toMs }) => toMs - clock.nowMs()).filter((ms) => ms > 0);
    return Math.min(...aheadMs, retryMs);
  }
}

function keyOf(target: HvacTarget): string {
  return JSON.stringify(target);
}

function switchedOn(record: HvacSmartRecord): HvacSmartRecord {
  // A base that is still to be put back is what the user had set; what the unit shows now is not.
  const base = record.owesRestore ? record.base : null;
  const sentSetpoints = record.owesRestore ? record.sentSetpoints : [];
  return { ...record, policy: { isEnabled: true }, base, sentSetpoints, owesRestore: false, dayEndMs: null, spans: [] };
}

function switchedOff(record: HvacSmartRecord): HvacSmartRecord {
  const owesRestore = record.base !== null && record.sentSetpoints.length > 0;
  return { ...record, policy: { isEnabled: false }, owesRestore, dayEndMs: null, spans: [] };
}

function newRecord(hvacId: string): HvacSmartRecord {
  return {
    hvacId,
    policy: NO_HVAC_POLICY,
    base: null,
    spans: [],
    dayEndMs: null,
    sentSetpoints: [],
    owesRestore: false,
  };
}

function refuseIncapable({ scopes, capabilities }: Hvac): void {
  const scope = CONTROL_SCOPES.hvac;
  if (!scopes.includes(scope)) throw problem("forbidden", `The scope ${scope} is not granted.`);
  const canHeat = capabilities.capableModes?.some((mode) => mode === "HEAT" || mode === "AUTO") ?? false;
  if (canHeat && capabilities.setPermanentHold.isCapable) return;
  throw problem("bad-request", "This unit cannot be held at a heating setpoint, which the smart policy needs.");
}
