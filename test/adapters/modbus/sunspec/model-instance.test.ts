import { describe, expect, it } from "vitest";
import { type GroupDefinition, modelsOf, type PointDefinition } from "../../../../adapters/modbus/sunspec/model.ts";
import { MODEL_DEFINITIONS } from "../../../../adapters/modbus/sunspec/model-definitions.ts";
import { resolveModel } from "../../../../adapters/modbus/sunspec/model-instance.ts";
import { MODEL_TABLE } from "../../../../adapters/modbus/sunspec/models/model-table.ts";

const SPECIFIED = [
  ...[1, 101, 102, 103, 111, 112, 113, 120, 121, 122, 123, 124, 160, 201, 202, 203, 204],
  ...[701, 702, 703, 704, 705, 706, 707, 708, 709, 710, 711, 712, 713, 714, 802],
];

function definition(id: number) {
  const found = MODEL_DEFINITIONS.get(id);
  if (found === undefined) throw new Error(`no model ${id}`);
  return found;
}

/** A model in registers of zeros, but for the words given by offset. */
function instanceOf(id: number, length: number, words: Readonly<Record<number, number>> = {}) {
  const image = new Uint16Array(2 + length);
  for (const [offset, word] of Object.entries(words)) image[Number(offset)] = word;
  return resolveModel({ id, address: 1_000, length }, definition(id), image);
}

describe("model definitions", () => {
  it("cover every model of the specification", () => {
    expect(SPECIFIED.filter((id) => !MODEL_DEFINITIONS.has(id))).toEqual([]);
  });

  it.each([...MODEL_DEFINITIONS.values()])("leave no hole and scale by points that exist: model $id", (model) => {
    const names = new Set(model.points.map(({ name }) => name));
    const checkPoints = (points: readonly PointDefinition[], start: number): void => {
      expect(points.filter(({ sf }) => sf !== undefined && !names.has(sf))).toEqual([]);
      let offset = start;
      for (const point of points) {
        expect([point.name, point.offset]).toEqual([point.name, offset]);
        expect(point.words).toBeGreaterThan(0);
        offset += point.words;
      }
    };
    const checkGroup = (group: GroupDefinition): void => {
      checkPoints(group.points, 0);
      expect(typeof group.count !== "string" || names.has(group.count), String(group.count)).toBe(true);
      group.groups.forEach(checkGroup);
    };
    checkPoints(model.points, 2);
    model.groups.forEach(checkGroup);
    expect(names.size).toBe(model.points.length);
  });
});

describe("the table of models", () => {
  it("has every model once", () => {
    expect(MODEL_DEFINITIONS.size).toBe(MODEL_TABLE.length);
  });

  it("gives a model that is the same as another one its points and groups", () => {
    expect({ ...definition(708), id: 707 }).toEqual(definition(707));
    expect({ ...definition(101), id: 103 }).toEqual(definition(103));
  });

  it("knows no model that is the same as one that is not there", () => {
    expect(() => modelsOf([{ id: 9, title: "Nine", sameAs: 8 }])).toThrow("model 9 is the same as none in the table");
  });
});

describe("a model of a device", () => {
  it("repeats its modules as often as it counts them", () => {
    const model = instanceOf(160, 8 + 3 * 20, { 8: 3 });
    expect(model.points.get("module.3.DCW")?.address).toBe(1_000 + 10 + 40 + 11);
    expect(model.points.has("module.4.DCW")).toBe(false);
  });

  it("has no modules beyond its length, however many it counts", () => {
    const model = instanceOf(160, 8 + 2 * 20, { 8: 60_000 });
    expect(model.points.has("module.2.DCEvt")).toBe(true);
    expect(model.points.has("module.3.ID")).toBe(false);
  });

  it("has as many modules as fit when it does not count them", () => {
    const model = instanceOf(160, 8 + 2 * 20, { 8: 0xffff });
    expect(model.points.has("module.2.DCW")).toBe(true);
    expect(model.points.has("module.3.DCW")).toBe(false);
  });

  it("lays curves out with as many points as each has", () => {
    const model = instanceOf(705, 13 + 3 * (10 + 4 * 2), { 5: 4, 6: 3 });
    expect(model.points.get("Crv.1.Pt.1.V")?.address).toBe(1_000 + 25);
    expect(model.points.get("Crv.2.ActPt")?.address).toBe(1_000 + 15 + 18);
    expect(model.points.get("Crv.3.Pt.4.Var")?.address).toBe(1_000 + 15 + 3 * 18 - 1);
  });

  it("lays a curve's groups out one behind the other", () => {
    const model = instanceOf(707, 7 + 2 * (1 + 3 * (1 + 2 * 3)), { 5: 2, 6: 2 });
    expect(model.points.get("Crv.1.MayTrip.ActPt")?.address).toBe(1_000 + 9 + 1 + 7);
    expect(model.points.get("Crv.2.MomCess.Pt.2.Tms")?.address).toBe(1_000 + 9 + 2 * 22 - 2);
  });

  it("lacks the points that its length does not reach", () => {
    const model = instanceOf(103, 49);
    expect(model.points.has("EvtVnd3")).toBe(true);
    expect(model.points.has("EvtVnd4")).toBe(false);
  });

  it("has no points at all with a length of 0", () => {
    expect(instanceOf(103, 0).points.size).toBe(0);
  });
});
