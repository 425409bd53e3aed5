import { expect, it } from "vitest";
import { Listeners } from "../../src/platform/listeners.ts";

it("calls listeners in the order they were added, with all arguments, until they are disposed", () => {
  const calls: string[] = [];
  const listeners = new Listeners<[id: string, count: number]>();
  const first = listeners.subscribe((id, count) => void calls.push(`first ${id} ${count}`));
  listeners.subscribe((id, count) => void calls.push(`second ${id} ${count}`));
  listeners.emit("a", 1);
  first[Symbol.dispose]();
  listeners.emit("b", 2);
  expect(calls).toEqual(["first a 1", "second a 1", "second b 2"]);
  expect(listeners.size).toBe(1);
});

it("calls a function that was added twice twice, and each is removed on its own", () => {
  let calls = 0;
  const listeners = new Listeners<[]>();
  const listener = (): void => {
    calls += 1;
  };
  using _kept = listeners.subscribe(listener);
  const removed = listeners.subscribe(listener);
  listeners.emit();
  expect(calls).toBe(2);
  removed[Symbol.dispose]();
  removed[Symbol.dispose]();
  listeners.emit();
  expect(calls).toBe(3);
});

it("calls the other listeners when one throws, and then throws its error", () => {
  const calls: string[] = [];
  const listeners = new Listeners<[]>();
  listeners.subscribe(() => {
    throw new Error("first");
  });
  listeners.subscribe(() => {
    throw new Error("second");
  });
  listeners.subscribe(() => void calls.push("third"));
  expect(() => listeners.emit()).toThrow("first");
  expect(calls).toEqual(["third"]);
});

it("does not call a listener that another one removed, nor one that was added meanwhile", () => {
  const calls: string[] = [];
  const listeners = new Listeners<[]>();
  const subscriptions: Disposable[] = [];
  listeners.subscribe(() => {
    subscriptions[0]?.[Symbol.dispose]();
    listeners.subscribe(() => void calls.push("added"));
  });
  subscriptions.push(listeners.subscribe(() => void calls.push("removed")));
  listeners.emit();
  expect(calls).toEqual([]);
  listeners.emit();
  expect(calls).toEqual(["added"]);
});

it("calls nothing after it was cleared", () => {
  let calls = 0;
  const listeners = new Listeners<[]>();
  listeners.subscribe(() => {
    calls += 1;
  });
  listeners.clear();
  listeners.emit();
  expect(calls).toBe(0);
  expect(listeners.size).toBe(0);
});
