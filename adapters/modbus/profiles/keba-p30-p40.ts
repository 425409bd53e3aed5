import {
  type Condition,
  type DeviceProfile,
  defineProfile,
  type Formula,
  type PollClass,
  type ProfileControl,
  type ProfileFormula,
  type ProfilePoint,
  type RegisterField,
  type WriteStep,
} from "hemgate/sdk";
import { currentControls, LEAST_A, shownLimit, startCurrent, unlessStopped } from "../profile/parts/current-control.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "KEBA KeContact Modbus TCP programmers guides (P30 V1.02, P40); OpenEMS";

/** Without a request for this long the station falls back to its failsafe current; it takes 10 to 600 s. */
const FAILSAFE_S = 60;
const MAX_AMPERE = 63;
/** The current is set in mA. */
const STEP_A = 0.1;
/** P40 software before 1.2.1 counts energy in Wh instead of 0.1 Wh. */
const FIRST_TENTH_WH_FIRMWARE = 10_201;

function field(address: number): RegisterField {
  return { table: "holding", address, type: "uint32" };
}

function crossChecked(key: ProfilePoint["key"], address: number, poll: PollClass, scale = 1): ProfilePoint {
  return { key, ...field(address), scale, poll, confidence: "cross-checked", source: SOURCE };
}

function singleSource(key: ProfilePoint["key"], address: number, poll: PollClass, scale = 1): ProfilePoint {
  return { ...crossChecked(key, address, poll, scale), confidence: "single-source" };
}

/** Every value takes a separate request, 500 ms apart, so that only what moves is read often. */
const COMMON_POINTS: readonly ProfilePoint[] = [
  crossChecked("raw.state", 1000, "normal"),
  crossChecked("raw.cable", 1004, "normal"),
  crossChecked("charger.current.l1", 1008, "slow", 0.001),
  singleSource("charger.current.l2", 1010, "slow", 0.001),
  singleSource("charger.current.l3", 1012, "slow", 0.001),
  crossChecked("charger.power", 1020, "normal", 0.001),
  crossChecked("charger.voltage.l1", 1040, "slow"),
  singleSource("charger.voltage.l2", 1042, "slow"),
  singleSource("charger.voltage.l3", 1044, "slow"),
];

const IDENTITY: NonNullable<DeviceProfile["identity"]> = {
  serial: { ...field(1014), confidence: "cross-checked", source: SOURCE },
  version: { ...field(1018), confidence: "cross-checked", source: SOURCE },
};

const TRANSPORTS: DeviceProfile["transports"] = [{ kind: "tcp", port: 502, unit: 255 }];

const LIMITS: DeviceProfile["limits"] = { maxRegisters: 2, minGapMs: 500, isOneValuePerRequest: true, maxClients: 1 };

const PLUGGED: Condition = { of: { of: "raw.cable" }, atLeast: 5 };

/** Cable 5: in station and vehicle; 7: locked as well. Below that no vehicle is connected, whatever the state. */
const STATE: ProfileFormula = {
  point: "charger.state",
  value: {
    when: PLUGGED,
    gives: {
      lookup: { of: "raw.state" },
      values: {
        0: "PLUGGED_IN:INITIALIZING",
        // Locked by authorization or by being disabled.
        1: "PLUGGED_IN:STOPPED",
        // Offers current; the vehicle has not taken any yet.
        2: "PLUGGED_IN:INITIALIZING",
        3: "PLUGGED_IN:CHARGING",
        4: "PLUGGED_IN:FAULT",
        5: "PLUGGED_IN:STOPPED",
      },
      otherwise: "UNKNOWN",
    },
    otherwise: "UNPLUGGED",
  },
};

/** The P30's enable register cannot be read. State 1 is shown by a disabled station and by one without a vehicle. */
const ENABLED: ProfileFormula = {
  point: "charger.enabled",
  value: { lookup: { of: "raw.state" }, values: { 2: true, 3: true, 5: false }, otherwise: null },
};

function register(address: number, value: Formula, scale = 1): WriteStep {
  return writeStep(address, 6, "uint16", value, { scale });
}

/** The P30's own timer, and the current it falls back to: A, or 0 to stop. */
function failsafe(ampere: Formula): readonly WriteStep[] {
  return [register(5018, FAILSAFE_S), register(5016, ampere, 0.001)];
}

const FAILSAFE = {
  holdMs: 1_000 * FAILSAFE_S,
  confidence: "unverified",
  source: "5018: evcc; 5016: the KEBA guide from memory, no open driver writes it",
  fallback: "offers 6 A, or 0 A after a stop command",
} as const;

/** A stop whose timer ran out left 0 A behind, which enabling alone does not lift; a limit that is held comes after it. */
const TAKE_UP: WriteStep = {
  ...register(5004, startCurrent(), 0.001),
  when: { of: { of: "charger.maxCurrent" }, below: LEAST_A },
};

/** Nothing of the phases is shown or written before the owner says that there is a switch. */
const HAS_SWITCH: Condition = { of: { setting: "phaseSwitch" }, is: 1 };
const BY_MODBUS: Condition = { of: { of: "raw.phaseSource" }, is: 3 };
const PHASE_STATE = "raw.phaseState";
const PHASE_SOURCE = crossChecked("raw.phaseSource", 1550, "slow");

function shownPhases(values: Readonly<Record<number, 1 | 3>>): ProfileFormula {
  const read: Formula = { lookup: { of: PHASE_STATE }, values, otherwise: null };
  return { point: "charger.phases", value: { when: HAS_SWITCH, gives: read, otherwise: null } };
}

function whenSwitched(value: Formula): Formula {
  return { when: HAS_SWITCH, gives: value, otherwise: null };
}

/** Both models take 0 for one phase and 1 for three, whatever they show. */
function phaseCases(steps: (code: 0 | 1) => readonly WriteStep[]): ProfileControl["write"] {
  return {
    cases: [
      { value: 1, steps: steps(0) },
      { value: 3, steps: steps(1) },
    ],
  };
}

const MAX_CURRENT: ProfileControl = {
  point: "charger.maxCurrent",
  range: { min: LEAST_A, max: MAX_AMPERE },
  step: STEP_A,
  safeDefault: "as-found",
  write: { steps: [register(5004, { wish: true }, 0.001)] },
  confidence: "cross-checked",
  source: SOURCE,
};

const PRODUCT = "raw.product";
const METER_DIGIT: Formula = {
  minus: [
    { floor: { quotient: [{ of: PRODUCT }, 10] } },
    { times: [10, { floor: { quotient: [{ of: PRODUCT }, 100] } }] },
  ],
};
/** 0 where the station has no energy meter, by the tens of its product number; 1 where it has one, or does not say. */
const METERS: Formula = { first: [{ when: { of: METER_DIGIT, atLeast: 1 }, gives: 1, otherwise: 0 }, 1] };

/** Without a meter the station shows 0 W and 0 A also while a vehicle charges: nothing is known of it (nothing is divided by 0). */
function measured(points: readonly ProfilePoint[]): Pick<DeviceProfile, "points" | "derived"> {
  const isMeasured = ({ key }: ProfilePoint): boolean => key.startsWith("charger.");
  return {
    points: points.map((point) => (isMeasured(point) ? { ...point, key: `raw.${point.key}` } : point)),
    derived: points.filter(isMeasured).map(({ key }) => ({
      point: key as ProfileFormula["point"],
      value: { quotient: [{ of: `raw.${key}` }, METERS] },
    })),
  };
}

const P30_MEASURED = measured([
  ...COMMON_POINTS,
  crossChecked("charger.energy", 1036, "slow", 0.1),
  crossChecked("charger.energySession", 1502, "slow", 0.1),
]);

/** KEBA KeContact P30, c- and x-series; needs DIP switch 1.3 on. */
export const kebaP30 = defineProfile({
  id: "keba-p30",
  brand: "KEBA",
  model: "KeContact P30",
  vendors: ["KEBA", "MODBUS"],
  transports: TRANSPORTS,
  limits: LIMITS,
  identity: IDENTITY,
  notes: [
    "Switching between one and three phases needs a KeContact S10, and the setting phaseSwitch: 1. KEBA asks for five minutes between two changes.",
  ],
  points: [
    ...P30_MEASURED.points,
    { ...singleSource(PRODUCT, 1016, "slow"), source: "evcc; OpenEMS has the same digits" },
    singleSource("charger.maxCurrent", 1100, "normal", 0.001),
    PHASE_SOURCE,
    crossChecked(PHASE_STATE, 1552, "normal"),
  ],
  derived: [...P30_MEASURED.derived, STATE, ENABLED, shownPhases({ 0: 1, 1: 3 })],
  settings: {
    phaseSwitch: { unit: "", meaning: "1 if a KeContact S10 switches the phases", min: 1, max: 1 },
  },
  controls: [
    // A limit that is renewed while charging is stopped must not undo what the stop falls back to.
    { ...MAX_CURRENT, hold: { ...FAILSAFE, shows: LEAST_A, write: { steps: failsafe(unlessStopped(LEAST_A, 0)) } } },
    {
      point: "charger.enabled",
      // A stop must not let a vehicle charge that was stopped.
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [TAKE_UP, register(5014, 1)] },
          { value: false, steps: [register(5014, 0)] },
        ],
      },
      // What was stopped stays stopped when the gateway dies; what was allowed goes on at the least current.
      hold: {
        ...FAILSAFE,
        write: {
          cases: [
            { value: true, steps: failsafe(LEAST_A) },
            { value: false, steps: failsafe(0) },
          ],
        },
      },
      confidence: "cross-checked",
      source: SOURCE,
    },
    {
      point: "charger.phases",
      safeDefault: "as-found",
      // A source is only taken after none (OpenEMS, tried on a device).
      write: phaseCases((code) => [
        { ...register(5050, whenSwitched(0)), when: { not: BY_MODBUS } },
        { ...register(5050, whenSwitched(3)), when: { not: BY_MODBUS } },
        register(5052, whenSwitched(code)),
      ]),
      confidence: "cross-checked",
      source: "OpenEMS, evcc",
    },
  ],
});

/** Energy, Wh, whatever unit the software counts in. */
function energyWh(key: string): Formula {
  const scale: Formula = {
    when: { of: { of: "raw.firmware" }, below: FIRST_TENTH_WH_FIRMWARE },
    gives: 1,
    otherwise: 10,
  };
  return { quotient: [{ of: key }, scale] };
}

/** KEBA KeContact P40. It has no enable register: it stops at 0 A. Its limit may show 0 A for other reasons too. */
export const kebaP40 = defineProfile({
  id: "keba-p40",
  brand: "KEBA",
  model: "KeContact P40",
  vendors: ["KEBA", "MODBUS"],
  transports: TRANSPORTS,
  limits: LIMITS,
  identity: IDENTITY,
  notes: [
    "Switching between one and three phases needs firmware 1.3, Modbus as its channel in the KEBA eMobility App, and the setting phaseSwitch: 1.",
  ],
  points: [
    ...COMMON_POINTS,
    PHASE_SOURCE,
    singleSource(PHASE_STATE, 1552, "normal"),
    singleSource("raw.limit", 1100, "normal", 0.001),
    crossChecked("raw.firmware", 1018, "slow"),
    crossChecked("raw.energy", 1036, "slow"),
    crossChecked("raw.energySession", 1502, "slow"),
  ],
  derived: [
    STATE,
    ENABLED,
    shownLimit("raw.limit"),
    shownPhases({ 1: 1, 3: 3 }),
    { point: "charger.energy", value: energyWh("raw.energy") },
    { point: "charger.energySession", value: energyWh("raw.energySession") },
  ],
  settings: {
    phaseSwitch: { unit: "", meaning: "1 if switching of the phases over Modbus is turned on", min: 1, max: 1 },
  },
  controls: [
    ...currentControls({
      step: (value) => register(5004, value, 0.001),
      maxA: MAX_AMPERE,
      stepA: STEP_A,
      confidence: "cross-checked",
      source: SOURCE,
      hold: (ampere) => ({ ...FAILSAFE, write: { steps: failsafe(ampere) } }),
    }),
    {
      point: "charger.phases",
      safeDefault: "as-found",
      // The channel is turned on in its app; without it nothing is sent.
      write: phaseCases((code) => [register(5052, whenSwitched({ when: BY_MODBUS, gives: code, otherwise: null }))]),
      confidence: "single-source",
      source: "evcc (the state shows 1 or 3, unlike the P30's)",
    },
  ],
});
