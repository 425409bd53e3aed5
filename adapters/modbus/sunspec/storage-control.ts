import assert from "node:assert/strict";
import { type ConfirmedControls, isConfirmed } from "hemgate/sdk";
import type { MapControl } from "../driver/device-map.ts";
import { STORAGE_WINDOWS, type StorageMode, type StorageWindow } from "./battery-mode.ts";
import { hasStorage } from "./battery-parts.ts";
import { isImplemented, numberAtConnect } from "./connect-values.ts";
import { ControlRegisters } from "./control-registers.ts";
import type { ModelInstance } from "./model-instance.ts";
import type { StoragePower } from "./storage-power.ts";

const TIMER = "InOutWRte_RvrtTms";
/** Put together from what the registers mean; no driver in use is known to write them to a device in this way. */
export const UNVERIFIED_MODES: readonly StorageMode[] = ["EXPORT_FOCUS", "IDLE"];
/** `ChaGriSet` */
const CHARGE_FROM_GRID = 1;

/** On what terms a device is commanded. */
export interface ControlTerms {
  /** What each command sets the device's own reversion timer to. */
  readonly holdSeconds: number;
  /** Turns on the commands that no two sources agree on. */
  readonly confirmUnverified: ConfirmedControls;
}

/**
 * Sets the battery's mode through model 124. Everything but SELF_RELIANCE is a lease: without a reversion timer a crash
 * of the gateway would lock the battery (evcc#33037), so such a device is only ever released.
 *
 * IMPORT_FOCUS needs no `ChaGriSet`: a device without it decides itself where the energy comes from, and a focus mode is
 * a target, not a promise. Empty: the device cannot be controlled.
 */
export function storageControl(
  storage124: ModelInstance | null,
  power: StoragePower | null,
  { holdSeconds, confirmUnverified }: ControlTerms,
): readonly MapControl[] {
  if (storage124 === null || !hasStorage(storage124)) return [];
  const needed = ["StorCtl_Mod", "OutWRte", "InWRte", "InOutWRte_SF"];
  if (!needed.every((path) => isImplemented(storage124, path))) return [];
  const hasTimer = isImplemented(storage124, TIMER);
  const values = offeredModes(hasTimer, isConfirmed(confirmUnverified, "battery.mode"));
  const ownersGridSetting = gridSettingOfOwner(storage124);
  const mode: MapControl = {
    point: "battery.mode",
    values,
    holdMs: hasTimer ? holdSeconds * 1_000 : null,
    safeDefault: "SELF_RELIANCE",
    async write(unit, value, _registers, signal) {
      const mode = values.find((each) => each === value);
      assert(mode !== undefined, `battery.mode ${value} is not offered`);
      const registers = await ControlRegisters.read(unit, storage124, signal);
      if (mode === "SELF_RELIANCE") await release(registers, ownersGridSetting);
      else await hold(registers, { mode, window: power?.windowOf(mode) ?? STORAGE_WINDOWS[mode] }, holdSeconds);
      power?.written(mode);
    },
  };
  const setpoint = power?.control(values) ?? null;
  return setpoint === null ? [mode] : [mode, setpoint];
}

function offeredModes(hasTimer: boolean, isVerified: boolean): readonly StorageMode[] {
  if (!hasTimer) return ["SELF_RELIANCE"];
  return ["SELF_RELIANCE", "IMPORT_FOCUS", ...(isVerified ? UNVERIFIED_MODES : [])];
}

/**
 * Whether the owner lets the battery charge from the grid, to be put back when a charge is over. Null when somebody
 * controls the battery at this moment: what stands there may be theirs, or ours from before a restart.
 */
function gridSettingOfOwner(storage124: ModelInstance): number | null {
  return numberAtConnect(storage124, "StorCtl_Mod") === 0 ? numberAtConnect(storage124, "ChaGriSet") : null;
}

/** Timer, permission, rates, limits: nothing takes effect before the timer that ends it. */
async function hold(
  registers: ControlRegisters,
  { mode, window }: { readonly mode: Exclude<StorageMode, "SELF_RELIANCE">; readonly window: StorageWindow },
  holdSeconds: number,
): Promise<void> {
  const { outPct, inPct, limits } = window;
  const rates = [registers.percent("OutWRte", outPct), registers.percent("InWRte", inPct)] as const;
  await registers.startLease(TIMER, holdSeconds);
  // It may be kept in flash, and a GEN24 refuses it when its owner forbids grid charging: written only to change it.
  if (mode === "IMPORT_FOCUS" && (registers.value("ChaGriSet") ?? CHARGE_FROM_GRID) !== CHARGE_FROM_GRID) {
    await registers.write("ChaGriSet", CHARGE_FROM_GRID);
  }
  await registers.write("OutWRte", ...rates);
  await registers.write("StorCtl_Mod", limits);
}

/** Limits off first, so that the battery is free even when a later write fails. The timer needs no word: it runs out. */
async function release(registers: ControlRegisters, ownersGridSetting: number | null): Promise<void> {
  const { outPct, inPct, limits } = STORAGE_WINDOWS.SELF_RELIANCE;
  const rates = [registers.percent("OutWRte", outPct), registers.percent("InWRte", inPct)] as const;
  await registers.write("StorCtl_Mod", limits);
  await registers.write("OutWRte", ...rates);
  if (ownersGridSetting !== null && registers.value("ChaGriSet") !== ownersGridSetting) {
    await registers.write("ChaGriSet", ownersGridSetting);
  }
}
