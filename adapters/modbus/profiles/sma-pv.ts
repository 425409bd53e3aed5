import { defineProfile } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";

const EVCC_NYMEA_OPENWB = crossChecked("evcc, nymea, openWB");
const EVCC_OPENEMS_NYMEA_OPENWB = crossChecked("evcc, OpenEMS, nymea, openWB");
const OPENEMS_NYMEA = crossChecked("OpenEMS, nymea");

/** Sunny Boy and Sunny Tripower inverters without battery. Read only. */
export const smaPv = defineProfile({
  id: "sma-pv",
  brand: "SMA",
  model: "Sunny Boy / Sunny Tripower",
  vendors: ["SMA", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 3 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["The Modbus server has to be switched on at the inverter. In the dark it tells no power."],
  identity: { serial: { table: "holding", address: 30057, type: "uint32", ...OPENEMS_NYMEA } },
  points: pointRows({ table: "holding", ...EVCC_OPENEMS_NYMEA_OPENWB }, [
    ["inverter.power", 30775, "int32", "fast", { sentinels: [0x8000_0000] }],
    ["inverter.energy", 30513, "uint64", "slow", { sentinels: [-1], ...EVCC_NYMEA_OPENWB }],
  ]),
  derived: [],
  controls: [],
});
