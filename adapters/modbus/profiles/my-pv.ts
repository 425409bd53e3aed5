import { type DeviceProfile, defineProfile, type Formula, type ProfileSetting, type Provenance } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const AGREED = {
  confidence: "cross-checked",
  source: "siku2/hass-acthor, DrBing/ioBroker.AC-THOR, nymea, evcc",
} as const;
const SCALED = { confidence: "single-source", source: "evcc; the scale of a 9s by the power of its rod" } as const;
const POWER = 1_000;
/** A 9s counts the power of its rod from 0 to this. */
const FULL_9S = 9_000;

interface Heater {
  readonly id: string;
  readonly model: string;
  readonly maxW: number;
  readonly notes?: readonly string[];
  /** Power from the register, and the register from a power, where they differ. */
  readonly read?: Formula;
  readonly write?: Formula;
  readonly settings?: Readonly<Record<string, ProfileSetting>>;
  readonly trust?: Provenance;
}

/**
 * The temperature is that of the water. The register takes the power to heat with, and shows what it takes: 0 W when the water is hot. Without a new value for its
 * power timeout (register 1004) the device goes back to its own control. Only this register may be written often; the
 * timeout is in flash and stays as the owner has set it.
 */
function myPv({ id, model, maxW, notes = [], read, write, settings, trust = AGREED }: Heater): DeviceProfile {
  const power: Formula = read ?? { of: "raw.power" };
  return defineProfile({
    id,
    brand: "my-PV",
    model,
    vendors: ["MODBUS"],
    transports: [{ kind: "tcp", port: 502, unit: 1 }],
    limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
    notes: [
      'Set the control type to "Modbus TCP" in its own pages. The power is renewed every 4 s: any power timeout will do, and the shorter it is, the sooner the device heats by its own control when the gateway is gone.',
      "Hygiene programmes and boosts of the device go on by themselves.",
      ...notes,
    ],
    identity: { serial: { table: "holding", address: 1_018, type: "string", words: 8, ...AGREED } },
    points: pointRows({ table: "holding", ...AGREED }, [
      ["raw.power", POWER, "uint16", "fast"],
      // Water of exactly 0.0 °C is a sensor that is not there.
      ["hvac.temperature", 1_001, "uint16", "normal", { scale: 0.1, sentinels: [0] }],
    ]),
    derived: [
      { point: "hvac.power", value: power },
      { point: "hvac.isActive", value: { when: { of: power, atLeast: 1 }, gives: true, otherwise: false } },
      { point: "hvac.maxPower", value: { lastWrite: "hvac.maxPower" } },
    ],
    ...(settings === undefined ? {} : { settings }),
    controls: [
      {
        point: "hvac.maxPower",
        range: { min: 0, max: maxW },
        safeDefault: 0,
        write: { steps: [writeStep(POWER, 6, "uint16", write ?? { round: { wish: true } })] },
        hold: {
          holdMs: 10_000,
          fallback: "heats by its own control, or not at all",
          confidence: "cross-checked",
          source: "siku2/hass-acthor, nymea: 10 s is the least power timeout",
        },
        approximate: "What was set cannot be read back: the register shows what the rod takes.",
        ...trust,
      },
    ],
  });
}

/** The AC-THOR with one rod. */
export const myPvAcThor = myPv({
  id: "my-pv-ac-thor",
  model: "AC-THOR",
  maxW: 3_000,
  notes: ["With two rods (mode M3) it could take 6 kW; 3 kW are used."],
});

/** The AC-THOR 9s. */
export const myPvAcThor9s = myPv({
  id: "my-pv-ac-thor-9s",
  model: "AC-THOR 9s",
  maxW: FULL_9S,
  notes: ["Set rodW to the power of the rod: the device counts from 0 to 9,000 whatever the rod takes."],
  settings: { rodW: { unit: "W", meaning: "Power of the heating rod", min: 500, max: FULL_9S, default: FULL_9S } },
  read: { quotient: [{ times: [{ of: "raw.power" }, { setting: "rodW" }] }, FULL_9S] },
  write: {
    least: [{ round: { quotient: [{ times: [{ wish: true }, FULL_9S] }, { setting: "rodW" }] } }, FULL_9S],
  },
  trust: SCALED,
});

/** The heating rod with its own controller. */
export const myPvElwa2 = myPv({ id: "my-pv-ac-elwa-2", model: "AC ELWA 2", maxW: 3_500 });

/** The older heating rod. */
export const myPvElwaE = myPv({ id: "my-pv-ac-elwa-e", model: "AC ELWA-E", maxW: 3_000 });
