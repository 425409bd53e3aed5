import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import { isAtRest } from "../../domain/actions/lease.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ForeignChange } from "../../domain/checks/finding.ts";
import { type Amount, measured } from "../../domain/checks/measured-text.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { type ControlPoint, POINT_UNITS, type PointName, type PointValue } from "../../points/points.ts";
import type { FindingRecord } from "../../store/records/checks.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { originOf } from "../actions/lease-records.ts";
import type { TakenOver } from "../contracts/engine.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";
import { idOf, putFinding, removeFinding } from "./finding-records.ts";

/** A conflict is over after this many readings in a row that match the gateway's value. */
const RESOLVED_AFTER_READINGS = 3;
/** Other controllers repeat their commands within this time; after it without one, the conflict is over. */
const RELEASED_AFTER_MS = 10 * MINUTE_MS;

export interface ControlConflictOptions {
  readonly settings: Pick<DeviceSettings, "id" | "userId">;
  readonly store: Pick<Store, "commit" | "all" | "get">;
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly log: Log;
  /** Called when the device's assets have to be shown again. */
  changed(): void;
}

/** The progress that a conflict is over. */
interface Progress {
  /** Readings in a row that match the gateway's value. */
  matchingReadings: number;
  /** Monotonic ms since which the device is at its safe default; `null` if it is not. */
  atRestSinceMs: number | null;
}

/** The control conflicts of one device: values that somebody else changed although the gateway controls them. */
export class ControlConflicts {
  readonly #options: ControlConflictOptions;
  readonly #progress = new Map<string, Progress>();

  constructor(options: ControlConflictOptions) {
    this.#options = options;
  }

  /** The open conflicts, oldest first. */
  get list(): readonly TakenOver[] {
    return this.#open()
      .toSorted((a, b) => a.firstSeenAtMs - b.firstSeenAtMs)
      .flatMap(({ finding: { change }, firstSeenAtMs }) => {
        if (change === undefined) return [];
        const { point, held, found } = change;
        return [{ point, held, found, atMs: firstSeenAtMs }];
      });
  }

  /** Returns the writes that store a conflict; empty if it is expected, or if the owner dismissed it. */
  findingOf(
    lease: LeaseRecord,
    found: PointValue,
    values: Readonly<PointValues>,
    fallback: PointValue | null,
  ): readonly Write[] {
    const { settings, store, clock } = this.#options;
    const { point, value: held, revertTo } = lease;
    // A smart policy accepts a value that somebody sets at the unit.
    if (originOf(lease) === "smart-policy" || isSessionOver(point, values)) return [];
    const change: ForeignChange = { point, held, found, atRest: revertTo };
    const finding = {
      check: "control",
      deviceId: settings.id,
      assetKind: kindOf(point),
      against: null,
      ...inWords(change, fallback !== null && isSameControlValue(found, fallback)),
      fix: null,
      change,
    } as const;
    const id = idOf(finding);
    const before = store.get("finding", id);
    if (before !== null && before.state !== "OPEN") return [];
    this.#progress.delete(id);
    const firstSeenAtMs = before?.firstSeenAtMs ?? clock.nowMs();
    return [putFinding({ id, userId: settings.userId, finding, firstSeenAtMs, state: "OPEN" })];
  }

  /** Called after a commit; shows the assets again if it contains writes of `findingOf`. */
  apply(writes: readonly Write[]): void {
    if (writes.some(({ table }) => table === "finding")) this.#options.changed();
  }

  /** Closes the conflicts that new readings show to be over. `setpointOf` returns the gateway's value of a point. */
  observe(
    fresh: ReadonlySet<PointName>,
    values: Readonly<PointValues>,
    setpointOf: (point: ControlPoint) => PointValue | null,
  ): void {
    for (const record of this.#open()) {
      const { change } = record.finding;
      const reading = change === undefined ? null : (values[change.point] ?? null);
      if (change === undefined || reading === null || !fresh.has(change.point)) continue;
      if (this.#isOver(record.id, change, reading, setpointOf(change.point))) void this.#close(record);
    }
  }

  #isOver(id: string, { atRest }: ForeignChange, reading: PointValue, setpoint: PointValue | null): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const progress = this.#progress.get(id) ?? { matchingReadings: 0, atRestSinceMs: null };
    this.#progress.set(id, progress);
    progress.matchingReadings =
      setpoint !== null && isSameControlValue(reading, setpoint) ? progress.matchingReadings + 1 : 0;
    progress.atRestSinceMs = isAtRest(reading, atRest) ? (progress.atRestSinceMs ?? nowMs) : null;
    const isReleased = progress.atRestSinceMs !== null && nowMs - progress.atRestSinceMs >= RELEASED_AFTER_MS;
    return progress.matchingReadings >= RESOLVED_AFTER_READINGS || isReleased;
  }

  #open(): readonly FindingRecord[] {
    const { settings, store } = this.#options;
    return store
      .all("finding")
      .filter(
        ({ state, finding }) => finding.check === "control" && finding.deviceId === settings.id && state === "OPEN",
      );
  }

  /** Deletes the finding of a resolved conflict. If that fails, the next readings try again. */
  async #close(record: FindingRecord): Promise<void> {
    const { store, log, changed } = this.#options;
    const { change } = record.finding;
    this.#progress.delete(record.id);
    try {
      await store.commit([removeFinding(record)], []);
      log.info({ point: change?.point }, "control conflict resolved");
      changed();
    } catch (err) {
      log.warn(
        { err, point: change?.point },
        "cannot store the end of a control conflict; will retry at the next reading",
      );
    }
  }
}

/** True if the charging session ended: a charger resets its settings when the vehicle leaves, and stops when it is full. */
function isSessionOver(point: ControlPoint, values: Readonly<PointValues>): boolean {
  const kind = kindOf(point);
  if (kind !== "charger" && kind !== "vehicle") return false;
  const state = values[`${kind}.state`];
  return state === "UNPLUGGED" || (state === "PLUGGED_IN:COMPLETE" && point.endsWith(".enabled"));
}

function kindOf(point: ControlPoint): FindingRecord["finding"]["assetKind"] {
  const [kind] = point.split(".");
  switch (kind) {
    case "battery":
    case "charger":
    case "hvac":
    case "inverter":
    case "vehicle":
      return kind;
    default:
      throw new Error(`no asset has the control ${point}`);
  }
}

function inWords({ point, held, found, atRest }: ForeignChange, isFallback: boolean): ReturnType<typeof measured> {
  const values = { point, setpoint: shown(point, held), found: shown(point, found) };
  if (isFallback) return measured("failsafe", values);
  return measured(isAtRest(found, atRest) ? "reset" : "changed", values);
}

function shown(point: ControlPoint, value: PointValue): string | Amount {
  return typeof value === "number" ? { amount: value, unit: POINT_UNITS[point] ?? "" } : String(value);
}
