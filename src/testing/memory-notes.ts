import type { DeviceNotes } from "../sdk/notes.ts";

/** Notes in memory, for an adapter that is tested by itself. */
export class MemoryNotes implements DeviceNotes {
  readonly #texts = new Map<string, string>();

  get(deviceId: string, name: string): string | null {
    return this.#texts.get(`${deviceId}/${name}`) ?? null;
  }

  async put(deviceId: string, name: string, text: string): Promise<void> {
    this.#texts.set(`${deviceId}/${name}`, text);
  }
}
