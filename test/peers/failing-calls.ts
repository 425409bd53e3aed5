/** What `failing-calls.c`, the process that it is loaded into, and the test have in common. */

/** In the order of the C file. */
export const CALLS = ["open", "read", "write", "sync", "rename"] as const;
export type Call = (typeof CALLS)[number];

/** Of Linux. */
export const ERRORS = { EIO: 5, EACCES: 13, ENOSPC: 28 } as const;

/** Where the counts and the folder stand in the control file: after four numbers of 32 bits. */
export const COUNTS_AT = 16;
export const FOLDER_AT = COUNTS_AT + (CALLS.length + 1) * 4;
export const FOLDER_BYTES = 512;

export interface Fault {
  readonly call: Call;
  readonly errno: number;
  /** Which call fails, from 1. */
  readonly at: number;
  /** All from that one on. */
  readonly isForever: boolean;
}

export interface Outcome {
  readonly fault: Fault;
  /** How many calls failed. */
  readonly hits: number;
  /** How many calls of each kind there were. */
  readonly counts: readonly number[];
  /** Exit code and message of a start that was refused; null: it started. */
  readonly refusal: string | null;
  /** What the start after the fault found damaged. */
  readonly recovered: readonly string[];
  /** What was lost, or not as it must be. */
  readonly wrong: readonly string[];
}

/** The control file for a fault on a folder; calls are counted from 1 with it. */
export function faultBytes(stateFolder: string, { call, errno, at, isForever }: Fault): Buffer {
  const bytes = Buffer.alloc(FOLDER_AT + FOLDER_BYTES);
  for (const [index, value] of [CALLS.indexOf(call), errno, at, Number(isForever)].entries()) {
    bytes.writeInt32LE(value, index * 4);
  }
  bytes.write(stateFolder, FOLDER_AT);
  return bytes;
}
