/** What can still be limited while the grid meter is silent: what the fuse bears beside the usual load of the house. */

import type { PerPhase } from "../site/site-connection.ts";
import type { ChargerState } from "./charger-state.ts";
import { circuitRows } from "./circuit-limits.ts";
import { connectionRows, type LimitInputs, phaseRow } from "./connection-limits.ts";
import type { GridMemory } from "./cycle-memory.ts";
import { NOMINAL_V } from "./cycle-timing.ts";
import { PHASE_INDEXES } from "./grid-reading.ts";
import type { LimitRow } from "./limit-row.ts";

/** Share of the fuse that a house is taken to use of which nothing was ever measured. */
const UNKNOWN_SHARE = 0.5;
/** Of the 95th percentile, A for each reading. */
const STEP_A = 0.2;
const PERCENTILE = 0.95;

/** The rows that need no reading of the grid meter. */
export function silentRows(inputs: LimitInputs, usualA: PerPhase<number | null>): readonly LimitRow[] {
  const { snapshot, chargers } = inputs;
  const { fuseA, phases } = snapshot.site;
  const fuses =
    fuseA === null
      ? []
      : PHASE_INDEXES.slice(0, phases).map((i) => {
          const taken = usualA[i] ?? UNKNOWN_SHARE * fuseA;
          return phaseRow(chargers, { i, fuseA }, { measured: null, surelyTaken: taken, maybeTaken: taken });
        });
  const withoutGrid = { ...inputs, grid: { ...inputs.grid, newest: null } };
  return [...fuses, ...limitRows(inputs), ...connectionRows(withoutGrid), ...circuitRows(inputs)];
}

/** An import limit of the house still limits the chargers, even if nothing else is known. */
function limitRows({ snapshot, chargers }: LimitInputs): readonly LimitRow[] {
  return snapshot.limits
    .filter(({ direction, scope }) => direction === "import" && scope === "connection")
    .map(
      ({ id, source, watts, untilMs }): LimitRow => ({
        key: `limit ${id}`,
        code: "grid-operator",
        subject: source,
        untilMs,
        limit: watts,
        target: watts,
        perAmp: chargers.map(({ isPlugged, phases }) => (isPlugged ? phases.length * NOMINAL_V : 0)),
        surelyTaken: 0,
        maybeTaken: 0,
        measured: null,
        deadlines: [],
        isHard: true,
      }),
    );
}

/** Follows the 95th percentile of what the house takes without chargers, one small step for each new reading. */
export function nextUsual(
  memory: GridMemory,
  chargers: readonly ChargerState[],
  isNew: boolean,
): PerPhase<number | null> {
  const newest = memory.samples.at(-1);
  if (!isNew || newest === undefined) return memory.usualA;
  const next = (i: 0 | 1 | 2): number | null => {
    const amps = newest.currentA[i];
    if (amps === null) return memory.usualA[i];
    const house = Math.max(0, amps - chargers.reduce((sum, { highA }) => sum + highA[i], 0));
    const usual = memory.usualA[i];
    if (usual === null) return house;
    return house > usual ? usual + STEP_A * PERCENTILE : Math.max(0, usual - STEP_A * (1 - PERCENTILE));
  };
  return [next(0), next(1), next(2)];
}
