import assert from "node:assert/strict";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { ModbusImage, ModbusReply } from "../../../src/testing/modbus-server.ts";
import type { TwinBehaviour, TwinEffect, TwinRegisters } from "./twin-behaviour.ts";
import { addressesOf, keyOf, overlaps, placed } from "./twin-layout.ts";
import { showEffect } from "./twin-physics.ts";
import {
  sentinelWords,
  type TwinRegister,
  type TwinValue,
  twinWords,
  valueOfWords,
  wordsOfRaw,
  wordsOfValue,
} from "./twin-register.ts";

const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
/** Writes kept; the oldest go first. */
const MAX_WRITES = 10_000;

export interface TwinOptions {
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly behaviour?: TwinBehaviour;
  /** The only unit that answers; all do when absent. */
  readonly unit?: number;
  /** What a request for a register that the device does not have gets; exception 2 when absent. */
  readonly outside?: "exception" | "silence";
  /** How long each answer takes, ms. */
  readonly answerMs?: number;
}

/** A write that a client made. */
export interface TwinWrite {
  /** Monotonic ms. */
  readonly atMs: number;
  readonly id: string;
  readonly words: readonly number[];
  readonly code: 5 | 6 | 16;
  /** True when the register held the same before. */
  readonly isUnchanged: boolean;
}

/**
 * A device as its register list describes it, behind a Modbus server. Values go in and come out in the list's own units
 * and signs; what it shows the wire follows from the list alone.
 */
export class RegisterTwin implements ModbusImage, TwinRegisters {
  readonly registers: readonly TwinRegister[];
  readonly behaviour: TwinBehaviour;
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly #options: TwinOptions;
  readonly #byId: ReadonlyMap<string, TwinRegister>;
  /** Words by table and address. What is only written has a table of its own: some devices give it used addresses. */
  readonly #words = new Map<string, number>();
  readonly #refused = new Set<string>();
  readonly #writes: TwinWrite[] = [];
  readonly #fed = new Set<string>();
  #timer: Disposable | null = null;
  #sleep: "awake" | "silent" | "no-values" = "awake";
  #isPluggedIn = true;
  #requests = 0;

  constructor(registers: readonly TwinRegister[], options: TwinOptions) {
    this.behaviour = options.behaviour ?? {};
    this.registers = placed(registers, this.behaviour);
    this.#clock = options.clock;
    this.#options = options;
    this.#byId = new Map(this.registers.map((register) => [register.id, register]));
    assert.equal(this.#byId.size, this.registers.length, "two registers of a twin have one id");
    for (const register of this.registers) this.#put(register, Array(twinWords(register)).fill(0));
    for (const [id, value] of Object.entries(this.behaviour.initial ?? {})) this.set(id, value);
    this.#show();
  }

  /** Requests that reached it. */
  get requests(): number {
    return this.#requests;
  }

  get writes(): readonly TwinWrite[] {
    return this.#writes;
  }

  /** What its settings amount to; empty where nothing is known about them. */
  get effect(): TwinEffect {
    return this.behaviour.effect?.(this) ?? {};
  }

  /** Writes that changed nothing although they wear the device's memory. */
  get wear(): readonly TwinWrite[] {
    const { stored = [] } = this.behaviour;
    return this.#writes.filter(({ id, isUnchanged }) => isUnchanged && stored.some((start) => id.startsWith(start)));
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  words(id: string): readonly number[] {
    const register = this.#register(id);
    return addressesOf(register).map((address) => this.#words.get(keyOf(register, address)) ?? 0);
  }

  /** What it holds; null when that says "no value". */
  value(id: string): ReturnType<typeof valueOfWords> {
    return valueOfWords(this.#register(id), this.words(id));
  }

  number(id: string): number {
    const value = this.value(id);
    return typeof value === "number" ? value : 0;
  }

  set(id: string, value: TwinValue): void {
    const register = this.#register(id);
    this.#put(register, wordsOfValue(register, value));
  }

  setRaw(id: string, raw: bigint): void {
    const register = this.#register(id);
    this.#put(register, wordsOfRaw(register, raw));
  }

  /** Makes it say "no value" there; answers false when the device cannot say so. */
  setNothing(id: string): boolean {
    const register = this.#register(id);
    const words = sentinelWords(register);
    if (words !== null) this.#put(register, words);
    return words !== null;
  }

  /** From now on a request for this register gets exception 2, as on a model that lacks it. */
  refuse(id: string): void {
    this.#refused.add(id);
  }

  accept(id: string): void {
    this.#refused.delete(id);
  }

  /** As inverters are at night: deaf, or up with "no value" wherever they can say so and 0 elsewhere. */
  sleep(how: "silent" | "no-values"): void {
    this.#sleep = how;
  }

  wake(): void {
    this.#sleep = "awake";
  }

  /** Whether a vehicle that wants to charge is on it; for chargers. */
  plug(isPluggedIn: boolean): void {
    this.#isPluggedIn = isPluggedIn;
    this.#show();
  }

  isFed(id: string): boolean {
    return this.#fed.has(id);
  }

  readHolding(unit: number, address: number, count: number): ModbusReply {
    return this.#read(unit, 3, address, count);
  }

  readInput(unit: number, address: number, count: number): ModbusReply {
    return this.#read(unit, 4, address, count);
  }

  readCoils(unit: number, address: number, count: number): ModbusReply {
    return this.#read(unit, 1, address, count);
  }

  writeHolding(unit: number, address: number, words: readonly number[], code: 6 | 16): ModbusReply {
    return this.#write(unit, address, words, code);
  }

  writeCoil(unit: number, address: number, isOn: boolean): ModbusReply {
    return this.#write(unit, address, [Number(isOn)], 5);
  }

  #read(unit: number, code: 1 | 3 | 4, address: number, count: number): ModbusReply {
    if (!this.#hears(unit)) return { kind: "silence" };
    const codes = this.behaviour.isReadByEither === true && code !== 1 ? [3, 4] : [code];
    const touched = this.registers.filter(
      (register) => codes.includes(register.function) && register.access !== "w" && overlaps(register, address, count),
    );
    const wanted = Array.from({ length: count }, (_unused, index) => address + index);
    const holders = wanted.map((each) => touched.find((register) => overlaps(register, each, 1)));
    if (holders.some((holder) => holder === undefined || this.#refused.has(holder.id))) return this.#nothingThere();
    const [only] = touched;
    if (this.behaviour.isOneValuePerRequest === true) {
      const isWhole = touched.length === 1 && only?.address === address && twinWords(only) === count;
      if (!isWhole) return this.#nothingThere();
    }
    const values = wanted.map((each, index) => {
      const holder = holders[index];
      return holder === undefined ? 0 : this.#shown(holder, each);
    });
    return { kind: "values", values, ...this.#delay() };
  }

  /** What the wire is told about a register's word. */
  #shown(register: TwinRegister, address: number): number {
    const isSetting = register.access !== undefined && register.access !== "r";
    if (this.#sleep !== "no-values" || isSetting) return this.#words.get(keyOf(register, address)) ?? 0;
    return sentinelWords(register)?.[address - register.address] ?? 0;
  }

  #write(unit: number, address: number, words: readonly number[], code: 5 | 6 | 16): ModbusReply {
    if (!this.#hears(unit)) return { kind: "silence" };
    const isCode = this.behaviour.writeCodes?.includes(code) ?? true;
    if (!isCode) return { kind: "exception", code: ILLEGAL_FUNCTION, ...this.#delay() };
    const targets: TwinRegister[] = [];
    for (let at = address; at < address + words.length; ) {
      const target = this.#writable(at, code);
      if (target === undefined || this.#refused.has(target.id)) return this.#nothingThere();
      targets.push(target);
      at += twinWords(target);
      // A value that is more than one register is written whole, and by function 16.
      if (at > address + words.length) return this.#nothingThere();
    }
    for (const target of targets) this.#take(target, words.slice(target.address - address), code);
    this.#show();
    return { kind: "values", values: [], ...this.#delay() };
  }

  #writable(address: number, code: 5 | 6 | 16): TwinRegister | undefined {
    return this.registers.find(({ address: start, access, writeFunction, ...rest }) => {
      if (start !== address || access === undefined || access === "r" || writeFunction === undefined) return false;
      // One register is written by function 16 too, unless the device says otherwise; never the other way round.
      return writeFunction === code || (writeFunction === 6 && code === 16 && rest.function !== 1);
    });
  }

  #take(register: TwinRegister, from: readonly number[], code: 5 | 6 | 16): void {
    const words = from.slice(0, twinWords(register));
    const before = this.words(register.id);
    const isUnchanged = words.every((word, index) => word === before[index]);
    this.#put(register, words);
    this.#fed.add(register.id);
    this.#writes.push({ atMs: this.#clock.monotonicMs(), id: register.id, words, code, isUnchanged });
    if (this.#writes.length > MAX_WRITES) this.#writes.shift();
    const { reversion } = this.behaviour;
    if (reversion === undefined || reversion.fedBy === "requests" || !reversion.fedBy.includes(register.id)) return;
    if (reversion.fedWith === undefined || this.number(register.id) === reversion.fedWith) this.#feed();
  }

  /** Starts the device's own timer anew. */
  #feed(): void {
    const { reversion } = this.behaviour;
    this.#timer?.[Symbol.dispose]();
    this.#timer = null;
    const afterMs = reversion?.afterMs(this) ?? 0;
    if (reversion === undefined || afterMs <= 0) return;
    this.#timer = this.#clock.timer(afterMs, () => {
      this.#timer = null;
      this.#fed.clear();
      reversion.fallBack(this);
      this.#show();
    });
  }

  /** Counts a request; answers false when nobody is there to answer it. */
  #hears(unit: number): boolean {
    if (this.#sleep === "silent" || (this.#options.unit !== undefined && this.#options.unit !== unit)) return false;
    this.#requests += 1;
    if (this.behaviour.reversion?.fedBy === "requests") this.#feed();
    return true;
  }

  #nothingThere(): ModbusReply {
    if (this.#options.outside === "silence") return { kind: "silence" };
    return { kind: "exception", code: ILLEGAL_ADDRESS, ...this.#delay() };
  }

  #delay(): { readonly delayMs?: number } {
    return this.#options.answerMs === undefined ? {} : { delayMs: this.#options.answerMs };
  }

  /** Lets what it measures follow what it was told. */
  #show(): void {
    for (const [shown, setting] of Object.entries(this.behaviour.mirrors ?? {})) this.set(shown, this.number(setting));
    this.behaviour.show?.(this, this.#isPluggedIn);
    const { charger } = showEffect(this, this.effect, this.#isPluggedIn);
    if (charger === undefined) return;
    for (const [id, value] of Object.entries(this.behaviour.plug?.[charger] ?? {})) this.set(id, value);
  }

  #register(id: string): TwinRegister {
    const register = this.#byId.get(id);
    assert(register !== undefined, `the twin has no register ${id}`);
    return register;
  }

  #put(register: TwinRegister, words: readonly number[]): void {
    assert.equal(words.length, twinWords(register), `${register.id}: words`);
    for (const [index, word] of words.entries()) this.#words.set(keyOf(register, register.address + index), word);
  }
}
