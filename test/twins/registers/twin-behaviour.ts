/** What a twin does beyond holding registers: written from vendors' lists and recorded facts, never from a profile. */
import type { TwinValue } from "./twin-register.ts";

/** What a device's settings amount to at this moment, in words that no register has. */
export interface TwinEffect {
  readonly battery?: {
    readonly does: "own-control" | "charge" | "discharge" | "idle" | "no-discharge" | "no-charge";
    /** W that a charge or discharge was asked for; 0 or more. */
    readonly askedW?: number;
  };
  readonly charger?: {
    /** Whether a vehicle may charge at all. */
    readonly isAllowed: boolean;
    /** A per phase; null where the device has no such setting. */
    readonly limitA: number | null;
    /** On so many phases, 0: the device decides; absent: it cannot be set. */
    readonly phases?: number;
  };
  /** Limit of the active power, % of the rated power. */
  readonly inverterPercent?: number;
  /** A heat pump by its own programme, kept from running, told to take more, or to cool. */
  /** What a heater was told to take, W; 0: nothing. */
  readonly heaterW?: number;
  readonly hvac?: "own-programme" | "blocked" | "more" | "cool";
}

/** What a behaviour sees of its twin, and moves. */
export interface TwinRegisters {
  has(id: string): boolean;
  /** The number at an id; 0 where it holds none. */
  number(id: string): number;
  /** The words at an id. */
  words(id: string): readonly number[];
  set(id: string, value: TwinValue): void;
  /** True when the register was written by a client since the device last fell back. */
  isFed(id: string): boolean;
}

/** The device's own timer, after which it no longer does what it was told. */
export interface TwinReversion {
  /** What starts the timer anew: any request of a client, or a write to one of these. */
  readonly fedBy: "requests" | readonly string[];
  /** Only a write of this value feeds it. */
  readonly fedWith?: number;
  /** How long, ms; 0 when the timer is off. */
  afterMs(twin: TwinRegisters): number;
  /** What changes when it runs out. */
  fallBack(twin: TwinRegisters): void;
}

/** Registers from an address on stand elsewhere; the plate, `plate.…`, stays where the table has it. */
export interface TwinShift {
  readonly from: number;
  readonly by: number;
}

export type Plug = "unplugged" | "stopped" | "charging";

export interface TwinBehaviour {
  /** The functions that write; all that fit the table when absent. */
  readonly writeCodes?: readonly (5 | 6 | 16)[];
  /** True: a request that covers more than one value, or part of one, is refused. */
  readonly isOneValuePerRequest?: boolean;
  /** True: functions 3 and 4 read the same registers. */
  readonly isReadByEither?: boolean;
  /** How it leaves the installer, by id. */
  readonly initial?: Readonly<Record<string, TwinValue>>;
  /** Settings in memory that wears, by the start of their ids. */
  readonly stored?: readonly string[];
  readonly reversion?: TwinReversion;
  /** Registers that show what another one was set to. */
  readonly mirrors?: Readonly<Record<string, string>>;
  /** More of the same at the addresses that follow: the id with its number 1, and how many there are. */
  readonly copies?: Readonly<Record<string, number>>;
  /** Where the registers of one connector stand: those from an address on are this much higher than in the table. */
  readonly shift?: TwinShift;
  /** What else it shows; plugged in is a vehicle that takes what it may. */
  show?(twin: TwinRegisters, isPluggedIn: boolean): void;
  /** What a charger's state registers hold. */
  readonly plug?: Readonly<Record<Plug, Readonly<Record<string, TwinValue>>>>;
  effect?(twin: TwinRegisters): TwinEffect;
}
