import { comparePositions, type Position } from "../../domain/page.ts";
import type { ScheduleEntry } from "../contracts/schedules.ts";
import type { ScheduleDriver } from "./schedule-driver.ts";

/** The schedules that there are, by id and by target. */
export class ScheduleBook {
  readonly #drivers = new Map<string, ScheduleDriver>();
  /** In the order of the list, until one comes, goes or changes. */
  #sorted: readonly ScheduleEntry[] | null = null;
  #byTarget: ReadonlyMap<string, readonly ScheduleDriver[]> | null = null;

  get(id: string): ScheduleDriver | null {
    return this.#drivers.get(id) ?? null;
  }

  all(): readonly ScheduleDriver[] {
    return [...this.#drivers.values()];
  }

  list(): readonly ScheduleEntry[] {
    this.#sorted ??= this.all()
      .map(({ record }) => record)
      .toSorted((a, b) => comparePositions(positionOf(a), positionOf(b)));
    return this.#sorted;
  }

  /** The schedules of a target, enabled or not. */
  ofTarget(targetId: string): readonly ScheduleDriver[] {
    this.#byTarget ??= Map.groupBy(this.#drivers.values(), ({ schedule }) => schedule.targetId);
    return this.#byTarget.get(targetId) ?? [];
  }

  /** The schedule that may have the target in its charge; null when none may. */
  enabledFor(targetId: string): ScheduleDriver | null {
    return this.ofTarget(targetId).find(({ schedule }) => schedule.isEnabled) ?? null;
  }

  /** True when a pending action of schedules on its target can be the driver's. */
  owns(driver: ScheduleDriver): boolean {
    const enabled = this.enabledFor(driver.schedule.targetId);
    return enabled === null || enabled === driver;
  }

  put(driver: ScheduleDriver): void {
    this.#drivers.set(driver.schedule.id, driver);
    this.#sorted = null;
    this.#byTarget = null;
  }

  remove(id: string): void {
    this.#drivers.delete(id);
    this.#sorted = null;
    this.#byTarget = null;
  }
}

function positionOf({ createdAtMs, schedule }: ScheduleEntry): Position {
  return { createdAtMs, id: schedule.id };
}
