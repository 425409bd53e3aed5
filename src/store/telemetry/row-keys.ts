/**
 * Keys of energy rows. Minutes sort by UTC day first, as raw blocks do, so that a day is one range to delete; quarter
 * hours and hours sort by stream, so that a year of a stream is one range to read. The key of a block follows from its
 * time, so that writing it again replaces it.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { EnergyKind } from "../../domain/statistics/statistics-hour.ts";
import { QUARTER_MS, type SlotMs } from "../../domain/statistics/statistics-row.ts";
import { type KeyRange, prefixRange } from "../database.ts";
import { dayOf, digits } from "./telemetry-keys.ts";

/** A device and one of its kinds of asset, or the house's load; each has a separate energy history. */
export interface Stream {
  readonly deviceId: string;
  readonly kind: EnergyKind;
}

export const ROLLED_KEY = "meta!rolled";
/** Hours to recompute. */
export const LATE_HOURS: KeyRange = prefixRange("rt");
export const MINUTE_BLOCKS: KeyRange = prefixRange("rm");
export const QUARTER_BLOCKS: KeyRange = prefixRange("rq");
export const HOUR_BLOCKS: KeyRange = prefixRange("rh");
const HOUR_DIGITS = 4;
const MONTH_DIGITS = 3;
const RADIX = 36;

/** The time of a block: an hour of minutes, a UTC day of quarter hours, or a UTC month of hours. */
export interface BlockTime {
  readonly slotMs: SlotMs;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the time of the block that contains an instant. */
export function blockTime(slotMs: SlotMs, atMs: number): BlockTime {
  if (slotMs === HOUR_MS) {
    const at = new Date(atMs);
    const month = at.getUTCMonth();
    const fromMs = Date.UTC(at.getUTCFullYear(), month);
    return { slotMs, fromMs, toMs: Date.UTC(at.getUTCFullYear(), month + 1) };
  }
  const lengthMs = slotMs === MINUTE_MS ? HOUR_MS : DAY_MS;
  const fromMs = Math.floor(atMs / lengthMs) * lengthMs;
  return { slotMs, fromMs, toMs: fromMs + lengthMs };
}

export function rowsKey(stream: Stream, { slotMs, fromMs }: BlockTime): string {
  return prefixOf(stream, slotMs, fromMs) + timeText(slotMs, fromMs);
}

/** Returns the range of a stream's blocks that begin in [fromMs, toMs); for minutes within one UTC day. */
export function rowsRange(stream: Stream, slotMs: SlotMs, fromMs: number, toMs: number): KeyRange {
  const prefix = prefixOf(stream, slotMs, fromMs);
  return { gte: prefix + timeText(slotMs, fromMs), lt: prefix + timeText(slotMs, toMs) };
}

/** Returns the start of a block from its key. */
export function blockStart(key: string, slotMs: SlotMs): number {
  const number = Number.parseInt(key.slice(key.lastIndexOf("!") + 1), RADIX);
  if (slotMs === MINUTE_MS) return number * HOUR_MS;
  return slotMs === QUARTER_MS ? number * DAY_MS : Date.UTC(1970, number);
}

/** Returns the stream of a block from its key. */
export function streamOf(key: string): Stream {
  const parts = key.slice(2).split("!");
  const [deviceId = "", kind = ""] = parts.length === 4 ? parts.slice(1) : parts;
  // Keys are built from streams, so the kind is valid.
  return { deviceId, kind: kind as EnergyKind };
}

export function minuteBlocksOfDay(day: string): KeyRange {
  return prefixRange(`rm${day}!`);
}

export function lateKey(hourMs: number, deviceId: string): string {
  return `rt${timeText(MINUTE_MS, hourMs)}!${deviceId}`;
}

export function parseLateKey(key: string): { readonly hourMs: number; readonly deviceId: string } {
  const end = 2 + HOUR_DIGITS;
  return { hourMs: Number.parseInt(key.slice(2, end), RADIX) * HOUR_MS, deviceId: key.slice(end + 1) };
}

function prefixOf({ deviceId, kind }: Stream, slotMs: SlotMs, atMs: number): string {
  if (slotMs === MINUTE_MS) return `rm${dayOf(atMs)}!${deviceId}!${kind}!`;
  return `${slotMs === QUARTER_MS ? "rq" : "rh"}${deviceId}!${kind}!`;
}

/** Formats an instant; one after the start of a block's time is rounded up, as ends of ranges need it. */
function timeText(slotMs: SlotMs, atMs: number): string {
  if (slotMs === MINUTE_MS) return digits(Math.ceil(atMs / HOUR_MS), HOUR_DIGITS);
  if (slotMs === QUARTER_MS) return dayOf(Math.ceil(atMs / DAY_MS) * DAY_MS);
  const at = new Date(atMs);
  const months = (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
  const isStart = atMs === Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  return digits(months + (isStart ? 0 : 1), MONTH_DIGITS);
}
