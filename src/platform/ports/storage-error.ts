/**
 * What is wrong with a database or with what it stands on.
 * - `locked`: another process has it open; nothing is damaged.
 * - `damaged`: its files or a record in it are not what was written.
 * - `newer`: a later version of the gateway wrote it; opening it would lose data.
 * - `refused`: the disk does not take or give data now (full, I/O error), the store is closed, or its queue is full.
 */
export type StorageErrorKind = "locked" | "damaged" | "newer" | "refused";

/** A failure to keep or to find data; the message says of which database or record. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A failure of the database library as a `StorageError`; its codes stand on the error or on one of its causes. */
export function storageErrorOf(error: unknown, what: string): StorageError {
  if (error instanceof StorageError) return error;
  const codes = codesOf(error);
  if (codes.includes("LEVEL_LOCKED")) return new StorageError("locked", what, { cause: error });
  if (codes.includes("LEVEL_CORRUPTION")) return new StorageError("damaged", what, { cause: error });
  return new StorageError("refused", what, { cause: error });
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let next = error; next instanceof Error; next = next.cause) {
    if ("code" in next && typeof next.code === "string") codes.push(next.code);
  }
  return codes;
}
