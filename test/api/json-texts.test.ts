import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createJsonTexts, type RecordShape } from "../../src/api/json-texts.ts";
import { TestLog } from "../../src/testing/index.ts";

const NO_NEIGHBOURS = { after: null, before: null };

function setUp() {
  const checked: unknown[] = [];
  const schema = z.object({ id: z.string() }).refine((value) => {
    checked.push(value);
    return true;
  });
  const shape: RecordShape = { name: "meter", schema };
  return { texts: createJsonTexts(new TestLog()), shape, checked };
}

describe("the JSON of a record", () => {
  it("is made and checked once, however often it is asked for, alone or in pages", () => {
    const { texts, shape, checked } = setUp();
    const record = { id: "a" };
    expect(texts.record(shape, record)).toBe('{"id":"a"}');
    expect(texts.record(shape, record)).toBe('{"id":"a"}');
    expect(texts.page(shape, [record, { id: "b" }], NO_NEIGHBOURS).toString()).toBe(
      '{"data":[{"id":"a"},{"id":"b"}],"pagination":{"after":null,"before":null}}',
    );
    expect(checked).toEqual([{ id: "a" }, { id: "b" }]);
  });

  it("leaves out what its description does not have", () => {
    const { texts, shape } = setUp();
    expect(texts.record(shape, { id: "a", secret: 1 })).toBe('{"id":"a"}');
  });
});

describe("the bytes of a page", () => {
  it("are the same while its records and neighbours are", () => {
    const { texts, shape } = setUp();
    const records = [{ id: "a" }, { id: "b" }];
    expect(texts.page(shape, [...records], NO_NEIGHBOURS)).toBe(texts.page(shape, [...records], NO_NEIGHBOURS));
  });

  it("change with a record behind the first, with the number of records, and with the neighbours", () => {
    const { texts, shape } = setUp();
    const [one, two, three] = [{ id: "a" }, { id: "b" }, { id: "c" }];
    const pages = [
      texts.page(shape, [one, two], NO_NEIGHBOURS),
      texts.page(shape, [one, three], NO_NEIGHBOURS),
      texts.page(shape, [one], NO_NEIGHBOURS),
      texts.page(shape, [one], { after: "x", before: null }),
    ];
    expect(pages.map((bytes) => JSON.parse(bytes.toString()))).toEqual([
      { data: [one, two], pagination: NO_NEIGHBOURS },
      { data: [one, three], pagination: NO_NEIGHBOURS },
      { data: [one], pagination: NO_NEIGHBOURS },
      { data: [one], pagination: { after: "x", before: null } },
    ]);
  });

  it("of no records are an empty list", () => {
    const { texts, shape } = setUp();
    expect(JSON.parse(texts.page(shape, [], NO_NEIGHBOURS).toString())).toEqual({
      data: [],
      pagination: NO_NEIGHBOURS,
    });
  });
});
