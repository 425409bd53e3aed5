import fc from "fast-check";
import { type RegisterPoint, registerWords, type UnitLimits } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import {
  type Barriers,
  type Block,
  planBlocks,
  REQUEST_COST_REGISTERS,
  splitBlock,
} from "../../../../adapters/modbus/driver/block-plan.ts";
import { countedExpect } from "../../../counted-expect.ts";

const LIMITS: UnitLimits = { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false };
const NONE: Barriers = { refused: [], isCut: () => false };

function point(address: number, words = 1, table: "holding" | "input" = "holding"): RegisterPoint<string> {
  return { key: `raw.${table}${address}.${words}`, table, address, type: "string", words, poll: "fast" };
}

function spans(blocks: readonly Block[]): [number, number][] {
  return blocks.map(({ address, count }) => [address, count]);
}

describe("merging", () => {
  test("neighbours become one request", () => {
    expect(spans(planBlocks([point(2, 2), point(0, 2), point(4, 2)], LIMITS, NONE))).toEqual([[0, 6]]);
  });

  test("a hole is read along when that costs less than another request", () => {
    expect(spans(planBlocks([point(0), point(32)], LIMITS, NONE))).toEqual([[0, 33]]);
    expect(spans(planBlocks([point(0), point(33)], LIMITS, NONE))).toEqual([
      [0, 1],
      [33, 1],
    ]);
  });

  test("a request is never longer than the device takes, and a value is never split", () => {
    expect(spans(planBlocks([point(0, 4), point(4, 4), point(8, 4)], { ...LIMITS, maxRegisters: 10 }, NONE))).toEqual([
      [0, 8],
      [8, 4],
    ]);
  });

  test("holding and input registers are asked for apart", () => {
    const blocks = planBlocks([point(0), point(1, 1, "input"), point(2)], LIMITS, NONE);
    expect(blocks.map(({ table, address, count }) => [table, address, count])).toEqual([
      ["holding", 0, 3],
      ["input", 1, 1],
    ]);
  });

  test("a device of one value a request is asked for each value, and once for a value with two meanings", () => {
    const limits = { ...LIMITS, isOneValuePerRequest: true };
    const twice = { ...point(0, 2), key: "raw.again" };
    expect(spans(planBlocks([point(0, 2), twice, point(2, 2)], limits, NONE))).toEqual([
      [0, 2],
      [2, 2],
    ]);
  });

  test("nothing is read across a refused register, nor across a cut", () => {
    const wall = point(4);
    const barriers: Barriers = { refused: [wall], isCut: (_table, address) => address === 10 };
    const blocks = planBlocks([point(0), wall, point(6), point(9), point(10)], LIMITS, barriers);
    expect(spans(blocks)).toEqual([
      [4, 1],
      [0, 1],
      [6, 4],
      [10, 1],
    ]);
  });
});

describe("splitting", () => {
  test("a block is halved between its points, each half as short as its points", () => {
    const [block] = planBlocks([point(0), point(5), point(20), point(30)], LIMITS, NONE);
    expect(spans(splitBlock(block!) ?? [])).toEqual([
      [0, 6],
      [20, 11],
    ]);
  });

  test("points over the same registers stay together", () => {
    const [block] = planBlocks([point(0, 8), point(2), point(4), point(8)], LIMITS, NONE);
    expect(spans(splitBlock(block!) ?? [])).toEqual([
      [0, 8],
      [8, 1],
    ]);
    const [whole] = planBlocks([point(0, 8), point(2)], LIMITS, NONE);
    expect(splitBlock(whole!)).toBeNull();
  });
});

const anyPoint = fc
  .record({
    address: fc.integer({ min: 0, max: 400 }),
    words: fc.integer({ min: 1, max: 8 }),
    table: fc.constantFrom("holding" as const, "input" as const),
  })
  .map(({ address, words, table }) => point(address, words, table));

const anyCase = fc.record({
  points: fc.uniqueArray(anyPoint, { selector: ({ key }) => key, maxLength: 60 }),
  refusedShare: fc.integer({ min: 0, max: 5 }),
  cuts: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 10 }),
  maxRegisters: fc.integer({ min: 8, max: 125 }),
  isOneValuePerRequest: fc.boolean(),
});

describe("for any device", () => {
  test("each point is covered once, by a block of its table that holds it whole and keeps every limit", () => {
    const expectAlone = countedExpect("one value a request");
    const expectJoined = countedExpect("a block of several values");
    fc.assert(
      fc.property(anyCase, ({ points, refusedShare, cuts, maxRegisters, isOneValuePerRequest }) => {
        const refused = points.filter((_point, index) => refusedShare > 0 && index % 6 < refusedShare);
        const barriers: Barriers = { refused, isCut: (_table, address) => cuts.includes(address) };
        const blocks = planBlocks(points, { maxRegisters, minGapMs: 0, isOneValuePerRequest }, barriers);
        expect(blocks.flatMap((block) => block.points).toSorted(byKey)).toEqual(points.toSorted(byKey));
        for (const block of blocks) {
          const end = block.address + block.count;
          expect(block.count).toBeLessThanOrEqual(maxRegisters);
          for (const each of block.points) {
            expect(each.table).toBe(block.table);
            expect(each.address).toBeGreaterThanOrEqual(block.address);
            expect(each.address + registerWords(each)).toBeLessThanOrEqual(end);
          }
          const isAlone = new Set(block.points.map((each) => `${each.address} ${registerWords(each)}`)).size === 1;
          if (isOneValuePerRequest) expectAlone(isAlone).toBe(true);
          if (isAlone) continue;
          const crossed = refused.filter(
            (wall) =>
              wall.table === block.table && wall.address < end && wall.address + registerWords(wall) > block.address,
          );
          expectJoined(crossed).toEqual([]);
          const joints = block.points.map((each) => each.address).filter((address) => address > block.address);
          const covered = (address: number): boolean =>
            block.points.some((each) => each.address < address && each.address + registerWords(each) > address);
          expect(joints.filter((address) => cuts.includes(address) && !covered(address))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
    expectAlone.wasCalled();
    expectJoined.wasCalled();
  });

  test("no two blocks are left that one request could have fetched for less", () => {
    const expectApart = countedExpect("two blocks of a table");
    fc.assert(
      fc.property(fc.uniqueArray(anyPoint, { selector: ({ key }) => key, maxLength: 60 }), (points) => {
        const blocks = planBlocks(points, LIMITS, NONE);
        blocks.forEach((block, index) => {
          const next = blocks[index + 1];
          if (next === undefined || next.table !== block.table) return;
          const hole = next.address - block.address - block.count;
          const first = next.points[0]!;
          const joined = Math.max(block.address + block.count, first.address + registerWords(first)) - block.address;
          expectApart(hole > REQUEST_COST_REGISTERS || joined > LIMITS.maxRegisters).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
    expectApart.wasCalled();
  });

  test("splitting again and again ends at single values and loses none", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyPoint, { selector: ({ key }) => key, minLength: 1, maxLength: 40 }), (points) => {
        const leaves: RegisterPoint<string>[] = [];
        const open = [...planBlocks(points, LIMITS, NONE)];
        for (let block = open.pop(); block !== undefined; block = open.pop()) {
          const halves = splitBlock(block);
          if (halves === null) leaves.push(...block.points);
          else open.push(...halves);
        }
        expect(leaves.toSorted(byKey)).toEqual(points.toSorted(byKey));
      }),
    );
  });
});

function byKey(a: RegisterPoint<string>, b: RegisterPoint<string>): number {
  return a.key < b.key ? -1 : 1;
}
