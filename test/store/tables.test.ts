import { expect, test } from "vitest";
import { encodeWrite, MemoryTables } from "../../src/store/tables.ts";
import { makeToken } from "./makers.ts";

test("a table's list is the same until one of its records changes", () => {
  const tables = new MemoryTables();
  const put = (id: string): void => tables.apply(encodeWrite({ table: "token", key: id, put: makeToken(id, 1) }));
  put("t1");
  const first = tables.all("token");
  expect(tables.all("token")).toBe(first);
  put("t2");
  expect(tables.all("token").map(({ hash }) => hash)).toEqual(["t1", "t2"]);
  tables.apply(encodeWrite({ table: "token", key: "t1", remove: true }));
  expect(tables.all("token").map(({ hash }) => hash)).toEqual(["t2"]);
  expect(first.map(({ hash }) => hash)).toEqual(["t1"]);
});
