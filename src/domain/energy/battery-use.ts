/** What a house battery may do while cars charge: hold, be charged first, or support. */
import type { ChargeRequest } from "./cycle/charge-request.ts";
import type { ChargerState } from "./cycle/charger-state.ts";
import { type BatteryMemory, EMPTY_BATTERY_MEMORY } from "./cycle/cycle-memory.ts";
import { LAST_SEEN_MS } from "./cycle/cycle-timing.ts";
import type { BatteryView, EnergySnapshot } from "./cycle/energy-snapshot.ts";
import { finite, type GridReading } from "./cycle/grid-reading.ts";
import type { BatteryUse } from "./energy-mode.ts";

/** The state of charge must pass a threshold by this before it counts on the other side, %. */
const HYSTERESIS = 2;
/** More than this from the battery is more than noise, W. */
const NOISE_W = 100;
/** The sun must carry the car with this to spare before a battery is released, W. */
const RELEASE_W = 300;
const RELEASE_MS = 60_000;
const DRAWING_A = 1;

/** Whether each battery comes before cars, or may support them. */
export function batteryRoles(
  batteries: readonly BatteryView[],
  use: BatteryUse,
  memories: ReadonlyMap<string, BatteryMemory>,
): ReadonlyMap<string, BatteryMemory> {
  return new Map(
    batteries.map((battery) => {
      const memory = memories.get(battery.id) ?? EMPTY_BATTERY_MEMORY;
      const soc = finite(battery.soc);
      const isFirst = soc === null || soc < use.priorityBelow + (memory.isFirst ? HYSTERESIS : 0);
      const floor = Math.max(use.supportAbove, finite(battery.reserve) ?? 0);
      // A strict floor: it is left at once, and entered again only above the hysteresis.
      const isSupporting =
        soc !== null && use.supportAbove < 100 && soc > floor + (memory.isSupporting ? 0 : HYSTERESIS);
      // At 100 % nothing is left to put before a car.
      return [battery.id, { ...memory, isFirst: isFirst && (soc ?? 0) < 100, isSupporting }];
    }),
  );
}

/** True if a battery carries a surplus car through a cloud now. One that is kept still, or is silent, feeds nothing. */
export function isCarSupported(
  { batteries, nowMs }: Pick<EnergySnapshot, "batteries" | "nowMs">,
  roles: ReadonlyMap<string, BatteryMemory>,
): boolean {
  return batteries.some((battery) => {
    const isKept = battery.mode === "IDLE" || battery.mode === "IMPORT_FOCUS";
    const isSilent = battery.measuredAtMs !== null && nowMs - battery.measuredAtMs > LAST_SEEN_MS;
    return roles.get(battery.id)?.isSupporting === true && !isKept && !isSilent;
  });
}

export interface CarUse {
  readonly charger: ChargerState;
  readonly request: ChargeRequest;
  /** What it is allowed from now on, A. */
  readonly currentA: number;
  /** It runs on though the surplus does not carry it. */
  readonly isInDeficit: boolean;
}

/** The car that a battery must not be emptied into now; `null`: none. */
export function carToHoldFor(
  snapshot: EnergySnapshot,
  grid: GridReading,
  cars: readonly CarUse[],
  { memory, isSoon }: { readonly memory: BatteryMemory; readonly isSoon: boolean },
): CarUse | null {
  const { batteryUse: use, batteries } = snapshot;
  if (grid.newest === null || grid.isSilent) return null;
  const isFloored = use.supportAbove < 100 && !memory.isSupporting;
  const active = cars.filter(isCharging);
  const protectedFrom = active.find(({ charger, request, isInDeficit }) => {
    const isFast = request.firmA > 0;
    // The share of a surplus car that may come from the grid must not come from the battery.
    const isBeyondSun = isInDeficit || (finite(charger.view.gridShare) ?? 0) > 0;
    return isFast ? use.holdWhileFast || isFloored : isBeyondSun && !memory.isSupporting;
  });
  if (protectedFrom === undefined) return null;
  const batteryW = batteries.reduce((sum, { powerW }) => sum + (finite(powerW) ?? 0), 0);
  const drawnW = active.reduce((sum, { charger }) => sum + charger.lowW, 0);
  const sunW = -grid.newest.powerW + drawnW + batteryW;
  const demandW = active.reduce((sum, car) => sum + demandOf(car), 0);
  return demandW > sunW + (isSoon ? -RELEASE_W : NOISE_W) ? protectedFrom : null;
}

function isCharging({ charger, currentA }: CarUse): boolean {
  const { isPlugged, ignoresLimit, drawA, isIdle, isOn } = charger;
  if (!isPlugged || ignoresLimit) return false;
  return (drawA ?? 0) > DRAWING_A || (currentA > 0 && !(isIdle && isOn));
}

/** A car that was just started is counted before its draw is seen. */
function demandOf({ charger, currentA }: CarUse): number {
  const { highW, isOn, isInFlight, phases, volts } = charger;
  return isOn && !isInFlight ? highW : Math.max(highW, currentA * phases.length * volts);
}

/** The hold, with a delay before it ends. */
export function nextHold(
  memory: BatteryMemory,
  isNeeded: boolean,
  nowMs: number,
): Pick<BatteryMemory, "isOnHold" | "freeSinceMs"> {
  if (isNeeded) return { isOnHold: true, freeSinceMs: null };
  if (!memory.isOnHold) return { isOnHold: false, freeSinceMs: null };
  const freeSinceMs = memory.freeSinceMs ?? nowMs;
  const isFree = nowMs - freeSinceMs >= RELEASE_MS;
  return { isOnHold: !isFree, freeSinceMs: isFree ? null : freeSinceMs };
}
