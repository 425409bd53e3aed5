/** What has to be reported: each alarm once, when it begins. */
import type { ChargerState } from "./charger-state.ts";
import type { CycleMemory, OverSince } from "./cycle-memory.ts";
import type { EnergyAlarm } from "./energy-decision.ts";
import type { EnergySnapshot } from "./energy-snapshot.ts";
import type { GridReading } from "./grid-reading.ts";

/** An operator's limit that is exceeded for this time, with all that can be lowered lowered, is not reached. */
const NOT_REACHED_MS = 60_000;

export function energyAlarms(
  snapshot: EnergySnapshot,
  memory: CycleMemory,
  now: {
    readonly grid: GridReading;
    readonly chargers: readonly ChargerState[];
    readonly ignoringInverters: readonly string[];
    readonly overSince: ReadonlyMap<string, OverSince>;
  },
): { alarms: readonly EnergyAlarm[]; active: readonly EnergyAlarm[] } {
  const active: EnergyAlarm[] = [];
  if (now.grid.isSilent) {
    const code = now.grid.isReversed ? "meter-reversed" : "meter-silent";
    active.push({ code, subject: snapshot.site.gridMeterId ?? "grid" });
  }
  for (const { ignoresLimit, view } of now.chargers) {
    if (ignoresLimit) active.push({ code: "ignores-limit", subject: view.id });
  }
  for (const id of now.ignoringInverters) active.push({ code: "ignores-limit", subject: id });
  for (const { id } of snapshot.limits) {
    const sinceMs = now.overSince.get(`limit ${id}`)?.[2] ?? null;
    if (sinceMs !== null && snapshot.nowMs - sinceMs >= NOT_REACHED_MS) {
      active.push({ code: "limit-not-reached", subject: id });
    }
  }
  const isOn = ({ code, subject }: EnergyAlarm) =>
    memory.alarms.some((alarm) => alarm.code === code && alarm.subject === subject);
  return { alarms: active.filter((alarm) => !isOn(alarm)), active };
}
