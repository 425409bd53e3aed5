import { type Clock, MINUTE_MS, type Random } from "hemgate/sdk";
import type { CloudConnector, CloudDevice, Tempo } from "../connector.ts";
import type { BudgetCount, Stretch } from "./budget-count.ts";
import type { PollBudget } from "./poll-budget.ts";

/** Reads are up to this part later by chance, so that gateways do not ask in step, and no more than so many ms. */
const JITTER = 0.1;
const MAX_JITTER_MS = 15 * MINUTE_MS;

export interface PollPaceParts {
  readonly pace: CloudConnector["pace"];
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: Pick<Random, "next">;
}

/** A device that is read again and again. */
export interface PacedDevice {
  readonly budget: PollBudget;
  readonly cost: CloudDevice["cost"];
  /** What its requests count for in budgets that count per subject; null: not reported. */
  readonly subject: string | null;
  tempo(): Tempo;
  /** It is read no more often while something else tells of it, ms; absent: nothing does. */
  leastMs?(): number;
}

/**
 * When the devices of one connector are read. Each would like the pace of its tempo; where a budget does not last for
 * that, the devices that draw on it share what is left evenly, and those that want less leave the rest to the others.
 */
export class PollPace {
  readonly #parts: PollPaceParts;
  readonly #devices = new Set<PacedDevice>();

  constructor(parts: PollPaceParts) {
    this.#parts = parts;
  }

  /** Counts a device in until the answer is disposed. */
  join(device: PacedDevice): Disposable {
    this.#devices.add(device);
    return { [Symbol.dispose]: () => void this.#devices.delete(device) };
  }

  /** How long until the next read of a device that joined and was read just now, ms. */
  nextMs(device: PacedDevice): number {
    const { pace, clock, random } = this.#parts;
    const { budget, cost, subject } = device;
    const periods = budget.forPolls(subject).map(({ count, stretches }) => this.#share(device, count, stretches));
    const evenMs = Math.max(pace.active, this.#paceMs(device), ...periods);
    const waitMs = budget.nextPollAtMs(cost, subject) - clock.monotonicMs();
    const periodMs = Math.max(evenMs, waitMs);
    return periodMs + Math.min(periodMs * JITTER, MAX_JITTER_MS) * random.next();
  }

  /** The period at which a device's part of one budget lasts, ms; 0 where it draws none of it. */
  #share(device: PacedDevice, count: BudgetCount, stretches: readonly Stretch[]): number {
    if (unitsOf(device, count) === 0) return 0;
    const sharing = [...this.#devices].filter((other) => other.budget.drawsOn(count, other.subject));
    const demands = sharing.map((other) => ({ units: unitsOf(other, count), paceMs: this.#paceMs(other) }));
    // Where less is left than all want for one read, it is when units come back that there is more to share.
    return Math.max(...stretches.map((stretch) => Math.min(stretch.forMs, evenPeriodMs(demands, stretch))));
  }

  #paceMs(device: PacedDevice): number {
    return Math.max(this.#parts.pace[device.tempo()], device.leastMs?.() ?? 0);
  }
}

interface Demand {
  readonly units: number;
  readonly paceMs: number;
}

/** The period for all who want more than their part: what the slower ones leave, by units. */
function evenPeriodMs(demands: readonly Demand[], { forMs, units: left }: Stretch): number {
  const slowestFirst = demands.toSorted((a, b) => b.paceMs - a.paceMs);
  let units = slowestFirst.reduce((total, demand) => total + demand.units, 0);
  let unitsPerMs = Math.max(1, left) / forMs;
  for (const { units: own, paceMs } of slowestFirst) {
    const periodMs = units / unitsPerMs;
    if (paceMs < periodMs) return periodMs;
    units -= own;
    unitsPerMs -= own / paceMs;
  }
  return 0;
}

function unitsOf({ cost }: PacedDevice, { rule }: BudgetCount): number {
  return cost[rule.name] ?? 1;
}
