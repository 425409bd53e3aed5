import type { DeviceRegisters, PollClass, RegisterRange, RegisterTable } from "hemgate/sdk";

/** The period of each class, ms. */
export const POLL_MS: Readonly<Record<PollClass, number>> = { fast: 1_000, normal: 5_000, slow: 60_000 };

/** Which connection the next request goes over. */
export interface LinkState {
  /** Connections that were opened so far. */
  readonly count: number;
  /** False: the next request opens another one. */
  readonly isOpen: boolean;
}

/** What became of a read: its registers, or what it failed with. */
export type ReadOutcome = Uint16Array | { readonly error: unknown };

/** A unit behind a Modbus connection, as decoders and profiles see it. */
export interface ModbusUnit {
  /** Reads 1 to 125 registers, or as many coils, one a word. Rejects with a `DeviceError`; an exception answer is `rejected`. */
  read(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<Uint16Array>;
  /** As many reads, asked for together; resolves in their order when all have ended. Absent: `read` is called for each. */
  readAll?(ranges: readonly RegisterRange[], signal: AbortSignal): Promise<readonly ReadOutcome[]>;
  /** Writes registers, one with function 6 or 16 as asked, more always with 16; or a coil with 5. Before queued reads. */
  write(address: number, values: readonly number[], code: 5 | 6 | 16, signal: AbortSignal): Promise<void>;
  /** As a guest: requests of other programs, which take turns with the reads above and wait for all writes. Absent where nobody shares. */
  readonly guest?: Pick<DeviceRegisters, "read" | "write">;
  /** The connection as it is now; absent where there is none to lose. */
  readonly link?: LinkState;
  /** Another unit behind the same connection; the caller disposes it. Absent where there is none. */
  sibling?(id: number): ModbusUnit & Disposable;
}
