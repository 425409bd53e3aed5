import {
  type Clock,
  type ControlPoint,
  DeviceError,
  type DeviceIdentity,
  type Driver,
  type FormulaScope,
  type FormulaValue,
  OtherDeviceError,
  type PointName,
  type PointValue,
  type PollClass,
  type PresentParts,
  type Reading,
  TimeoutError,
  within,
} from "hemgate/sdk";
import { fieldValue } from "./field-value.ts";
import { acceptsValue, type HttpMapControl } from "./http-control.ts";
import type { HttpMap, MapPoint } from "./http-map.ts";
import type { HttpPoll } from "./http-profile.ts";
import type { HttpUnit } from "./http-unit.ts";
import { PausedPolls } from "./paused-polls.ts";
import { isPointName } from "./point-name.ts";

/** A read has to end within the time that a device's loop gives it, 30 s; what does not fit stays due. */
const READ_BUDGET_MS = 28_000;
/** With less left a request is not begun. */
const LEAST_MS = 4_000;
/** What was not answered for so many of its periods is not known any more, and no sooner than after so long. */
const LATE_FACTOR = 3;
const LEAST_LATE_MS = 10_000;
/** A device whose serial number was read within so long is still the same for a command. */
const RECOGNIZED_MS = 60_000;
/** An answer from connecting is good for the first read within so long. */
const FRESH_MS = 10_000;

export interface HttpDriverParts {
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly unit: HttpUnit;
  readonly map: HttpMap;
  readonly identity: DeviceIdentity;
  /** As `Driver.serialSource`. */
  readonly serialSource: string | undefined;
  /** The id of the request whose answer tells the serial number; undefined where none does. */
  readonly serialPoll: string | undefined;
  /** Throws an `OtherDeviceError` for an answer that tells another serial number. */
  recognize(pollId: string, document: unknown): void;
  /** Shared with the controls: what was read last, by key. */
  readonly values: Map<string, FormulaValue>;
  readonly controls: readonly HttpMapControl[];
  readonly unconfirmed: readonly ControlPoint[];
  readonly pollMs: Readonly<Record<PollClass, number>>;
  readonly scope: FormulaScope;
  /** Answers that connecting has already, by the id of the request. */
  readonly answered: ReadonlyMap<string, unknown>;
  /** Which parts the device has; null: all that the points name. */
  readonly parts: PresentParts | null;
  /** The share of the line. */
  readonly resources: Disposable;
}

/** When a round began, and how much of its time is left. */
interface Span {
  readonly startMs: number;
  readonly leftMs: number;
}

/** What became of a round. */
interface Round {
  readonly readings: Reading[];
  readonly touched: Set<string>;
  answers: number;
  failure: DeviceError | null;
}

/** Runs the map of any profile: asks for what is due and makes readings of the answers. */
export class HttpDriver implements Driver {
  readonly identity: DeviceIdentity;
  readonly serialSource: string | undefined;
  readonly vendors: readonly string[];
  readonly isEnergyManager: boolean;
  readonly points: readonly PointName[];
  readonly controls: readonly HttpMapControl[];
  readonly unconfirmed: readonly ControlPoint[];
  readonly pollMs: number;
  readonly #parts: HttpDriverParts;
  readonly #values: Map<string, FormulaValue>;
  readonly #lastTick = new Map<string, number>();
  readonly #pausedPolls: PausedPolls;
  /** When each request was answered last. */
  readonly #answeredMs = new Map<string, number>();
  readonly #connectedMs: number;
  #answered: ReadonlyMap<string, unknown>;

  constructor(parts: HttpDriverParts) {
    const { map, identity, controls, unconfirmed, pollMs } = parts;
    this.#parts = parts;
    this.#values = parts.values;
    this.#answered = parts.answered;
    this.#pausedPolls = new PausedPolls(parts.answered.keys());
    this.#connectedMs = parts.clock.monotonicMs();
    this.identity = identity;
    this.serialSource = parts.serialSource;
    this.vendors = map.profile.vendors;
    this.isEnergyManager = map.profile.isEnergyManager ?? false;
    this.points = map.pointNames;
    this.controls = controls;
    this.unconfirmed = unconfirmed;
    this.pollMs = Math.min(...map.profile.polls.map(({ poll }) => pollMs[poll]));
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    signal.throwIfAborted();
    const startMs = this.#parts.clock.monotonicMs();
    const round: Round = { readings: [], touched: new Set(), answers: 0, failure: null };
    if (startMs - this.#connectedMs > FRESH_MS) this.#answered = new Map();
    for (const poll of this.#parts.map.polls) {
      if (scope === "due" && this.#lastTick.get(poll.id) === this.#tick(poll, startMs)) continue;
      const leftMs = startMs + READ_BUDGET_MS - this.#parts.clock.monotonicMs();
      if (leftMs < LEAST_MS) break;
      await this.#poll(poll, { startMs, leftMs }, round, signal);
    }
    this.#answered = new Map();
    const { failure } = round;
    if (failure !== null && (round.answers === 0 || failure.kind !== "unreachable")) throw failure;
    this.#derive(round);
    this.#parts.parts?.look(this.#parts.scope);
    return round.readings;
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    const control = this.controls.find((each) => each.point === point);
    if (control === undefined) throw new DeviceError("rejected", `${point} of this device cannot be written`);
    if (!acceptsValue(control, value)) throw new DeviceError("rejected", `${point} does not take ${value}`);
    this.#answered = new Map();
    await this.#recognize(signal);
    await control.write(value, signal);
  }

  /** Looks who is at the address before a command, where nobody did lately: each request opens a separate connection. */
  async #recognize(signal: AbortSignal): Promise<void> {
    const { clock, map, serialPoll, unit } = this.#parts;
    const poll = map.polls.find(({ id }) => id === serialPoll);
    const nowMs = clock.monotonicMs();
    if (poll === undefined || nowMs - (this.#answeredMs.get(poll.id) ?? this.#connectedMs) < RECOGNIZED_MS) return;
    try {
      this.#parts.recognize(poll.id, await unit.ask(poll, signal));
      this.#answeredMs.set(poll.id, nowMs);
    } catch (error) {
      // One that keeps its serial number to itself now is asked again before the next command.
      if (!(error instanceof DeviceError) || error.kind !== "rejected") throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.resources[Symbol.dispose]();
  }

  #tick({ poll }: HttpPoll, nowMs: number): number {
    return Math.floor(nowMs / this.#parts.pollMs[poll]);
  }

  async #poll(poll: HttpPoll, { startMs, leftMs }: Span, round: Round, signal: AbortSignal): Promise<void> {
    const points = this.#parts.map.points.get(poll.id) ?? [];
    if (this.#pausedPolls.isPaused(poll.id, startMs)) return this.#take(points, null, round);
    try {
      const document = this.#answered.get(poll.id) ?? (await this.#ask(poll, leftMs, signal));
      this.#parts.recognize(poll.id, document);
      this.#take(points, document, round);
      this.#pausedPolls.answered(poll.id);
      this.#answeredMs.set(poll.id, startMs);
      round.answers += 1;
    } catch (error) {
      if (!(error instanceof DeviceError) || error instanceof OtherDeviceError) throw error;
      const isRefused = error.kind === "rejected" || error.kind === "unauthorized";
      if (!(poll.isOptional === true && isRefused)) {
        // Another answer of the same round may still be worth something; the first failure tells most.
        round.failure ??=
          error.kind === "rejected" ? new DeviceError("unreachable", error.message, { cause: error }) : error;
        // What is made of several answers must not go on with an old one of them.
        if (this.#isLate(poll, startMs)) this.#take(points, null, round);
        return;
      }
      this.#pausedPolls.refused(poll.id, startMs);
      // No sign of life: a device that refuses every request refuses this one, too.
      this.#take(points, null, round);
    }
    this.#lastTick.set(poll.id, this.#tick(poll, startMs));
  }

  #isLate({ id, poll }: HttpPoll, nowMs: number): boolean {
    const lateMs = Math.max(LEAST_LATE_MS, LATE_FACTOR * this.#parts.pollMs[poll]);
    const answeredMs = this.#answeredMs.get(id);
    // What an earlier connection read says nothing about now.
    return answeredMs === undefined || nowMs - answeredMs > lateMs;
  }

  async #ask(poll: HttpPoll, leftMs: number, signal: AbortSignal): Promise<unknown> {
    const { clock, unit } = this.#parts;
    try {
      return await within(clock, leftMs, signal, (inTime) => unit.ask(poll, inTime));
    } catch (error) {
      if (!(error instanceof TimeoutError) || signal.aborted) throw error;
      throw new DeviceError("unreachable", `${poll.path}: ${error.message}`, { cause: error });
    }
  }

  #take(points: readonly MapPoint[], document: unknown, round: Round): void {
    const known = (key: string): unknown => this.#values.get(key) ?? null;
    const found = points.map((point) => ({ point, value: document === null ? null : read(document, point, known) }));
    for (const { point, value } of found) {
      this.#values.set(point.key, value);
      round.touched.add(point.key);
      if (isPointName(point.key)) round.readings.push(reading(point.key, value));
    }
  }

  #derive({ readings, touched }: Round): void {
    for (const { point, from, value } of this.#parts.map.derived) {
      if (from.some((key) => touched.has(key))) readings.push(reading(point, value(this.#parts.scope)));
    }
  }
}

function read(document: unknown, point: MapPoint, known: (key: string) => unknown): FormulaValue {
  const value = fieldValue(document, point.compiled, known);
  const { states } = point;
  if (states === undefined || value === null) return value;
  const meaning = states.values[String(value)];
  return meaning === undefined ? states.otherwise : meaning;
}

/** The map guarantees that a point's field, or its derivation, yields the point's type. */
function reading(point: PointName, value: FormulaValue): Reading {
  return { point, value } as Reading;
}
