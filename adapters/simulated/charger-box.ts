import { HOUR_MS } from "hemgate/sdk";
import type { Car, CarSpec } from "./car.ts";

/** What the box is set to and does. Currents are per phase. */
export interface ChargerBox {
  readonly isEnabled: boolean;
  /** The limit in force, mA: 0 pauses, else 6,000 and up. */
  readonly limitMa: number;
  /** What the box falls to when its controller is silent, mA; 0 stops. */
  readonly failsafeMa: number;
  /** s of silence; 0 turns the failsafe off. */
  readonly failsafeS: number;
  /** ms since the last request of a controller; null when the failsafe has struck and waits for one. */
  readonly silentMs: number | null;
  /** Energy that a session may take, Wh; 0 is no limit. */
  readonly energyLimitWh: number;
  readonly sessionWh: number;
  readonly state: ChargerBoxState;
  /** How long the box has offered a current, ms. */
  readonly offeredMs: number;
  readonly currentA: number;
  /** On how many phases it lets the car charge; one is L1. */
  readonly phases: 1 | 3;
  /** Who switches the phases: 0 nobody, 3 the controller. */
  readonly phaseSource: number;
}

type ChargerBoxState = "not-ready" | "ready" | "charging" | "suspended";

/** What hangs on the box for one slice of time. */
export interface ChargerSlice {
  readonly durationMs: number;
  readonly car: Car;
  readonly carSpec: CarSpec;
  /** Whether the car takes power when it is offered; one that was stopped does not. */
  readonly isCarTaking: boolean;
  /** Sum of the voltages of the phases that it charges on, V. */
  readonly voltageSumV: number;
}

export interface ChargerFlow {
  readonly box: ChargerBox;
  readonly car: Car;
  /** W into the car. */
  readonly powerW: number;
}

/** The box's own limit per phase, mA. */
export const CHARGER_HARDWARE_MA = 32_000;
/** Control pilot: no car may draw less than 6 A (IEC 61851-1). */
export const CHARGER_MIN_MA = 6_000;
/** From the offer to the closed contactor, ms. */
const CONTACTOR_MS = 4_000;
const RISE_A_PER_MS = 0.004;
const FALL_A_PER_MS = 0.02;
/** Less than this is no energy, Wh. */
const NOTHING_WH = 1e-6;

/** As it comes from the factory: on, at its hardware limit, no failsafe. */
export const FACTORY_BOX: ChargerBox = {
  isEnabled: true,
  limitMa: CHARGER_HARDWARE_MA,
  failsafeMa: 0,
  failsafeS: 0,
  silentMs: 0,
  energyLimitWh: 0,
  sessionWh: 0,
  state: "not-ready",
  offeredMs: 0,
  currentA: 0,
  phases: 3,
  phaseSource: 0,
};

/** The second charger's own limit per phase, mA. */
export const SECOND_CHARGER_HARDWARE_MA = 16_000;

/** The second charger from the factory: it offers all it can until its watchdog of 15 s finds nobody who asks. */
export const FACTORY_SECOND_BOX: ChargerBox = {
  ...FACTORY_BOX,
  limitMa: SECOND_CHARGER_HARDWARE_MA,
  failsafeS: 15,
};

/** Lets the box charge for a slice. */
export function chargerFlow(before: ChargerBox, slice: ChargerSlice): ChargerFlow {
  const { car, carSpec, isCarTaking, durationMs, voltageSumV } = slice;
  const box = afterSilence(before, durationMs);
  if (!car.isPluggedIn) {
    return { box: { ...box, state: "not-ready", offeredMs: 0, currentA: 0 }, car, powerW: 0 };
  }
  const hours = durationMs / HOUR_MS;
  const roomWh = Math.max(0, carSpec.capacityWh - car.storedWh) / carSpec.efficiency;
  const leftWh = leftOf(box);
  const allowedWh = Math.min(roomWh, leftWh);
  const isOffering = isBoxOffering(box);
  const offeredA = isOffering ? box.limitMa / 1_000 : 0;
  const isDemanded = isOffering && isCarTaking && roomWh > NOTHING_WH;
  const offeredMs = isDemanded ? box.offeredMs + durationMs : 0;
  const isClosed = offeredMs > CONTACTOR_MS;
  const aimA = isClosed ? Math.min(offeredA, carSpec.maxCurrentA, CHARGER_HARDWARE_MA / 1_000) : 0;
  const rampedA = clamp(aimA, box.currentA - FALL_A_PER_MS * durationMs, box.currentA + RISE_A_PER_MS * durationMs);
  const currentA = Math.max(0, Math.min(rampedA, allowedWh / hours / voltageSumV));
  const powerW = currentA * voltageSumV;
  // A full car leaves the box ready and takes nothing; only the box itself suspends.
  const state = !isOffering ? "suspended" : isClosed ? "charging" : "ready";
  return {
    box: { ...box, state, offeredMs, currentA, sessionWh: box.sessionWh + powerW * hours },
    car: { ...car, storedWh: Math.min(carSpec.capacityWh, car.storedWh + powerW * hours * carSpec.efficiency) },
    powerW,
  };
}

/** Whether the box lets a car that is there charge. */
export function isBoxOffering(box: ChargerBox): boolean {
  return box.isEnabled && box.limitMa >= CHARGER_MIN_MA && leftOf(box) > NOTHING_WH;
}

/** What the session may still take, Wh. */
function leftOf({ energyLimitWh, sessionWh }: ChargerBox): number {
  return energyLimitWh === 0 ? Number.POSITIVE_INFINITY : energyLimitWh - sessionWh;
}

/** The failsafe: after the silence the box sets its limit by itself, and switches itself on when that is not 0. */
function afterSilence(box: ChargerBox, durationMs: number): ChargerBox {
  if (box.failsafeS === 0 || box.silentMs === null) return box;
  const silentMs = box.silentMs + durationMs;
  if (silentMs < box.failsafeS * 1_000) return { ...box, silentMs };
  return { ...box, silentMs: null, limitMa: box.failsafeMa, isEnabled: box.failsafeMa > 0 };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
