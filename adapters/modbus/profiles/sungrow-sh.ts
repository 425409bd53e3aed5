import { defineProfile, type Formula, onceNotZero, type Provenance, type WriteStep } from "hemgate/sdk";
import { FORCED_POWER, POWER_IN_FLASH, statusOfPower } from "../profile/parts/battery.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const CONFLICT: Provenance = { confidence: "conflict", source: "evcc, mkaiser/Sungrow-SHx, openWB, nymea" };
const EVCC_MKAISER = crossChecked("evcc, mkaiser/Sungrow-SHx");
const EVCC_MKAISER_NYMEA = crossChecked("evcc, mkaiser/Sungrow-SHx, nymea");
const EVCC_MKAISER_OPENWB_NYMEA = crossChecked("evcc, mkaiser/Sungrow-SHx, openWB, nymea");
const MKAISER_NYMEA = crossChecked("mkaiser/Sungrow-SHx, nymea");
const MKAISER_ONLY = singleSource("mkaiser/Sungrow-SHx");
const MKAISER_OPENWB = crossChecked("mkaiser/Sungrow-SHx, openWB");
const MKAISER_OPENWB_NYMEA = crossChecked("mkaiser/Sungrow-SHx, openWB, nymea");
const CONTROL = crossChecked("evcc, mkaiser/Sungrow-SHx, openWB");

const FLOW: Formula = { of: "raw.flow" };
const CHARGING = { of: FLOW, hasBit: 1 } as const;
const DISCHARGING = { of: FLOW, hasBit: 2 } as const;
const POWER: Formula = {
  first: [
    { of: "raw.batteryPower" },
    {
      when: CHARGING,
      gives: { absolute: { of: "raw.batteryPowerLegacy" } },
      otherwise: { minus: [0, { of: "raw.batteryPowerLegacy" }] },
    },
  ],
};
/** Power that old firmware takes, W; newer ones tell what their converter is made for. */
const OLD_FIRMWARE_W = 5_000;

function mode(value: 0 | 2): WriteStep {
  return writeStep(13049, 6, "uint16", value, { isStored: true });
}
function command(value: 170 | 187 | 204): WriteStep {
  return writeStep(13050, 6, "uint16", value, { isStored: true });
}
function power(settingName: "maxChargeW" | "maxDischargeW", most: Formula): WriteStep {
  return writeStep(13051, 6, "uint16", { least: [{ setting: settingName }, most] }, { isStored: true });
}

/** SH-RS, SH-RT and SH-T hybrid inverters with battery and meter, on their own LAN port or through a WiNet-S. */
export const sungrowSh = defineProfile({
  id: "sungrow-sh",
  brand: "Sungrow",
  model: "SH",
  vendors: ["SUNGROW", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }, rtu(9_600)],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    POWER_IN_FLASH,
    "Prefer the inverter's own LAN port: many a WiNet-S does not pass the registers of battery and meter on.",
    "No timer ends a forced charge or discharge: only SELF_RELIANCE does.",
    "The control registers are kept in memory that wears; they are written only to change them.",
    "The maker's export limit (13073, 13086) acts at the meter and is not offered as a limit of the inverter.",
  ],
  identity: { serial: { table: "input", address: 4989, type: "string", words: 10, ...MKAISER_NYMEA } },
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.voltage.l1", "meter.energyImport", "meter.energyExport"]),
  },
  points: [
    ...pointRows({ table: "input", wordOrder: "little", ...MKAISER_NYMEA }, [
      ["inverter.power", 5016, "uint32", "fast", EVCC_MKAISER_OPENWB_NYMEA],
      ["inverter.energy", 13002, "uint32", "slow", { scale: 100, ...EVCC_MKAISER_NYMEA }],
      ["meter.power", 13009, "int32", "fast", { scale: -1, sentinels: [0x7fff_ffff], ...EVCC_MKAISER_OPENWB_NYMEA }],
      ["meter.power.l1", 5602, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_MKAISER_OPENWB_NYMEA }],
      ["meter.power.l2", 5604, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_MKAISER_NYMEA }],
      ["meter.power.l3", 5606, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_MKAISER_NYMEA }],
      ["meter.voltage.l1", 5740, "int16", "normal", { scale: 0.1, sentinels: [0x7fff], ...MKAISER_OPENWB_NYMEA }],
      ["meter.voltage.l2", 5741, "int16", "normal", { scale: 0.1, sentinels: [0x7fff] }],
      ["meter.voltage.l3", 5742, "int16", "normal", { scale: 0.1, sentinels: [0x7fff] }],
      ...phaseRows("meter.current", [5743, 1], "uint16", "normal", { scale: 0.01, sentinels: [0xffff] }),
      ["meter.energyImport", 13036, "uint32", "slow", { scale: 100, ...EVCC_MKAISER_NYMEA }],
      ["meter.energyExport", 13045, "uint32", "slow", { scale: 100 }],
      ["hem.load", 13007, "int32", "fast"],
      ["raw.flow", 13000, "uint16", "fast", EVCC_MKAISER_OPENWB_NYMEA],
      ["raw.batteryPower", 5213, "int32", "fast", { scale: -1, ...MKAISER_OPENWB }],
      ["raw.batteryPowerLegacy", 13021, "int16", "fast", CONFLICT],
      ["battery.soc", 13022, "uint16", "normal", { scale: 0.1, ...EVCC_MKAISER_OPENWB_NYMEA }],
      ["battery.capacity", 5638, "uint16", "slow", { scale: 10, ...EVCC_MKAISER }],
      ["battery.energyCharged", 13040, "uint32", "slow", { scale: 100, ...MKAISER_ONLY }],
      ["battery.energyDischarged", 13026, "uint32", "slow", { scale: 100, ...EVCC_MKAISER }],
      ["raw.converterPower", 5627, "uint16", "slow", { scale: 100, ...MKAISER_ONLY }],
    ]),
    ...pointRows({ table: "holding", ...CONTROL }, [
      ["battery.reserve", 13058, "uint16", "slow", { scale: 0.1, ...MKAISER_ONLY }],
      ["raw.emsMode", 13049, "uint16", "normal"],
      ["raw.command", 13050, "uint16", "normal"],
    ]),
  ],
  derived: [
    {
      // Newer firmware tells a signed power. Older tells its size, and the direction among the flow's bits.
      point: "battery.power",
      value: POWER,
    },
    {
      // Some firmware keeps register 13000 at 0: what the battery does follows from its power then.
      point: "battery.status",
      value: {
        when: CHARGING,
        gives: "CHARGING",
        otherwise: { when: DISCHARGING, gives: "DISCHARGING", otherwise: statusOfPower(POWER) },
      },
    },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.emsMode" },
        values: {
          0: "SELF_RELIANCE",
          2: {
            lookup: { of: "raw.command" },
            values: { 170: "IMPORT_FOCUS", 187: "EXPORT_FOCUS", 204: "IDLE" },
            otherwise: "UNKNOWN",
          },
        },
        otherwise: "UNKNOWN",
      },
    },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [command(204), mode(0)] },
          { value: "IDLE", steps: [mode(2), command(204)] },
          {
            value: "IMPORT_FOCUS",
            steps: [
              mode(2),
              command(170),
              power("maxChargeW", { first: [{ of: "raw.converterPower" }, OLD_FIRMWARE_W] }),
            ],
          },
          { value: "EXPORT_FOCUS", steps: [mode(2), command(187), power("maxDischargeW", OLD_FIRMWARE_W)] },
        ],
      },
      approximate: "SELF_RELIANCE leaves the limits of charging and discharging as the owner set them.",
      ...CONTROL,
    },
  ],
});
