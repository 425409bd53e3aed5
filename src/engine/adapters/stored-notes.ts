import { DeviceError } from "../../points/device-error.ts";
import type { AccountNotes, DeviceNotes } from "../../sdk/notes.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

type NoteStore = Pick<Store, "commit" | "get" | "all">;

/** A text that an adapter stores about a subject: one of its devices or accounts. */
export interface Note {
  readonly adapter: string;
  readonly subject: string;
  readonly name: string;
  readonly text: string;
}

/** How notes about one kind of subject are stored, with their limits. */
export interface NoteTable {
  /** The kind of subject, for error texts. */
  readonly subject: string;
  readonly limits: {
    /** Notes per subject. */
    readonly notes: number;
    /** Characters of a note's name. */
    readonly name: number;
    /** Characters of a subject's id. */
    readonly subject: number;
    /** Characters of a text. */
    readonly text: number;
  };
  get(store: Pick<Store, "get">, note: Omit<Note, "text">): Note | null;
  all(store: Pick<Store, "all">): readonly Note[];
  put(note: Note): Write;
  remove(note: Omit<Note, "text">): Write;
}

/** The notes of one adapter about its devices or its accounts. */
export class StoredNotes implements DeviceNotes, AccountNotes {
  readonly #store: NoteStore;
  readonly #adapter: string;
  readonly #table: NoteTable;

  constructor(store: NoteStore, adapter: string, table: NoteTable) {
    this.#store = store;
    this.#adapter = adapter;
    this.#table = table;
  }

  get(subject: string, name: string): string | null {
    const note = this.#table.get(this.#store, { adapter: this.#adapter, subject, name });
    return note?.adapter === this.#adapter ? note.text : null;
  }

  names(subject: string): readonly string[] {
    return this.#table
      .all(this.#store)
      .filter((note) => note.adapter === this.#adapter && note.subject === subject)
      .map(({ name }) => name);
  }

  async put(subject: string, name: string, text: string): Promise<void> {
    if (this.get(subject, name) === text) return;
    const { limits, subject: kind } = this.#table;
    if (subject.length > limits.subject || name.length > limits.name || text.length > limits.text) {
      throw new DeviceError(
        "rejected",
        `the note ${name.slice(0, limits.name)} of a ${kind} exceeds the limit of ${limits.text} characters or ${limits.name} of its name`,
      );
    }
    if (this.names(subject).filter((other) => other !== name).length >= limits.notes) {
      throw new DeviceError("rejected", `the ${kind} already has ${limits.notes} notes; remove one first`);
    }
    await this.#store.commit([this.#table.put({ adapter: this.#adapter, subject, name, text })], []);
  }

  async remove(subject: string, name: string): Promise<void> {
    if (this.get(subject, name) === null) return;
    await this.#store.commit([this.#table.remove({ adapter: this.#adapter, subject, name })], []);
  }
}
