/** What the last report of a system's devices amounts to. */
import { type BatteryStatus, HOUR_MS } from "hemgate/sdk";
import type { CloudReading } from "../kit/connector.ts";
import { batteryStatusOf } from "../kit/device/site-flow.ts";
import type { LatestTelemetry, Metered, Stored } from "./schemas.ts";

/** Reports lag up to half an hour; a system that was silent for longer than this has no power to show. */
const STALE_MS = 2 * HOUR_MS;

interface Power {
  /** W. */
  readonly powerW: number;
  /** Of the oldest report in it, wall-clock ms. */
  readonly atMs: number;
}

/**
 * The readings of a report. What the consumption meter shows is production plus grid, without the battery (Enphase's notes
 * to `latest_telemetry`); a battery's power is negative while it charges.
 */
export function telemetryReadings({ meters, encharges }: LatestTelemetry, nowMs: number): readonly CloudReading[] {
  const production = metered(meters, "production", nowMs);
  const consumption = metered(meters, "consumption", nowMs);
  const discharge = encharges.length === 0 ? null : summed(encharges, nowMs);
  const battery = discharge === null ? null : { ...discharge, powerW: 0 - discharge.powerW };
  const grid = both(consumption, production, (used, made) => used - made);
  const load = encharges.length === 0 ? consumption : both(consumption, battery, (used, stored) => used - stored);
  return [
    reading("inverter.power", production),
    reading("meter.power", grid),
    reading("hem.load", load),
    reading("battery.power", battery),
    { ...reading("battery.power", battery), point: "battery.status", value: statusOf(encharges, battery) },
  ];
}

function reading(point: CloudReading["point"], power: Power | null): CloudReading {
  return power === null ? { point, value: null } : { point, value: power.powerW, measuredAtMs: power.atMs };
}

/** A meter's channels that nothing is connected to never report. */
function metered(meters: readonly Metered[], name: string, nowMs: number): Power | null {
  const channels = meters.filter((one) => one.name?.toLowerCase() === name && one.last_report_at !== null);
  return channels.length === 0 ? null : summed(channels, nowMs);
}

/** Null when one of them does not report, or reported too long ago. */
function summed(parts: readonly Metered[], nowMs: number): Power | null {
  let sum: Power = { powerW: 0, atMs: Number.POSITIVE_INFINITY };
  for (const { power, last_report_at: reportedAt } of parts) {
    if (power === null || reportedAt === null || nowMs - reportedAt * 1_000 > STALE_MS) return null;
    sum = { powerW: sum.powerW + power, atMs: Math.min(sum.atMs, reportedAt * 1_000) };
  }
  return sum;
}

function both(a: Power | null, b: Power | null, powerOf: (a: number, b: number) => number): Power | null {
  if (a === null || b === null) return null;
  return { powerW: powerOf(a.powerW, b.powerW), atMs: Math.min(a.atMs, b.atMs) };
}

/** An idle battery shows the few watts that it needs itself. */
function statusOf(encharges: readonly Stored[], battery: Power | null): BatteryStatus | null {
  if (encharges.length === 0) return null;
  if (battery === null) return "UNKNOWN";
  const isIdle = encharges.every(({ operational_mode: mode }) => mode?.toLowerCase().includes("idle") === true);
  return isIdle ? "IDLE" : batteryStatusOf(battery.powerW);
}
