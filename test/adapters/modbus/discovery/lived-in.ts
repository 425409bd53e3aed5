/** What the registers of a device hold in a house where people live: set by what its maker's list calls them. */
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import type { TwinId } from "../../../twins/registers/twin-maps.ts";
import { isTwinNumber, type TwinRegister } from "../../../twins/registers/twin-register.ts";

/** Numbers that stand for something, as the makers count them. */
const STANDS_FOR: Partial<Record<TwinId, Readonly<Record<string, number>>>> = {
  "abl-em4": { "charger.state": 0xb2 },
  "glen-dimplex": { "hvac.control.smartGrid": 10 },
  "idm-navigator": { "hvac.operatingMode": 1 },
  "lambda-eul": { "hvac.operatingState": 1 },
  "mennekes-compact": { "charger.cpState": 27 },
  "mennekes-hcc3": { "charger.cpState": 4 },
  "nibe-s": { "hvac.priority": 30, "hvac.smartGridMode": 10 },
  "phoenix-em-cp": { "charger.state": 66 },
  "phoenix-ev-eth-wallbe": { "charger.state": 66 },
  "solis-hybrid": { "battery.direction": 1 },
  "victron-evcs": { "evcharger.productid": 0xc025 },
  "victron-heatpump": { "heatpump.productid": 0xc0a0, "heatpump.state": 2 },
  "victron-vebus": { "vebus.ac.numberofphases": 3, "vebus.ac.activein.l1.f": 50 },
  "webasto-next-tq": { "charger.state": 1, "charger.cableState": 2, "charger.control.timeout": 60 },
};
/** Texts and blocks that only a plate fills. */
const BY_UNIT: Readonly<Record<string, (id: string) => number>> = {
  V: (id) => (/batt|dc|pv/i.test(id) ? 52 : 231),
  Hz: () => 50,
  A: (id) => (/limit|max|safe/i.test(id) ? 16 : 7),
  "°C": (id) => (/outdoor/i.test(id) ? 8 : /room/i.test(id) ? 21 : /setpoint/i.test(id) ? 48 : 44),
  "%": () => 55,
  W: () => 1_500,
  kW: () => 1.5,
  Wh: () => 4_200_000,
  kWh: () => 4_200,
};

export function liveIn(twin: RegisterTwin, id: TwinId): void {
  for (const register of twin.registers) {
    if (isTwinNumber(register) && register.type !== "bool") settle(twin, register, STANDS_FOR[id]?.[register.id]);
  }
}

function settle(twin: RegisterTwin, register: TwinRegister, fixed: number | undefined): void {
  const { id, unit = "" } = register;
  const value = fixed ?? (/volt|\.v$/i.test(id) ? BY_UNIT["V"]?.(id) : BY_UNIT[unit]?.(id)) ?? 1;
  try {
    twin.set(id, value);
  } catch (error) {
    // Too much for the register: an offset, or a number of bits.
    if (!(error instanceof RangeError)) throw error;
    twin.set(id, 0);
  }
}
