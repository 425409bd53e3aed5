/** The limits of the connection in a time that is planned. */
import type { ActiveLimit } from "../cycle/energy-snapshot.ts";
import type { SiteConnection } from "../site/site-connection.ts";
import type { PlanSlot, TimesOfPlan } from "./plan-inputs.ts";

const NOMINAL_V = 230;
const W_PER_KW = 1_000;
/** What a plan leaves free below the fuse: the control cycle aims no higher either. */
const FUSE_SHARE = 0.97;

/** A limit with its end in wall-clock ms; `null` without a known end. */
export type DatedLimit = Pick<ActiveLimit, "direction" | "scope" | "watts" | "untilMs">;

type SlotLimits = Pick<PlanSlot, "maxImportKw" | "maxExportKw" | "maxControllableKw">;

/** Returns the lowest limit of each slot. A limit without a known end counts for the whole plan. */
export function slotLimits(
  { fuseA, phases, importKw, peakKw, exportKw }: SiteConnection,
  limits: readonly DatedLimit[],
  times: TimesOfPlan,
): readonly SlotLimits[] {
  const fuseKw = fuseA === null ? null : (fuseA * FUSE_SHARE * NOMINAL_V * phases) / W_PER_KW;
  return times.map(({ fromMs }) => {
    const inForce = limits.filter(({ untilMs }) => untilMs === null || untilMs > fromMs);
    const kwOf = (direction: "import" | "export", scope: ActiveLimit["scope"]): number[] =>
      inForce
        .filter((limit) => limit.direction === direction && limit.scope === scope)
        .map(({ watts }) => watts / W_PER_KW);
    return {
      maxImportKw: lowest([fuseKw, importKw, peakKw, ...kwOf("import", "connection")]),
      maxExportKw: lowest([exportKw, ...kwOf("export", "connection"), ...kwOf("export", "controllable")]),
      maxControllableKw: lowest(kwOf("import", "controllable")),
    };
  });
}

function lowest(limits: readonly (number | null)[]): number | null {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : Math.max(0, Math.min(...known));
}
