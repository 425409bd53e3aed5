/** Charging stations: what lets a vehicle charge, what their states are called, when they fall back. */
import type { TwinBehaviour, TwinEffect, TwinRegisters } from "../twin-behaviour.ts";

const LIMIT = "charger.control.maxCurrent";
const ENABLE = "charger.control.enable";
/** IEC 61851 offers no vehicle less. */
const LEAST_A = 6;

/** A station with a limit only: below 6 A nothing charges. */
function byLimit(twin: TwinRegisters): TwinEffect {
  return { charger: chargerByLimit(twin) };
}

function chargerByLimit(twin: TwinRegisters): NonNullable<TwinEffect["charger"]> {
  const limitA = twin.number(LIMIT);
  return { isAllowed: limitA >= LEAST_A, limitA };
}

function bySwitch(twin: TwinRegisters): TwinEffect {
  return { charger: chargerBySwitch(twin) };
}

function chargerBySwitch(twin: TwinRegisters): NonNullable<TwinEffect["charger"]> {
  const limitA = twin.number(LIMIT);
  return { isAllowed: twin.number(ENABLE) === 1 && limitA >= LEAST_A, limitA };
}

const SWITCHED_ON = { [LIMIT]: 16, [ENABLE]: 1 };

/** The number of phases that KEBA's trigger was last set to. */
function kebaPhases(twin: TwinRegisters): 1 | 3 {
  return twin.number("charger.control.phases") === 1 ? 3 : 1;
}

/** evcc, which had the P40's state the wrong way round first: it shows the number of phases. */
export const KEBA_P40: TwinBehaviour = {
  show: (twin) => twin.set("charger.phaseState", kebaPhases(twin)),
};

/** KEBA guide, P30 and P40: any request feeds it; at 5016 = 0 the station stops, above that it is on again. */
const keba: TwinBehaviour = {
  writeCodes: [6],
  isOneValuePerRequest: true,
  initial: {
    ...SWITCHED_ON,
    "charger.hardwareMaxCurrent": 32,
    "charger.control.phaseSource": 3,
    "charger.control.phases": 1,
    "device.serial": 17_325_468,
    // Its tens: an energy meter.
    "device.product": 312_111,
  },
  mirrors: {
    "charger.phaseSource": "charger.control.phaseSource",
    "charger.maxCurrent": LIMIT,
    "charger.failsafeCurrent": "charger.control.failsafeCurrent",
    "charger.failsafeTimeout": "charger.control.failsafeTimeout",
  },
  reversion: {
    fedBy: "requests",
    afterMs: (twin) => 1_000 * twin.number("charger.control.failsafeTimeout"),
    fallBack(twin) {
      const ampere = twin.number("charger.control.failsafeCurrent");
      twin.set(LIMIT, ampere);
      if (ampere > 0) twin.set(ENABLE, 1);
    },
  },
  plug: {
    unplugged: { "charger.state": 1, "charger.cableState": 1 },
    stopped: { "charger.state": 5, "charger.cableState": 7 },
    charging: { "charger.state": 3, "charger.cableState": 7 },
  },
  // Contacts that close: 0 is one phase.
  show: (twin) => twin.set("charger.phaseState", kebaPhases(twin) === 3 ? 1 : 0),
  effect: (twin) => ({ charger: { ...chargerBySwitch(twin), phases: kebaPhases(twin) } }),
};

/** EC_ModBus_register_table 2021-02-22: 257 ms without a request, then the current of 262. */
const heidelberg: TwinBehaviour = {
  initial: {
    [LIMIT]: 16,
    "charger.control.watchdog": 15_000,
    "charger.control.failsafeCurrent": 0,
    "charger.control.remoteLock": 1,
    "charger.externalLock": 1,
  },
  reversion: {
    fedBy: "requests",
    afterMs: (twin) => twin.number("charger.control.watchdog"),
    fallBack: (twin) => twin.set(LIMIT, twin.number("charger.control.failsafeCurrent")),
  },
  plug: {
    unplugged: { "charger.state": 2 },
    stopped: { "charger.state": 4 },
    charging: { "charger.state": 7 },
  },
  effect: byLimit,
};

/** Modbus Slave TCP/IP for NG9xx: a set point is good for 60 s, then the safe current of 1212 counts. */
const alfen: TwinBehaviour = {
  writeCodes: [16],
  initial: {
    [LIMIT]: 16,
    "charger.safeCurrent": 6,
    "charger.setpointValidTime": 60,
    "charger.setpointAccounted": 1,
    "charger.availability": 1,
    "charger.control.phases": 3,
  },
  mirrors: { "charger.appliedMaxCurrent": LIMIT },
  reversion: {
    fedBy: [LIMIT],
    afterMs: () => 60_000,
    fallBack: (twin) => twin.set(LIMIT, twin.number("charger.safeCurrent")),
  },
  plug: {
    unplugged: { "charger.state": "A" },
    stopped: { "charger.state": "B1" },
    charging: { "charger.state": "C2" },
  },
  effect: (twin) => ({ charger: { ...chargerByLimit(twin), phases: twin.number("charger.control.phases") } }),
};

/** 0x55AA at 0x0D00 every 10 s; without it what the energy manager set is forgotten. */
const mennekesCompact: TwinBehaviour = {
  initial: { [LIMIT]: 16, "charger.control.release": 1 },
  mirrors: { "charger.maxCurrent": LIMIT },
  reversion: {
    fedBy: ["charger.control.heartbeat"],
    fedWith: 0x55aa,
    afterMs: () => 10_000,
    fallBack(twin) {
      twin.set(LIMIT, 16);
      twin.set("charger.control.release", 1);
    },
  },
  plug: {
    unplugged: { "charger.state": 1, "charger.cpState": 10 },
    stopped: { "charger.state": 2, "charger.cpState": 11 },
    charging: { "charger.state": 5, "charger.cpState": 28 },
  },
  effect(twin) {
    const limitA = twin.number(LIMIT);
    return { charger: { isAllowed: twin.number("charger.control.release") === 1 && limitA >= LEAST_A, limitA } };
  },
};

/** The life bit is to be set within the time of 2002; then the safe current of 2000 counts. */
const webasto: TwinBehaviour = {
  initial: { [LIMIT]: 16, "charger.control.safeCurrent": 6, "charger.control.timeout": 60 },
  mirrors: { "charger.maxCurrent": LIMIT },
  reversion: {
    fedBy: ["charger.control.lifeBit"],
    fedWith: 1,
    afterMs: (twin) => 1_000 * twin.number("charger.control.timeout"),
    fallBack: (twin) => twin.set(LIMIT, twin.number("charger.control.safeCurrent")),
  },
  plug: {
    unplugged: { "charger.state": 0, "charger.charging": 0, "charger.cableState": 0 },
    stopped: { "charger.state": 4, "charger.charging": 0, "charger.cableState": 3 },
    charging: { "charger.state": 3, "charger.charging": 1, "charger.cableState": 3 },
  },
  effect: byLimit,
};

const bender: TwinBehaviour = {
  writeCodes: [16],
  initial: { [LIMIT]: 16, "charger.control.availability": 1, "charger.control.safeCurrent": 6 },
  mirrors: { "charger.signalledCurrent": LIMIT },
  plug: {
    unplugged: { "charger.state": 1, "charger.ocppStatus": 0, "charger.relayState": 0 },
    stopped: { "charger.state": 2, "charger.ocppStatus": 7, "charger.relayState": 0 },
    charging: { "charger.state": 3, "charger.ocppStatus": 6, "charger.relayState": 1 },
  },
  effect: byLimit,
};

const openwb: TwinBehaviour = {
  initial: { [LIMIT]: 16, "charger.control.phases": 3, "charger.control.phasesTrigger": 0 },
  mirrors: { "charger.actualCurrent": LIMIT },
  plug: {
    unplugged: { "charger.plugged": 0, "charger.charging": 0 },
    stopped: { "charger.plugged": 1, "charger.charging": 0 },
    charging: { "charger.plugged": 1, "charger.charging": 1 },
  },
  effect(twin) {
    // The number counts once the trigger is set.
    const isTriggered = twin.number("charger.control.phasesTrigger") === 1;
    return { charger: { ...chargerByLimit(twin), phases: isTriggered ? twin.number("charger.control.phases") : 3 } };
  },
};

/** The force state 1 stops, 2 lets charge, 0 leaves it to the station. Function 6 is not there. */
const goe: TwinBehaviour = {
  writeCodes: [16],
  initial: { [LIMIT]: 16, "charger.control.maxAmpere": 16, "charger.control.allow": 1, "charger.control.phases": 2 },
  plug: {
    unplugged: { "charger.state": 1 },
    stopped: { "charger.state": 4 },
    charging: { "charger.state": 2 },
  },
  effect(twin) {
    const phases = [0, 1, 3][twin.number("charger.control.phases")] ?? 0;
    const isAllowed = twin.number("charger.control.forceState") !== 1;
    return { charger: { isAllowed, limitA: twin.number(LIMIT), phases } };
  },
};

const hcc3: TwinBehaviour = {
  initial: { [LIMIT]: 16, "charger.ratedCurrent": 32 },
  plug: {
    unplugged: { "charger.state": 0, "charger.cpState": 1 },
    stopped: { "charger.state": 4, "charger.cpState": 3 },
    charging: { "charger.state": 3, "charger.cpState": 6 },
  },
  effect: byLimit,
};

const victronEvcs: TwinBehaviour = {
  initial: SWITCHED_ON,
  plug: {
    unplugged: { "charger.state": 0 },
    stopped: { "charger.state": 6 },
    charging: { "charger.state": 2 },
  },
  effect: bySwitch,
};

/** A duty cycle instead of a current: 1 % is 0.6 A, and all of the time is a stop. Its settings show it in word 3. */
const ablEmh1: TwinBehaviour = {
  writeCodes: [16],
  initial: { "charger.control.dutyCycle": 26.7, "charger.control.state": 0xa1a1 },
  plug: {
    unplugged: { "charger.state": 0xa1 },
    stopped: { "charger.state": 0xb1 },
    charging: { "charger.state": 0xc2 },
  },
  show(twin, isPluggedIn) {
    const tenths = Math.round(10 * twin.number("charger.control.dutyCycle"));
    twin.set("charger.settings", [0, 0, 0, tenths, 0]);
    // Words 2 to 4 are the currents, 0.1 A.
    const current = isPluggedIn && tenths < 1_000 ? Math.round(0.6 * tenths) : 0;
    twin.set("charger.status.long", [0, 0, current, current, current]);
  },
  effect(twin) {
    const percent = twin.number("charger.control.dutyCycle");
    const isOn = twin.number("charger.control.state") !== 0xe0e0 && percent < 100;
    return { charger: { isAllowed: isOn, limitA: isOn ? 0.6 * percent : null } };
  },
};

const SWITCH_ONLY: TwinBehaviour = { initial: SWITCHED_ON, effect: bySwitch };

/** Two ASCII characters in a register, as evcc reads them: A1, B1, C2. */
const CHARX_STATES: NonNullable<TwinBehaviour["plug"]> = {
  unplugged: { "charger.state": 0x4131 },
  stopped: { "charger.state": 0x4231 },
  charging: { "charger.state": 0x4332 },
};

export const CHARGERS: Readonly<Record<string, TwinBehaviour>> = {
  "abl-em4": { writeCodes: [16], initial: { [LIMIT]: 16 }, effect: byLimit },
  "abl-emh1": ablEmh1,
  "alfen-ng9xx": alfen,
  "bender-cc-mennekes-ecu": bender,
  "go-e-modbus": goe,
  "heidelberg-ec": heidelberg,
  "keba-p30-p40": keba,
  "mennekes-compact": mennekesCompact,
  "mennekes-hcc3": hcc3,
  "openwb-2-secondary": openwb,
  "phoenix-charx": {
    ...SWITCH_ONLY,
    writeCodes: [16],
    initial: { ...SWITCHED_ON, "plate.meter.1": 5, "plate.meter.2": 5 },
    shift: { from: 200, by: 1_000 },
    plug: CHARX_STATES,
  },
  "phoenix-em-cp": SWITCH_ONLY,
  "phoenix-ev-eth-wallbe": SWITCH_ONLY,
  "victron-evcs": victronEvcs,
  "victron-evcs-direct": victronEvcs,
  "webasto-next-tq": webasto,
};
