import {
  type Condition,
  type DeviceProfile,
  defineProfile,
  type Formula,
  type ProfileFormula,
  type WriteStep,
} from "hemgate/sdk";
import { LEAST_A } from "../profile/parts/current-control.ts";
import { type PilotState, pilotState } from "../profile/parts/pilot-state.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { type PointRow, pointRows } from "../profile/parts/point-rows.ts";
import { vendorList } from "../profile/parts/provenance.ts";
import { shownSwitch, switchControl } from "../profile/parts/switch-control.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = vendorList("UM EN CHARX SEC, appendix B3; klconsultancy/aiophoenixcontactcharx");
const TRUST = { confidence: "single-source", source: "evcc" } as const;

/** Two ASCII characters in one register, such as "C2". */
const CODES: Readonly<Record<number, PilotState>> = Object.fromEntries(
  (["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2"] as const).map((state) => [
    256 * state.charCodeAt(0) + state.charCodeAt(1),
    state,
  ]),
);
/** E and F come with a blank, a NUL or a number behind them. */
const FAULTS: Readonly<Record<number, PilotState>> = Object.fromEntries(
  (["E", "F"] as const).flatMap((state) =>
    [0x00, 0x20, 0x30, 0x31, 0x32].map((second) => [256 * state.charCodeAt(0) + second, state]),
  ),
);

/** Type of the energy meter behind the controller. Without one it shows 0 W and 0 A, also of a vehicle that charges. */
const METER = "raw.meter";
const NO_METER = [0, 0xffff];
/** What the meter measures, by the register of the controller. */
const MEASURED = [
  ["charger.voltage.l1", 232, "int32", "normal", 0.001],
  ["charger.voltage.l2", 234, "int32", "normal", 0.001],
  ["charger.voltage.l3", 236, "int32", "normal", 0.001],
  ["charger.current.l1", 238, "int32", "fast", 0.001],
  ["charger.current.l2", 240, "int32", "fast", 0.001],
  ["charger.current.l3", 242, "int32", "fast", 0.001],
  ["charger.power", 244, "int32", "fast", 0.001],
  ["charger.energy", 250, "int64", "normal", 1],
  ["charger.energySession", 289, "uint32", "normal", 1],
] as const;

/** A controller has its registers 1,000 above those of the one before. */
function charx(connector: 1 | 2): DeviceProfile {
  const base = 1_000 * connector;
  const shared = { table: "holding", ...TRUST } as const;
  const step = (address: number, value: Formula): WriteStep => writeStep(base + address, 16, "uint16", value);
  return defineProfile({
    id: connector === 1 ? "phoenix-charx" : "phoenix-charx-2",
    brand: "Phoenix Contact",
    model: connector === 1 ? "CHARX SEC-1000, SEC-3xxx" : "CHARX SEC-3xxx, second connector",
    vendors: ["MODBUS"],
    transports: [{ kind: "tcp", port: 502, unit: 1 }],
    limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
    notes: ["The Modbus server is switched on in the web page of the controller."],
    identity: {
      // Each controller has its own number.
      serial: plateText(base + 113, 3, PLATE),
      model: plateText(100, 10, PLATE),
      version: plateText(110, 4, PLATE),
    },
    points: pointRows(shared, [
      [METER, base + 112, "uint16", "slow"],
      ...MEASURED.map(
        ([point, address, type, poll, scale]): PointRow => [`raw.${point}`, base + address, type, poll, { scale }],
      ),
      ["raw.state", base + 299, "uint16", "fast"],
      ["raw.enabled", base + 300, "uint16", "fast"],
      ["charger.maxCurrent", base + 301, "uint16", "fast"],
    ]),
    derived: [
      ...MEASURED.map(([point]): ProfileFormula => {
        const hasMeter: Condition = { not: { of: { of: METER }, is: NO_METER } };
        return { point, value: { when: hasMeter, gives: { of: `raw.${point}` }, otherwise: null } };
      }),
      { point: "charger.state", value: pilotState({ of: "raw.state" }, { ...CODES, ...FAULTS }) },
      shownSwitch("raw.enabled"),
    ],
    controls: [
      {
        point: "charger.maxCurrent",
        range: { min: LEAST_A, max: 32 },
        safeDefault: "as-found",
        write: { steps: [step(301, { wish: true })] },
        ...TRUST,
      },
      switchControl({ step: (value) => step(300, value), ...TRUST }),
    ],
  });
}

/** AC charge controllers; this is the first connector. */
export const phoenixCharx = charx(1);

/** The second connector. */
export const phoenixCharx2 = charx(2);
