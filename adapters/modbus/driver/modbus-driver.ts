import {
  type Clock,
  type Control,
  type ControlPoint,
  type DerivedPoint,
  DeviceError,
  type Driver,
  type PointName,
  type PointValue,
  type PollClass,
  type Reading,
  type RegisterPoint,
  type RegisterValue,
  type RegisterValues,
} from "hemgate/sdk";
import { NoAnswer } from "../bus/bus-link.ts";
import { ModbusException } from "../bus/modbus-exception.ts";
import { isPointName } from "../profile/point-name.ts";
import { type Block, planBlocks, splitBlock } from "./block-plan.ts";
import { BlockCompiler, runSteps } from "./compiled-block.ts";
import { acceptedText, acceptsValue } from "./control-value.ts";
import type { DeviceMap, MapControl } from "./device-map.ts";
import { LearnedBarriers } from "./learned-barriers.ts";
import { OverduePoints } from "./overdue-points.ts";
import { type ModbusUnit, POLL_MS, type ReadOutcome } from "./register-point.ts";
import { SameDevice } from "./same-device.ts";
import { SharedRegisters } from "./shared-registers.ts";
import { SilentBlocks } from "./silent-blocks.ts";
import { ValueTable } from "./value-table.ts";

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

/** A block that was refused, in whole or in part, or got no answer. */
type NotRead = "refused" | "failed";

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
  readonly #compiler: BlockCompiler;
  readonly #barriers = new LearnedBarriers();
  readonly #silent = new SilentBlocks();
  readonly #overdue = new OverduePoints();
  /** Keys that the device has, and could not tell last: a sum without one of them would be a false one. */
  readonly #lost = new Set<string>();
  readonly #values: ValueTable;
  readonly #plans = new Map<string, Plan>();
  #shared: SharedRegisters | null = null;
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
    this.#values = new ValueTable(map.registers.map(({ key }) => key));
    this.controls = map.controls.map((control) => offered(control, this.#values));
    this.unconfirmed = map.unconfirmed ?? [];
    const read = map.registers.map((point) => point.key).filter(isPointName);
    this.points = [...new Set([...read, ...map.derived.map(({ point }) => point)])];
    this.pollMs = Math.min(...map.registers.map(({ poll }) => this.#periodMs(poll)));
    this.#compiler = new BlockCompiler(map, this.#values);
  }

  /** Kept from the first use on: a device that no other program asks for keeps no registers. */
  get registers(): Driver["registers"] {
    const { clock, unit } = this.#parts;
    if (unit.guest === undefined) return undefined;
    this.#shared ??= new SharedRegisters({ clock, guest: unit.guest, same: this.#same });
    return this.#shared;
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
    if (!acceptsValue(control, value)) {
      throw new DeviceError("rejected", `${point} does not take ${value}: ${acceptedText(control, point)}`);
    }
    await this.#same.check(signal);
    try {
      await control.write(this.#parts.unit, value, this.#values, signal);
    } finally {
      this.#shared?.forget();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shared?.close();
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
    await this.#readTogether(usual, round, signal);
    let isToAsk = usual.length === 0 || round.reads.length > 0;
    for (const block of suspects) {
      if (isToAsk) isToAsk = !(await this.#readTogether([block], round, signal)).includes("failed");
      else round.missed.push(...block.points);
    }
  }

  /**
   * Reads blocks into the round; a refused one in halves, until it is known which registers are refused. Resolves with what
   * became of those that could not be read.
   */
  async #readTogether(blocks: readonly Block[], round: Round, signal: AbortSignal): Promise<readonly NotRead[]> {
    const askedAtMs = this.#shared === null ? 0 : this.#parts.clock.monotonicMs();
    const outcomes = await readAll(this.#parts.unit, blocks, signal);
    const failures: { readonly block: Block; readonly error: unknown }[] = [];
    blocks.forEach((block, at) => {
      const outcome = outcomes[at] ?? { error: new DeviceError("malformed", "no answer for a block") };
      if (outcome instanceof Uint16Array) {
        this.#answered(block, outcome, round);
        this.#shared?.keep(block, outcome, askedAtMs);
      } else failures.push({ block, error: outcome.error });
    });
    if (failures.length === 0) return [];
    // After what was read, which shows that the device is awake.
    return await Promise.all(failures.map(({ block, error }) => this.#notRead(block, error, round, signal)));
  }

  #answered(block: Block, registers: Uint16Array, round: Round): void {
    round.reads.push({ block, registers });
    this.#silent.answered(block);
    this.#overdue.answered(block.points);
  }

  async #notRead(block: Block, error: unknown, round: Round, signal: AbortSignal): Promise<NotRead> {
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
    const halves = splitBlock(block);
    if (halves === null) {
      round.nulls.push(...block.points);
      this.#barriers.refuse(block.points, this.#parts.clock.monotonicMs());
      return "refused";
    }
    const failed = await this.#readTogether(halves, round, signal);
    if (failed.length === 0) this.#barriers.cut(halves[1].table, halves[1].address);
    return failed.includes("failed") ? "failed" : "refused";
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
    const compiled = reads.map(({ block, registers }) => ({ ...this.#compiler.of(block), registers }));
    for (const { scales, registers } of compiled) runSteps(scales, registers, this.#values, readings);
    for (const { others, registers } of compiled) runSteps(others, registers, this.#values, readings);
    if (this.#lost.size > 0) for (const { block } of reads) for (const { key } of block.points) this.#lost.delete(key);
    if (this.#barriers.refused.length > 0) for (const { block } of reads) this.#barriers.accept(block.points);
    for (const { key } of nulls) {
      this.#values.forget(key);
      if (isPointName(key)) readings.push(reading(key, null));
    }
    if (this.#parts.map.derived.length > 0) {
      const touched = new Set([...compiled.flatMap(({ derived }) => derived), ...this.#compiler.derivedOf(nulls)]);
      this.#derive(touched, new Set(missed.map(({ key }) => key)), readings);
    }
    this.#parts.map.parts?.look({ value: (key) => this.#values.get(key) });
    return readings;
  }

  /** Works out the derived points of which something was read. `late`: the keys that got no answer in this round. */
  #derive(touched: ReadonlySet<DerivedPoint>, late: ReadonlySet<string>, readings: Reading[]): void {
    for (const derived of this.#parts.map.derived) {
      if (!touched.has(derived)) continue;
      const isLost = this.#lost.size > 0 && derived.from.some((key) => this.#lost.has(key));
      // Parts of different moments make a sum that never was; what is missing is asked for again soon.
      if (!isLost && late.size > 0 && derived.from.some((key) => late.has(key))) continue;
      readings.push(reading(derived.point, isLost ? null : derived.value(this.#values)));
    }
  }
}

const CLASSES: readonly PollClass[] = ["fast", "normal", "slow"];

function readAll(unit: ModbusUnit, blocks: readonly Block[], signal: AbortSignal): Promise<readonly ReadOutcome[]> {
  if (unit.readAll !== undefined) return unit.readAll(blocks, signal);
  const outcomes = blocks.map(({ table, address, count }) =>
    unit.read(table, address, count, signal).catch((error: unknown): ReadOutcome => ({ error })),
  );
  return Promise.all(outcomes);
}

/** A control whose fallback follows from what is read shows it as it is by then. */
function offered(control: MapControl, values: RegisterValues): Control {
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
