import { expect, test } from "vitest";
import { Shares } from "../../src/sdk/shares.ts";

class Line implements Disposable {
  closed = 0;
  [Symbol.dispose](): void {
    this.closed += 1;
  }
}

test("what several use is made once and closed with the last share", () => {
  using lines = new Shares<Line>();
  const one = lines.take("a", () => new Line());
  const other = lines.take("a", () => new Line());
  const { thing } = one;
  expect(other.thing).toBe(thing);
  expect(lines.get("a")).toBe(thing);
  one[Symbol.dispose]();
  // A share that is given back twice is still one share.
  one[Symbol.dispose]();
  expect(thing.closed).toBe(0);
  other[Symbol.dispose]();
  expect(thing.closed).toBe(1);
  expect(lines.get("a")).toBeNull();
});

test("each key has its own, and each share that is given back is told", () => {
  using lines = new Shares<Line>();
  const told: Line[] = [];
  const make = (): Line => new Line();
  const a = lines.take("a", make, (line) => told.push(line));
  const b = lines.take("b", make, (line) => told.push(line));
  expect(a.thing).not.toBe(b.thing);
  b[Symbol.dispose]();
  expect(told).toEqual([b.thing]);
  expect([a.thing.closed, b.thing.closed]).toEqual([0, 1]);
});

test("after all were closed a late share takes nothing from those that came since", () => {
  const lines = new Shares<Line>();
  const late = lines.take("a", () => new Line());
  lines[Symbol.dispose]();
  expect(late.thing.closed).toBe(1);
  const { thing } = lines.take("a", () => new Line());
  late[Symbol.dispose]();
  expect(lines.get("a")).toBe(thing);
  expect(thing.closed).toBe(0);
});
