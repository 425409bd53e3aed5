import type { PointName, Reading } from "../../points/points.ts";
import { checkHouse } from "./check-house.ts";
import { correct } from "./correct.ts";
import type { Finding, Fix } from "./finding.ts";
import { Source } from "./house-history.ts";
import type { Wiring } from "./phase-check.ts";

/**
 * Returns true if a finding that no longer appears is obsolete because the device was corrected, and not because too little
 * happens in the house: with the proposed fix the readings would now contradict each other. `nowMs` is monotonic.
 */
export function isRefuted(
  { check, fix, deviceId }: Finding,
  sources: readonly Source[],
  { nowMs, isDark, wiring }: { readonly nowMs: number; readonly isDark: boolean; readonly wiring?: Wiring },
): boolean {
  if (fix === null || fix.kind === "hide" || fix.kind === "replace") return false;
  const fixed = sources.map((source) => (source.deviceId === deviceId ? withFix(source, fix) : source));
  return checkHouse(fixed, nowMs, isDark, wiring).some(
    (finding) => finding.deviceId === deviceId && (finding.fix !== null || finding.check === check),
  );
}

function withFix({ deviceId, kind, samples }: Source, fix: Fix): Source {
  const fixed = samples.map((sample) => {
    const readings = Object.entries(sample.values).map(
      ([point, value]) => ({ point: point as PointName, value }) as Reading,
    );
    const values = Object.fromEntries(correct(readings, [fix]).map(({ point, value }) => [point, value]));
    return { ...sample, values };
  });
  return new Source(deviceId, kind, fixed);
}
