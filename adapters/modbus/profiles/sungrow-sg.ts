import { defineProfile, onceNotZero } from "hemgate/sdk";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";

const PLATE = crossChecked("Sungrow PV inverter communication protocol; mkaiser/Sungrow-SHx");
const EVCC_MKAISER = crossChecked("evcc, mkaiser/Sungrow-SHx");
const EVCC_ONLY = singleSource("evcc");
const EVCC_OPENWB = crossChecked("evcc, openWB");

/** SG-RT, SG-RS and SG-CX string inverters, with their meter where there is one. Read only. */
export const sungrowSg = defineProfile({
  id: "sungrow-sg",
  brand: "Sungrow",
  model: "SG",
  vendors: ["SUNGROW", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }, rtu(9_600)],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  parts: {
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.energyImport"]),
  },
  identity: { serial: plateText(4989, 10, PLATE, { table: "input" }) },
  points: pointRows({ table: "input", wordOrder: "little", ...EVCC_OPENWB }, [
    ["inverter.power", 5030, "uint32", "fast"],
    ["inverter.energy", 5003, "uint32", "slow", { scale: 1000, ...EVCC_MKAISER }],
    ["meter.power", 5082, "int32", "fast", { sentinels: [0x7fff_ffff] }],
    ["meter.energyImport", 5098, "uint32", "slow", { scale: 100, sentinels: [0xffff_ffff], ...EVCC_ONLY }],
  ]),
  derived: [],
  controls: [],
});
