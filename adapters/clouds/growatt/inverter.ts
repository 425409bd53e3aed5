/** One of Growatt's hybrid inverters, with the meter and the battery behind it. */
import {
  type ControlPoint,
  type DeviceIdentity,
  HOUR_MS,
  MINUTE_MS,
  type PointName,
  type PointValue,
} from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { completed } from "../kit/device/completed-readings.ts";
import { extra } from "../kit/device/extra.ts";
import { parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { CAVEAT, COMMANDED, isFree, modeOf, type Segments, segmentsOf, settingFor } from "./min-mode.ts";
import { command, get, look } from "./open-api.ts";
import { Answer, type Device, type DeviceFields } from "./schemas.ts";
import { type Equipment, equipmentOf, type Family, isOnline, MIN, telemetryReadings } from "./telemetry.ts";

/** How long it is looked at more often after a command: the logger fetches it within some minutes. */
const ACTIVE_MS = 10 * MINUTE_MS;

interface InverterParts {
  readonly session: CloudSession;
  readonly family: Family;
  readonly device: Device;
  /** Its values when it was opened. */
  readonly fields: DeviceFields;
  /** Null where it does not tell, or there is no battery to set. */
  readonly segments: Segments | null;
  /** Time between two readings, ms. */
  readonly usualMs: number;
}

export async function openInverter(
  parts: Omit<InverterParts, "fields" | "segments">,
  signal: AbortSignal,
): Promise<CloudDevice> {
  const { session, family, device } = parts;
  const fields = await lastData(session, family, device.device_sn, signal);
  const isSettable = family === MIN && equipmentOf(fields, family).hasBattery;
  const fetch = (inner: AbortSignal) => askSegments(session, device.device_sn, inner);
  const segments = isSettable ? await extra(session, keyOf(device.device_sn), HOUR_MS, fetch, signal) : null;
  return new GrowattInverter({ ...parts, fields, segments });
}

export async function lastData(
  session: CloudSession,
  { path }: Family,
  serial: string,
  signal: AbortSignal,
): Promise<DeviceFields> {
  const request = look(session.extra, `device/${path}/${path}_last_data`, { [`${path}_sn`]: serial });
  return parsed(Answer, await session.ask(request, signal), `${path}_last_data`).data;
}

async function askSegments(session: CloudSession, serial: string, signal: AbortSignal): Promise<Segments | null> {
  const answer = await session.ask(get(session.extra, "device/tlx/tlx_set_info", { device_sn: serial }), signal);
  return segmentsOf(parsed(Answer, answer, "tlx_set_info").data);
}

function keyOf(serial: string): string {
  return `segments ${serial}`;
}

class GrowattInverter implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager: boolean;
  readonly points: readonly PointName[];
  readonly controls: readonly CloudControl[];
  readonly cost: Readonly<Record<string, number>>;
  readonly #session: CloudSession;
  readonly #family: Family;
  readonly #serial: string;
  readonly #equipment: Equipment;
  #isDark = false;
  #activeUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ session, family, device, fields, segments, usualMs }: InverterParts) {
    this.#session = session;
    this.#family = family;
    this.#serial = device.device_sn;
    this.#equipment = equipmentOf(fields, family);
    this.isEnergyManager = this.#equipment.hasMeter;
    this.identity = {
      manufacturer: "Growatt",
      model: device.model,
      serial: device.device_sn,
      version: null,
      name: null,
    };
    this.controls = segments !== null && isFree(segments) ? [MODE_CONTROL] : [];
    this.points = pointsOf(this.#equipment, segments !== null);
    this.cost = { requests: 1 + (segments === null ? 0 : usualMs / HOUR_MS), settings: 0 };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const fields = await lastData(this.#session, this.#family, this.#serial, signal);
    const powers = isOnline(fields) ? telemetryReadings(fields, this.#family, this.#equipment) : [];
    this.#isDark = powers.every(({ point, value }) => point !== "inverter.power" || value === 0);
    const mode = this.points.includes("battery.mode") ? modeOf(await this.#segments(signal)) : null;
    const all = completed(this.points, [...powers, { point: "battery.mode", value: mode }]);
    return all.filter(({ point }) => this.points.includes(point));
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    const setting = point === "battery.mode" && this.controls.length > 0 ? settingFor(value, this.#serial) : null;
    if (setting === null) throw new CloudError("refused", `${point}: ${String(value)} is nothing that can be set here`);
    const key = keyOf(this.#serial);
    this.#session.outdate(key);
    const segments = await askSegments(this.#session, this.#serial, signal);
    if (segments === null || !isFree(segments)) {
      throw new CloudError("refused", `${point}: the inverter has time segments of its owner's`);
    }
    // What is so already is not written to the flash memory again.
    if (modeOf(segments) === value) return;
    try {
      await this.#session.ask(command(this.#session.extra, "tlxSet", setting), signal);
    } finally {
      this.#session.outdate(key);
      this.#activeUntilMs = this.#session.clock.monotonicMs() + ACTIVE_MS;
    }
  }

  tempo(): Tempo {
    if (this.#isActive) return "active";
    return this.#isDark && !this.#equipment.hasBattery ? "idle" : "usual";
  }

  get #isActive(): boolean {
    return this.#session.clock.monotonicMs() < this.#activeUntilMs;
  }

  #segments(signal: AbortSignal): Promise<Segments | null> {
    const fetch = (inner: AbortSignal) => askSegments(this.#session, this.#serial, inner);
    return extra(this.#session, keyOf(this.#serial), this.#isActive ? MINUTE_MS : HOUR_MS, fetch, signal);
  }
}

const MODE_CONTROL: CloudControl = {
  point: "battery.mode",
  values: COMMANDED,
  holdMs: null,
  safeDefault: "as-found",
  caveat: CAVEAT,
  confidence: "unverified",
};

function pointsOf({ hasMeter, hasBattery }: Equipment, hasMode: boolean): readonly PointName[] {
  const points: PointName[] = ["inverter.power", "inverter.energy"];
  if (hasMeter) points.push("meter.power", "meter.energyImport", "meter.energyExport", "hem.load");
  if (!hasBattery) return points;
  points.push("battery.power", "battery.status", "battery.soc", "battery.energyCharged", "battery.energyDischarged");
  return hasMode ? [...points, "battery.mode"] : points;
}
