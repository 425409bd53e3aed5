import { DeviceError } from "../sdk/device-error.ts";
import type { DeviceNotes } from "../sdk/notes.ts";
import type { NoteRecord } from "../store/records/notes.ts";
import type { Write } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import type { Forgetter, Removal } from "./services/users.ts";

/** More is data, and data have a place of their own. */
const MAX_NOTES = 8;
const MAX_NAME = 40;
const MAX_TEXT = 4_000;

/** What one adapter keeps of its devices, in the store. */
export class AdapterNotes implements DeviceNotes {
  readonly #store: Pick<Store, "commit" | "get" | "all">;
  readonly #adapter: string;

  constructor(store: Pick<Store, "commit" | "get" | "all">, adapter: string) {
    this.#store = store;
    this.#adapter = adapter;
  }

  get(deviceId: string, name: string): string | null {
    const note = this.#store.get("note", keyOf(deviceId, name));
    return note?.adapter === this.#adapter ? note.text : null;
  }

  async put(deviceId: string, name: string, text: string): Promise<void> {
    if (this.get(deviceId, name) === text) return;
    if (name.length > MAX_NAME || text.length > MAX_TEXT) {
      throw new DeviceError("rejected", `the note ${name.slice(0, MAX_NAME)} of ${deviceId} is too long`);
    }
    const others = this.#store.all("note").filter((note) => note.deviceId === deviceId && note.name !== name);
    if (others.length >= MAX_NOTES) throw new DeviceError("rejected", `${deviceId} has ${MAX_NOTES} notes already`);
    const put: NoteRecord = { adapter: this.#adapter, deviceId, name, text };
    await this.#store.commit([{ table: "note", key: keyOf(deviceId, name), put }], []);
  }
}

/** Forgets what adapters keep of a device with the last of its assets. */
export class NoteRemovals implements Forgetter {
  readonly #store: Pick<Store, "all">;

  constructor(store: Pick<Store, "all">) {
    this.#store = store;
  }

  forget(removal: Removal): readonly Write[] {
    if (removal.kind !== "assets") return [];
    const staying = new Set(
      this.#store.all("asset").flatMap(({ id, deviceId }) => (removal.assetIds.has(id) ? [] : [deviceId])),
    );
    const leaving = new Set(
      this.#store.all("asset").flatMap(({ id, deviceId }) => (removal.assetIds.has(id) ? [deviceId] : [])),
    );
    return this.#store
      .all("note")
      .filter(({ deviceId }) => leaving.has(deviceId) && !staying.has(deviceId))
      .map(removeNote);
  }
}

export function removeNote({ deviceId, name }: NoteRecord): Write {
  return { table: "note", key: keyOf(deviceId, name), remove: true };
}

function keyOf(deviceId: string, name: string): string {
  return `${deviceId}/${name}`;
}
