/**
 * What a client of the inverter may set, and the clocks that take it back: a control with a reversion time falls to its
 * default when nobody writes it again in time (SunSpec models 123 and 124).
 */

/** The time a control holds without being renewed. */
interface Reversion {
  /** s; 0 holds for good. The device keeps this setting when it reverts. */
  readonly reversionS: number;
  /** Time left, ms; null while no clock runs. */
  readonly leftMs: number | null;
}

export interface StorageControl extends Reversion {
  /** Bit 0: the charge rate is in force. Bit 1: the discharge rate is. */
  readonly modeBits: number;
  /** % of the largest charging power. Negative: discharge at least so much. */
  readonly chargeRate: number;
  /** % of the largest charging power. Negative: charge at least so much. */
  readonly dischargeRate: number;
  readonly isGridChargingAllowed: boolean;
  /** State of charge below which the battery does not discharge, %. */
  readonly reserve: number;
}

export interface OutputControl extends Reversion {
  /** % of the rated power. */
  readonly limit: number;
  readonly isLimited: boolean;
}

export interface ConnectionControl extends Reversion {
  readonly isConnected: boolean;
}

export interface InverterControls {
  readonly storage: StorageControl;
  readonly output: OutputControl;
  readonly connection: ConnectionControl;
}

/** What the inverter does when nobody tells it anything: the battery follows the house. */
export const NORMAL_CONTROLS: InverterControls = {
  storage: {
    modeBits: 0,
    chargeRate: 100,
    dischargeRate: 100,
    isGridChargingAllowed: false,
    reserve: 7,
    reversionS: 0,
    leftMs: null,
  },
  output: { limit: 100, isLimited: false, reversionS: 0, leftMs: null },
  connection: { isConnected: true, reversionS: 0, leftMs: null },
};

/** The control as written just now: its timer restarts. */
export function renewed<Control extends Reversion>(control: Control): Control {
  return { ...control, leftMs: control.reversionS === 0 ? null : control.reversionS * 1_000 };
}

/** The controls some time later; the same object when no clock runs. */
export function controlsAfter(controls: InverterControls, elapsedMs: number): InverterControls {
  const { storage, output, connection } = controls;
  if (storage.leftMs === null && output.leftMs === null && connection.leftMs === null) return controls;
  return {
    storage: ticked(storage, elapsedMs, {
      modeBits: NORMAL_CONTROLS.storage.modeBits,
      chargeRate: NORMAL_CONTROLS.storage.chargeRate,
      dischargeRate: NORMAL_CONTROLS.storage.dischargeRate,
    }),
    // The percentage stays in its register; only the enable falls. A reader that ignores the enable is wrong then.
    output: ticked(output, elapsedMs, { isLimited: false }),
    connection: ticked(connection, elapsedMs, { isConnected: true }),
  };
}

function ticked<Control extends Reversion>(control: Control, elapsedMs: number, fallback: Partial<Control>): Control {
  if (control.leftMs === null) return control;
  const leftMs = control.leftMs - elapsedMs;
  return leftMs > 0 ? { ...control, leftMs } : { ...control, ...fallback, leftMs: null };
}
