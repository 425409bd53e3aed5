/**
 * The JSON of records, made once each. Records are immutable and stay the same object until something in them changes,
 * so checking an answer against its description costs once a change, not once a request.
 */
import type { z } from "zod";
import type { Pagination } from "../domain/page.ts";
import { problem } from "../domain/problem.ts";
import type { Log } from "../platform/ports/ports.ts";

/** A kind of record and its description. */
export interface RecordShape {
  /** As the log names it. */
  readonly name: string;
  readonly schema: z.ZodType<object>;
}

export interface JsonTexts {
  /** The JSON of a record. Throws `response-validation-error` when it breaks its description. */
  record(shape: RecordShape, record: object): string;
  /** The bytes of a page. */
  page(shape: RecordShape, records: readonly object[], pagination: Pagination): Buffer;
}

interface MadePage {
  readonly records: readonly object[];
  readonly pagination: Pagination;
  readonly bytes: Buffer;
}

/** Texts by record: they go with their record. Pages likewise, each kept by its first record. Older versions are made of them. */
export function createJsonTexts(log: Pick<Log, "error">): JsonTexts {
  const texts = new WeakMap<object, string>();
  const pages = new WeakMap<object, MadePage>();

  const record: JsonTexts["record"] = (shape, value) => {
    const text = texts.get(value) ?? makeText(shape, value, log);
    texts.set(value, text);
    return text;
  };

  return {
    record,
    page(shape, records, pagination) {
      const [first] = records;
      const made = first === undefined ? undefined : pages.get(first);
      if (made !== undefined && isSame(made, records, pagination)) return made.bytes;
      const data = records.map((value) => record(shape, value)).join(",");
      const bytes = Buffer.from(`{"data":[${data}],"pagination":${JSON.stringify(pagination)}}`);
      if (first !== undefined) pages.set(first, { records, pagination, bytes });
      return bytes;
    },
  };
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
