import { isSameSetting } from "../../domain/actions/action-wish.ts";
import { isAtRest } from "../../domain/actions/lease.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ForeignChange } from "../../domain/checks/finding.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { type ControlPoint, POINT_UNITS, type PointName, type PointValue } from "../../points/points.ts";
import type { FindingRecord } from "../../store/records/checks.ts";
import type { LeaseRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { originOf } from "../actions/lease-records.ts";
import type { TakenOver } from "../contracts/engine.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";
import { idOf, putFinding, removeFinding } from "./finding-records.ts";

/** So many readings in a row that show what the gateway holds: it has the device again. */
const HELD_AFTER_READINGS = 3;
/** Whoever controls a device says so again within this time; one that is at rest for longer was let go, ms. */
const LET_GO_AFTER_MS = 10 * 60_000;

export interface TakenPointsOptions {
  readonly settings: Pick<DeviceSettings, "id" | "userId">;
  readonly store: Pick<Store, "commit" | "all" | "get">;
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly log: Log;
  /** What is told of the device's assets changed. */
  changed(): void;
}

interface Signs {
  heldReadings: number;
  /** Monotonic ms since which the device is at rest; null while it is not. */
  restingSinceMs: number | null;
}

/** What somebody else set on one device although the gateway held it: told until one of the two has given way. */
export class TakenPoints {
  readonly #options: TakenPointsOptions;
  readonly #signs = new Map<string, Signs>();

  constructor(options: TakenPointsOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get list(): readonly TakenOver[] {
    return this.#open()
      .toSorted((a, b) => a.firstSeenAtMs - b.firstSeenAtMs)
      .flatMap(({ finding: { change }, firstSeenAtMs }) =>
        change === undefined
          ? []
          : [{ point: change.point, held: change.held, found: change.found, atMs: firstSeenAtMs }],
      );
  }

  /** What tells of a value that was changed; nothing where that is no news, or the owner said that it is meant so. */
  toTell(
    lease: LeaseRecord,
    found: PointValue,
    values: Readonly<PointValues>,
    fallback: PointValue | null,
  ): readonly Write[] {
    const { settings, store, clock } = this.#options;
    const { point, value, revertTo } = lease;
    // A smart policy takes what somebody sets at the unit as the new base.
    if (originOf(lease) === "smart-policy" || isSessionOver(point, values)) return [];
    const change: ForeignChange = { point, held: value, found, atRest: revertTo };
    const finding = {
      check: "control",
      deviceId: settings.id,
      assetKind: kindOf(point),
      against: null,
      measured: inWords(change, fallback !== null && isSameSetting(found, fallback)),
      fix: null,
      change,
    } as const;
    const id = idOf(finding);
    const before = store.get("finding", id);
    if (before !== null && before.state !== "OPEN") return [];
    this.#signs.delete(id);
    const firstSeenAtMs = before?.firstSeenAtMs ?? clock.nowMs();
    return [putFinding({ id, userId: settings.userId, finding, firstSeenAtMs, state: "OPEN" })];
  }

  /** Follows a commit: only what `toTell` answered matters here. */
  apply(writes: readonly Write[]): void {
    if (writes.some(({ table }) => table === "finding")) this.#options.changed();
  }

  /** Looks at the readings of a turn. `held` are the values that the gateway holds. */
  observed(
    fresh: ReadonlySet<PointName>,
    values: Readonly<PointValues>,
    held: (point: ControlPoint) => PointValue | null,
  ): void {
    for (const record of this.#open()) {
      const { change } = record.finding;
      const reading = change === undefined ? null : (values[change.point] ?? null);
      if (change === undefined || reading === null || !fresh.has(change.point)) continue;
      if (this.#isOver(record.id, change, reading, held(change.point))) void this.#forget(record);
    }
  }

  #isOver(id: string, { atRest }: ForeignChange, reading: PointValue, held: PointValue | null): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const signs = this.#signs.get(id) ?? { heldReadings: 0, restingSinceMs: null };
    this.#signs.set(id, signs);
    signs.heldReadings = held !== null && isSameSetting(reading, held) ? signs.heldReadings + 1 : 0;
    signs.restingSinceMs = isAtRest(reading, atRest) ? (signs.restingSinceMs ?? nowMs) : null;
    const isLetGo = signs.restingSinceMs !== null && nowMs - signs.restingSinceMs >= LET_GO_AFTER_MS;
    return signs.heldReadings >= HELD_AFTER_READINGS || isLetGo;
  }

  #open(): readonly FindingRecord[] {
    const { settings, store } = this.#options;
    return store
      .all("finding")
      .filter(
        ({ state, finding }) => finding.check === "control" && finding.deviceId === settings.id && state === "OPEN",
      );
  }

  /** The disk may refuse: the next turn tries again. */
  async #forget(record: FindingRecord): Promise<void> {
    const { store, log, changed } = this.#options;
    const { change } = record.finding;
    this.#signs.delete(record.id);
    try {
      await store.commit([removeFinding(record)], []);
      log.info({ point: change?.point }, "nobody else changes the value any more");
      changed();
    } catch (err) {
      log.warn({ err, point: change?.point }, "end of a take-over not stored yet");
    }
  }
}

/** A charger forgets what it was told when the vehicle leaves, and stops by itself when that is full. */
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

function inWords({ point, held, found, atRest }: ForeignChange, isFallback: boolean): string {
  const told = `${point} was held at ${shown(point, held)} and shows ${shown(point, found)}`;
  if (isFallback) {
    return `${told}, what the device falls back to by itself, before the gateway's timer was over: another controller may have set that timer.`;
  }
  return isAtRest(found, atRest)
    ? `${told}, its value at rest: another controller or a person took it back, or the device started anew.`
    : `${told}: another controller, or a person at the device, changed it.`;
}

function shown(point: ControlPoint, value: PointValue): string {
  return typeof value === "number" ? `${value} ${POINT_UNITS[point]}` : String(value);
}
