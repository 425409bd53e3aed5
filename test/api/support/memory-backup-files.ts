import type { BackupFiles, StoredBackup } from "../../../src/platform/ports/backup-files-port.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";

interface File {
  readonly bytes: Buffer;
  readonly writtenAtMs: number;
}

/** A folder of backups in memory, because virtual time runs out while a real disk writes. */
export class MemoryBackupFiles implements BackupFiles {
  readonly folder = "/state/backups";
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #files = new Map<string, File>();
  /** Before each piece that is written or read; a test makes it fail, or wait. */
  atPiece: () => Promise<void> = async () => undefined;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Changes the bytes of a file, as a failing disk does. */
  damage(name: string): void {
    const file = this.#files.get(name);
    if (file === undefined) throw new Error(`no file ${name}`);
    const bytes = Buffer.from(file.bytes);
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    this.#files.set(name, { ...file, bytes });
  }

  async *own(): AsyncGenerator<never> {}

  async list(): Promise<readonly StoredBackup[]> {
    const all = [...this.#files].map(([name, { bytes, writtenAtMs }]) => ({ name, bytes: bytes.length, writtenAtMs }));
    return all.toSorted((one, other) => other.writtenAtMs - one.writtenAtMs);
  }

  async write(_folder: string, name: string, content: AsyncIterable<Uint8Array>): Promise<StoredBackup> {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) {
      await this.atPiece();
      pieces.push(piece);
    }
    const file = { bytes: Buffer.concat(pieces), writtenAtMs: this.#clock.nowMs() };
    this.#files.set(name, file);
    return { name, bytes: file.bytes.length, writtenAtMs: file.writtenAtMs };
  }

  async read(_folder: string, name: string): Promise<AsyncIterable<Uint8Array> | null> {
    const file = this.#files.get(name);
    return file === undefined ? null : this.#pieces(file.bytes);
  }

  async remove(_folder: string, name: string): Promise<void> {
    this.#files.delete(name);
  }

  async *#pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
    await this.atPiece();
    yield bytes;
  }
}
