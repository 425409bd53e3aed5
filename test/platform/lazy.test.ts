import { expect, test } from "vitest";
import { LoadError, lazy, loadAll, waitForLoads } from "../../src/platform/lazy.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const MISSING = Object.assign(new Error("Cannot find module"), {
  code: "ERR_MODULE_NOT_FOUND",
  url: "file:///opt/hemgate/acme-b1.js",
});

test("a lazy part is loaded at its first use, and once", async () => {
  let loads = 0;
  const part = lazy("the meter", async () => {
    loads += 1;
    return { name: "meter" };
  });
  expect(loads).toBe(0);
  const [one, other] = await Promise.all([part(), part()]);
  expect(one).toBe(other);
  expect(await part()).toBe(one);
  expect(loads).toBe(1);
});

test("a lazy part that does not load says what it is, where its file should be, and what to do", async () => {
  const disk = { isWell: false };
  const part = lazy("the profile acme-b1", async () => (disk.isWell ? "loaded" : await Promise.reject(MISSING)));
  const error = await part().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(LoadError);
  expect(String(error)).toBe(
    "LoadError: the profile acme-b1 cannot be loaded: there is no such module, or one that it needs is missing " +
      "(file:///opt/hemgate/acme-b1.js); the installation is damaged: install hemgate again",
  );
  disk.isWell = true;
  expect(await part()).toBe("loaded");
});

test("virtual time stands still while code is loaded", async () => {
  const clock = new VirtualClock();
  const part = lazy("the meter", async () => {
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  });
  const order: string[] = [];
  clock.timer(10, () => void part().then(() => order.push(`loaded at ${clock.monotonicMs()}`)));
  clock.timer(11, () => order.push("next timer"));
  await clock.advance(100);
  expect(order).toEqual(["loaded at 10", "next timer"]);
  expect(await waitForLoads()).toBe(false);
});

test("all that was declared can be loaded at once", async () => {
  let loads = 0;
  lazy("the inverter", async () => {
    loads += 1;
  });
  await loadAll();
  expect(loads).toBe(1);
});
