import type { DesiredSetting, HvacTarget } from "../../../domain/actions/action.ts";
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
import type { SmartParts } from "../smart-parts.ts";
import { SmartPolicyService } from "../smart-policy-service.ts";
import { holdOf, nextHvacRecord, setpointIn } from "./hvac-step.ts";

/** Putting back what the user had set is tried this often. */
const MAX_RESTORES = 5;

/** The smart policy of HVAC units: a degree warmer while it is cheap, a degree cooler while it is dear. */
export class HvacSmartService extends SmartPolicyService<"hvac"> implements HvacSmart, Controller {
  readonly kind = "smart-policy";

  constructor(parts: SmartParts) {
    super(parts, "hvac", "smart-policy");
  }

  controls(targetId: string): boolean {
    return this.record(targetId)?.policy.isEnabled ?? false;
  }

  async release(targetId: string): Promise<void> {
    if (!this.controls(targetId)) return;
    // The new automation owner decides about the hold.
    await this.#change(targetId, (record) => ({ ...switchedOff(record), owesRestore: false }));
  }

  async setPolicy(hvacId: string, { isEnabled }: HvacPolicyUpdate): Promise<HvacSmartPolicy> {
    const hvac = this.require(hvacId);
    if (isEnabled === true && !this.controls(hvacId)) {
      this.refuseWithoutScope(hvac);
      refuseIncapable(hvac);
      // Before taking this unit's lock: another feature may be waiting for it.
      await this.parts.controllers.takeOver(hvacId, this.kind, () => this.#change(hvacId, switchedOn));
    }
    if (isEnabled === false && this.controls(hvacId)) await this.#change(hvacId, switchedOff);
    return this.policy(hvacId);
  }

  status(hvacId: string): HvacSmartStatus {
    const hvac = this.require(hvacId);
    const record = this.record(hvacId);
    const { base, spans, policy } = record ?? this.newRecord(hvacId);
    if (base === null || !policy.isEnabled) return { hvacId, userId: hvac.userId, intervals: [] };
    const zone = this.parts.locations.zoneOf(hvac.locationId);
    const intervals = spans.map(({ fromMs, toMs, shift }) => ({
      from: timeOfDayAt(fromMs, zone),
      to: toMs === record?.dayEndMs ? "24:00" : timeOfDayAt(toMs, zone),
      heatSetpoint: setpointIn(base, shift, hvac),
    }));
    return { hvacId, userId: hvac.userId, intervals };
  }

  protected newRecord(hvacId: string): HvacSmartRecord {
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

  protected async advance(before: HvacSmartRecord, hvac: Hvac): Promise<void> {
    const { id } = hvac;
    const isBusy = this.parts.actions.pendingOf(id) !== null;
    const isSettled = this.settled.has(id);
    const record = nextHvacRecord(before, { ...this.priceView(before, hvac), hvac, isBusy, isSettled });
    if (record !== before) await this.commit(before, record);
    await this.#follow(record, hvac);
  }

  protected edgesMs({ spans }: HvacSmartRecord): readonly number[] {
    return spans.map(({ toMs }) => toMs);
  }

  protected async commit(_before: HvacSmartRecord, record: HvacSmartRecord): Promise<void> {
    await this.parts.store.commit([{ table: "hvac-smart", key: record.hvacId, put: record }], []);
  }

  async #change(hvacId: string, change: (record: HvacSmartRecord) => HvacSmartRecord): Promise<void> {
    await this.change(hvacId, change, async () => {
      this.settled.delete(hvacId);
      await this.commands.withdraw(hvacId);
    });
  }

  /** Sends what is wanted, once for each hold; again only when that failed. */
  async #follow(record: HvacSmartRecord, hvac: Hvac): Promise<void> {
    const { hvacId } = record;
    const target = holdOf(record, hvac, this.parts.clock.nowMs());
    if (target === null) return this.commands.forget(hvacId);
    if (this.settled.get(hvacId) !== keyOf(target)) this.settled.delete(hvacId);
    const setting: DesiredSetting = { targetType: "hvac", target };
    if (this.settled.has(hvacId)) return;
    const progress = this.commands.progress(hvacId, setting);
    if (progress === "pending") return;
    if (progress === "done") return await this.#settle(record, target);
    if (progress === "failed") {
      if (!this.commands.isRetryDue(hvacId)) return;
      if (record.owesRestore && this.commands.failures(hvacId) >= MAX_RESTORES) return await this.#restored(record);
      this.commands.renew(hvacId);
    }
    await this.#noteSent(record, target);
    await this.commands.send(hvacId, setting);
    this.mark(hvacId);
  }

  /** On disk before it is sent: what the policy set is never taken for what the user wants, not after a crash either. */
  async #noteSent(record: HvacSmartRecord, target: HvacTarget): Promise<void> {
    if (!("heatSetpoint" in target) || target.heatSetpoint === record.sentSetpoints[0]) return;
    const [latest] = record.sentSetpoints;
    const sentSetpoints = [target.heatSetpoint, ...(latest === undefined ? [] : [latest])];
    await this.commit(record, { ...record, sentSetpoints });
  }

  async #settle(record: HvacSmartRecord, target: HvacTarget): Promise<void> {
    if (record.owesRestore) return await this.#restored(record);
    this.settled.set(record.hvacId, keyOf(target));
    this.commands.forget(record.hvacId);
  }

  async #restored(record: HvacSmartRecord): Promise<void> {
    await this.commit(record, { ...record, owesRestore: false, base: null, sentSetpoints: [] });
    this.commands.forget(record.hvacId);
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

function refuseIncapable({ capabilities }: Hvac): void {
  const canHeat = capabilities.capableModes?.some((mode) => mode === "HEAT" || mode === "AUTO") ?? false;
  if (canHeat && capabilities.setPermanentHold.isCapable) return;
  throw problem("bad-request", "This unit cannot be held at a heating setpoint, which the smart policy needs.");
}
