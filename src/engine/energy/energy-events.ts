/** The events of the energy manager. */
import type { EnergyMode } from "../../domain/energy/energy-mode.ts";
import { instant } from "../../domain/fields.ts";
import type { NewJournalEntry } from "../../store/store.ts";

type Happened = "mode-changed" | "limit-active" | "limit-ended" | "alarm" | "plan-updated";

/** Who an event is about. */
export interface EventSubject {
  readonly userId: string;
  readonly id: string;
  readonly deviceType: "battery" | "charger" | "hvac" | "inverter" | "vehicle";
}

function energyEvent(happened: Happened, userId: string, payload: object): NewJournalEntry {
  return { event: `local:energy:${happened}`, userId, payload: { user: { id: userId }, ...payload } };
}

/** The mode of a device was set; `null`: it has none any more. */
export function modeChanged({ userId, id, deviceType }: EventSubject, mode: EnergyMode | null): NewJournalEntry {
  return energyEvent("mode-changed", userId, { energyDevice: { id, deviceType }, mode });
}

/** A limit of the site begins or ends to decide about a device. */
export function limitEvent(
  happened: "limit-active" | "limit-ended",
  { userId, id, deviceType }: EventSubject,
  limit: { readonly code: string; readonly subject: string | null },
): NewJournalEntry {
  return energyEvent(happened, userId, { energyDevice: { id, deviceType }, limit });
}

export function alarmEvent(
  userId: string,
  alarm: { readonly code: string; readonly subject: string; readonly sinceMs: number },
  isOn: boolean,
): NewJournalEntry {
  const { code, subject, sinceMs } = alarm;
  return energyEvent("alarm", userId, { alarm: { code, subject, since: instant(sinceMs) }, isOn });
}

/** What the plan is about to do changed, or there is one, or none any more. */
export function planUpdated(
  userId: string,
  plan: { readonly isPlanned: boolean; readonly whyNot: string | null; readonly deviceIds: readonly string[] },
): NewJournalEntry {
  return energyEvent("plan-updated", userId, { plan });
}
