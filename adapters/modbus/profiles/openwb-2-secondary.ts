import { type Condition, type DeviceProfile, defineProfile, type Formula, type ProfileControl } from "hemgate/sdk";
import { currentControls, LEAST_A } from "../profile/parts/current-control.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const TRUST = { confidence: "single-source", source: "openWB, ModbusTCP series2 Pro, as evcc uses it" } as const;
const IS_OFFERING: Condition = { of: { of: "raw.offered" }, atLeast: LEAST_A };
/** What it offers, while it offers something. */
const OFFERED: Formula = { when: IS_OFFERING, gives: { of: "raw.offered" }, otherwise: null };

/** The number first, then the trigger. */
function phaseControl(offset: number): ProfileControl {
  const to = (phases: 1 | 3) => ({
    value: phases,
    steps: [writeStep(10_180 + offset, 6, "uint16", phases), writeStep(10_181 + offset, 6, "uint16", 1)],
  });
  return {
    point: "charger.phases",
    safeDefault: 3,
    write: { cases: [to(1), to(3)] },
    ...TRUST,
    approximate: "The number of phases cannot be read: what is shown is what was set here.",
  };
}

/** A connector has its registers 100 above those of the one before. */
function openWb(connector: 1 | 2): DeviceProfile {
  const offset = 100 * (connector - 1);
  const shared = { table: "input", ...TRUST } as const;
  return defineProfile({
    id: connector === 1 ? "openwb-2-secondary" : "openwb-2-secondary-2",
    brand: "openWB",
    model: connector === 1 ? "series2, software 2" : "series2, software 2, second connector",
    vendors: ["MODBUS"],
    transports: [{ kind: "tcp", port: 1_502, unit: 1 }],
    limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
    notes: [
      "The openWB has to be in secondary mode, with control over Modbus.",
      "The limit cannot be read back: what is shown is what was set here, else what the openWB offers.",
    ],
    identity: { serial: { ...shared, type: "string", words: 10, address: 10_150 + offset } },
    points: pointRows(shared, [
      ["charger.power", 10_100 + offset, "int32", "fast"],
      ["charger.energy", 10_102 + offset, "uint32", "normal"],
      ...phaseRows("charger.voltage", [10_104 + offset, 1], "uint16", "normal", { scale: 0.01 }),
      ...phaseRows("charger.current", [10_107 + offset, 1], "int16", "fast", { scale: 0.01 }),
      ["raw.plugged", 10_114 + offset, "uint16", "fast"],
      ["raw.charging", 10_115 + offset, "uint16", "fast"],
      ["raw.offered", 10_116 + offset, "uint16", "fast", { scale: 0.01 }],
    ]),
    derived: [
      {
        point: "charger.state",
        value: {
          lookup: { of: "raw.charging" },
          values: {
            1: "PLUGGED_IN:CHARGING",
            0: {
              when: { of: { of: "raw.plugged" }, is: 1 },
              gives: {
                when: IS_OFFERING,
                gives: "PLUGGED_IN:INITIALIZING",
                otherwise: "PLUGGED_IN:STOPPED",
              },
              otherwise: "UNPLUGGED",
            },
          },
          otherwise: "UNKNOWN",
        },
      },
      { point: "charger.phases", value: { lastWrite: "charger.phases" } },
      { point: "charger.maxCurrent", value: { first: [{ lastWrite: "charger.maxCurrent" }, OFFERED] } },
      {
        point: "charger.enabled",
        value: { first: [{ lastWrite: "charger.enabled" }, { when: IS_OFFERING, gives: true, otherwise: false }] },
      },
    ],
    controls: [
      ...currentControls({
        step: (value) => writeStep(10_171 + offset, 6, "uint16", value, { scale: 0.01 }),
        maxA: 32,
        stepA: 0.1,
        safeCurrent: null,
        ...TRUST,
        hold: () => ({
          holdMs: 25_000,
          confidence: "unverified",
          source: "drivers write every 10 s; how long the openWB waits is in no list",
          fallback: "what the openWB does without its primary is not documented",
        }),
      }),
      phaseControl(offset),
    ],
  });
}

/** An openWB that takes its orders from here; this is its first connector. */
export const openwb2Secondary = openWb(1);

/** The second connector. */
export const openwb2Secondary2 = openWb(2);
