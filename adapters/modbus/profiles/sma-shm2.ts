import { defineProfile } from "hemgate/sdk";
import { difference } from "../profile/parts/formulas.ts";
import { plateNumber } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";

const PLATE = singleSource("SMA Modbus interface: the gateway's own registers, unit 1");
const EVCC_OPENEMS = crossChecked("evcc, OpenEMS");
const EVCC_OPENEMS_OPENWB = crossChecked("evcc, OpenEMS, openWB");

/** The grid meter in a Sunny Home Manager 2.0, by Modbus. Read only. */
export const smaShm2 = defineProfile({
  id: "sma-shm2",
  brand: "SMA",
  model: "Sunny Home Manager 2.0",
  vendors: ["SMA", "MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 2 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Its multicast tells phases too, each second and to any number of listeners: prefer it where the network lets it through.",
    "The limit at 40016 is one of the whole plant, known from one driver only, and is not offered.",
  ],
  identity: { serial: plateNumber(30005, "uint32", PLATE, { unit: 1 }) },
  points: [
    ...pointRows({ table: "input", ...EVCC_OPENEMS_OPENWB }, [
      ["raw.import", 30865, "int32", "fast", { sentinels: [0x8000_0000] }],
      ["raw.export", 30867, "int32", "fast", { sentinels: [0x8000_0000] }],
    ]),
    ...pointRows({ table: "holding", ...EVCC_OPENEMS }, [
      ["meter.energyImport", 30581, "uint32", "slow"],
      ["meter.energyExport", 30583, "uint32", "slow"],
    ]),
  ],
  derived: [{ point: "meter.power", value: difference("raw.import", "raw.export") }],
  controls: [],
});
