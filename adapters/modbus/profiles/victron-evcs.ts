import {
  type Confidence,
  type DeviceProfile,
  defineProfile,
  type ProfileControl,
  type ProfilePoint,
} from "hemgate/sdk";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const GX = {
  table: "holding",
  confidence: "cross-checked",
  source: "evcc, victronenergy/dbus_modbustcp",
} as const;
const VENDOR = { confidence: "vendor-list", source: "victronenergy/dbus_modbustcp" } as const;
const SERIAL = singleSource("victronenergy/dbus-modbus-client");
const DIRECT = { table: "holding", confidence: "single-source", source: "evcc" } as const;

/** Control by others. In the modes auto (1) and scheduled (2) the station chooses the current itself. */
const MANUAL = 0;
/** What the station can offer, A. */
const RANGE = { min: 6, max: 32 };

/** The station's status. 8 to 14 are failed tests and trips; 15 to 19 are reserved. */
const STATES: NonNullable<ProfilePoint["states"]> = {
  values: {
    0: "UNPLUGGED",
    1: "PLUGGED_IN:INITIALIZING",
    2: "PLUGGED_IN:CHARGING",
    // Charged, and waiting for sun, a card, a start, or for the house's battery.
    3: "PLUGGED_IN:STOPPED",
    4: "PLUGGED_IN:STOPPED",
    5: "PLUGGED_IN:STOPPED",
    6: "PLUGGED_IN:STOPPED",
    7: "PLUGGED_IN:STOPPED",
    8: "PLUGGED_IN:FAULT",
    9: "PLUGGED_IN:FAULT",
    10: "PLUGGED_IN:FAULT",
    11: "PLUGGED_IN:FAULT",
    12: "PLUGGED_IN:FAULT",
    13: "PLUGGED_IN:FAULT",
    14: "PLUGGED_IN:FAULT",
    // The charging limit is reached.
    20: "PLUGGED_IN:STOPPED",
    21: "PLUGGED_IN:INITIALIZING",
    22: "PLUGGED_IN:INITIALIZING",
    23: "PLUGGED_IN:INITIALIZING",
    24: "PLUGGED_IN:STOPPED",
  },
  otherwise: "UNKNOWN",
};
const SWITCH: NonNullable<ProfilePoint["states"]> = { values: { 0: false, 1: true }, otherwise: null };

/** Where the station is controlled: three registers that have other addresses behind a GX. */
interface Addresses {
  readonly mode: number;
  readonly current: number;
  readonly start: number;
}

function controlsAt(at: Addresses, known: { confidence: Confidence; source: string }): readonly ProfileControl[] {
  const takeOver = writeStep(at.mode, 6, "uint16", MANUAL, { isStored: true });
  return [
    {
      point: "charger.maxCurrent",
      range: RANGE,
      safeDefault: "as-found",
      write: { steps: [takeOver, writeStep(at.current, 6, "uint16", { wish: true })] },
      approximate: "Puts the station into manual mode, where it stays.",
      ...known,
    },
    {
      point: "charger.enabled",
      // A stop must not let a vehicle charge that was stopped.
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [takeOver, writeStep(at.start, 6, "uint16", 1)] },
          { value: false, steps: [takeOver, writeStep(at.start, 6, "uint16", 0)] },
        ],
      },
      approximate: "Puts the station into manual mode, where it stays.",
      ...known,
    },
  ];
}

const COMMON = {
  brand: "Victron",
  vendors: ["MODBUS"],
  limits: { maxRegisters: 60, minGapMs: 0, isOneValuePerRequest: false },
  derived: [],
} as const satisfies Partial<DeviceProfile>;

/** Victron EV Charging Station behind a GX. */
export const victronEvcs = defineProfile({
  ...COMMON,
  id: "victron-evcs",
  model: "EV Charging Station (GX)",
  transports: [{ kind: "tcp", port: 502, unit: 40 }],
  notes: [
    "The unit id is under Settings, Services, Modbus TCP of the GX: usually 40 to 43. Directly, use victron-evcs-direct.",
    "A command takes the station out of its automatic mode, and nobody puts it back.",
  ],
  identity: { serial: plateText(3804, 6, VENDOR), model: plateText(3810, 4, VENDOR) },
  points: pointRows(GX, [
    ["charger.energySession", 3816, "uint32", "normal", { scale: 10 }],
    ["charger.power", 3821, "uint16", "fast"],
    ["charger.state", 3824, "uint16", "fast", { states: STATES }],
    ["charger.maxCurrent", 3825, "uint16", "normal"],
    ["charger.enabled", 3826, "uint16", "normal", { states: SWITCH }],
    ["charger.energy", 3836, "uint32", "normal", { scale: 10, ...VENDOR }],
  ]),
  controls: controlsAt({ mode: 3815, current: 3825, start: 3826 }, { confidence: GX.confidence, source: GX.source }),
});

/** Victron EV Charging Station NS by its own address. */
export const victronEvcsDirect = defineProfile({
  ...COMMON,
  id: "victron-evcs-direct",
  model: "EV Charging Station",
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  notes: [
    "Modbus TCP is switched on in the station, and may be limited to known addresses there.",
    "A command takes the station out of its automatic mode, and nobody puts it back.",
  ],
  identity: { serial: plateText(5001, 6, SERIAL, { byteOrder: "little" }) },
  points: pointRows(DIRECT, [
    ["charger.enabled", 5010, "uint16", "normal", { states: SWITCH }],
    ["charger.power", 5014, "uint16", "fast"],
    ["charger.state", 5015, "uint16", "fast", { states: STATES }],
    ["charger.maxCurrent", 5016, "uint16", "normal"],
    ["charger.energySession", 5021, "uint16", "normal", { scale: 10 }],
  ]),
  controls: controlsAt(
    { mode: 5009, current: 5016, start: 5010 },
    { confidence: DIRECT.confidence, source: DIRECT.source },
  ),
});
