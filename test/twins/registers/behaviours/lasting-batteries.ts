/** Batteries that stay as they were told, most of them in memory that wears; SolaX alone has a block that does not. */
import type { TwinBehaviour, TwinEffect, TwinRegisters } from "../twin-behaviour.ts";
import { byLimits, bySetpoint, does } from "./battery-effects.ts";

const SOC = { "battery.soc": 55 };
const DISCHARGE_LIMIT = "battery.control.maxDischargePower";

/** The vendor's words for what a forced state does. */
const SUNGROW = { charge: 170, discharge: 187, stop: 204 } as const;
/** 10 W is the least limit that it takes, and as good as none. */
const SUNGROW_LEAST_W = 10;

const sungrow: TwinBehaviour = {
  initial: {
    ...SOC,
    "battery.bdcRatedPower": 5_000,
    "battery.control.command": SUNGROW.stop,
    "battery.control.maxChargePower": 5_000,
    [DISCHARGE_LIMIT]: 5_000,
  },
  stored: ["battery.control.", "inverter.control."],
  effect(twin) {
    const command = twin.number("battery.control.command");
    if (twin.number("battery.control.emsMode") !== 2) {
      return twin.number(DISCHARGE_LIMIT) <= SUNGROW_LEAST_W ? does("no-discharge") : does("own-control");
    }
    const askedW = twin.number("battery.control.power");
    if (command === SUNGROW.charge) return does("charge", askedW);
    return command === SUNGROW.discharge ? does("discharge", askedW) : does("idle");
  },
};

/** EMS modes: 1 own; 2 charge, from the grid up to the power; 4, 9, 11 charge; 3, 5, 10, 12 discharge; 8 standby. */
const goodwe: TwinBehaviour = {
  initial: { ...SOC, "battery.control.emsMode": 1 },
  stored: ["inverter.control."],
  effect(twin) {
    const mode = twin.number("battery.control.emsMode");
    const askedW = twin.number("battery.control.emsPower");
    if (mode === 2) return askedW > 0 ? does("charge", askedW) : does("no-discharge");
    if ([4, 9, 11].includes(mode)) return does("charge", askedW);
    if ([3, 5, 10, 12].includes(mode)) return does("discharge", askedW);
    return mode === 8 ? does("idle") : does("own-control");
  },
};

/** About what a battery of this family has, V: it is told currents. */
const DEYE_BATTERY_V = 51;

/** The table names the first of six programmes. */
const PROGRAMMES = {
  "battery.control.prog1Time": 6,
  "battery.control.prog1Power": 6,
  "battery.control.prog1Soc": 6,
  "battery.control.prog1Charge": 6,
};

const deye3p: TwinBehaviour = {
  writeCodes: [16],
  copies: PROGRAMMES,
  initial: {
    ...SOC,
    "battery.voltage": DEYE_BATTERY_V,
    "battery.control.maxChargeCurrent": 100,
    "battery.control.maxDischargeCurrent": 100,
    "battery.control.gridChargeCurrent": 50,
    "battery.control.gridChargeStartSoc": 10,
    "battery.control.prog1Soc": 10,
    "battery.control.timeOfUse": 255,
  },
  stored: ["battery.control.", "inverter.control."],
  effect(twin) {
    const isCharging =
      twin.number("battery.control.gridChargeEnable") === 1 &&
      twin.number("battery.control.gridChargeStartSoc") > twin.number("battery.soc");
    if (isCharging) return does("charge", DEYE_BATTERY_V * twin.number("battery.control.gridChargeCurrent"));
    return byLimits(
      twin.number("battery.control.maxChargeCurrent"),
      twin.number("battery.control.maxDischargeCurrent"),
    );
  },
};

const deye1p: TwinBehaviour = {
  writeCodes: [16],
  copies: PROGRAMMES,
  initial: {
    ...SOC,
    "battery.voltage": DEYE_BATTERY_V,
    "battery.control.gridChargeCurrent": 50,
    "battery.control.prog1Soc": 10,
    "battery.control.timeOfUse": 255,
  },
  stored: ["battery.control.", "inverter.control."],
  effect(twin) {
    const target = twin.number("battery.control.prog1Soc");
    const isWanted = twin.number("battery.control.timeOfUse") % 2 === 1;
    const mayCharge =
      twin.number("battery.control.prog1Charge") % 2 === 1 && twin.number("battery.control.gridChargeEnable") === 1;
    const isAbove = target > twin.number("battery.soc");
    if (isWanted && mayCharge && isAbove) {
      return does("charge", DEYE_BATTERY_V * twin.number("battery.control.gridChargeCurrent"));
    }
    return isWanted && target >= twin.number("battery.soc") ? does("no-discharge") : does("own-control");
  },
};

const SLOT = "battery.control.slot1";
/** The highest bit switches a slot of a TL-XH on. */
const SLOT_ON = 0x8000_0000;

function bySlot(twin: TwinRegisters, isOn: boolean): TwinEffect {
  if (!isOn) return does("own-control");
  if (twin.number("battery.control.acCharge") !== 1) return does("no-discharge");
  return does("charge", 50 * twin.number("battery.control.chargeRate"));
}

const growattSph: TwinBehaviour = {
  writeCodes: [16],
  initial: { ...SOC, "battery.control.chargeRate": 100 },
  stored: ["battery.control."],
  effect: (twin) => bySlot(twin, twin.number("battery.control.slot1Enable") === 1),
};

const growattTlxh: TwinBehaviour = {
  writeCodes: [16],
  initial: { ...SOC, "battery.control.chargeRate": 100, [SLOT]: 0x2000_173b },
  stored: ["battery.control."],
  effect: (twin) => bySlot(twin, twin.number(SLOT) >= SLOT_ON),
};

const solis: TwinBehaviour = {
  initial: { ...SOC, "battery.control.storageMode": 17, "battery.control.reserveSoc": 20 },
  stored: ["battery.control.storageMode", "battery.control.reserveSoc", "battery.control.forceChargeSoc"],
  effect(twin) {
    const mode = twin.number("battery.control.remoteMode");
    const chargeW = twin.number("battery.control.remoteChargePower");
    if (mode === 1) return chargeW === 0 ? does("idle") : does("charge", chargeW);
    if (mode === 2) return does("discharge", twin.number("battery.control.remoteDischargePower"));
    const isReserved = twin.number("battery.control.reserveSoc") >= twin.number("battery.soc");
    return isReserved ? does("no-discharge") : does("own-control");
  },
};

const SOLAX_BLOCK = "battery.control.remote";
/** Where the parts of SolaX's block begin, in words; 32-bit values have their low word first. */
const SOLAX_WORDS = { active: 2, duration: 6, timeout: 12, push: 13 } as const;

function solaxPower(block: readonly number[], at: number): number {
  return ((block[at + 1] ?? 0) << 16) | (block[at] ?? 0);
}

/** Mode 1 holds a power at the AC port, mode 4 pushes one out of the battery, each for the time in its block. */
const solax: TwinBehaviour = {
  initial: SOC,
  stored: ["battery.control.useMode", "battery.control.manual", "battery.control.selfUseMinSoc"],
  reversion: {
    fedBy: [SOLAX_BLOCK],
    afterMs(twin) {
      const block = twin.words(SOLAX_BLOCK);
      return 1_000 * Math.max(block[SOLAX_WORDS.duration] ?? 0, block[SOLAX_WORDS.timeout] ?? 0);
    },
    fallBack: (twin) => twin.set(SOLAX_BLOCK, Array(15).fill(0)),
  },
  effect(twin) {
    const block = twin.words(SOLAX_BLOCK);
    if (block[0] === 4) return bySetpoint(solaxPower(block, SOLAX_WORDS.push));
    if (block[0] === 1) return bySetpoint(-solaxPower(block, SOLAX_WORDS.active));
    if (twin.number("battery.control.useMode") !== 3) return does("own-control");
    const manual = twin.number("battery.control.manual");
    return manual === 0 ? does("idle") : does(manual === 1 ? "charge" : "discharge", 3_000);
  },
};

/** Passive mode: desired power at the grid, least and most power of the battery, charging positive. */
const sofar: TwinBehaviour = {
  writeCodes: [16],
  effect(twin) {
    if (twin.number("battery.control.mode") !== 3) return does("own-control");
    const words = twin.words("battery.control.passive");
    const at = (index: number): number => ((words[index] ?? 0) << 16) | (words[index + 1] ?? 0);
    const [leastW, mostW] = [at(2), at(4)];
    if (leastW > 0) return does("charge", leastW);
    if (mostW < 0) return does("discharge", -mostW);
    if (leastW === 0) return does(mostW === 0 ? "idle" : "no-discharge");
    return does(mostW === 0 ? "no-charge" : "own-control");
  },
};

const alpha: TwinBehaviour = {
  writeCodes: [16],
  initial: { ...SOC, "battery.control.chargeCutSoc": 100 },
  stored: ["battery.control."],
  effect(twin) {
    if (twin.number("battery.control.timeFlag") % 2 !== 1) return does("own-control");
    const isBelow = twin.number("battery.soc") < twin.number("battery.control.chargeCutSoc");
    return isBelow ? does("charge", 3_000) : does("no-discharge");
  },
};

const sigenergy: TwinBehaviour = {
  isReadByEither: true,
  initial: { ...SOC, "battery.control.dischargeCutoffSoc": 10 },
  effect(twin) {
    const isHeld = twin.number("battery.control.dischargeCutoffSoc") >= twin.number("battery.soc");
    return does(isHeld ? "no-discharge" : "own-control");
  },
};

const MARSTEK_REMOTE = 21_930;

const marstek: TwinBehaviour = {
  writeCodes: [6],
  initial: { ...SOC, "battery.control.rs485": 21_947, "battery.control.workMode": 1 },
  effect(twin) {
    if (twin.number("battery.control.rs485") !== MARSTEK_REMOTE) return does("own-control");
    const force = twin.number("battery.control.force");
    if (force === 1) return does("charge", twin.number("battery.control.chargePower"));
    return force === 2 ? does("discharge", twin.number("battery.control.dischargePower")) : does("idle");
  },
};

export const LASTING_BATTERIES: Readonly<Record<string, TwinBehaviour>> = {
  "alpha-ess-smile": alpha,
  "deye-1p": deye1p,
  "deye-3p": deye3p,
  "goodwe-et": goodwe,
  "growatt-sph": growattSph,
  "growatt-tlxh": growattTlxh,
  "marstek-venus": marstek,
  "sigenergy-sigenstor": sigenergy,
  "sofar-hyd-g3": sofar,
  "solax-g3g4": solax,
  "solis-hybrid": solis,
  "sungrow-sh": sungrow,
};
