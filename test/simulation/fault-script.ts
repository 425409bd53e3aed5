import type { SandboxDeviceId } from "../../adapters/simulated/sandbox-home.ts";
import { NET_FAULTS, type NetFault } from "../../src/testing/fault-plan.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";

/** What can go wrong with a whole device, or with the gateway's disk and process. */
const OTHER_FAULTS = ["device-restart", "disk-refuses", "gateway-kill", "gateway-restart"] as const;
export type FaultClass = NetFault | (typeof OTHER_FAULTS)[number];
export const FAULT_CLASSES: readonly FaultClass[] = [...NET_FAULTS, ...OTHER_FAULTS];

/** A fault at its time in the script. */
export interface ScriptedFault {
  readonly kind: FaultClass;
  readonly device: SandboxDeviceId;
  /** Monotonic ms. */
  readonly atMs: number;
  /** How long it is on, or how long the device or the gateway is away, ms. */
  readonly lastsMs: number;
  /** Share of what a net fault can strike that it strikes. */
  readonly share: number;
}

/** One fault in each slot; what is left of a slot is for everything to come back and be checked. */
const SLOT_MS = 300_000;
/** Shortest run in which each class has its turn. */
export const SHORTEST_RUN_MS = FAULT_CLASSES.length * SLOT_MS;
const START_MS = { min: 20_000, max: 60_000 };
const LAST_MS = { min: 20_000, max: 90_000 };
/** A gateway that is away for so long finds its devices back at their defaults. */
const LONG_AWAY_MS = { min: 130_000, max: 180_000 };
const SHORT_AWAY_MS = { min: 500, max: 30_000 };
const DEVICES = ["inverter", "meter", "charger"] as const;

/** Deals the classes like cards: each comes up once before any comes up again, on devices and at times by chance. */
export function faultScript(random: SeededRandom, durationMs: number): readonly ScriptedFault[] {
  const script: ScriptedFault[] = [];
  let deck: FaultClass[] = [];
  for (let slotMs = 0; slotMs + SLOT_MS <= durationMs; slotMs += SLOT_MS) {
    if (deck.length === 0) deck = shuffled(FAULT_CLASSES, random);
    const kind = deck.pop();
    if (kind === undefined) continue;
    script.push({
      kind,
      device: random.pick(DEVICES),
      atMs: slotMs + random.between(START_MS.min, START_MS.max),
      lastsMs: lastsMs(kind, random),
      share: shareOf(kind, random),
    });
  }
  return script;
}

function lastsMs(kind: FaultClass, random: SeededRandom): number {
  if (kind === "gateway-restart") return random.between(SHORT_AWAY_MS.min, SHORT_AWAY_MS.max);
  if (kind !== "gateway-kill") return random.between(LAST_MS.min, LAST_MS.max);
  const away = random.isChance(0.4) ? LONG_AWAY_MS : SHORT_AWAY_MS;
  return random.between(away.min, away.max);
}

/** What strikes every request would end at the first one; the others are mixed with what works. */
function shareOf(kind: FaultClass, random: SeededRandom): number {
  const isOfConnecting = kind === "refused" || kind === "unreachable";
  return isOfConnecting ? 1 : random.between(0.2, 1);
}

function shuffled<T>(values: readonly T[], random: SeededRandom): T[] {
  const cards = values.map((value) => ({ value, place: random.next() }));
  return cards.sort((one, other) => one.place - other.place).map(({ value }) => value);
}
