import type { ChargeKind, DesiredSetting } from "../../../domain/actions/action.ts";
import type { Charger } from "../../../domain/assets/charger.ts";
import {
  type ChargerPolicyUpdate,
  type ChargerSmartPolicy,
  type ChargerSmartState,
  type ChargerSmartStatus,
  chargerSmartState,
  NO_CHARGER_POLICY,
  shownIntervals,
} from "../../../domain/smart/charger-smart-charging.ts";
import type { ChargerSmartRecord, Write } from "../../../store/records.ts";
import type { Controller } from "../../contracts/control.ts";
import type { ChargerSmartCharging } from "../../contracts/smart.ts";
import type { SmartParts } from "../smart-parts.ts";
import { SmartPolicyService } from "../smart-policy-service.ts";
import { nextChargerRecord } from "./charger-step.ts";

/** A shift shorter than this is the time that switching takes, and none, ms. */
const LEAST_SHIFT_MS = 60_000;

/** Smart charging of chargers: in cycles that end at a time of day, the cheapest hours. */
export class ChargerSmartService extends SmartPolicyService<"charger"> implements ChargerSmartCharging, Controller {
  readonly kind = "smart-charging";

  constructor(parts: SmartParts) {
    super(parts, "charger", "smart-charging");
  }

  override async run(signal: AbortSignal): Promise<void> {
    const { overrides, locations } = this.parts;
    using _overrides = overrides.observe((targetId) => this.mark(targetId));
    using _ended = overrides.follow((targetId) => this.lookNow([targetId]));
    using _moved = locations.follow((userId) => this.lookAtUser(userId));
    await super.run(signal);
  }

  controls(targetId: string): boolean {
    return (this.record(targetId)?.state ?? "DISABLED") !== "DISABLED";
  }

  async release(targetId: string): Promise<void> {
    if (this.record(targetId)?.policy.isEnabled !== true) return;
    await this.change(targetId, (record) => withPolicy(record, { isEnabled: false }));
  }

  async setPolicy(chargerId: string, update: ChargerPolicyUpdate): Promise<ChargerSmartPolicy> {
    const charger = this.require(chargerId);
    const { isEnabled } = this.policy(chargerId);
    if (update.isEnabled === true && !isEnabled) this.refuseWithoutScope(charger);
    const willBeEnabled = update.isEnabled ?? isEnabled;
    const store = (): Promise<void> => this.change(chargerId, (record) => withPolicy(record, update));
    // Before taking this charger's lock: another feature may be waiting for it.
    if (willBeEnabled) await this.parts.controllers.takeOver(chargerId, this.kind, store);
    else await store();
    return this.policy(chargerId);
  }

  status(chargerId: string): ChargerSmartStatus {
    const { userId } = this.require(chargerId);
    const record = this.record(chargerId);
    const chargingIntervals = shownIntervals(record?.spans ?? [], this.parts.clock.nowMs());
    return { chargerId, userId, state: record?.state ?? "DISABLED", chargingIntervals };
  }

  protected newRecord(chargerId: string): ChargerSmartRecord {
    return {
      chargerId,
      policy: NO_CHARGER_POLICY,
      state: "DISABLED",
      stateChangedAtMs: this.parts.clock.nowMs(),
      cycleEndMs: null,
      countFromMs: null,
      spans: [],
      lacksPrices: false,
    };
  }

  protected async advance(before: ChargerSmartRecord, charger: Charger): Promise<void> {
    const { chargerId } = before;
    const record = nextChargerRecord(before, { ...this.priceView(before, charger), charger });
    if (record !== before) await this.commit(before, record);
    if (record.state !== before.state) this.parts.log.info({ chargerId, state: record.state }, "charger moved on");
    await this.#follow(record);
  }

  /** A vehicle is charged rather than kept waiting for an hour that nobody can tell. */
  protected override async goOnWithoutTime(before: ChargerSmartRecord, charger: Charger): Promise<void> {
    const { store, clock } = this.parts;
    const state = chargerSmartState({
      isActive: before.state !== "DISABLED",
      isReachable: charger.isReachable,
      isPluggedIn: charger.chargeState.isPluggedIn,
      isInInterval: true,
      lacksPrices: false,
    });
    const isSame = state === before.state;
    const record: ChargerSmartRecord = isSame ? before : { ...before, state, stateChangedAtMs: clock.nowMs() };
    // This is no charge that was moved.
    if (!isSame) await store.commit([{ table: "charger-smart", key: record.chargerId, put: record }], []);
    await this.#follow(record);
  }

  protected edgesMs({ spans, cycleEndMs }: ChargerSmartRecord): readonly number[] {
    return [...spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), cycleEndMs ?? 0];
  }

  protected async commit(before: ChargerSmartRecord, record: ChargerSmartRecord): Promise<void> {
    const put: Write = { table: "charger-smart", key: record.chargerId, put: record };
    await this.parts.store.commit([put, ...this.#shiftWrites(before, record)], []);
  }

  /** Charging that begins after a pause was moved from when the vehicle was plugged in, or went on from there. */
  #shiftWrites(before: ChargerSmartRecord, { chargerId, state, countFromMs, spans }: ChargerSmartRecord) {
    const { shifts, clock } = this.parts;
    const nowMs = clock.nowMs();
    if (state === before.state) return [];
    if (state !== "CHARGING") return before.state === "CHARGING" ? shifts.closed(chargerId, nowMs) : [];
    if (countFromMs === null) return [];
    // With the running one so far: the charger may only have been out of reach.
    const earlier = spans.filter(({ fromMs }) => fromMs >= countFromMs && fromMs <= nowMs);
    const pausedAtMs = earlier.reduce((atMs, { fromMs, toMs }) => atMs + Math.min(toMs, nowMs) - fromMs, countFromMs);
    return nowMs - pausedAtMs < LEAST_SHIFT_MS ? [] : shifts.opened(chargerId, pausedAtMs, nowMs);
  }

  /** Sends what the state wants, once for each time it is entered; again only when that failed. */
  async #follow({ chargerId, state, stateChangedAtMs }: ChargerSmartRecord): Promise<void> {
    const kind = KINDS[state];
    const isOverridden = this.parts.overrides.active(chargerId) !== null;
    if (kind === null || isOverridden) {
      this.settled.delete(chargerId);
      return await this.commands.withdraw(chargerId);
    }
    if (this.settled.get(chargerId) === stateChangedAtMs) return;
    const setting: DesiredSetting = { targetType: "charger", kind };
    const progress = this.commands.progress(chargerId, setting);
    const isShown = progress === "failed" && this.#shows(chargerId, kind);
    if (progress === "done" || isShown) {
      this.settled.set(chargerId, stateChangedAtMs);
      return this.commands.forget(chargerId);
    }
    if (progress === "pending") return;
    if (progress === "failed") {
      if (!this.commands.isRetryDue(chargerId)) return;
      this.commands.renew(chargerId);
    }
    await this.commands.send(chargerId, setting);
    this.mark(chargerId);
  }

  #shows(chargerId: string, kind: ChargeKind): boolean {
    const isCharging = this.parts.assets.get("charger", chargerId)?.chargeState.isCharging ?? null;
    return isCharging === (kind === "START");
  }
}

/** What each state sends when it is entered. */
const KINDS: Readonly<Record<ChargerSmartState, ChargeKind | null>> = {
  DISABLED: null,
  CHARGER_NOT_REACHABLE: null,
  VEHICLE_NOT_PLUGGED_IN: null,
  CHARGING_PAUSED: "STOP",
  CHARGING: "START",
  AWAITING_PRICES: "STOP",
};

/** Returns the record with its policy changed. */
function withPolicy(
  record: ChargerSmartRecord,
  { isEnabled = record.policy.isEnabled, deadline, chargingDuration }: ChargerPolicyUpdate,
): ChargerSmartRecord {
  const { policy } = record;
  const changed = {
    isEnabled,
    deadline: deadline === undefined ? policy.deadline : deadline,
    chargingDuration: chargingDuration === undefined ? policy.chargingDuration : chargingDuration,
  };
  // What is switched off is off with this very write.
  return { ...record, policy: changed, ...(isEnabled ? {} : { state: "DISABLED" }) };
}
