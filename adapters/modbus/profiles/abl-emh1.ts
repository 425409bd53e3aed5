import { defineProfile, type Formula, type WriteStep } from "hemgate/sdk";
import { LEAST_A, SHOWN_WITHIN_MS } from "../profile/parts/current-control.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "evcc, matfroh/abl_emh1_modbus";
const SHARED = { table: "holding", confidence: "cross-checked", source: SOURCE } as const;
/** A duty cycle of 100 %, in tenths: no current is offered. */
const STOPPED = 1_000;
/** A per tenth of a per cent of the duty cycle, between 6 A and 51 A. */
const A_PER_TENTH = 0.06;
const NOMINAL_V = 230;
const OUTLET_DISABLED = 0xe0;
const ENABLE_OUTLET = 0xa1a1;

/** The lowest bits of a register that holds something else above them. */
function lowest(bits: number, key: string): Formula {
  const whole = 2 ** bits;
  return { minus: [{ of: key }, { times: [whole, { floor: { quotient: [{ of: key }, whole] } }] }] };
}

const DUTY = lowest(12, "raw.duty");
const OUTLET = lowest(8, "raw.state");

function duty(value: Formula): WriteStep {
  return writeStep(20, 16, "uint16", value);
}

function dutyOf(ampere: Formula): Formula {
  return { round: { quotient: [ampere, A_PER_TENTH] } };
}

/** The duty cycle that is set while charging is stopped stays the one of the stop. */
const REQUESTED: Formula = {
  first: [
    {
      lookup: { lastWrite: "charger.enabled" },
      values: { true: dutyOf({ wish: true }), false: STOPPED },
      otherwise: null,
    },
    { lookup: DUTY, values: { [STOPPED]: STOPPED }, otherwise: dutyOf({ wish: true }) },
  ],
};

const SHOWN: Formula = {
  lookup: DUTY,
  values: { [STOPPED]: { lastWrite: "charger.maxCurrent" } },
  // A step of the duty cycle is less than a tenth of an ampere.
  otherwise: { quotient: [{ round: { times: [DUTY, 10 * A_PER_TENTH] } }, 10] },
};

/** Wall box on RS-485 that speaks Modbus ASCII. What it answers begins with ">", not with ":". */
export const ablEmh1 = defineProfile({
  id: "abl-emh1",
  brand: "ABL",
  model: "eMH1",
  vendors: ["MODBUS"],
  transports: [{ kind: "ascii", unit: 1, baudRate: 38_400, parity: "even", dataBits: 8, stopBits: 1 }],
  // The status words are read as they are documented, five at a time; nothing is read across them.
  limits: { maxRegisters: 5, minGapMs: 50, isOneValuePerRequest: false, isWokenByRequest: true },
  notes: [
    "eMH2 and eMH3 answer the same way behind a gateway.",
    "Currents are shown only if the charger has its sensor; power is calculated from them at 230 V.",
    "Sources disagree which of the three currents is which phase.",
  ],
  noSerial: "No register list found; evcc and matfroh/abl_emh1_modbus, which read it, name none",
  points: pointRows(SHARED, [
    ["raw.state", 4, "uint16", "fast"],
    ["raw.settings", 15, "uint16", "fast"],
    ["raw.duty", 18, "uint16", "fast"],
    ["raw.settingsEnd", 19, "uint16", "fast"],
    ["raw.status", 46, "uint16", "fast"],
    ...phaseRows("charger.current", [48, 1], "uint16", "fast", { scale: 0.1, sentinels: [0xffff, STOPPED] }),
  ]),
  derived: [
    {
      point: "charger.state",
      value: {
        lookup: OUTLET,
        values: {
          161: "UNPLUGGED",
          177: "PLUGGED_IN:STOPPED",
          178: "PLUGGED_IN:INITIALIZING",
          194: "PLUGGED_IN:CHARGING",
          // Reduced for a fault or an unbalanced load.
          195: "PLUGGED_IN:CHARGING",
          196: "PLUGGED_IN:CHARGING",
          ...Object.fromEntries(Array.from({ length: 11 }, (_, index) => [0xf1 + index, "PLUGGED_IN:FAULT"])),
        },
        otherwise: "UNKNOWN",
      },
    },
    {
      point: "charger.power",
      value: {
        times: [
          NOMINAL_V,
          {
            sumKnown: [{ of: "charger.current.l1" }, { of: "charger.current.l2" }, { of: "charger.current.l3" }],
          },
        ],
      },
    },
    { point: "charger.maxCurrent", value: SHOWN },
    {
      point: "charger.enabled",
      value: {
        when: {
          any: [
            { of: DUTY, is: STOPPED },
            { of: OUTLET, is: OUTLET_DISABLED },
          ],
        },
        gives: false,
        otherwise: true,
      },
    },
  ],
  controls: [
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_A, max: 32 },
      safeDefault: "as-found",
      write: { steps: [duty(REQUESTED)] },
      confidence: "cross-checked",
      source: SOURCE,
    },
    {
      point: "charger.enabled",
      safeDefault: null,
      shownWithinMs: SHOWN_WITHIN_MS,
      write: {
        cases: [
          {
            value: true,
            steps: [
              writeStep(5, 16, "uint16", ENABLE_OUTLET, { when: { of: OUTLET, is: OUTLET_DISABLED } }),
              duty(dutyOf({ first: [SHOWN, LEAST_A] })),
            ],
          },
          { value: false, steps: [duty(STOPPED)] },
        ],
      },
      confidence: "cross-checked",
      source: SOURCE,
      approximate: "A stop sets the duty cycle to 100 %; a start offers the current that was set last, else 6 A.",
    },
  ],
});
