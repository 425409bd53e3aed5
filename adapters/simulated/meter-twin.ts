/** The grid meter as an Eastron SDM630 shows it: float32 input registers, most significant register first. */
import { eachPhase, type HomeTruth, sumOf } from "./home-truth.ts";
import { exception, ILLEGAL_ADDRESS, ILLEGAL_VALUE, type RegisterImage, values } from "./register-image.ts";

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
const REGISTERS = 382;

export function createMeterTwin(truth: () => HomeTruth): RegisterImage {
  const registers = new DataView(new ArrayBuffer(2 * REGISTERS));
  let written: HomeTruth | null = null;
  return {
    readInput(unit, address, count) {
      if (unit !== UNIT) return { kind: "silence" };
      if (count < 1 || count > MAX_REGISTERS) return exception(ILLEGAL_VALUE);
      const isKnown = RANGES.some(({ from, to }) => address >= from && address + count - 1 <= to);
      if (!isKnown) return exception(ILLEGAL_ADDRESS);
      const now = truth();
      if (written !== now) writeQuantities(registers, now);
      written = now;
      return values(Array.from({ length: count }, (_unused, offset) => registers.getUint16(2 * (address + offset))));
    },
    readHolding: (unit) => (unit === UNIT ? exception(ILLEGAL_ADDRESS) : { kind: "silence" }),
    writeHolding: (unit) => (unit === UNIT ? exception(ILLEGAL_ADDRESS) : { kind: "silence" }),
  };
}

/** Every quantity at the address of its first register, IEEE 754 single, big endian. */
function writeQuantities(
  registers: DataView,
  { gridW, gridPhasesW, voltages, frequencyHz, energies }: HomeTruth,
): void {
  const put = (address: number, ...quantities: readonly number[]): void => {
    for (const [index, quantity] of quantities.entries()) registers.setFloat32(2 * (address + 2 * index), quantity);
  };
  const apparent = eachPhase((phase) => Math.abs(gridPhasesW[phase]));
  const currents = eachPhase((phase) => apparent[phase] / voltages[phase]);
  const importKwh = START_IMPORT_KWH + energies.imported / 1_000;
  const exportKwh = START_EXPORT_KWH + energies.exported / 1_000;
  put(0, ...voltages, ...currents, ...gridPhasesW, ...apparent);
  // No reactive power: it is zero, and every power factor one.
  put(30, 1, 1, 1);
  put(42, sumOf(voltages) / 3);
  put(46, sumOf(currents) / 3, sumOf(currents));
  put(52, gridW);
  put(56, sumOf(apparent));
  put(62, 1);
  put(70, frequencyHz, importKwh, exportKwh);
  put(342, importKwh + exportKwh);
  put(346, ...eachPhase((phase) => START_IMPORT_KWH / 3 + energies.importedPhases[phase] / 1_000));
  put(352, ...eachPhase((phase) => START_EXPORT_KWH / 3 + energies.exportedPhases[phase] / 1_000));
}
