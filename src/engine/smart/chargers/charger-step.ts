/** One step of a charger's smart charging: its cycle, its intervals and its state. No I/O. */

import type { Charger } from "../../../domain/assets/charger.ts";
import { MINUTE_MS } from "../../../domain/duration.ts";
import { minutesOf } from "../../../domain/hour-minute.ts";
import { PriceCurve } from "../../../domain/market/price-curve.ts";
import { type ChargerSmartPolicy, chargerSmartState } from "../../../domain/smart/charger-smart-charging.ts";
import { type ChargeSpan, cheapestIntervals } from "../../../domain/smart/charger-smart-intervals.ts";
import { nextTimeOfDay } from "../../../domain/smart/smart-deadline.ts";
import type { ChargerSmartRecord } from "../../../store/records.ts";
import type { PriceView } from "../smart-policy-service.ts";

/** What is known of the charger now. */
export interface ChargerSight extends PriceView {
  readonly charger: Charger;
}

/** Returns the record as it is now; the same object if nothing changed. */
export function nextChargerRecord(record: ChargerSmartRecord, sight: ChargerSight): ChargerSmartRecord {
  const { charger, nowMs } = sight;
  const duration = durationMs(record.policy);
  const isActive = record.policy.isEnabled && record.policy.deadline !== null && duration > 0;
  const planned = isActive ? withIntervals(record, sight) : withoutCycle(record);
  const state = chargerSmartState({
    isActive,
    isReachable: charger.isReachable,
    isPluggedIn: charger.chargeState.isPluggedIn,
    isInInterval: planned.spans.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs),
    lacksPrices: planned.lacksPrices,
  });
  return state === planned.state ? planned : { ...planned, state, stateChangedAtMs: nowMs };
}

/** Charging time of a cycle, ms; 0 when the policy names none. */
function durationMs({ chargingDuration }: ChargerSmartPolicy): number {
  return chargingDuration === null ? 0 : minutesOf(chargingDuration) * MINUTE_MS;
}

function withoutCycle(record: ChargerSmartRecord): ChargerSmartRecord {
  if (record.cycleEndMs === null && record.spans.length === 0) return record;
  return { ...record, cycleEndMs: null, countFromMs: null, spans: [], lacksPrices: false };
}

function withIntervals(record: ChargerSmartRecord, sight: ChargerSight): ChargerSmartRecord {
  const { nowMs, zone, charger, isStale } = sight;
  const { isPluggedIn } = charger.chargeState;
  const cycleEndMs = nextTimeOfDay(nowMs, record.policy.deadline ?? "24:00", zone);
  const isNewCycle = record.cycleEndMs !== cycleEndMs && (record.cycleEndMs === null || nowMs >= record.cycleEndMs);
  const isMoved = record.cycleEndMs !== cycleEndMs && !isNewCycle;
  const past = isNewCycle ? [] : pastOf(record.spans, nowMs);
  if (isPluggedIn === false) return unplugged(record, { cycleEndMs, spans: past });
  // While it is unknown whether a vehicle is plugged in, the intervals stay.
  if (isPluggedIn === null && record.countFromMs === null) return record;
  const isReplugged = record.countFromMs === null;
  if (!isReplugged && !isNewCycle && !isMoved && !isStale) return record;
  const countFromMs = isReplugged || isNewCycle ? nowMs : (record.countFromMs ?? nowMs);
  return chosen({ ...record, cycleEndMs, countFromMs }, past, sight);
}

/** Chooses the intervals again from now on, for the time that is still missing since the vehicle was plugged in. */
function chosen(record: ChargerSmartRecord, past: readonly ChargeSpan[], sight: ChargerSight): ChargerSmartRecord {
  const { nowMs } = sight;
  const { cycleEndMs, countFromMs } = record;
  if (cycleEndMs === null || countFromMs === null) return record;
  const doneMs = past.reduce((ms, { fromMs, toMs }) => ms + Math.max(0, toMs - Math.max(fromMs, countFromMs)), 0);
  const prices = sight.prices(nowMs, cycleEndMs);
  const request = { fromMs: nowMs, toMs: cycleEndMs, durationMs: durationMs(record.policy) - doneMs, prices };
  const lacksPrices = !new PriceCurve(prices).isKnown(nowMs, cycleEndMs);
  return { ...record, spans: joined(past, cheapestIntervals(request)), lacksPrices };
}

function unplugged(
  record: ChargerSmartRecord,
  { cycleEndMs, spans }: { readonly cycleEndMs: number; readonly spans: readonly ChargeSpan[] },
): ChargerSmartRecord {
  const isSame =
    record.countFromMs === null && record.cycleEndMs === cycleEndMs && record.spans.length === spans.length;
  return isSame ? record : { ...record, cycleEndMs, countFromMs: null, spans, lacksPrices: false };
}

/** The intervals until now. */
function pastOf(spans: readonly ChargeSpan[], nowMs: number): readonly ChargeSpan[] {
  return spans
    .filter(({ fromMs }) => fromMs < nowMs)
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, nowMs) }));
}

/** An interval that goes on is one. */
function joined(past: readonly ChargeSpan[], next: readonly ChargeSpan[]): readonly ChargeSpan[] {
  const [last, first] = [past.at(-1), next[0]];
  if (last === undefined || first === undefined || last.toMs !== first.fromMs) return [...past, ...next];
  return [...past.slice(0, -1), { fromMs: last.fromMs, toMs: first.toMs }, ...next.slice(1)];
}
