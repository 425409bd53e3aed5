/** Plans a small command to a device that is taken back: what is written, and why it must not be written now. */

import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import type { KnownControl } from "../assets/asset-seed.ts";
import type { PointValues } from "../assets/snapshot.ts";
import type { SiteConnection } from "../energy/site/site-connection.ts";

/** A current is lowered by this much, A: visible at every charger, and no load for a fuse. */
const LOWER_BY_A = 2;
/** A power limit is lowered by this much, % of the rated power: visible, and nothing that anybody notices. */
const LOWER_BY_PCT = 1;
/** A setpoint is raised by this much, K. */
const RAISE_BY_K = 0.5;
const NOMINAL_V = 230;

/** How long a confirmed value stays before it is taken back, ms. A battery needs a while until its power follows. */
const SHOW_MS = 5_000;
const BATTERY_MS = 60_000;

/** Why a device is not tested: nothing of it can be, or not now. */
export const TEST_REFUSALS = [
  "no-control",
  "no-safe-command",
  "silent",
  "unknown-value",
  "grid-operator",
  "limited",
  "energy-manager",
  "busy",
  "other-controller",
  "no-meter",
  "no-room",
  "another-test",
  "not-granted",
] as const;
export type TestRefusal = (typeof TEST_REFUSALS)[number];

/** The points that a test may write. */
export const TESTED_POINTS = [
  "charger.maxCurrent",
  "charger.enabled",
  "battery.mode",
  "inverter.powerLimit",
  "hvac.heatSetpoint",
] as const satisfies readonly ControlPoint[];
export type TestedPoint = (typeof TESTED_POINTS)[number];

export interface PlannedTest {
  readonly kind: "test";
  readonly point: TestedPoint;
  readonly before: PointValue;
  readonly asked: PointValue;
  /** How long the value stays after a reading has shown it, ms. */
  readonly holdMs: number;
}

export interface RefusedTest {
  readonly kind: "refused";
  readonly code: TestRefusal;
  /** A sentence in English. */
  readonly detail: string;
}

/** The device as it is. */
export interface TestedDevice {
  readonly kind: AssetKind;
  readonly isReachable: boolean;
  /** `false`: the user has not granted commands. */
  readonly mayCommand: boolean;
  readonly controls: readonly KnownControl[];
  readonly values: Readonly<PointValues>;
}

/** What the device must not collide with. */
export interface TestSurroundings {
  readonly site: Pick<SiteConnection, "phases" | "fuseA" | "importKw" | "peakKw" | "exportKw">;
  /** At the grid, positive on import; `null` if the meter is silent, or is not there. */
  readonly gridW: number | null;
  /** The largest of the phases' currents, A, positive on import; `null` if not known. */
  readonly gridA: number | null;
  /** A limit of the grid operator is in force. */
  readonly isOperatorLimited: boolean;
  /** A fuse, a contract or another limit decides about the device now. */
  readonly isLimited: boolean;
  /** The energy manager regulates the point now. */
  isRegulated(point: TestedPoint): boolean;
  /** Somebody else changed the point lately, or does not let it be controlled. */
  isOthers(point: TestedPoint): boolean;
  /** A command is on its way. */
  readonly isBusy: boolean;
}

/** Returns what is written, or why nothing is. */
export function planTest(device: TestedDevice, around: TestSurroundings): PlannedTest | RefusedTest {
  const command = smallCommand(device);
  if (command.kind === "refused") return command;
  return refusalOf(device, command, around) ?? command;
}

/** Returns true if the kind of device has something that can be tried, whether or not it can be now. */
export function isTestable({ kind, controls }: Pick<TestedDevice, "kind" | "controls">): boolean {
  return controls.some(({ point }) => pointsOf(kind).includes(point));
}

function pointsOf(kind: AssetKind): readonly ControlPoint[] {
  switch (kind) {
    case "charger":
      return ["charger.maxCurrent", "charger.enabled"];
    case "battery":
      return ["battery.mode"];
    case "inverter":
      return ["inverter.powerLimit"];
    case "hvac":
      return ["hvac.heatSetpoint"];
    case "meter":
    case "vehicle":
      return [];
    default:
      return kind satisfies never;
  }
}

function smallCommand(device: TestedDevice): PlannedTest | RefusedTest {
  if (!isTestable(device)) return refused("no-control", "The gateway can read this device and not command it.");
  if (!device.isReachable) return refused("silent", "The device does not answer now.");
  switch (device.kind) {
    case "charger":
      return chargerCommand(device);
    case "battery":
      return batteryCommand(device);
    case "inverter":
      return inverterCommand(device);
    case "hvac":
      return heatCommand(device);
    case "meter":
    case "vehicle":
      return refused("no-control", "Such a device is not commanded in a test.");
    default:
      return device.kind satisfies never;
  }
}

/** The current is lowered; where it cannot be, charging is paused. Nothing is raised and nothing is started. */
function chargerCommand({ controls, values }: TestedDevice): PlannedTest | RefusedTest {
  const range = controls.find(({ point }) => point === "charger.maxCurrent")?.range;
  const current = values["charger.maxCurrent"] ?? null;
  if (range !== undefined && current !== null && current - LOWER_BY_A >= range.min) {
    return command("charger.maxCurrent", current, current - LOWER_BY_A);
  }
  const canPause = controls.some(({ point }) => point === "charger.enabled");
  const isEnabled = values["charger.enabled"] ?? null;
  if (canPause && isEnabled === true) return command("charger.enabled", true, false);
  if (current === null && isEnabled === null) return unknown("its current");
  return refused(
    "no-safe-command",
    "The charger is at its least current and off; raise its current or switch it on, and test again.",
  );
}

function batteryCommand({ controls, values }: TestedDevice): PlannedTest | RefusedTest {
  const modes = controls.find(({ point }) => point === "battery.mode")?.values ?? [];
  if (!modes.includes("IDLE")) {
    const detail = "The battery cannot be commanded to wait, or would not end it by itself; see its capabilities.";
    return refused("no-safe-command", detail);
  }
  const mode = values["battery.mode"] ?? null;
  if (mode === null || mode === "UNKNOWN") return unknown("its mode");
  if (mode === "IDLE") return refused("no-safe-command", "The battery waits already, so nothing would be seen.");
  return { ...command("battery.mode", mode, "IDLE"), holdMs: BATTERY_MS };
}

/** The limit is lowered a little and never raised: an installer may have set it for the feed-in. */
function inverterCommand({ controls, values }: TestedDevice): PlannedTest | RefusedTest {
  const range = controls.find(({ point }) => point === "inverter.powerLimit")?.range;
  const limit = values["inverter.powerLimit"] ?? null;
  if (limit === null) return unknown("its power limit");
  const asked = limit - LOWER_BY_PCT;
  if (asked < (range?.min ?? 0)) return refused("no-safe-command", "The inverter is limited to its least power.");
  return command("inverter.powerLimit", limit, asked);
}

function heatCommand({ controls, values }: TestedDevice): PlannedTest | RefusedTest {
  const range = controls.find(({ point }) => point === "hvac.heatSetpoint")?.range;
  const setpoint = values["hvac.heatSetpoint"] ?? null;
  if (setpoint === null) return unknown("its setpoint");
  const hold = values["hvac.holdType"] ?? null;
  if (hold !== null && hold !== "PERMANENT") {
    return refused("no-safe-command", "The unit follows its own schedule; a test would end that.");
  }
  const asked = setpoint + RAISE_BY_K;
  if (range !== undefined && asked > range.max)
    return refused("no-safe-command", "The unit is at its highest setpoint.");
  return command("hvac.heatSetpoint", setpoint, asked);
}

function command(point: TestedPoint, before: PointValue, asked: PointValue): PlannedTest {
  return { kind: "test", point, before, asked, holdMs: SHOW_MS };
}

function unknown(what: string): RefusedTest {
  return refused("unknown-value", `The device does not say ${what}, so it could not be given back.`);
}

export function refused(code: TestRefusal, detail: string): RefusedTest {
  return { kind: "refused", code, detail };
}

function refusalOf(device: TestedDevice, test: PlannedTest, around: TestSurroundings): RefusedTest | null {
  if (!device.mayCommand) return refused("not-granted", "The user has not granted commands to this device.");
  if (around.isOperatorLimited) {
    return refused("grid-operator", "The grid operator limits the house now; test again when the limit has ended.");
  }
  if (around.isLimited) {
    return refused("limited", "A fuse or another limit decides about the device now; switch loads off and test again.");
  }
  if (around.isRegulated(test.point)) {
    return refused("energy-manager", "The energy manager regulates the device now; remove its mode and test again.");
  }
  if (around.isOthers(test.point)) {
    return refused(
      "other-controller",
      "Somebody else changed the device lately; end that control, wait ten minutes and test again.",
    );
  }
  if (around.isBusy) return refused("busy", "A command to the device is on its way; test again when it has ended.");
  return lackOfRoom(device, test, around);
}

/** What stops to flow into a device is fed in, what it stops to give is bought: both need room at the connection. */
function lackOfRoom(device: TestedDevice, test: PlannedTest, around: TestSurroundings): RefusedTest | null {
  const changeW = gridChange(device, test);
  const { fuseA, importKw, peakKw, exportKw, phases } = around.site;
  const isBound = changeW > 0 ? fuseA !== null || importKw !== null || peakKw !== null : exportKw !== null;
  if (changeW === 0 || !isBound) return null;
  if (around.gridW === null)
    return refused("no-meter", "The grid meter is silent, so the room at the connection is not known.");
  const afterW = around.gridW + changeW;
  const isOver =
    changeW > 0
      ? afterW > 1_000 * Math.min(importKw ?? Infinity, peakKw ?? Infinity) || isOverFuse(around, changeW / phases)
      : -afterW > 1_000 * (exportKw ?? Infinity);
  if (!isOver) return null;
  const what = changeW > 0 ? "buy more from the grid than its fuse and its contract have room for" : "feed in too much";
  const detail = `During the test the house would ${what} (${(Math.abs(afterW) / 1_000).toFixed(1)} kW); test again later.`;
  return refused("no-room", detail);
}

/** A meter without currents counts the whole house on each phase. */
function isOverFuse({ site: { fuseA }, gridA, gridW }: TestSurroundings, addedW: number): boolean {
  const amps = gridA ?? (gridW ?? 0) / NOMINAL_V;
  return fuseA !== null && amps + addedW / NOMINAL_V > fuseA;
}

/** By how much the import grows at most while the test lasts, W; negative: it falls. */
function gridChange({ values }: TestedDevice, { point, before, asked }: PlannedTest): number {
  switch (point) {
    case "battery.mode":
      return -(values["battery.power"] ?? 0);
    case "charger.enabled":
      return -(values["charger.power"] ?? 0);
    case "charger.maxCurrent":
      return -((values["charger.power"] ?? 0) * (Number(before) - Number(asked))) / Number(before);
    case "inverter.powerLimit":
      return ((values["inverter.power"] ?? 0) * (Number(before) - Number(asked))) / Number(before);
    default:
      return 0;
  }
}
