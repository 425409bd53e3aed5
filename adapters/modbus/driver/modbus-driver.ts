import {
  type Clock,
  type Control,
  type ControlPoint,
  DeviceError,
  type Driver,
  type PointName,
  type PointValue,
  type PollClass,
  type Reading,
  type RegisterPoint,
  type RegisterValue,
} from "hemgate/sdk";
import { NoAnswer } from "../bus/bus-link.ts";
import { ModbusException } from "../bus/modbus-exception.ts";
import { isPointName } from "../profile/point-name.ts";
import { type Block, planBlocks, splitBlock } from "./block-plan.ts";
import { type CompiledPoint, compile } from "./compiled-point.ts";
import { acceptsValue } from "./control-value.ts";
import { scaleTens } from "./decode.ts";
import type { DeviceMap, MapControl } from "./device-map.ts";
import { LearnedBarriers } from "./learned-barriers.ts";
import { OverduePoints } from "./overdue-points.ts";
import { type ModbusUnit, POLL_MS } from "./register-point.ts";
import { SameDevice } from "./same-device.ts";
import { SilentBlocks } from "./silent-blocks.ts";

/** What a driver is made of. The driver disposes `resources`: the unit and its share of the bus. */
export interface DriverParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly unit: ModbusUnit;
  readonly map: DeviceMap;
  /** Periods that differ from the usual ones. */
  readonly pollMs: Readonly<Partial<Record<PollClass, number | undefined>>>;
  readonly resources: Disposable;
}

/** The plan of a round, kept while the same classes are due and nothing new was learned. */
interface Plan {
  readonly blocks: readonly Block[];
  /** Points that are due and refused: null without asking. */
  readonly paused: readonly RegisterPoint<string>[];
}

interface BlockRead {
  readonly block: Block;
  readonly registers: Uint16Array;
}

/** What became of a round's requests. */
interface Round {
  readonly reads: BlockRead[];
  readonly nulls: RegisterPoint<string>[];
  /** Points that got no answer: their classes stay due. */
  readonly missed: RegisterPoint<string>[];
  failure: DeviceError | null;
}

/** Runs any device map: asks for what is due in the fewest requests and turns registers into readings. */
export class ModbusDriver implements Driver {
  readonly identity: Driver["identity"];
  readonly serialSource: string | undefined;
  readonly vendors: Driver["vendors"];
  readonly isEnergyManager: boolean;
  readonly points: readonly PointName[];
  readonly controls: Driver["controls"];
  readonly unconfirmed: NonNullable<Driver["unconfirmed"]>;
  readonly pollMs: number;
  readonly #parts: DriverParts;
  readonly #same: SameDevice;
  readonly #compiled: ReadonlyMap<RegisterPoint<string>, CompiledPoint>;
  readonly #hasScales: boolean;
  readonly #barriers = new LearnedBarriers();
  readonly #silent = new SilentBlocks();
  readonly #overdue = new OverduePoints();
  /** Keys that the device has, and could not tell last: a sum without one of them would be a false one. */
  readonly #lost = new Set<string>();
  /** Of what the device answered for at least once. */
  readonly #values = new Map<string, RegisterValue>();
  readonly #plans = new Map<string, Plan>();
  readonly #lastTick = new Map<PollClass, number>();
  #plannedVersion = 0;
  #hasAnswered = false;

  constructor(parts: DriverParts) {
    const { map } = parts;
    this.#parts = parts;
    this.identity = map.identity;
    this.serialSource = map.serial?.source;
    this.#same = new SameDevice(parts.unit, map.identity.serial, map.serial);
    this.vendors = map.vendors;
    this.isEnergyManager = map.isEnergyManager ?? false;
    this.controls = map.controls.map((control) => offered(control, this.#values));
    this.unconfirmed = map.unconfirmed ?? [];
    const read = map.registers.map((point) => point.key).filter(isPointName);
    this.points = [...new Set([...read, ...map.derived.map(({ point }) => point)])];
    this.pollMs = Math.min(...map.registers.map(({ poll }) => this.#periodMs(poll)));
    const scales = new Set(map.registers.flatMap((point) => point.scaleFrom ?? []));
    this.#hasScales = scales.size > 0;
    this.#compiled = new Map(map.registers.map((point) => [point, compile(point, scales)]));
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    signal.throwIfAborted();
    const nowMs = this.#parts.clock.monotonicMs();
    const due = CLASSES.filter((poll) => scope === "all" || this.#lastTick.get(poll) !== this.#tick(poll, nowMs));
    const plan = this.#plan(due, nowMs);
    const round: Round = { reads: [], nulls: [...plan.paused], missed: [], failure: null };
    if (plan.blocks.length > 0) await this.#same.check(signal);
    await this.#readBlocks(plan.blocks, round, signal);
    if (this.#same.isInDoubt) await this.#same.check(signal);
    const overdue = this.#overdue.missed(round.missed, nowMs);
    if (round.failure !== null && round.reads.length === 0 && round.nulls.length === plan.paused.length) {
      throw round.failure;
    }
    const unanswered = new Set(round.missed.map(({ poll }) => poll));
    for (const poll of due) if (!unanswered.has(poll)) this.#lastTick.set(poll, this.#tick(poll, nowMs));
    // What an earlier connection read says nothing about now.
    const unknown = this.#hasAnswered ? overdue : round.missed;
    this.#hasAnswered = true;
    round.nulls.push(...unknown);
    this.#lose(unknown);
    return this.#readings(round);
  }

  async write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void> {
    const control = this.#parts.map.controls.find((each) => each.point === point);
    if (control === undefined) throw new DeviceError("rejected", `${point} of this device cannot be written`);
    if (!acceptsValue(control, value)) throw new DeviceError("rejected", `${point} does not take ${value}`);
    await this.#same.check(signal);
    await control.write(this.#parts.unit, value, this.#values, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.resources[Symbol.dispose]();
  }

  #periodMs(poll: PollClass): number {
    return this.#parts.pollMs[poll] ?? POLL_MS[poll];
  }

  /** Ticks are counted from the clock's start, so that all devices' points come due at the same instants. */
  #tick(poll: PollClass, nowMs: number): number {
    return Math.floor(nowMs / this.#periodMs(poll));
  }

  #plan(due: readonly PollClass[], nowMs: number): Plan {
    if (this.#plannedVersion !== this.#barriers.version) {
      this.#plans.clear();
      this.#plannedVersion = this.#barriers.version;
    }
    const paused = this.#barriers.refused.filter((point) => this.#barriers.isPaused(point, nowMs));
    // Refused points come off rest in the order of refusal, so that their number tells which.
    const key = `${due.join()} ${paused.length}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const { registers, limits } = this.#parts.map;
    const requested = registers.filter(({ poll }) => due.includes(poll));
    const scales = new Set(requested.flatMap(({ scaleFrom }) => scaleFrom ?? []));
    const points = registers.filter((point) => due.includes(point.poll) || scales.has(point.key));
    const plan: Plan = {
      blocks: planBlocks(
        points.filter((point) => !paused.includes(point)),
        limits,
        this.#barriers,
      ),
      paused: points.filter((point) => paused.includes(point)),
    };
    this.#plans.set(key, plan);
    return plan;
  }

  /** Reads what is under no suspicion at once, and then, one by one, what stayed silent before. */
  async #readBlocks(blocks: readonly Block[], round: Round, signal: AbortSignal): Promise<void> {
    const { usual, suspects } = this.#silent.sorted(blocks);
    await Promise.all(usual.map((block) => this.#readBlock(block, round, signal)));
    let isToAsk = usual.length === 0 || round.reads.length > 0;
    for (const block of suspects) {
      if (isToAsk) isToAsk = (await this.#readBlock(block, round, signal)) !== "failed";
      else round.missed.push(...block.points);
    }
  }

  /** Reads a block into the round; a refused one in halves, until it is known which registers are refused. */
  async #readBlock(block: Block, round: Round, signal: AbortSignal): Promise<"read" | "refused" | "failed"> {
    try {
      const registers = await this.#parts.unit.read(block.table, block.address, block.count, signal);
      round.reads.push({ block, registers });
      this.#silent.answered(block);
      this.#overdue.answered(block.points);
      return "read";
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      if (error instanceof NoAnswer || (error instanceof ModbusException && error.isFromGateway)) {
        return this.#stayedSilent(block, error, round);
      }
      if (!(error instanceof ModbusException)) return this.#fail(block, error, round);
      this.#silent.answered(block);
      if (!error.isAboutRegisters) {
        round.nulls.push(...block.points);
        this.#lose(block.points);
        return "refused";
      }
    }
    const halves = splitBlock(block);
    if (halves === null) {
      round.nulls.push(...block.points);
      this.#barriers.refuse(block.points, this.#parts.clock.monotonicMs());
      return "refused";
    }
    const outcomes = await Promise.all(halves.map((half) => this.#readBlock(half, round, signal)));
    if (outcomes.every((outcome) => outcome === "read")) this.#barriers.cut(halves[1].table, halves[1].address);
    return outcomes.includes("failed") ? "failed" : "refused";
  }

  /** No answer, though the device may be there: after some rounds it is known which registers are to blame. */
  #stayedSilent(block: Block, error: DeviceError, round: Round): "failed" {
    const halves = splitBlock(block);
    const nowMs = this.#parts.clock.monotonicMs();
    const verdict = this.#silent.silent(block, round.reads.length > 0, halves === null, nowMs);
    if (verdict === "split" && halves !== null) this.#barriers.cut(halves[1].table, halves[1].address);
    if (verdict !== "refuse") return this.#fail(block, error, round);
    round.nulls.push(...block.points);
    // One that was read before is there, and silent for another reason; the others the device lacks.
    const known = block.points.filter(({ key }) => this.#values.has(key));
    for (const { key } of block.points) this.#lost.delete(key);
    this.#lose(known);
    this.#barriers.refuse(block.points, nowMs, this.#silent.restMs(block, known.length > 0, nowMs));
    return "failed";
  }

  #lose(points: readonly RegisterPoint<string>[]): void {
    for (const { key } of points) this.#lost.add(key);
  }

  #fail(block: Block, error: DeviceError, round: Round): "failed" {
    round.missed.push(...block.points);
    round.failure ??=
      error.kind === "rejected" ? new DeviceError("unreachable", error.message, { cause: error }) : error;
    return "failed";
  }

  /** Takes the values of a round over, powers of ten first, and makes readings of them. */
  #readings({ reads, nulls, missed }: Round): readonly Reading[] {
    const readings: Reading[] = [];
    const touched = new Set<string>();
    const late = new Set(missed.map(({ key }) => key));
    if (this.#hasScales) for (const each of reads) this.#decode(each, true, readings, touched);
    for (const each of reads) this.#decode(each, false, readings, touched);
    if (this.#barriers.refused.length > 0) for (const { block } of reads) this.#barriers.accept(block.points);
    for (const { key } of nulls) {
      if (this.#values.has(key)) this.#values.set(key, null);
      touched.add(key);
      if (isPointName(key)) readings.push(reading(key, null));
    }
    for (const derived of this.#parts.map.derived) {
      if (!derived.from.some((key) => touched.has(key))) continue;
      const isLost = this.#lost.size > 0 && derived.from.some((key) => this.#lost.has(key));
      // Parts of different moments make a sum that never was; what is missing is asked for again soon.
      if (!isLost && late.size > 0 && derived.from.some((key) => late.has(key))) continue;
      readings.push(reading(derived.point, isLost ? null : derived.value(this.#values)));
    }
    this.#parts.map.parts?.look({ value: (key) => this.#values.get(key) });
    return readings;
  }

  #decode({ block, registers }: BlockRead, isScale: boolean, readings: Reading[], touched: Set<string>): void {
    for (const point of block.points) {
      const compiled = this.#compiled.get(point);
      if (compiled === undefined || compiled.isScale !== isScale) continue;
      const tens = point.scaleFrom === undefined ? 0 : scaleTens(this.#values.get(point.scaleFrom));
      const value = tens === null ? null : compiled.decode(registers, point.address - block.address, tens);
      this.#values.set(point.key, value);
      if (this.#lost.size > 0) this.#lost.delete(point.key);
      if (this.#parts.map.derived.length > 0) touched.add(point.key);
      if (compiled.name !== null) readings.push(reading(compiled.name, value));
    }
  }
}

const CLASSES: readonly PollClass[] = ["fast", "normal", "slow"];

/** A control whose fallback follows from what is read shows it as it is by then. */
function offered(control: MapControl, values: ReadonlyMap<string, RegisterValue>): Control {
  if (control.fallback === undefined) return control;
  return {
    ...control,
    get fallsBackTo() {
      return control.fallback?.(values) ?? null;
    },
  };
}

/** The map guarantees that the point's registers, or its derivation, yield the point's type. */
function reading(point: PointName, value: PointValue | RegisterValue): Reading {
  return { point, value } as Reading;
}
