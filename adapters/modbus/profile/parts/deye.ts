/** What Deye's single-phase and three-phase hybrid inverters have in common; their registers stand in different places. */
import type { DeviceProfile, Formula, WriteStep } from "hemgate/sdk";
import { crossChecked, singleSource } from "./provenance.ts";
import { rtu } from "./rtu.ts";
import { writeStep } from "./write-step.ts";

export const EVCC_SUNSYNK = crossChecked("evcc, kellerza/sunsynk");
export const EVCC_SUNSYNK_OPENWB = crossChecked("evcc, kellerza/sunsynk, openWB");
/** The number of the inverter; that of its logger is another. */
export const SUNSYNK_DEYE = crossChecked("Deye hybrid inverter Modbus protocol; kellerza/sunsynk");
export const SUNSYNK_ONLY = singleSource("kellerza/sunsynk");

export const DEYE = {
  brand: "Deye",
  vendors: ["Deye", "MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
} satisfies Partial<DeviceProfile>;

export const MIN_SOC: Formula = { setting: "minSoc" };
export const MAX_SOC: Formula = { setting: "maxSoc" };

/** A write of a setting. */
export function writeSetting(address: number, value: Formula, when: Pick<WriteStep, "when"> = {}): WriteStep {
  return writeStep(address, 16, "uint16", value, { isStored: true, ...when });
}

/** The same for each of the six time-of-use programs: which of them is in force depends on the inverter's clock. */
export function sixPrograms(address: number, value: Formula): WriteStep {
  const fields = Array.from({ length: 6 }, () => ({ type: "uint16", value }) as const);
  return { address, code: 16, isStored: true, fields };
}
