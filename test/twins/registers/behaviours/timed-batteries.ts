/** Batteries that a command holds for a while only: each has a timer of its own. */
import type { TwinBehaviour } from "../twin-behaviour.ts";
import { byLimits, bySetpoint, does } from "./battery-effects.ts";

const CHARGE_LIMIT = "battery.control.maxChargePower";
const DISCHARGE_LIMIT = "battery.control.maxDischargePower";
/** What these batteries can do, W. */
const RATED_W = 5_000;
const LIMITS = { [CHARGE_LIMIT]: RATED_W, [DISCHARGE_LIMIT]: RATED_W };
/** SMA's words for on and off, and for the modes of a storage system. */
const SMA = { active: 802, inactive: 803, charge: 2289, discharge: 2290, own: 2424 } as const;

/** 47083 is how long a forced state lasts, min; huawei-solar-lib, evcc. */
const huawei: TwinBehaviour = {
  initial: {
    ...LIMITS,
    "battery.maxChargePower": RATED_W,
    "battery.maxDischargePower": RATED_W,
    "battery.control.workingMode": 2,
    "battery.control.forcible": 0,
    "battery.soc": 55,
  },
  reversion: {
    fedBy: ["battery.control.forcible", "battery.control.forcibleMinutes"],
    afterMs: (twin) => 60_000 * twin.number("battery.control.forcibleMinutes"),
    fallBack: (twin) => twin.set("battery.control.forcible", 0),
  },
  effect(twin) {
    const forced = twin.number("battery.control.forcible");
    if (forced === 1) return bySetpoint(-twin.number("battery.control.forcibleChargePower"));
    if (forced === 2) return bySetpoint(twin.number("battery.control.forcibleDischargePower"));
    return byLimits(twin.number(CHARGE_LIMIT), twin.number(DISCHARGE_LIMIT));
  },
};

const SOLAREDGE_COMMAND = "battery.control.command";

/** 57355 s after the command the mode of 57354 takes over, and with it the inverter's own limits. */
const solaredge: TwinBehaviour = {
  initial: {
    ...LIMITS,
    "battery.maxChargePower": RATED_W,
    "battery.maxDischargePower": RATED_W,
    "battery.control.mode": 1,
    "battery.control.defaultMode": 7,
    [SOLAREDGE_COMMAND]: 7,
    "battery.control.commandTimeout": 3_600,
    "battery.soc": 55,
    "battery.ratedCapacity": 9_700,
    "inverter.control.activePowerLimit": 100,
  },
  reversion: {
    fedBy: [SOLAREDGE_COMMAND, "battery.control.commandTimeout", CHARGE_LIMIT, DISCHARGE_LIMIT],
    afterMs: (twin) => 1_000 * twin.number("battery.control.commandTimeout"),
    fallBack(twin) {
      twin.set(SOLAREDGE_COMMAND, twin.number("battery.control.defaultMode"));
      twin.set(CHARGE_LIMIT, RATED_W);
      twin.set(DISCHARGE_LIMIT, RATED_W);
    },
  },
  effect(twin) {
    const inverterPercent = twin.number("inverter.control.activePowerLimit");
    if (twin.number("battery.control.mode") !== 4) return { ...does("own-control"), inverterPercent };
    const command = twin.number(SOLAREDGE_COMMAND);
    const chargeW = twin.number(CHARGE_LIMIT);
    const dischargeW = twin.number(DISCHARGE_LIMIT);
    if (command === 3) return { ...does("charge", chargeW), inverterPercent };
    if (command === 4) return { ...does("discharge", dischargeW), inverterPercent };
    if (command === 0) return { ...does("idle"), inverterPercent };
    return { ...byLimits(chargeW, dischargeW), inverterPercent };
  },
};

const SMA_SETPOINTS = ["minChargePower", "maxChargePower", "minDischargePower", "maxDischargePower", "gridSetpoint"];
const SMA_MODE = "battery.control.opMode";

/** What is written has to be written again within 60 s. */
const smaHybrid: TwinBehaviour = {
  writeCodes: [16],
  isReadByEither: true,
  initial: { ...LIMITS, [SMA_MODE]: SMA.own, "inverter.control.activePowerControl": SMA.inactive, "battery.soc": 55 },
  reversion: {
    fedBy: [
      SMA_MODE,
      ...SMA_SETPOINTS.map((name) => `battery.control.${name}`),
      "inverter.control.activePowerControl",
      "inverter.control.activePowerSetpoint",
    ],
    afterMs: () => 60_000,
    fallBack(twin) {
      for (const name of SMA_SETPOINTS) twin.set(`battery.control.${name}`, 0);
      twin.set(SMA_MODE, SMA.own);
      twin.set(CHARGE_LIMIT, RATED_W);
      twin.set(DISCHARGE_LIMIT, RATED_W);
      twin.set("inverter.control.activePowerControl", SMA.inactive);
    },
  },
  effect(twin) {
    const isDriven = twin.number("inverter.control.activePowerControl") === SMA.active;
    if (isDriven) return bySetpoint(twin.number("inverter.control.activePowerSetpoint"));
    const mode = twin.number(SMA_MODE);
    if (mode === SMA.charge) return does("charge", twin.number("battery.control.minChargePower"));
    if (mode === SMA.discharge) return does("discharge", twin.number("battery.control.minDischargePower"));
    return byLimits(twin.number(CHARGE_LIMIT), twin.number(DISCHARGE_LIMIT));
  },
};

const smaSunnyIsland: TwinBehaviour = {
  writeCodes: [16],
  isReadByEither: true,
  initial: { "battery.control.enable": SMA.inactive, "battery.soc": 55 },
  reversion: {
    fedBy: ["battery.control.enable", "battery.control.setpoint"],
    afterMs: () => 60_000,
    fallBack: (twin) => twin.set("battery.control.enable", SMA.inactive),
  },
  effect(twin) {
    if (twin.number("battery.control.enable") !== SMA.active) return does("own-control");
    return bySetpoint(twin.number("battery.control.setpoint"));
  },
};

/** Register 588. */
const BYD = 4;
const KOSTAL_SETPOINT = "battery.control.chargeSetpoint";
const KOSTAL_LIMITS = ["battery.control.maxChargeLimit", "battery.control.maxDischargeLimit"] as const;

/** 30 s without a fresh set point or limit, as it leaves the factory. */
const kostal: TwinBehaviour = {
  initial: { [KOSTAL_LIMITS[0]]: RATED_W, [KOSTAL_LIMITS[1]]: RATED_W, "battery.soc": 55, "battery.type": BYD },
  reversion: {
    fedBy: [KOSTAL_SETPOINT, ...KOSTAL_LIMITS],
    afterMs: () => 30_000,
    fallBack(twin) {
      twin.set(KOSTAL_SETPOINT, 0);
      for (const limit of KOSTAL_LIMITS) twin.set(limit, RATED_W);
    },
  },
  effect(twin) {
    if (twin.isFed(KOSTAL_SETPOINT)) return bySetpoint(twin.number(KOSTAL_SETPOINT));
    return byLimits(twin.number(KOSTAL_LIMITS[0]), twin.number(KOSTAL_LIMITS[1]));
  },
};

/** The remote timeout; then the work mode that was chosen counts. */
function foxess(selfUse: number): TwinBehaviour {
  const parts = ["remoteEnable", "remoteTimeout", "remotePower"].map((name) => `battery.control.${name}`);
  return {
    initial: {
      "battery.soc": 55,
      "inverter.control.workMode": selfUse,
      "battery.control.minSoc": 10,
      "battery.control.maxSoc": 100,
    },
    stored: ["inverter.control.workMode", "battery.control.minSoc", "battery.control.maxSoc"],
    reversion: {
      fedBy: parts,
      afterMs: (twin) => 1_000 * twin.number("battery.control.remoteTimeout"),
      fallBack: (twin) => twin.set("battery.control.remoteEnable", 0),
    },
    effect(twin) {
      if (twin.number("battery.control.remoteEnable") !== 1) return does("own-control");
      return bySetpoint(twin.number("battery.control.remotePower"));
    },
  };
}

const OPENEMS_POWER = "battery.control.power";

/** The API's time-out, 60 s unless set otherwise. */
const openems: TwinBehaviour = {
  reversion: { fedBy: [OPENEMS_POWER], afterMs: () => 60_000, fallBack: (twin) => twin.set(OPENEMS_POWER, 0) },
  effect: (twin) => (twin.isFed(OPENEMS_POWER) ? bySetpoint(twin.number(OPENEMS_POWER)) : does("own-control")),
};

const VICTRON_SETPOINT = "battery.control.gridSetpoint32";

/** Only external control (mode 3) forgets a set point after 60 s; what ESS was told stays. The percentages are in flash. */
const victron: TwinBehaviour = {
  isReadByEither: true,
  initial: {
    "battery.control.hub4Mode": 1,
    "battery.control.maxChargePercent": 100,
    "battery.control.maxDischargePercent": 100,
    "battery.soc": 55,
  },
  stored: ["battery.control.maxChargePercent", "battery.control.maxDischargePercent", "battery.control.minSoc"],
  reversion: {
    fedBy: [VICTRON_SETPOINT],
    afterMs: (twin) => (twin.number("battery.control.hub4Mode") === 3 ? 60_000 : 0),
    fallBack: (twin) => twin.set(VICTRON_SETPOINT, 0),
  },
  effect(twin) {
    const importW = twin.number(VICTRON_SETPOINT);
    if (importW !== 0) return does(importW > 0 ? "charge" : "discharge", Math.abs(importW));
    const percent = (name: string): number => twin.number(`battery.control.${name}`);
    return byLimits(percent("maxChargePercent"), percent("maxDischargePercent"));
  },
};

export const TIMED_BATTERIES: Readonly<Record<string, TwinBehaviour>> = {
  "foxess-h1": foxess(0),
  "foxess-h3": foxess(0),
  "foxess-h3-pro": foxess(1),
  "huawei-sun2000-luna": huawei,
  "kostal-plenticore": kostal,
  "openems-fenecon": openems,
  "sma-hybrid": smaHybrid,
  "sma-sunny-island": smaSunnyIsland,
  "solaredge-storedge": solaredge,
  "victron-gx": victron,
};
