/** With what power a battery is forced to charge or discharge: what the plan wants, narrowed by each limit. */

import type { CarUse } from "../battery-use.ts";
import { PHASES, type SiteConnection } from "../site/site-connection.ts";
import { membersOf } from "./circuit-limits.ts";
import type { BatteryMemory, TimedPower } from "./cycle-memory.ts";
import { BATTERY_LATENCY_MS, NOMINAL_V, RAMP_MS } from "./cycle-timing.ts";
import type { BatteryView, EnergySnapshot, InverterView } from "./energy-snapshot.ts";
import { finite } from "./grid-reading.ts";
import type { LimitRow } from "./limit-row.ts";

/** Powers are whole numbers of this, W. */
const STEP_W = 100;
/** Below this an inverter wastes what it moves: the battery is not forced at all. */
const LEAST_W = 300;
/** A change that no limit asks for is at least so large, W. */
const LEAST_CHANGE_W = 200;
/** And so long after the one before, ms: devices take a minute or so to settle, and each write is a request. */
const UNHURRIED_MS = 30_000;
/** What a battery that sells leaves of a limit of the feed-in, as shares of the rated power of inverters: at all, and while one is held down. */
const LEFT_SHARE = 0.05;
const YIELDING_SHARE = 0.08;
/** An inverter this close to its limit, as a share of its rated power, is held down by it. */
const AT_LIMIT_SHARE = 0.02;
const FULL_PCT = 100;
/** A command to a battery shows within this time, ms. */
export const SETTLED_MS = BATTERY_LATENCY_MS + RAMP_MS;
/** A battery that takes more than this above its command does not follow it, W. */
const DISOBEDIENT_W = 300;

/** True if the plan has the battery. Otherwise its mode is that of a person, with the power that belongs to it. */
export function isPlans({ isOthers, plannedMode }: BatteryView): boolean {
  return !isOthers && plannedMode !== null;
}

/** True if the energy manager may set the battery's power: as the plan has it, or less than others have. */
export function isPowered({ power }: BatteryView): boolean {
  return power !== undefined;
}

/** What a battery takes of a row per W; 0: it does not use it. */
export function perWattOf(battery: BatteryView, row: LimitRow, site: SiteConnection): number {
  if (row.code === "grid-operator" || row.code === "contract") return 1;
  if (row.code !== "fuse" && row.code !== "circuit") return 0;
  if (row.code === "circuit" && !isInCircuit(site, row.subject, battery.id)) return 0;
  const phase = row.key.split(" ").at(-1);
  if (phase === "power") return 1;
  const phases = site.phasesOf.get(battery.id) ?? PHASES.slice(0, site.phases);
  return phases.some((each) => each === phase) ? 1 / NOMINAL_V / phases.length : 0;
}

function isInCircuit(site: SiteConnection, circuitId: string | null, id: string): boolean {
  const circuit = site.circuits.find((each) => each.id === circuitId);
  return circuit !== undefined && membersOf(site, circuit).has(id);
}

export interface PowerInputs {
  readonly snapshot: EnergySnapshot;
  readonly rows: readonly LimitRow[];
  readonly cars: readonly CarUse[];
}

/** A power to charge with, W, and the limit that narrows it; `null`: none does. Below what is worth it: 0. */
export interface AllowedPower {
  readonly watts: number;
  readonly row: LimitRow | null;
}

/** The power with which the battery is forced to charge; that of others as it is measured. `null`: it is not. */
export function forcedCharge(battery: BatteryView, memory: BatteryMemory): TimedPower | null {
  if (battery.mode !== "IMPORT_FOCUS" || memory.command?.mode === "SELF_RELIANCE") return null;
  const { power } = memory;
  if (power !== null) return power.watts > 0 ? power : null;
  if (!isPowered(battery) || isPlans(battery) || (finite(battery.powerW) ?? 0) < LEAST_W) return null;
  return { atMs: Number.NEGATIVE_INFINITY, watts: requestedPower(battery, memory, 1) };
}

/** By how much a forced charge exceeds the limits that it is a part of, W, with the limit that it exceeds most. */
function excessOf(battery: BatteryView, rows: readonly LimitRow[], site: SiteConnection) {
  let most: { readonly watts: number; readonly row: LimitRow } | null = null;
  for (const row of rows) {
    const perWatt = perWattOf(battery, row, site);
    if (perWatt <= 0 || row.measured === null || row.measured <= row.limit) continue;
    const watts = (row.measured - row.target) / perWatt;
    if (most === null || watts > most.watts) most = { watts, row };
  }
  return most;
}

function isDisobedient(battery: BatteryView, power: TimedPower, nowMs: number): boolean {
  return nowMs - power.atMs >= SETTLED_MS && (finite(battery.powerW) ?? 0) > power.watts + DISOBEDIENT_W;
}

/** The power that a forced charge is lowered to because limits are exceeded; `null`: nothing is. */
function loweredTo(battery: BatteryView, power: TimedPower, inputs: Omit<PowerInputs, "cars">): AllowedPower | null {
  const { nowMs, site } = inputs.snapshot;
  const excess = excessOf(battery, inputs.rows, site);
  if (excess === null) return null;
  // One that takes what it wants is no longer forced: then its own control decides.
  if (isDisobedient(battery, power, nowMs)) return { watts: 0, row: excess.row };
  const measuredW = Math.max(0, finite(battery.powerW) ?? power.watts);
  return { watts: worthIt(Math.min(power.watts, measuredW - excess.watts)), row: excess.row };
}

/** What a forced charge draws still, and will not when its lower power shows, W. */
export function fallingPower(battery: BatteryView, memory: BatteryMemory, inputs: Omit<PowerInputs, "cars">): number {
  const power = forcedCharge(battery, memory);
  const measuredW = Math.max(0, finite(battery.powerW) ?? 0);
  if (power === null) return 0;
  const { nowMs } = inputs.snapshot;
  const lowered = loweredTo(battery, power, inputs)?.watts ?? Number.POSITIVE_INFINITY;
  const isFalling = nowMs - power.atMs < SETTLED_MS;
  return Math.max(0, measuredW - Math.min(lowered, isFalling ? power.watts : Number.POSITIVE_INFINITY));
}

/** With what a battery may charge from now on, of what the plan or its owner wants. */
export function chargePower(battery: BatteryView, memory: BatteryMemory, inputs: PowerInputs): AllowedPower {
  const { nowMs } = inputs.snapshot;
  const requestedW = requestedPower(battery, memory, 1);
  const room = roomFor(battery, inputs);
  const power = forcedCharge(battery, memory);
  const allowedW = worthIt(Math.min(requestedW, highestPower(battery, memory.power, nowMs) + room.watts));
  if (power === null) return narrowed(allowedW, requestedW, room.row);
  const lowered = loweredTo(battery, power, inputs);
  if (lowered !== null && lowered.watts < power.watts) return lowered;
  // Between the limit and what is aimed at, what runs stays. A car that is to have more comes first.
  const isWaitedFor = room.row !== null && carsShortOf(room.row, inputs.cars) > 0;
  const goalW =
    requestedW < power.watts || isWaitedFor ? Math.min(requestedW, allowedW) : Math.max(power.watts, allowedW);
  return narrowed(unhurried(power, goalW, nowMs), requestedW, room.row);
}

/**
 * What the rows count of the battery, at most, W: its reading, or the power that it is on its way to. One that discharges
 * leaves its part of the load to the grid.
 */
function highestPower({ powerW }: BatteryView, power: TimedPower | null, nowMs: number): number {
  const measuredW = finite(powerW) ?? 0;
  const isRising = power !== null && nowMs - power.atMs < SETTLED_MS;
  return isRising ? Math.max(measuredW, power.watts) : measuredW;
}

function narrowed(watts: number, requestedW: number, row: LimitRow | null): AllowedPower {
  return { watts, row: watts + STEP_W <= requestedW ? row : null };
}

/** The row with the least room for a battery beside what others may take, W. */
function roomFor(battery: BatteryView, { snapshot, rows, cars }: PowerInputs): AllowedPower {
  let least: AllowedPower = { watts: Number.POSITIVE_INFINITY, row: null };
  for (const row of rows) {
    const perWatt = perWattOf(battery, row, snapshot.site);
    if (perWatt <= 0) continue;
    const ofCars = cars.reduce((sum, car, i) => sum + requestedA(car) * (row.perAmp[i] ?? 0), 0);
    const watts = (row.target - row.maybeTaken - ofCars) / perWatt;
    if (watts < least.watts) least = { watts, row };
  }
  return least;
}

/** What a car gets, or is to get once there is room: it comes before a battery that buys, A. */
function requestedA({ charger, request, currentA }: CarUse): number {
  if (charger.ignoresLimit) return 0;
  const isFull = charger.isIdle && charger.isOn;
  return isFull ? currentA : Math.max(currentA, Math.min(request.firmA, charger.maxA));
}

/** How much of a row cars are to have beyond what they get. */
function carsShortOf(row: LimitRow, cars: readonly CarUse[]): number {
  return cars.reduce((sum, car, i) => {
    const getsA = car.charger.ignoresLimit ? 0 : car.currentA;
    return sum + Math.max(0, requestedA(car) - getsA) * (row.perAmp[i] ?? 0);
  }, 0);
}

/** With what a battery may feed the grid below a limit of the feed-in, W (0: not at all), and if that is less than is wanted. */
export function dischargePower(
  battery: BatteryView,
  memory: BatteryMemory,
  now: { readonly exportW: number; readonly limitW: number; readonly snapshot: EnergySnapshot },
): { readonly watts: number; readonly isNarrowed: boolean } {
  const { power } = memory;
  const { nowMs, inverters } = now.snapshot;
  const requestedW = requestedPower(battery, memory, -1);
  const found = (watts: number) => ({ watts, isNarrowed: watts + STEP_W <= requestedW });
  const isRunning = battery.mode === "EXPORT_FOCUS" && power !== null && power.watts < 0;
  const runningW = isRunning ? -power.watts : 0;
  const yields = isPlans(battery) && inverters.some(mayGiveMore);
  const aimW = now.limitW - (isPlans(battery) ? leftToPanels(inverters) : 0);
  // What it charges with now is fed in as well.
  const allowedW = worthIt(Math.min(requestedW, aimW - now.exportW - (finite(battery.powerW) ?? 0)));
  if (!isRunning || (now.exportW > now.limitW && allowedW < runningW)) return found(allowedW);
  const goalW = Math.min(requestedW, yields ? allowedW : Math.max(runningW, allowedW));
  return found(unhurried({ ...power, watts: runningW }, goalW, nowMs));
}

/**
 * How far below a limit of the feed-in a battery that sells for the plan stays while the sun shines, W, so that it does not
 * take the place of panels: more than what inverters leave of the limit by themselves, and a step more while one is held down.
 */
function leftToPanels(inverters: readonly InverterView[]): number {
  const producing = inverters.filter(({ canLimit, powerW }) => canLimit && (finite(powerW) ?? 0) > 0);
  const ratedW = producing.reduce((sum, inverter) => sum + (finite(inverter.ratedW) ?? 0), 0);
  return (producing.some(mayGiveMore) ? YIELDING_SHARE : LEFT_SHARE) * ratedW;
}

/**
 * True if the inverter may give more without its limit. A closer rule than that of the hidden surplus: at nine tenths of its
 * limit one that has the room which the battery leaves would count too, and the battery would go up and down.
 */
function mayGiveMore({ canLimit, limitPct, powerW, ratedW }: InverterView): boolean {
  const [pct, watts, rated] = [finite(limitPct), finite(powerW), finite(ratedW)];
  if (!canLimit || pct === null || pct >= FULL_PCT || watts === null || rated === null) return false;
  return watts >= (pct / FULL_PCT - AT_LIMIT_SHARE) * rated;
}

/** The discharge that brings the import down to a limit, W; 0: none is needed, or the battery has nothing to give. */
export function peakPower(battery: BatteryView, memory: BatteryMemory, row: LimitRow): number {
  const { power, isShaving } = memory;
  const soc = finite(battery.soc);
  const floor = finite(battery.reserve) ?? DEFAULT_RESERVE;
  if (row.measured === null || soc === null || soc <= floor + (isShaving ? 0 : RESERVE_HYSTERESIS)) return 0;
  if (!isShaving && row.measured <= row.limit) return 0;
  const neededW = row.measured - row.target - (finite(battery.powerW) ?? 0);
  const most = -(battery.power?.minW ?? 0);
  const goalW = Math.min(most, Math.ceil(neededW / STEP_W) * STEP_W);
  const runningW = isShaving && power !== null ? -power.watts : 0;
  // A reading that is older than the other must not make the power swing.
  const isSame = isShaving && Math.abs(goalW - runningW) < LEAST_CHANGE_W && row.measured <= row.limit;
  return Math.max(0, isSame ? runningW : goalW);
}

const DEFAULT_RESERVE = 10;
/** The battery starts only with so much above its reserve, %. */
const RESERVE_HYSTERESIS = 2;

/**
 * What is wanted in a direction, W: the plan's power in this quarter hour, or what the mode of others had before it was
 * narrowed; where that is not known all that the battery can do.
 */
function requestedPower(battery: BatteryView, memory: BatteryMemory, direction: 1 | -1): number {
  const { power, plannedW = null } = battery;
  const most = direction > 0 ? (power?.maxW ?? 0) : -(power?.minW ?? 0);
  if (!isPlans(battery)) return Math.min(most, Math.abs(memory.ownW ?? ownPower(battery, memory) ?? most));
  const planned = (finite(plannedW) ?? 0) * direction;
  return planned >= LEAST_W ? Math.min(most, Math.round(planned / STEP_W) * STEP_W) : most;
}

/** The power that others' mode has by itself, W, positive into the battery; `null`: it is not running, or narrowed already. */
function ownPower({ mode, powerW }: BatteryView, { power }: BatteryMemory): number | null {
  const watts = finite(powerW) ?? 0;
  const isRunning = (mode === "IMPORT_FOCUS" && watts >= LEAST_W) || (mode === "EXPORT_FOCUS" && watts <= -LEAST_W);
  return isRunning && power === null ? watts : null;
}

/** What is remembered of the power that others' mode has, while less is commanded. */
export function rememberedOwn(battery: BatteryView, before: BatteryMemory, forcedW: number | null): number | null {
  if (forcedW === null || isPlans(battery)) return null;
  return before.ownW ?? ownPower(battery, before);
}

/** Returns the power as a battery is commanded with it, W: in whole steps, and 0 below what is worth it. */
export function worthIt(watts: number): number {
  const whole = Math.floor(watts / STEP_W) * STEP_W;
  return whole >= LEAST_W ? whole : 0;
}

function unhurried(power: TimedPower, goalW: number, nowMs: number): number {
  const isEarly = nowMs - power.atMs < UNHURRIED_MS;
  return isEarly || Math.abs(goalW - power.watts) < LEAST_CHANGE_W ? power.watts : goalW;
}

/** What is remembered of a power: when it was last changed. */
export function timedPower(before: TimedPower | null, watts: number | null, nowMs: number): TimedPower | null {
  if (watts === null) return null;
  return before?.watts === watts ? before : { atMs: nowMs, watts };
}
