import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../domain/duration.ts";

const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** What the sign of a power means, by the kind of its device: positive, negative. */
const DIRECTIONS: readonly (readonly [RegExp, string, string])[] = [
  [/^battery\.power$/, "charging", "discharging"],
  [/^inverter\.power$/, "production", "consumption"],
  [/^meter\.power(\.l[123])?$/, "import", "export"],
  [/^(charger|vehicle)\.power$/, "charging", "discharging"],
];

export interface ShownPoint {
  readonly point: string;
  readonly value: number | string | boolean | null;
  readonly unit: string;
}

/** A value for people, its sign in words: `−1,234 W export`. */
export function pointText({ point, value, unit }: ShownPoint): string {
  if (value === null) return "not reported by the device";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return value;
  const number = NUMBER.format(value).replace("-", "−");
  return [number, unit, direction(point, value)].filter((part) => part !== "").join(" ");
}

function direction(point: string, value: number): string {
  const match = DIRECTIONS.find(([pattern]) => pattern.test(point));
  if (match === undefined || value === 0) return "";
  const [, positive, negative] = match;
  return value > 0 ? positive : negative;
}

const STEPS: readonly (readonly [unit: string, ms: number])[] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", SECOND_MS],
];

/** How long ago, in the largest unit that fits: `3 s ago`. */
export function ageText(ageMs: number | null): string {
  if (ageMs === null) return "never";
  const step = STEPS.find(([, ms]) => ageMs >= ms);
  return step === undefined ? "now" : `${Math.floor(ageMs / step[1])} ${step[0]} ago`;
}
