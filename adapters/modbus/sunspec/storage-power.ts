import assert from "node:assert/strict";
import type { MapControl } from "../driver/device-map.ts";
import { modeOfWindow, STORAGE_WINDOWS, type StorageMode, type StorageWindow } from "./battery-mode.ts";
import { numberAtConnect } from "./connect-values.ts";
import { ControlRegisters } from "./control-registers.ts";
import type { ModelInstance } from "./model-instance.ts";
import type { PollList } from "./poll-list.ts";
import { numberAt } from "./quantity.ts";

/** Devices round a rate; a reading within this share of the highest power is what was written. */
const ROUNDING = 0.01;

/**
 * The power of the forced modes of model 124, whose rates are in % of `WChaMax`. It is written only into a mode that was
 * written before, so that it forces nothing by itself and ends with the mode's timer.
 */
export class StoragePower {
  readonly #storage124: ModelInstance;
  readonly #maxW: number;
  /** W, positive into the battery; 0: none is set, and a forced mode has all its power. */
  #setpointW = 0;
  #mode: StorageMode | null = null;

  private constructor(storage124: ModelInstance, maxW: number) {
    this.#storage124 = storage124;
    this.#maxW = maxW;
  }

  /** Null: the device does not say what its rates are a share of. */
  static of(storage124: ModelInstance | null): StoragePower | null {
    const maxW = numberAtConnect(storage124, "WChaMax") ?? 0;
    return storage124 === null || maxW <= 0 ? null : new StoragePower(storage124, maxW);
  }

  /** The window of a mode with the power that is set for it. */
  windowOf(mode: StorageMode): StorageWindow {
    const window = STORAGE_WINDOWS[mode];
    const pct = (Math.min(this.#maxW, Math.abs(this.#setpointW)) / this.#maxW) * 100;
    if (mode === "IMPORT_FOCUS" && this.#setpointW >= 1) return { ...window, outPct: 0 - pct };
    return mode === "EXPORT_FOCUS" && this.#setpointW <= -1 ? { ...window, inPct: 0 - pct } : window;
  }

  written(mode: StorageMode): void {
    this.#mode = mode;
  }

  /** Shows the power: what the rates say while a forced mode is in force, else what waits for the next one. */
  addReading(polls: PollList): void {
    const keys = ["StorCtl_Mod", "OutWRte", "InWRte"].flatMap(
      (path) => polls.raw(this.#storage124, path, "normal") ?? [],
    );
    const [limits, out, into] = keys;
    if (limits === undefined || out === undefined || into === undefined) return;
    polls.derive("battery.powerSetpoint", keys, (registers) => {
      const [outPct, inPct] = [numberAt(registers, out), numberAt(registers, into)];
      const mode = modeOfWindow(numberAt(registers, limits), outPct, inPct);
      if (mode === null) return null;
      const pct = mode === "IMPORT_FOCUS" ? 0 - (outPct ?? 0) : mode === "EXPORT_FOCUS" ? (inPct ?? 0) : null;
      if (pct === null || Math.abs(this.#setpointW) < 1) return this.#setpointW;
      const watts = Math.round((pct / 100) * this.#maxW);
      return Math.abs(watts - this.#setpointW) <= ROUNDING * this.#maxW ? this.#setpointW : watts;
    });
  }

  control(modes: readonly StorageMode[]): MapControl | null {
    if (!modes.includes("IMPORT_FOCUS")) return null;
    const range = { min: modes.includes("EXPORT_FOCUS") ? 0 - this.#maxW : 0, max: this.#maxW };
    return {
      point: "battery.powerSetpoint",
      range,
      holdMs: null,
      safeDefault: 0,
      write: async (unit, value, _registers, signal) => {
        assert(typeof value === "number", `battery.powerSetpoint ${value}`);
        const before = this.#setpointW;
        this.#setpointW = value;
        const isInForce =
          (this.#mode === "IMPORT_FOCUS" && value >= 1) || (this.#mode === "EXPORT_FOCUS" && value <= -1);
        if (!isInForce || this.#mode === null) return;
        try {
          const registers = await ControlRegisters.read(unit, this.#storage124, signal);
          const { outPct, inPct } = this.windowOf(this.#mode);
          await registers.write("OutWRte", registers.percent("OutWRte", outPct), registers.percent("InWRte", inPct));
        } catch (error) {
          this.#setpointW = before;
          throw error;
        }
      },
    };
  }
}
