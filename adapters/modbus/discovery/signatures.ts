/**
 * How a search knows devices that have no type code, no name and no serial number where anybody could read it: by values
 * that make sense together at addresses that few others use, such as a voltage, a frequency and a state. That is a guess
 * with a reason, so none of them is surer than 0.75, and people are asked. Zeros never fit. Addresses are zero-based.
 * Sources are those of the profiles' own points.
 */
import type { Fingerprint, FingerprintCheck, RegisterTable } from "hemgate/sdk";

type Where = Pick<FingerprintCheck, "address" | "type"> & {
  readonly table?: RegisterTable;
  readonly isLittle?: boolean;
};

/** The value of a register lies in a range; in the device's own steps. */
function within(min: number, max: number, { table = "holding", isLittle = false, ...where }: Where): FingerprintCheck {
  return { table, ...where, min, max, ...(isLittle ? { wordOrder: "little" as const } : {}) };
}

/** Low voltage of a house, phase to neutral, V; `steps` to the volt. */
function volts(steps: number, where: Where): FingerprintCheck {
  return within(180 * steps, 270 * steps, where);
}

/** Frequency of a grid, Hz; `steps` to the hertz. */
function hertz(steps: number, where: Where): FingerprintCheck {
  return within(45 * steps, 65 * steps, where);
}

function guess(certainty: number, ...checks: Fingerprint["checks"]): Fingerprint {
  return { certainty, checks };
}

const u16 = (address: number, table: RegisterTable = "holding"): Where => ({ address, type: "uint16", table });
const i16 = (address: number, table: RegisterTable = "holding"): Where => ({ address, type: "int16", table });
const u32 = (address: number, table: RegisterTable = "holding"): Where => ({ address, type: "uint32", table });
const f32 = (address: number): Where => ({ address, type: "float32" });
const MOST = 0xffff_fffe;

/** The state of IEC 61851 as the letter's number. */
const pilotLetter = (address: number): FingerprintCheck => within(65, 70, u16(address, "input"));

const METERS: Readonly<Record<string, Fingerprint>> = {
  "chint-dtsu666": guess(0.75, volts(10, f32(8_198)), hertz(100, f32(8_260))),
  "janitza-umg": guess(0.75, volts(1, f32(19_000)), hertz(1, f32(19_050))),
  "kostal-ksem": guess(0.75, hertz(1_000, u32(26)), volts(1_000, u32(62))),
  "siemens-pac2200": guess(0.7, hertz(1, f32(55)), volts(1, f32(1))),
  "siemens-pac1600": guess(0.65, volts(100, u32(1, "input")), volts(100, u32(3, "input")), volts(100, u32(5, "input"))),
  "victron-grid": guess(0.7, hertz(100, u16(2_644)), volts(10, u16(2_616))),
};

const INVERTERS: Readonly<Record<string, Fingerprint>> = {
  "victron-vebus": guess(0.7, volts(10, u16(3)), hertz(100, i16(9)), within(1, 3, u16(28))),
  "sungrow-ihm": guess(0.65, volts(10, u16(4_356, "input")), within(0, 1_000, u16(8_162, "input"))),
  // The battery's charge and health, %, and the direction of its current.
  "solis-hybrid": guess(
    0.65,
    within(1, 100, u16(33_140, "input")),
    within(0, 100, u16(33_139, "input")),
    within(0, 1, u16(33_135, "input")),
  ),
  "saj-h2": guess(0.5, within(100, 10_000, u16(40_972)), within(1, 100, u16(13_905))),
  "alpha-ess-smile": guess(0.5, within(1, 1_000, u16(258)), within(1, 100, u16(2_133)), within(1, MOST, u32(18))),
  // The plant of all inverters; each of these has its own name.
  "sigenergy-sigenstor": guess(0.5, within(1, 1_000, u16(30_014)), within(1, 1_000, u16(40_048))),
  // Both are unit 2 of SMA's systems, and what they count is all that they tell.
  "sma-data-manager": guess(
    0.5,
    within(1, 1e15, { address: 30_513, type: "uint64" }),
    within(-1e7, 1e7, { address: 31_249, type: "int32" }),
    within(0, 100, u32(30_845)),
  ),
  "sma-shm2": guess(
    0.5,
    within(1, MOST, u32(30_581)),
    within(1, MOST, u32(30_583)),
    within(0, 1e7, { address: 30_865, type: "int32", table: "input" }),
  ),
};

const CHARGERS: Readonly<Record<string, Fingerprint>> = {
  // A state of the outlet is a digit after a letter of IEC 61851, or a fault from 0xF1 on.
  "abl-em4": guess(
    0.7,
    {
      ...within(0, 0xffff, u16(12_337)),
      is: [0xa1, 0xb1, 0xb2, 0xc2, 0xc3, 0xc4, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb],
    },
    within(0, 800, u16(12_338)),
  ),
  "phoenix-ev-eth-wallbe": guess(0.65, pilotLetter(100), within(6, 800, u16(528))),
  "phoenix-em-cp": guess(0.55, pilotLetter(100), within(6, 80, u16(300))),
  "webasto-next-tq": guess(
    0.6,
    within(6, 80, u16(1_100)),
    within(0, 8, u16(1_000)),
    within(0, 3, u16(1_004)),
    within(1, 600, u16(2_002)),
  ),
};

const HEAT_PUMPS: Readonly<Record<string, Fingerprint>> = {
  "idm-navigator": guess(
    0.7,
    within(5, 95, { ...f32(1_008), isLittle: true }),
    within(5, 95, { ...f32(1_014), isLittle: true }),
    within(20, 95, u16(1_032)),
    within(0, 5, u16(1_005)),
  ),
  "lambda-eul": guess(
    0.65,
    within(500, 9_000, i16(1_004)),
    within(500, 9_000, i16(1_005)),
    within(100, 800, i16(5_051)),
    within(0, 20, u16(1_003)),
  ),
  // What it does first, and what the grid asks of it, in tens.
  "nibe-s": guess(
    0.7,
    { ...within(10, 60, u16(1_028, "input")), is: [10, 20, 30, 40, 60] },
    { ...within(10, 40, u16(1_911, "input")), is: [10, 20, 30, 40] },
    within(50, 900, i16(7, "input")),
  ),
  "weishaupt-wpm": guess(
    0.55,
    within(50, 900, i16(33_104, "input")),
    within(0, 1, u16(35_101, "input")),
    within(0, 1, u16(35_102, "input")),
  ),
  "glen-dimplex": guess(
    0.65,
    within(10, 12, u16(5_167)),
    within(200, 850, i16(5_048, "input")),
    within(50, 900, i16(3, "input")),
  ),
  "daikin-homehub": guess(
    0.5,
    within(500, 9_000, i16(49, "input")),
    within(500, 9_000, i16(42, "input")),
    within(0, 3, i16(55)),
  ),
  "victron-heatpump": guess(
    0.5,
    within(1, 0xfffe, u16(5_500)),
    within(0, 4, u16(5_501)),
    within(-300, 1_000, i16(5_507)),
  ),
};

/** By the profile's id. */
export const SIGNATURES: Readonly<Record<string, Fingerprint>> = {
  ...METERS,
  ...INVERTERS,
  ...CHARGERS,
  ...HEAT_PUMPS,
};
