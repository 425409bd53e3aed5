/**
 * Keys of the telemetry database. Blocks sort by UTC day, device and minute: a day is one range to delete, a day of a
 * device is one range to read, and new data stays apart from old data, so that LevelDB rarely rewrites it.
 */
import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import { type KeyRange, prefixRange } from "../database.ts";
import type { Place } from "../envelope.ts";

/** Maximum length of a block; it divides a day, so that no block spans two days. */
export const MAX_BLOCK_MINUTES = 15;
const RADIX = 36;
const DAY_DIGITS = 4;
const MINUTE_DIGITS = 6;

export const LAYOUT_KEY = "meta!schema";
export const EPOCH_KEY = "meta!epoch";
export const WHOLE_SINCE_KEY = "meta!whole-since";
export const DAY_SIZES: KeyRange = prefixRange("s");
const GAPS: KeyRange = prefixRange("g");

/** Returns the UTC day of a wall-clock instant as sortable text. */
export function dayOf(atMs: number): string {
  return digits(atMs / DAY_MS, DAY_DIGITS);
}

/** Returns the start of a day, wall-clock ms. */
export function startOfDay(day: string): number {
  return Number.parseInt(day, RADIX) * DAY_MS;
}

export function minuteOf(atMs: number): number {
  return Math.max(0, Math.floor(atMs / MINUTE_MS));
}

/**
 * Returns the key of a block. `minute` is its first minute. `unique` distinguishes blocks of the same device and
 * minute, which a restart or a clock jump causes.
 */
export function blockKey(deviceId: string, minute: number, unique: Place): string {
  const suffix = `${unique.epoch.toString(RADIX)}.${unique.seq.toString(RADIX)}`;
  return `b${dayOf(minute * MINUTE_MS)}!${deviceId}!${digits(minute, MINUTE_DIGITS)}.${suffix}`;
}

/** Returns the device and the first minute of a block. */
export function parseBlockKey(key: string): { readonly deviceId: string; readonly minute: number } {
  const last = key.lastIndexOf("!");
  const deviceId = key.slice(1 + DAY_DIGITS + 1, last);
  return { deviceId, minute: Number.parseInt(key.slice(last + 1, last + 1 + MINUTE_DIGITS), RADIX) };
}

/** Returns the range of all blocks of a device in a day. */
export function blocksOfDevice(day: string, deviceId: string): KeyRange {
  return prefixRange(`b${day}!${deviceId}!`);
}

/** Returns the range of blocks of a device in a day that may contain samples in [fromMs, toMs). */
export function blockRange(deviceId: string, day: string, fromMs: number, toMs: number): KeyRange {
  const prefix = `b${day}!${deviceId}!`;
  const lastMinute = Math.max(0, Math.ceil(toMs / MINUTE_MS));
  return {
    gte: prefix + digits(minuteOf(fromMs) - MAX_BLOCK_MINUTES + 1, MINUTE_DIGITS),
    lt: prefix + digits(Math.min(lastMinute, RADIX ** MINUTE_DIGITS - 1), MINUTE_DIGITS),
  };
}

export function blocksOfDay(day: string): KeyRange {
  return prefixRange(`b${day}!`);
}

/** Returns the key of the size of a day's blocks. */
export function daySizeKey(day: string): string {
  return `s${day}`;
}

export function parseDaySizeKey(key: string): string {
  return key.slice(1);
}

/** Returns the key of a gap in the history, by its first minute. */
export function gapKey(fromMs: number, unique: Place): string {
  return `g${digits(fromMs / MINUTE_MS, MINUTE_DIGITS)}.${unique.epoch.toString(RADIX)}.${unique.seq.toString(RADIX)}`;
}

/** Returns the range of gaps that begin before an instant. */
export function gapsBefore(atMs: number): KeyRange {
  return { gte: GAPS.gte, lt: `g${digits(atMs / MINUTE_MS, MINUTE_DIGITS)}` };
}

/** Formats a whole number as sortable text; one that is too large becomes the largest. */
export function digits(value: number, width: number): string {
  const text = Math.max(0, Math.floor(value)).toString(RADIX);
  return text.length > width ? "z".repeat(width) : text.padStart(width, "0");
}
