import { defineProfile, type Formula, type WriteStep } from "hemgate/sdk";
import {
  CHARGE_W,
  DISCHARGE_W,
  FORCED_POWER,
  MODE_AS_WRITTEN,
  powerSetpoint,
  SETPOINT_AS_WRITTEN,
  statusOfPower,
} from "../profile/parts/battery.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const EVCC_NYMEA_OPENWB = crossChecked("evcc, nymea, openWB");
const EVCC_OPENEMS_NYMEA_OPENWB = crossChecked("evcc, OpenEMS, nymea, openWB");
const OPENEMS_NYMEA = crossChecked("OpenEMS, nymea");
const CONTROL = crossChecked("evcc, OpenEMS, openWB");

/** Set points that are not written again for so long end. */
const WATCHDOG_S = 60;
const ACTIVE = 802;
const INACTIVE = 803;

/** The power, positive out of the battery, then the command to follow it. */
function setPoint(power: Formula): readonly WriteStep[] {
  return [writeStep(40149, 16, "int32", power), writeStep(40151, 16, "uint32", ACTIVE)];
}

function charge(watts: Formula): readonly WriteStep[] {
  return setPoint({ minus: [0, watts] });
}

/** Battery inverters Sunny Island 4.4M, 6.0H and 8.0H. */
export const smaSunnyIsland = defineProfile({
  id: "sma-sunny-island",
  brand: "SMA",
  model: "Sunny Island",
  vendors: ["SMA", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 3 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["Energy charged is in no known register."],
  identity: { serial: { table: "holding", address: 30057, type: "uint32", ...OPENEMS_NYMEA } },
  points: pointRows({ table: "holding", ...EVCC_OPENEMS_NYMEA_OPENWB }, [
    ["battery.power", 30775, "int32", "fast", { scale: -1, sentinels: [0x8000_0000] }],
    ["battery.soc", 30845, "uint32", "normal", { sentinels: [0xffff_ffff] }],
    ["battery.energyDischarged", 30513, "uint64", "slow", { sentinels: [-1], ...EVCC_NYMEA_OPENWB }],
  ]),
  derived: [
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    { point: "battery.mode", value: MODE_AS_WRITTEN },
    { point: "battery.powerSetpoint", value: SETPOINT_AS_WRITTEN },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [writeStep(40151, 16, "uint32", INACTIVE)] },
          { value: "IDLE", steps: setPoint(0) },
          { value: "IMPORT_FOCUS", steps: charge(CHARGE_W) },
          { value: "EXPORT_FOCUS", steps: setPoint(DISCHARGE_W) },
        ],
      },
      hold: { holdMs: WATCHDOG_S * 1_000, fallback: "goes back to its own control", ...CONTROL },
      ...CONTROL,
    },
    powerSetpoint({ charge, discharge: setPoint }, CONTROL),
  ],
});
