import {
  DeviceError,
  KeyedMutex,
  type RegisterField,
  type RegisterTable,
  type RegisterValue,
  registerWords,
} from "hemgate/sdk";
import { NoAnswer } from "../bus/bus-link.ts";
import { ModbusException } from "../bus/modbus-exception.ts";
import { decoder } from "../driver/decode.ts";
import type { ModbusUnit } from "../driver/register-point.ts";
import type { ProbeAnswer, ProbeLine } from "./probe-line.ts";

/** Reads of one unit; far more than the fingerprints of all profiles and a SunSpec chain take. */
const MAX_READS = 150;
/** Reads in a row without an answer: the unit is gone, or does not like being asked what it does not have. */
const MAX_SILENT = 3;
const GATEWAY_CODES: readonly number[] = [10, 11];

/**
 * A unit that is asked who it is, one request at a time. What was read is remembered, so that no register is asked for
 * twice.
 */
export class ProbedUnit implements ModbusUnit, Disposable {
  readonly id: number;
  readonly #line: ProbeLine;
  readonly #known = new Map<string, ProbeAnswer>();
  readonly #mutex = new KeyedMutex({ maxWaiting: null });
  #silent = 0;

  constructor(line: ProbeLine, id: number) {
    this.#line = line;
    this.id = id;
  }

  /** Whether more may be asked. */
  get isSpent(): boolean {
    return this.#line.isClosed || this.#silent >= MAX_SILENT || this.#known.size >= MAX_READS;
  }

  /** Whether somebody answers for this unit; a gateway that says that it does not answer is nobody. */
  async answers(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#ask(table, address, count, signal);
    return answer.kind === "registers" || (answer.kind === "exception" && !GATEWAY_CODES.includes(answer.code));
  }

  async read(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<Uint16Array> {
    const answer = await this.#ask(table, address, count, signal);
    if (answer.kind === "registers") return answer.registers;
    const asked = `unit ${this.id}, reading ${count} at ${address}`;
    throw answer.kind === "silence" ? new NoAnswer(`${asked}: no answer`) : new ModbusException(answer.code, asked);
  }

  /** A search never writes. */
  async write(): Promise<void> {
    throw new DeviceError("rejected", "a search writes nothing");
  }

  sibling(id: number): ProbedUnit {
    return new ProbedUnit(this.#line, id);
  }

  /** The value of a field; null when there is none. */
  async value(field: RegisterField, signal: AbortSignal): Promise<RegisterValue> {
    if (this.isSpent) return null;
    const answer = await this.#ask(field.table, field.address, registerWords(field), signal);
    return answer.kind === "registers" ? decoder(field)(answer.registers, 0, 0) : null;
  }

  /** The line is not this unit's own. */
  [Symbol.dispose](): void {}

  #ask(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<ProbeAnswer> {
    return this.#mutex.run("line", () => this.#askNow(table, address, count, signal));
  }

  async #askNow(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<ProbeAnswer> {
    const key = `${table} ${address} ${count}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.isSpent) return { kind: "silence" };
    const answer = await this.#line.read(this.id, table, address, count, signal);
    this.#silent = answer.kind === "silence" ? this.#silent + 1 : 0;
    this.#known.set(key, answer);
    return answer;
  }
}
