/** The charger as a KEBA KeContact P30 shows it: one 32-bit value a request, written with function 6. */
import { CHARGER_HARDWARE_MA, CHARGER_MIN_MA, type ChargerBox } from "./charger-box.ts";
import type { HomeModel } from "./home-model.ts";
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

export const CHARGER_UNIT = 255;
const CHARGER_SERIAL = 21_437_865;
/** The vendor's feature code, a digit a feature: P30, socket, 32 A, x-series, energy meter, no RFID. */
const PRODUCT_CODE = 304_010;
/** 3.10.27 in the vendor's packing. */
const FIRMWARE = 0x3_0a1b;
/** Energy given before this house was built, 0.1 Wh. */
const START_ENERGY = 18_254_360;
const MAX_CURRENT_MA = 63_000;
/** The phases are switched by a KeContact S10, as the controller wants it. */
const BY_CONTROLLER = 3;

export function createChargerTwin(home: HomeModel): RegisterImage {
  const isHere = (unit: number): boolean => {
    // Any request of a controller feeds the failsafe, also one that is refused.
    if (unit === CHARGER_UNIT) home.setChargerBox({ ...home.chargerBox(), silentMs: 0 });
    return unit === CHARGER_UNIT;
  };
  return {
    readHolding(unit, address, count) {
      if (!isHere(unit)) return { kind: "silence" };
      const value = chargerValue(home, address);
      return value === null || count !== 2 ? exception(ILLEGAL_ADDRESS) : values(unsignedWords(value, 2));
    },
    readInput: (unit) => (isHere(unit) ? exception(ILLEGAL_FUNCTION) : { kind: "silence" }),
    writeHolding(unit, address, written, code) {
      if (!isHere(unit)) return { kind: "silence" };
      const [value] = written;
      if (code !== 6 || value === undefined) return exception(ILLEGAL_FUNCTION);
      const box = boxAfterWrite(home.chargerBox(), address, value);
      if (!("isEnabled" in box)) return box;
      home.setChargerBox(box);
      return values([]);
    },
  };
}

/** The value at an address; null where no value begins. */
function chargerValue(home: HomeModel, address: number): number | null {
  const box = home.chargerBox();
  const truth = home.truth();
  switch (address) {
    case 1000:
      return { "not-ready": 1, ready: 2, charging: 3, suspended: 5 }[box.state];
    case 1004:
      return truth.isCarPluggedIn ? 7 : 1;
    case 1006:
      return 0;
    case 1008:
      return box.currentA * 1_000;
    case 1010:
    case 1012:
      return box.phases === 3 ? box.currentA * 1_000 : 0;
    case 1014:
      return CHARGER_SERIAL;
    case 1016:
      return PRODUCT_CODE;
    case 1018:
      return FIRMWARE;
    case 1020:
      return truth.carW * 1_000;
    case 1036:
      return START_ENERGY + truth.energies.car * 10;
    case 1040:
      return truth.voltages[0];
    case 1042:
      return truth.voltages[1];
    case 1044:
      return truth.voltages[2];
    case 1046:
      return truth.carW > 0 ? 1_000 : 0;
    case 1100:
      return Math.min(box.limitMa, CHARGER_HARDWARE_MA);
    case 1110:
      return CHARGER_HARDWARE_MA;
    case 1500:
      return 0;
    case 1502:
      return box.sessionWh * 10;
    case 1550:
      return box.phaseSource;
    case 1552:
      return box.phases === 3 ? 1 : 0;
    case 1600:
      return box.failsafeMa;
    case 1602:
      return box.failsafeS;
    default:
      return null;
  }
}

function boxAfterWrite(box: ChargerBox, address: number, value: number): ChargerBox | RegisterReply {
  const isCurrent = value === 0 || (value >= CHARGER_MIN_MA && value <= MAX_CURRENT_MA);
  switch (address) {
    case 5004:
      return isCurrent ? { ...box, limitMa: value } : exception(ILLEGAL_VALUE);
    case 5010:
      return { ...box, energyLimitWh: value * 10 };
    case 5014:
      return value <= 1 ? { ...box, isEnabled: value === 1 } : exception(ILLEGAL_VALUE);
    case 5016:
      return isCurrent ? { ...box, failsafeMa: value } : exception(ILLEGAL_VALUE);
    case 5018:
      return value === 0 || (value >= 10 && value <= 600) ? { ...box, failsafeS: value } : exception(ILLEGAL_VALUE);
    case 5050:
      // A source is only taken after none.
      return value === 0 || box.phaseSource === 0 ? { ...box, phaseSource: value } : exception(ILLEGAL_VALUE);
    case 5052:
      return value <= 1 && box.phaseSource === BY_CONTROLLER
        ? { ...box, phases: value === 1 ? 3 : 1 }
        : exception(ILLEGAL_VALUE);
    default:
      return exception(ILLEGAL_ADDRESS);
  }
}
