import type { PointName, Reading } from "../../points/points.ts";
import { checkHouse } from "./check-house.ts";
import { correct } from "./correct.ts";
import type { Finding, Fix } from "./finding.ts";
import { Source } from "./house-history.ts";

/**
 * Whether a finding that is not seen any more is over because the device was put right, and not because the house is calm:
 * with the proposed fix the house would contradict the device now.
 */
export function isRefuted(
  { fix, deviceId }: Finding,
  sources: readonly Source[],
  nowMs: number,
  isDark: boolean,
): boolean {
  if (fix === null || fix.kind === "hide" || fix.kind === "replace") return false;
  const fixed = sources.map((source) => (source.deviceId === deviceId ? withFix(source, fix) : source));
  return checkHouse(fixed, nowMs, isDark).some((finding) => finding.deviceId === deviceId && finding.fix !== null);
}

function withFix({ deviceId, kind, samples }: Source, fix: Fix): Source {
  const fixed = samples.map((sample) => {
    const told = Object.entries(sample.values).map(
      ([point, value]) => ({ point: point as PointName, value }) as Reading,
    );
    const values = Object.fromEntries(correct(told, [fix]).map(({ point, value }) => [point, value]));
    return { ...sample, values };
  });
  return new Source(deviceId, kind, fixed);
}
