import { expect, test } from "vitest";
import { SeededRandom } from "../../src/testing/seeded-random.ts";

const draw = (random: SeededRandom, count: number): number[] => Array.from({ length: count }, () => random.next());

test("the same seed gives the same numbers, another seed others", () => {
  expect(draw(new SeededRandom(7), 5)).toEqual(draw(new SeededRandom(7), 5));
  expect(draw(new SeededRandom(7), 5)).not.toEqual(draw(new SeededRandom(8), 5));
});

test("the numbers of a seed never change between versions", () => {
  expect(new SeededRandom(7).below(1_000_000)).toMatchInlineSnapshot(`60467`);
});

test("numbers fill [0, 1) evenly", () => {
  const numbers = draw(new SeededRandom(1), 100_000);
  expect(Math.min(...numbers.slice(0, 50_000))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers.slice(0, 50_000))).toBeLessThan(1);
  for (let bin = 0; bin < 10; bin += 1) {
    const share = numbers.filter((number) => Math.floor(number * 10) === bin).length;
    expect(Math.abs(share - 10_000)).toBeLessThan(500);
  }
});

test("a fork does not depend on what was drawn before it", () => {
  const drawn = new SeededRandom(3);
  draw(drawn, 100);
  expect(draw(drawn.fork("net"), 3)).toEqual(draw(new SeededRandom(3).fork("net"), 3));
  expect(draw(drawn.fork("net"), 3)).not.toEqual(draw(drawn.fork("disk"), 3));
});

test("a uuid is version 4, and no two are alike", () => {
  const random = new SeededRandom(5);
  const ids = Array.from({ length: 1_000 }, () => random.uuid());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1_000);
});

test("the stand-in for scrypt tells secrets and salts apart", async () => {
  const random = new SeededRandom(5);
  const salt = random.secretBytes(16);
  const key = await random.scrypt("secret", salt);
  expect(key).toHaveLength(32);
  expect(await random.scrypt("secret", salt)).toEqual(key);
  expect(await random.scrypt("Secret", salt)).not.toEqual(key);
  expect(await random.scrypt("secret", random.secretBytes(16))).not.toEqual(key);
});
