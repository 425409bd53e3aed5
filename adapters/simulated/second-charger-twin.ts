/** The second charger as a Heidelberg Energy Control (Amperfied connect) shows it, with a car on one phase. */
import { CHARGER_MIN_MA, type ChargerBox, SECOND_CHARGER_HARDWARE_MA as HARDWARE_MA } from "./charger-box.ts";
import type { HomeModel } from "./home-model.ts";
import type { HomeTruth } from "./home-truth.ts";
import {
  exception,
  ILLEGAL_ADDRESS,
  ILLEGAL_FUNCTION,
  ILLEGAL_VALUE,
  type RegisterImage,
  type RegisterReply,
  unsignedWords,
  values,
} from "./register-image.ts";

export const SECOND_CHARGER_UNIT = 1;
/** Energy given before this house was built, Wh. */
const START_ENERGY_WH = 731_480;
const LAYOUT_VERSION = 0x107;
const MAX_WATCHDOG_MS = 65_535;

export function createSecondChargerTwin(home: Pick<HomeModel, "secondBox" | "setSecondBox" | "truth">): RegisterImage {
  const isHere = (unit: number): boolean => {
    // Any request feeds the watchdog, also one that is refused.
    if (unit === SECOND_CHARGER_UNIT) home.setSecondBox({ ...home.secondBox(), silentMs: 0 });
    return unit === SECOND_CHARGER_UNIT;
  };
  return {
    readInput: (unit, address, count) =>
      isHere(unit) ? wordsFrom(measured(home.secondBox(), home.truth()), address, count) : { kind: "silence" },
    readHolding: (unit, address, count) =>
      isHere(unit) ? wordsFrom(settings(home.secondBox()), address, count) : { kind: "silence" },
    writeHolding(unit, address, written, code) {
      if (!isHere(unit)) return { kind: "silence" };
      const [value] = written;
      if (code !== 6 || value === undefined) return exception(ILLEGAL_FUNCTION);
      const box = boxAfterWrite(home.secondBox(), address, value);
      if (!("isEnabled" in box)) return box;
      home.setSecondBox(box);
      return values([]);
    },
  };
}

function wordsFrom(registers: ReadonlyMap<number, number>, address: number, count: number): RegisterReply {
  const words = Array.from({ length: count }, (_unused, offset) => registers.get(address + offset));
  return words.every((word) => word !== undefined) ? values(words) : exception(ILLEGAL_ADDRESS);
}

/** Input registers 4 to 18, and the limits of the hardware at 100. */
function measured(box: ChargerBox, truth: HomeTruth): ReadonlyMap<number, number> {
  const [l1, l2, l3] = truth.voltages;
  const energy = unsignedWords(truth.energies.secondCar, 2);
  const total = unsignedWords(START_ENERGY_WH + truth.energies.secondCar, 2);
  const state = { "not-ready": 2, ready: 5, charging: 7, suspended: 4 }[box.state];
  const status = [LAYOUT_VERSION, state, box.currentA * 10, 0, 0, 314, l1, l2, l3, 1, truth.secondCarW];
  const words = [...status.map(Math.round), ...energy, ...total];
  const rated = [HARDWARE_MA / 1_000, CHARGER_MIN_MA / 1_000];
  return new Map([
    ...words.map((word, index) => [4 + index, word] as const),
    ...rated.map((word, index) => [100 + index, word] as const),
  ]);
}

function settings(box: ChargerBox): ReadonlyMap<number, number> {
  return new Map([
    [257, box.failsafeS * 1_000],
    [258, 4],
    [259, 1],
    [260, 0],
    [261, box.limitMa / 100],
    [262, box.failsafeMa / 100],
  ]);
}

function boxAfterWrite(box: ChargerBox, address: number, value: number): ChargerBox | RegisterReply {
  const isCurrent = value === 0 || (value * 100 >= CHARGER_MIN_MA && value * 100 <= HARDWARE_MA);
  switch (address) {
    case 257:
      return value <= MAX_WATCHDOG_MS ? { ...box, failsafeS: value / 1_000 } : exception(ILLEGAL_VALUE);
    case 258:
    case 259:
      // Standby and the lock by registers: taken, and left as they are.
      return box;
    case 261:
      return isCurrent ? { ...box, limitMa: value * 100, isEnabled: true } : exception(ILLEGAL_VALUE);
    case 262:
      return isCurrent ? { ...box, failsafeMa: value * 100 } : exception(ILLEGAL_VALUE);
    default:
      return exception(ILLEGAL_ADDRESS);
  }
}
