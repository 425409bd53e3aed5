import { defineProfile, type Formula, type WriteStep } from "hemgate/sdk";
import {
  CHARGE_W,
  DISCHARGE_W,
  MAX_CHARGE,
  MAX_DISCHARGE,
  powerSetpoint,
  SETPOINT_AS_WRITTEN,
  statusOfPower,
} from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = singleSource("ViperRNMC/marstek_venus_modbus");
const CROSS_CHECKED = { confidence: "cross-checked", source: "evcc, openWB" } as const;
const AGREED = { table: "holding", ...CROSS_CHECKED } as const;
const SINGLE = { confidence: "single-source", source: "evcc" } as const;

const CONTROL = 42000;
const FORCE = 42010;
const CHARGE_POWER = 42020;
const DISCHARGE_POWER = 42021;
const CONTROLLED = 0x55aa;
const RELEASED = 0x55bb;
const STOP = 0;
const CHARGE = 1;
const DISCHARGE = 2;
const chargePower = (watts: Formula): WriteStep => writeStep(CHARGE_POWER, 6, "uint16", watts);
const dischargePower = (watts: Formula): WriteStep => writeStep(DISCHARGE_POWER, 6, "uint16", watts);

/** Marstek Venus C and E, a battery with its own inverter. */
export const marstekVenus = defineProfile({
  id: "marstek-venus",
  brand: "Marstek",
  model: "Venus",
  vendors: ["MODBUS"],
  transports: [rtu(115_200), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 60, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Choose self-consumption (anti-feed) in the app: it is what the battery goes back to when it is released.",
    "The battery forgets that it is controlled when its connection breaks: a forced charge is over then.",
    "A forced charge or discharge has no timer: when the gateway dies while the connection holds, it goes on.",
    "Generation 3 has its state of charge elsewhere.",
  ],
  identity: { serial: plateText(31200, 10, PLATE), model: plateText(31000, 10, PLATE) },
  points: pointRows(AGREED, [
    ["battery.soc", 32104, "uint16", "normal"],
    // Discharging is positive.
    ["battery.power", 32202, "int32", "fast", { scale: -1 }],
    ["battery.energyDischarged", 33002, "uint32", "normal", { scale: 10, ...SINGLE }],
    ["raw.control", CONTROL, "uint16", "normal"],
    ["raw.force", FORCE, "uint16", "normal"],
    ["raw.workMode", 43000, "uint16", "normal", SINGLE],
  ]),
  derived: [
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    {
      point: "battery.mode",
      value: {
        when: { of: { of: "raw.control" }, is: CONTROLLED },
        gives: {
          lookup: { of: "raw.force" },
          values: { [STOP]: "IDLE", [CHARGE]: "IMPORT_FOCUS", [DISCHARGE]: "EXPORT_FOCUS" },
          otherwise: "UNKNOWN",
        },
        otherwise: { lookup: { of: "raw.workMode" }, values: { 1: "SELF_RELIANCE" }, otherwise: "UNKNOWN" },
      },
    },
    { point: "battery.powerSetpoint", value: SETPOINT_AS_WRITTEN },
  ],
  settings: {
    maxChargeW: { ...MAX_CHARGE, max: 2_500, default: 800 },
    maxDischargeW: { ...MAX_DISCHARGE, max: 2_500, default: 800 },
  },
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      // It takes function 6 only.
      write: {
        cases: [
          {
            value: "SELF_RELIANCE",
            // The work mode (43000) would be set as well, but one source knows that register: the owner's choice stays.
            steps: [writeStep(FORCE, 6, "uint16", STOP), writeStep(CONTROL, 6, "uint16", RELEASED)],
          },
          {
            value: "IDLE",
            steps: [writeStep(CONTROL, 6, "uint16", CONTROLLED), writeStep(FORCE, 6, "uint16", STOP)],
          },
          {
            value: "IMPORT_FOCUS",
            steps: [
              writeStep(CONTROL, 6, "uint16", CONTROLLED),
              writeStep(FORCE, 6, "uint16", CHARGE),
              chargePower(CHARGE_W),
            ],
          },
          {
            value: "EXPORT_FOCUS",
            steps: [
              writeStep(CONTROL, 6, "uint16", CONTROLLED),
              writeStep(FORCE, 6, "uint16", DISCHARGE),
              dischargePower(DISCHARGE_W),
            ],
            confidence: "single-source",
            source: "openWB (42021)",
          },
        ],
      },
      approximate: "Self reliance is given back as the app's work mode, which the owner chooses.",
      ...CROSS_CHECKED,
    },
    // Discharging needs its mode, which one source knows: until the owner confirms that, only a charge is regulated.
    powerSetpoint(
      { charge: (watts) => [chargePower(watts)], discharge: (watts) => [dischargePower(watts)] },
      CROSS_CHECKED,
    ),
  ],
});
