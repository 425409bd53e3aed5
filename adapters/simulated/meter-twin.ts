/** The grid meter as an Eastron SDM630 shows it: float32 input registers, most significant register first. */
import { eachPhase, type HomeTruth, sumOf } from "./home-truth.ts";
import { exception, floatWords, ILLEGAL_ADDRESS, ILLEGAL_VALUE, type RegisterImage, values } from "./register-image.ts";

/** The meter takes 80 registers a request, newer firmware and all. */
const MAX_REGISTERS = 80;
const UNIT = 1;
/** kWh on the dials when the meter was built in here. */
const START_IMPORT_KWH = 4_210.5;
const START_EXPORT_KWH = 6_875.25;
/** The address ranges that the meter has; a hole between two values reads as 0. */
const RANGES = [
  { from: 0, to: 107 },
  { from: 200, to: 269 },
  { from: 334, to: 381 },
] as const;

export function createMeterTwin(truth: () => HomeTruth): RegisterImage {
  return {
    readInput(unit, address, count) {
      if (unit !== UNIT) return { kind: "silence" };
      if (count < 1 || count > MAX_REGISTERS) return exception(ILLEGAL_VALUE);
      const isKnown = RANGES.some(({ from, to }) => address >= from && address + count - 1 <= to);
      if (!isKnown) return exception(ILLEGAL_ADDRESS);
      const quantities = meterQuantities(truth());
      return values(
        Array.from({ length: count }, (_unused, offset) => {
          const at = address + offset;
          return floatWords(quantities.get(at - (at % 2)) ?? 0)[at % 2] ?? 0;
        }),
      );
    },
    readHolding: (unit) => (unit === UNIT ? exception(ILLEGAL_ADDRESS) : { kind: "silence" }),
    writeHolding: (unit) => (unit === UNIT ? exception(ILLEGAL_ADDRESS) : { kind: "silence" }),
  };
}

/** Every quantity by the address of its first register. Power and current factors as the meter signs them. */
function meterQuantities(truth: HomeTruth): ReadonlyMap<number, number> {
  const { gridW, gridPhasesW, voltages, energies } = truth;
  const currents = eachPhase((phase) => Math.abs(gridPhasesW[phase]) / voltages[phase]);
  const apparent = eachPhase((phase) => Math.abs(gridPhasesW[phase]));
  const importKwh = START_IMPORT_KWH + energies.imported / 1_000;
  const exportKwh = START_EXPORT_KWH + energies.exported / 1_000;
  const start = (kwh: number) => (wh: number) => kwh / 3 + wh / 1_000;
  return new Map<number, number>([
    ...threeAt(0, voltages),
    ...threeAt(6, currents),
    ...threeAt(12, gridPhasesW),
    ...threeAt(18, apparent),
    ...threeAt(24, [0, 0, 0]),
    ...threeAt(30, [1, 1, 1]),
    [42, sumOf(voltages) / 3],
    [46, sumOf(currents) / 3],
    [48, sumOf(currents)],
    [52, gridW],
    [56, sumOf(apparent)],
    [60, 0],
    [62, 1],
    [70, truth.frequencyHz],
    [72, importKwh],
    [74, exportKwh],
    [342, importKwh + exportKwh],
    ...threeAt(346, energies.importedPhases.map(start(START_IMPORT_KWH))),
    ...threeAt(352, energies.exportedPhases.map(start(START_EXPORT_KWH))),
  ]);
}

function threeAt(address: number, phases: readonly number[]): readonly (readonly [number, number])[] {
  return phases.map((value, phase) => [address + 2 * phase, value] as const);
}
