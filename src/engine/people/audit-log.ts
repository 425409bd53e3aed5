import { comparePositions } from "../../domain/page.ts";
import {
  type AuditedDeed,
  type AuditRecord,
  isSameDeed,
  keyOfDeed,
  MAX_AUDIT_ENTRIES,
} from "../../domain/people/audit.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Audit } from "../contracts/people.ts";
import { EarlyDates } from "../devices/early-dates.ts";

const MAX_PATH_CHARACTERS = 300;

/** Entries of programs that write through the Modbus proxy: one that controls a device writes all day. */
const MAX_OF_PROGRAMS = MAX_AUDIT_ENTRIES / 2;

/** Who changed and commanded what, in a ring on disk that costs no separate write. */
export class AuditLog implements Audit {
  readonly #parts: AuditParts;
  /** Oldest first. */
  readonly #records: Map<string, AuditRecord>;
  /** The newest entry of each deed, by what makes it the same. */
  readonly #newest = new Map<string, string>();
  /** What was dated before the clock was set. */
  readonly #early: EarlyDates;

  constructor(parts: AuditParts) {
    this.#parts = parts;
    this.#early = new EarlyDates(parts.clock, () =>
      [...this.#records.values()].flatMap(({ atMs, lastAtMs }) => [atMs, lastAtMs]),
    );
    const stored = [...parts.store.all("audit")].sort((a, b) => a.atMs - b.atMs);
    this.#records = new Map(stored.map((record) => [record.id, record]));
    for (const record of stored) this.#newest.set(keyOfDeed(record), record.id);
  }

  list(): readonly AuditRecord[] {
    this.#redate();
    const position = ({ atMs, id }: AuditRecord) => ({ createdAtMs: atMs, id });
    return [...this.#records.values()].sort((a, b) => comparePositions(position(a), position(b)));
  }

  note(asked: AuditedDeed): void {
    const { clock, random, store } = this.#parts;
    const deed = { ...asked, path: asked.path.slice(0, MAX_PATH_CHARACTERS) };
    this.#redate();
    const nowMs = clock.nowMs();
    this.#early.note(nowMs, clock.monotonicMs());
    const same = this.#records.get(this.#newest.get(keyOfDeed(deed)) ?? "");
    const record: AuditRecord =
      same !== undefined && isSameDeed(same, deed, nowMs)
        ? { ...same, lastAtMs: nowMs, count: same.count + 1 }
        : { ...deed, id: random.uuid(), atMs: nowMs, lastAtMs: nowMs, count: 1 };
    this.#records.set(record.id, record);
    this.#newest.set(keyOfDeed(deed), record.id);
    store.commitAlong([{ table: "audit", key: record.id, put: record }, ...this.#surplus()]);
  }

  /** Corrects the dates of before the clock was set, once it is. */
  #redate(): void {
    if (!this.#early.isDue) return;
    const writes: Write[] = [];
    for (const [id, record] of this.#records) {
      const atMs = this.#early.redated(record.atMs);
      const lastAtMs = this.#early.redated(record.lastAtMs);
      if (atMs === record.atMs && lastAtMs === record.lastAtMs) continue;
      const put = { ...record, atMs, lastAtMs };
      this.#records.set(id, put);
      writes.push({ table: "audit", key: id, put });
    }
    this.#early.clear();
    if (writes.length > 0) this.#parts.store.commitAlong(writes);
  }

  #surplus(): Write[] {
    if (this.#records.size <= MAX_AUDIT_ENTRIES) return [];
    const all = [...this.#records.values()];
    const ofPrograms = all.filter(({ who }) => who.kind === "program");
    const gone = (ofPrograms.length > MAX_OF_PROGRAMS ? ofPrograms : all).slice(0, all.length - MAX_AUDIT_ENTRIES);
    for (const record of gone) {
      this.#records.delete(record.id);
      const key = keyOfDeed(record);
      if (this.#newest.get(key) === record.id) this.#newest.delete(key);
    }
    return gone.map(({ id }) => ({ table: "audit", key: id, remove: true }));
  }
}

interface AuditParts {
  readonly store: Pick<Store, "all" | "commitAlong">;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly random: Pick<Random, "uuid">;
}
