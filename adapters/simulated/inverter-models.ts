/**
 * The bodies of the inverter's SunSpec models, in the layout of a Fronius GEN24 with integers and scale factors: the AC
 * side in 103, the two strings and the battery's two directions as four modules of 160, the battery's controls in 124.
 */
import type { HomeModel } from "./home-model.ts";
import { type HomeTruth, sumOf } from "./home-truth.ts";
import type { InverterControls } from "./inverter-controls.ts";
import { signedWord, textWords, unsignedWords, type Words } from "./register-image.ts";
import { NO_ENUM16, NO_INT16, NO_SCALE, NO_UINT16, type SunspecModel } from "./sunspec-chain.ts";

const INVERTER_SERIAL = "HG-0017-2204";
/** Wh on the counters when this house was built. */
const START_STRINGS_WH = [14_305_120, 9_871_340] as const;
const START_CHARGED_WH = 4_120_500;
const START_DISCHARGED_WH = 3_790_860;
const START_AC_WH = 23_846_910;
/** SunSpec counts a module's seconds from here. */
const EPOCH_2000_MS = Date.UTC(2000, 0, 1);
/** Below this the battery rests, W. */
const REST_W = 20;

const COMMON: Words = [
  ...textWords("Hemgate", 16),
  ...textWords("Sandbox Hybrid 10.0", 16),
  ...textWords("", 8),
  ...textWords("1.0.0", 8),
  ...textWords(INVERTER_SERIAL, 16),
  1,
];
const [MPPT_1, MPPT_2, CHARGING, DISCHARGING] = [
  textWords("MPPT1", 8),
  textWords("MPPT2", 8),
  textWords("StCha 3", 8),
  textWords("StDisCha 4", 8),
] as const;

/** What the models are written from. */
export type InverterView = Pick<HomeModel, "spec" | "truth" | "inverterControls">;

/** The chain, in the order of a GEN24. */
export function inverterModels(home: InverterView): readonly SunspecModel[] {
  const { truth, inverterControls: controls } = home;
  return [
    { id: 1, length: 65, body: () => COMMON },
    { id: 103, length: 50, body: () => acSide(truth(), controls()) },
    { id: 120, length: 26, body: () => nameplate(home) },
    { id: 121, length: 30, body: () => basicSettings(home) },
    { id: 122, length: 44, body: () => status(truth(), controls()) },
    { id: 123, length: 24, body: () => immediateControls(controls()) },
    { id: 160, length: 88, body: () => modules(truth(), controls()) },
    { id: 124, length: 24, body: () => storage(home, truth(), controls()) },
  ];
}

/** Model 103: currents 10^-2 A, voltages 10^-1 V, powers 1 W, frequency 10^-2 Hz. */
function acSide(truth: HomeTruth, controls: InverterControls): Words {
  const { acW, voltages, energies } = truth;
  const isApart = !controls.connection.isConnected;
  const amps = voltages.map((voltage) => Math.abs(acW) / 3 / voltage);
  const lineVolts = [(voltages[0] + voltages[1]) / 2, (voltages[1] + voltages[2]) / 2, (voltages[2] + voltages[0]) / 2];
  const dcW = signedWord(truth.pvW - truth.batteryW);
  return [
    ...[sumOf(amps), ...amps].map((current) => Math.round(current * 100)),
    signedWord(-2),
    ...lineVolts.map((voltage) => Math.round(voltage * Math.sqrt(3) * 10)),
    ...voltages.map((voltage) => Math.round(voltage * 10)),
    signedWord(-1),
    ...[signedWord(acW), 0],
    ...[Math.round(truth.frequencyHz * 100), signedWord(-2)],
    ...[Math.round(Math.abs(acW)), 0],
    ...[0, 0],
    ...[isApart ? NO_INT16 : 10_000, signedWord(-2)],
    ...[...unsignedWords(START_AC_WH + energies.acDelivered, 2), 0],
    // The DC side has several inputs: the device tells their currents and voltages in model 160 only.
    ...[NO_UINT16, NO_SCALE, NO_UINT16, NO_SCALE, dcW, 0],
    ...[NO_INT16, NO_INT16, NO_INT16, NO_INT16, NO_SCALE],
    operatingState(truth, controls),
    NO_ENUM16,
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ];
}

/** 1 off, 2 sleeping, 4 producing, 5 throttled. */
function operatingState(truth: HomeTruth, controls: InverterControls): number {
  if (!controls.connection.isConnected) return 1;
  if (truth.availableW <= 0 && Math.abs(truth.batteryW) < REST_W) return 2;
  return truth.pvW < truth.availableW - 1 ? 5 : 4;
}

/** Model 120. The battery's size stands in tens of Wh: a house's battery in Wh does not fit 16 bits for long. */
function nameplate({ spec }: InverterView): Words {
  const { ratedW, battery } = spec.inverter;
  return [
    82,
    ...[ratedW, 0],
    ...[ratedW, 0],
    ...[ratedW * 0.6, NO_INT16, NO_INT16, -ratedW * 0.6].map((value) => (value < 0 ? signedWord(value) : value)),
    0,
    ...[Math.round((ratedW / 3 / 230) * 100), signedWord(-2)],
    ...[800, NO_INT16, NO_INT16, signedWord(-800), signedWord(-3)],
    ...[Math.round(battery.capacityWh / 10), 1],
    ...[NO_UINT16, NO_SCALE],
    ...[battery.maxChargeW, 0],
    ...[battery.maxDischargeW, 0],
    NO_INT16,
  ];
}

/** Model 121: rated power and voltage; the rest is not for setting here. */
function basicSettings({ spec }: InverterView): Words {
  const { ratedW } = spec.inverter;
  const body = [ratedW, 230, 0, NO_UINT16, NO_UINT16, ratedW];
  const reactive = [NO_INT16, NO_INT16, NO_INT16, NO_INT16];
  const powerFactors = [NO_INT16, NO_INT16, NO_INT16, NO_INT16];
  const modes = [NO_ENUM16, NO_ENUM16, NO_UINT16, NO_UINT16, NO_ENUM16];
  const scales = [0, 0, 0, NO_SCALE, 0, NO_SCALE, NO_SCALE, NO_SCALE, NO_SCALE, NO_SCALE];
  return [...body, ...reactive, NO_UINT16, ...powerFactors, ...modes, ...scales];
}

/** Model 122: what is connected, and the energy of a lifetime. */
function status(truth: HomeTruth, controls: InverterControls): Words {
  const isConnected = controls.connection.isConnected;
  const isPvAwake = isConnected && truth.availableW > 0;
  return [
    isPvAwake ? 0b111 : 0b1,
    isConnected ? 0b111 : 0b1,
    isConnected ? 1 : 0,
    ...unsignedWords(START_AC_WH + truth.energies.acDelivered, 4),
    ...Array.from({ length: 20 }, () => 0),
    ...[NO_INT16, NO_SCALE, NO_UINT16, NO_SCALE],
    ...[0, 0],
    ...[0, controls.output.isLimited ? 1 : 0],
    ...textWords("RTC", 4),
    ...unsignedWords((truth.atMs - EPOCH_2000_MS) / 1_000, 2),
    ...[0, NO_UINT16, NO_SCALE],
  ];
}

/** Model 123: percentages in 10^-2 %. */
function immediateControls({ connection, output }: InverterControls): Words {
  return [
    ...[0, connection.reversionS, connection.isConnected ? 1 : 0],
    ...[Math.round(output.limit * 100), 0, output.reversionS, 0, output.isLimited ? 1 : 0],
    ...[0, 0, 0, 0, 0],
    ...[NO_INT16, NO_INT16, NO_INT16, NO_UINT16, NO_UINT16, NO_UINT16, NO_ENUM16, 0],
    ...[signedWord(-2), signedWord(-3), NO_SCALE],
  ];
}

/** Model 160: currents 10^-2 A, voltages 10^-1 V, powers 10^-1 W, energies 1 Wh; four modules. */
function modules(truth: HomeTruth, controls: InverterControls): Words {
  const { stringsW, batteryW, energies } = truth;
  // At night the strings have no values, and the inverter says so instead of zero.
  const isPvAwake = controls.connection.isConnected && truth.availableW > 0;
  const pvState = isPvAwake ? 4 : 2;
  const batteryV = 380 + 0.4 * truth.batterySoc;
  const seconds = (truth.atMs - EPOCH_2000_MS) / 1_000;
  const module = (number: number, name: Words, powerW: number | null, voltage: number, wh: number, state: number) => [
    number,
    ...name,
    ...(powerW === null ? [NO_UINT16, NO_UINT16, NO_UINT16] : electric(powerW, voltage)),
    ...unsignedWords(wh, 2),
    ...unsignedWords(seconds, 2),
    NO_INT16,
    state,
    ...[0, 0],
  ];
  const wh = START_STRINGS_WH;
  return [
    ...[signedWord(-2), signedWord(-1), signedWord(-1), 0, 0, 0, 4, NO_UINT16],
    ...module(1, MPPT_1, isPvAwake ? stringsW[0] : null, 540, wh[0] + energies.strings[0], pvState),
    ...module(2, MPPT_2, isPvAwake ? stringsW[1] : null, 415, wh[1] + energies.strings[1], pvState),
    ...module(3, CHARGING, Math.max(0, batteryW), batteryV, START_CHARGED_WH + energies.batteryCharged, 4),
    ...module(4, DISCHARGING, Math.max(0, -batteryW), batteryV, START_DISCHARGED_WH + energies.batteryDischarged, 4),
  ];
}

function electric(powerW: number, voltage: number): Words {
  return [Math.round((powerW / voltage) * 100), Math.round(voltage * 10), Math.round(powerW * 10)];
}

/** Model 124: percentages in 10^-2 %, of the largest charging power where they are rates. */
function storage({ spec }: InverterView, truth: HomeTruth, { storage: control }: InverterControls): Words {
  return [
    spec.inverter.battery.maxChargeW,
    ...[100, 100],
    control.modeBits,
    NO_UINT16,
    Math.round(control.reserve * 100),
    Math.round(truth.batterySoc * 100),
    NO_UINT16,
    Math.round((380 + 0.4 * truth.batterySoc) * 100),
    chargeStatus(truth, control.reserve),
    signedWord(control.dischargeRate * 100),
    signedWord(control.chargeRate * 100),
    ...[NO_UINT16, control.reversionS, NO_UINT16],
    control.isGridChargingAllowed ? 1 : 0,
    ...[0, 0, NO_SCALE, signedWord(-2), signedWord(-2), NO_SCALE, signedWord(-2), signedWord(-2)],
  ];
}

/** 2 empty, 3 discharging, 4 charging, 5 full, 6 holding. */
function chargeStatus(truth: HomeTruth, reserve: number): number {
  if (truth.batteryW <= -REST_W) return 3;
  if (truth.batteryW >= REST_W) return 4;
  if (truth.batterySoc >= 99.5) return 5;
  return truth.batterySoc <= reserve + 0.1 ? 2 : 6;
}
