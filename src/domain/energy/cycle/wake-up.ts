/** Wakes a car that sleeps: one that takes nothing of what it is offered has the charger switched off and on again. */
import { HOUR_MS } from "../../duration.ts";
import type { ChargerState } from "./charger-state.ts";
import type { ChargingTarget } from "./charging-target.ts";
import type { WakeMemory } from "./cycle-memory.ts";
import { STARTS_PER_HOUR, WAKE_AFTER_MS, WAKE_OFF_MS, WAKE_TRIES } from "./cycle-timing.ts";

/** The charger's target while its car is woken, or after it was woken in vain; else the same object. */
export function wakeStep(charger: ChargerState, target: ChargingTarget, nowMs: number): ChargingTarget {
  const { memory, view } = charger;
  const { tries, offSinceMs } = memory.wake;
  if (target.isForPhases === true || !charger.isPlugged || target.keepA + target.riseA <= 0) return ended(target);
  if (offSinceMs !== null) {
    const untilMs = offSinceMs + view.latencyMs + WAKE_OFF_MS;
    return nowMs < untilMs ? off(target, memory.wake, untilMs) : ended(target);
  }
  if (!isAsleep(charger, nowMs)) return target;
  if (tries >= WAKE_TRIES) {
    return { ...target, reason: { code: "car-does-not-charge", subject: null, untilMs: null } };
  }
  if (!mayStartAgain(charger, nowMs)) return target;
  return off(target, { ...memory.wake, tries: tries + 1, offSinceMs: nowMs }, nowMs + view.latencyMs + WAKE_OFF_MS);
}

/** True if the car was offered current and has drawn nothing of it. One that stopped by itself is full, or may be. */
function isAsleep({ memory, view, isOn, isInFlight }: ChargerState, nowMs: number): boolean {
  const { idleSinceMs, wake } = memory;
  const isOurs = view.ask.by === "energy" && view.switched === undefined && view.isHeater !== true && view.canSwitch;
  if (!isOurs || view.isFull === true || !isOn || isInFlight || idleSinceMs === null) return false;
  return wake.hasDrawn === false && nowMs - idleSinceMs >= WAKE_AFTER_MS;
}

/** The start after it counts as one, so that there are never more in an hour than promised. */
function mayStartAgain({ memory }: ChargerState, nowMs: number): boolean {
  return memory.startsMs.filter((atMs) => nowMs - atMs < HOUR_MS).length < STARTS_PER_HOUR;
}

function off(target: ChargingTarget, wake: WakeMemory, untilMs: number): ChargingTarget {
  const reason = { code: "wakes-car", subject: null, untilMs } as const;
  return { ...target, keepA: 0, riseA: 0, reason, memory: { ...target.memory, wake }, isForWake: true };
}

function ended(target: ChargingTarget): ChargingTarget {
  const { wake } = target.memory;
  return wake.offSinceMs === null
    ? target
    : { ...target, memory: { ...target.memory, wake: { ...wake, offSinceMs: null } } };
}
