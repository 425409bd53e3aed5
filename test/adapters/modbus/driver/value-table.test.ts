import { expect, test } from "vitest";
import { ValueTable } from "../../../../adapters/modbus/driver/value-table.ts";

function table(): ValueTable {
  const values = new ValueTable(["meter.power", "raw.serial", "raw.state", "raw.silent", "meter.power"]);
  values.put(values.placeOf("meter.power") ?? Number.NaN, -1.5);
  values.put(values.placeOf("raw.serial") ?? Number.NaN, "A1");
  values.put(values.placeOf("raw.state") ?? Number.NaN, null);
  return values;
}

test("a key gives its last value, and nothing before the device answered for it", () => {
  const values = table();
  expect(["meter.power", "raw.serial", "raw.state", "raw.silent", "raw.other"].map((key) => values.get(key))).toEqual([
    -1.5,
    "A1",
    null,
    undefined,
    undefined,
  ]);
  expect([values.has("raw.state"), values.has("raw.silent"), values.placeOf("raw.other")]).toEqual([true, false, null]);
});

test("it reads as a map of what was answered, in the order of the keys", () => {
  const values = table();
  const each: unknown[] = [];
  values.forEach((value, key) => void each.push([key, value]));
  const all = [
    ["meter.power", -1.5],
    ["raw.serial", "A1"],
    ["raw.state", null],
  ];
  expect([values.size, [...values], each]).toEqual([3, all, all]);
  expect([[...values.keys()], [...values.values()]]).toEqual([all.map(([key]) => key), all.map(([, value]) => value)]);
});

test("a value changes from number to text to null and back", () => {
  const values = new ValueTable(["raw.any"]);
  const seen = [0, "0", null, 7].map((value) => {
    values.put(0, value);
    return values.get("raw.any");
  });
  expect(seen).toEqual([0, "0", null, 7]);
});

test("what is forgotten is null, and stays without a value if it never had one", () => {
  const values = table();
  for (const key of ["meter.power", "raw.silent", "raw.other"]) values.forget(key);
  expect([values.get("meter.power"), values.has("raw.silent"), values.has("raw.other")]).toEqual([null, false, false]);
});
