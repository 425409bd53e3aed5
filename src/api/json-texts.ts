/**
 * The JSON of records, made once each. Records are immutable and stay the same object until something in them changes,
 * so checking an answer against its description costs once a change, not once a request.
 */
import type { z } from "zod";
import type { Pagination } from "../domain/page.ts";
import { problem } from "../domain/problem.ts";
import type { Log } from "../platform/ports.ts";
import type { ApiVersion, RecordName } from "./versions/version.ts";

/** A kind of record and its description. */
export interface RecordShape {
  readonly name: RecordName;
  readonly schema: z.ZodType<object>;
}

export interface JsonTexts {
  /** The JSON of a record. Throws `response-validation-error` when it breaks its description. */
  record(version: ApiVersion, shape: RecordShape, record: object): string;
  /** The bytes of a page. */
  page(version: ApiVersion, shape: RecordShape, records: readonly object[], pagination: Pagination): Buffer;
}

interface MadePage {
  readonly records: readonly object[];
  readonly pagination: Pagination;
  readonly bytes: Buffer;
}

/** Texts by version and record: they go with their record. Pages likewise, each kept by its first record. */
export function createJsonTexts(log: Pick<Log, "error">): JsonTexts {
  const texts = new Map<ApiVersion, WeakMap<object, string>>();
  const pages = new Map<ApiVersion, WeakMap<object, MadePage>>();

  const record: JsonTexts["record"] = (version, shape, value) => {
    const known = cacheOf(texts, version);
    const text = known.get(value) ?? makeText(shape, value, log);
    known.set(value, text);
    return text;
  };

  return {
    record,
    page(version, shape, records, pagination) {
      const [first] = records;
      const known = cacheOf(pages, version);
      const made = first === undefined ? undefined : known.get(first);
      if (made !== undefined && isSame(made, records, pagination)) return made.bytes;
      const data = records.map((value) => record(version, shape, value)).join(",");
      const bytes = Buffer.from(`{"data":[${data}],"pagination":${JSON.stringify(pagination)}}`);
      if (first !== undefined) known.set(first, { records, pagination, bytes });
      return bytes;
    },
  };
}

function cacheOf<Made>(caches: Map<ApiVersion, WeakMap<object, Made>>, version: ApiVersion): WeakMap<object, Made> {
  const cache = caches.get(version) ?? new WeakMap();
  caches.set(version, cache);
  return cache;
}

function isSame(made: MadePage, records: readonly object[], pagination: Pagination): boolean {
  return (
    made.records.length === records.length &&
    made.pagination.after === pagination.after &&
    made.pagination.before === pagination.before &&
    made.records.every((value, index) => value === records[index])
  );
}

function makeText({ name, schema }: RecordShape, value: object, log: Pick<Log, "error">): string {
  const result = schema.safeParse(value);
  if (result.success) return JSON.stringify(result.data);
  log.error({ record: name, id: Reflect.get(value, "id"), err: result.error }, "a record breaks its own description");
  throw problem("response-validation-error", `The ${name} breaks its own description.`, { cause: result.error });
}
