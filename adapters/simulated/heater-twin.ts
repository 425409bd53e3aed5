/** The heating rod as a my-PV AC-THOR shows it: the power register takes what to heat with and shows what is taken. */
import { HEATER_MAX_C, HEATER_MAX_W, HEATER_TIMEOUT_S } from "./heater-tank.ts";
import type { HomeModel } from "./home-model.ts";
import {
  exception,
  ILLEGAL_ADDRESS,
  ILLEGAL_FUNCTION,
  ILLEGAL_VALUE,
  type RegisterImage,
  textWords,
  values,
} from "./register-image.ts";

export const HEATER_UNIT = 1;
const FIRST = 1_000;
const SERIAL_AT = 1_018;
const SERIAL = "2001002006120042";
const SERIAL_WORDS = 8;
/** The status registers: heating, and standby. */
const HEATS = 9;
const STANDS_BY = 7;

export function createHeaterTwin(home: Pick<HomeModel, "heaterTank" | "setHeaterTank">): RegisterImage {
  return {
    readHolding(unit, address, count) {
      if (unit !== HEATER_UNIT) return { kind: "silence" };
      const registers = registersOf(home);
      const first = address - FIRST;
      if (first < 0 || first + count > registers.length) return exception(ILLEGAL_ADDRESS);
      return values(registers.slice(first, first + count));
    },
    readInput: (unit) => (unit === HEATER_UNIT ? exception(ILLEGAL_FUNCTION) : { kind: "silence" }),
    writeHolding(unit, address, [value]) {
      if (unit !== HEATER_UNIT) return { kind: "silence" };
      if (address !== FIRST) return exception(ILLEGAL_ADDRESS);
      if (value === undefined || value > HEATER_MAX_W) return exception(ILLEGAL_VALUE);
      home.setHeaterTank({ ...home.heaterTank(), orderedW: value, silentMs: 0 });
      return values([]);
    },
  };
}

/** Registers from 1000 to the end of the serial number; those between that nothing here reads are 0. */
function registersOf(home: Pick<HomeModel, "heaterTank">): readonly number[] {
  const { powerW, waterC } = home.heaterTank();
  const status = powerW > 0 ? HEATS : STANDS_BY;
  const head = [Math.round(powerW), Math.round(waterC * 10), HEATER_MAX_C * 10, status, HEATER_TIMEOUT_S];
  const gap = Array.from({ length: SERIAL_AT - FIRST - head.length }, () => 0);
  return [...head, ...gap, ...textWords(SERIAL, SERIAL_WORDS)];
}
