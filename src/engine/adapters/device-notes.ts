import type { NoteRecord } from "../../store/records/notes.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Forgetter, Removal } from "../contracts/users.ts";
import type { Note, NoteTable } from "./stored-notes.ts";

/** The notes that adapters store about devices, by the gateway's device id. */
export const DEVICE_NOTES: NoteTable = {
  subject: "device",
  limits: { notes: 8, name: 40, subject: 200, text: 4_000 },
  get: (store, { subject, name }) => noteOf(store.get("note", keyOf(subject, name))),
  all: (store) => store.all("note").flatMap((record) => noteOf(record) ?? []),
  put: ({ subject, ...note }) => ({
    table: "note",
    key: keyOf(subject, note.name),
    put: { ...note, deviceId: subject },
  }),
  remove: ({ subject, name }) => ({ table: "note", key: keyOf(subject, name), remove: true }),
};

function noteOf(record: NoteRecord | null): Note | null {
  if (record === null) return null;
  const { deviceId: subject, ...note } = record;
  return { ...note, subject };
}

/** Deletes the notes of a device with the last of its assets. */
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
