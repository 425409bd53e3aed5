import type { Files } from "../platform/ports/files-port.ts";

/** Files in memory, by their path. */
export class SimFiles implements Files {
  readonly #texts = new Map<string, string>();

  /** Null takes it away. */
  write(path: string, text: string | null): void {
    if (text === null) this.#texts.delete(path);
    else this.#texts.set(path, text);
  }

  async read(path: string): Promise<string> {
    const text = this.#texts.get(path);
    if (text === undefined) throw new Error(`${path}: no such file`);
    return text;
  }
}
