/** The circuits of the house as rows. Each is kept by itself; the tree says what flows through which. */

import { type Circuit, PHASES, type SiteConnection } from "../site/site-connection.ts";
import { drawnAt } from "./charger-draw.ts";
import type { ChargerState } from "./charger-state.ts";
import type { LimitInputs } from "./connection-limits.ts";
import { CONTRACT_DEADLINE_MS, FUSE_DEADLINES, FUSE_TARGET, NOMINAL_V, POWER_TARGET } from "./cycle-timing.ts";
import type { EnergySnapshot, MeterView } from "./energy-snapshot.ts";
import {
  finite,
  PHASE_INDEXES,
  type PhaseIndex,
  recentPower,
  signedCurrents,
  silenceMs,
  sumOfPhases,
} from "./grid-reading.ts";
import type { LimitRow } from "./limit-row.ts";

/** More levels than this are a circuit that is its own parent. */
const MAX_DEPTH = 16;

export function circuitRows(inputs: LimitInputs): readonly LimitRow[] {
  return inputs.snapshot.site.circuits.flatMap((circuit) => {
    if (circuit.fuseA === null && circuit.maxKw === null) return [];
    const members = membersOf(inputs.snapshot.site, circuit);
    const reading = readingOf(inputs.snapshot, circuit);
    return [...fuseRows(inputs, circuit, members, reading), ...powerRows(inputs, circuit, members, reading)];
  });
}

/** `silent`: nothing was ever read; `lost`: nothing any more; `none`: it has no meter. */
type CircuitReading = MeterView | "silent" | "lost" | "none";

function readingOf(snapshot: EnergySnapshot, { id, meterId }: Circuit): CircuitReading {
  if (meterId === null) return "none";
  const view = snapshot.circuits.get(id);
  const atMs = view?.measuredAtMs ?? null;
  if (view === undefined || atMs === null) return "silent";
  if (snapshot.nowMs - atMs >= silenceMs(snapshot)) return "lost";
  return { ...view, currentA: signedCurrents(view) };
}

/** The moment for which it has to be known what chargers draw: that of the circuit's reading, or now. */
function momentOf(reading: CircuitReading, { nowMs }: EnergySnapshot): number {
  return typeof reading === "string" ? nowMs : (reading.measuredAtMs ?? nowMs);
}

/** The ids of all that hang on a circuit, directly or through others. */
export function membersOf({ circuits }: SiteConnection, circuit: Circuit): ReadonlySet<string> {
  const ids = new Set(circuit.memberIds);
  const below = (parent: Circuit, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const child of circuits) {
      if (child.parentId !== parent.id) continue;
      for (const id of child.memberIds) ids.add(id);
      below(child, depth + 1);
    }
  };
  below(circuit, 0);
  return ids;
}

function fuseRows(
  inputs: LimitInputs,
  circuit: Circuit,
  members: ReadonlySet<string>,
  reading: CircuitReading,
): readonly LimitRow[] {
  const { fuseA } = circuit;
  if (fuseA === null) return [];
  const { chargers, snapshot } = inputs;
  return PHASE_INDEXES.slice(0, snapshot.site.phases).map((i): LimitRow => {
    const ofMembers = chargers.filter((charger) => members.has(charger.view.id));
    const drawn = ofMembers.map((charger) => drawnAt(charger, momentOf(reading, snapshot)));
    const low = drawn.reduce((sum, { lowA }) => sum + lowA[i], 0);
    const high = drawn.reduce((sum, { highA }) => sum + highA[i], 0);
    const load = circuitLoad(reading, {
      measured: (meter) => meter.currentA[i],
      others: (isRated) => otherMembersA(inputs, members, i, isRated) + unlistedA(inputs, circuit, i),
      isBlind: isBlind(inputs, circuit),
      low,
      high,
      falling: ofMembers.reduce((sum, { fallingA }) => sum + fallingA[i], 0),
    });
    return {
      key: `circuit ${circuit.id} ${PHASES[i]}`,
      code: "circuit",
      subject: circuit.id,
      untilMs: null,
      limit: fuseA,
      target: FUSE_TARGET * fuseA,
      perAmp: chargers.map((charger) => (usesRow(charger, members) && charger.phases.includes(i) ? 1 : 0)),
      ...load,
      deadlines: FUSE_DEADLINES,
      isHard: true,
    };
  });
}

function powerRows(
  inputs: LimitInputs,
  circuit: Circuit,
  members: ReadonlySet<string>,
  reading: CircuitReading,
): readonly LimitRow[] {
  const { maxKw } = circuit;
  if (maxKw === null) return [];
  const { chargers } = inputs;
  const ofMembers = chargers.filter((charger) => members.has(charger.view.id));
  const drawn = ofMembers.map((charger) => {
    const { lowA, highA } = drawnAt(charger, momentOf(reading, inputs.snapshot));
    return { lowW: sumOfPhases(lowA) * charger.volts, highW: sumOfPhases(highA) * charger.volts };
  });
  const load = circuitLoad(reading, {
    measured: (meter) => finite(meter.powerW),
    others: (isRated) =>
      PHASE_INDEXES.reduce<number>(
        (sum, i) => sum + NOMINAL_V * (otherMembersA(inputs, members, i, isRated) + unlistedA(inputs, circuit, i)),
        0,
      ),
    isBlind: isBlind(inputs, circuit),
    low: drawn.reduce((sum, { lowW }) => sum + lowW, 0),
    high: drawn.reduce((sum, { highW }) => sum + highW, 0),
    falling: ofMembers.reduce((sum, { fallingA, volts }) => sum + sumOfPhases(fallingA) * volts, 0),
  });
  return [
    {
      key: `circuit ${circuit.id} power`,
      code: "circuit",
      subject: circuit.id,
      untilMs: null,
      limit: maxKw * 1000,
      target: POWER_TARGET * maxKw * 1000,
      perAmp: chargers.map((charger) => (usesRow(charger, members) ? charger.phases.length * charger.volts : 0)),
      ...load,
      deadlines: [{ ratio: 1, ms: CONTRACT_DEADLINE_MS }],
      isHard: true,
    },
  ];
}

function usesRow({ view, isPlugged }: ChargerState, members: ReadonlySet<string>): boolean {
  return isPlugged && members.has(view.id);
}

function circuitLoad(
  reading: CircuitReading,
  load: {
    readonly measured: (meter: MeterView) => number | null;
    readonly others: (isRated: boolean) => number;
    /** What only a meter below it knew is not known any more. */
    readonly isBlind: boolean;
    readonly low: number;
    readonly high: number;
    /** What the readings show beyond `low`: it flows until they show less. */
    readonly falling: number;
  },
): Pick<LimitRow, "measured" | "surelyTaken" | "maybeTaken"> {
  // What else its meter saw is there still: nothing may rise.
  const unknown = reading === "lost" || load.isBlind ? Number.POSITIVE_INFINITY : 0;
  if (reading === "silent" || reading === "lost") {
    const rated = load.others(true);
    return { measured: null, surelyTaken: rated, maybeTaken: rated + unknown };
  }
  if (reading === "none") {
    const others = load.others(false);
    const maybeTaken = others + load.falling + unknown;
    return { measured: others + load.low + load.falling, surelyTaken: others, maybeTaken };
  }
  const measured = load.measured(reading);
  // Its meter is there, and cannot say: nothing may rise.
  if (measured === null) {
    return { measured: null, surelyTaken: load.others(false), maybeTaken: Number.POSITIVE_INFINITY };
  }
  return { measured, surelyTaken: measured - load.high, maybeTaken: measured - load.low };
}

/** True if the meter of a circuit below, where no meter in between counts the same, was read before and is silent. */
function isBlind(inputs: LimitInputs, parent: Circuit, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  return inputs.snapshot.site.circuits.some((circuit) => {
    if (circuit.parentId !== parent.id) return false;
    const reading = readingOf(inputs.snapshot, circuit);
    return reading === "lost" || (typeof reading === "string" && isBlind(inputs, circuit, depth + 1));
  });
}

/** The loads in a circuit that nothing measures, A: they may be on. */
function unmeteredA({ unmetered = [] }: SiteConnection, circuitId: string, i: PhaseIndex): number {
  const own = unmetered.filter((load) => load.circuitId === circuitId && load.phases.includes(PHASES[i]));
  return own.reduce((sum, { maxA }) => sum + maxA, 0);
}

/** What else is in a circuit, A: loads that nothing measures, and what the meters of circuits below measure beyond their members. */
function unlistedA(inputs: LimitInputs, parent: Circuit, i: PhaseIndex, depth = 0): number {
  if (depth > MAX_DEPTH) return 0;
  const ownA = unmeteredA(inputs.snapshot.site, parent.id, i);
  return inputs.snapshot.site.circuits.reduce((sum, circuit) => {
    if (circuit.parentId !== parent.id) return sum;
    const reading = readingOf(inputs.snapshot, circuit);
    const amps = typeof reading === "string" ? null : reading.currentA[i];
    if (amps === null) return sum + unlistedA(inputs, circuit, i, depth + 1);
    const members = membersOf(inputs.snapshot.site, circuit);
    const ofChargers = inputs.chargers.reduce(
      (total, charger) =>
        total + (members.has(charger.view.id) ? drawnAt(charger, momentOf(reading, inputs.snapshot)).lowA[i] : 0),
      0,
    );
    return sum + Math.max(0, amps - ofChargers - otherMembersA(inputs, members, i, false));
  }, ownA);
}

/** What the members that are no chargers take on a phase, A; measured, or what they are rated for. */
function otherMembersA(
  { snapshot, chargers }: LimitInputs,
  members: ReadonlySet<string>,
  i: PhaseIndex,
  isRated: boolean,
): number {
  const ofPhase = (id: string, watts: number): number => {
    const phases = snapshot.site.phasesOf.get(id) ?? PHASES.slice(0, snapshot.site.phases);
    return phases.includes(PHASES[i]) ? watts / NOMINAL_V / phases.length : 0;
  };
  let amps = 0;
  const { nowMs } = snapshot;
  for (const battery of snapshot.batteries) {
    if (!members.has(battery.id)) continue;
    // An old reading does not say that the battery still relieves the circuit.
    const watts = recentPower(battery, nowMs) ?? Math.max(0, finite(battery.powerW) ?? 0);
    const ratedW = finite(battery.maxChargeW) ?? Math.max(0, battery.power?.maxW ?? 0, watts);
    amps += ofPhase(battery.id, isRated ? ratedW : watts);
  }
  for (const inverter of snapshot.inverters) {
    if (members.has(inverter.id) && !isRated) amps -= ofPhase(inverter.id, recentPower(inverter, nowMs) ?? 0);
  }
  for (const [id, watts] of snapshot.loadsW ?? []) if (members.has(id)) amps += ofPhase(id, watts);
  for (const { view, ignoresLimit, maxA, phases } of chargers) {
    if (!ignoresLimit || !members.has(view.id) || !phases.includes(i)) continue;
    amps += isRated ? maxA : (finite(view.currentA[i]) ?? maxA);
  }
  return amps;
}
