import { z } from "hemgate/sdk";
import { expect, test } from "vitest";
import { seldomExtra } from "../../../../../adapters/clouds/kit/device/extra.ts";
import { CloudError, type CloudErrorKind } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { SeldomAnswers, type SeldomQuestion } from "../../../../../adapters/clouds/kit/session/seldom-answers.ts";
import { TestLog } from "../../../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../../../src/testing/virtual-clock.ts";
import { FakeStore } from "../fake-store.ts";

const DAY_MS = 86_400_000;
const { signal } = new AbortController();

/** What one device can do without, over runs that share a disk. */
function bed() {
  const clock = new VirtualClock();
  const store = new FakeStore();
  const vendor = { asked: 0, failure: null as CloudErrorKind | null };
  const ask = async () => {
    vendor.asked += 1;
    if (vendor.failure !== null) throw new CloudError(vendor.failure, "GET serial");
    return "A1";
  };
  const start = () => {
    const answers = new SeldomAnswers({ clock, store: store.nextRun(), log: new TestLog() });
    const seldom = <Schema extends z.ZodType>(question: SeldomQuestion<Schema>) => answers.get(question, signal);
    return () => seldomExtra({ seldom }, { key: "serial", freshMs: DAY_MS, schema: z.string(), ask }, signal);
  };
  return { clock, vendor, start };
}

test("a lasting refusal is not asked about again for its time, over restarts", async () => {
  const { clock, vendor, start } = bed();
  vendor.failure = "forbidden";
  expect([await start()(), await start()(), vendor.asked]).toEqual([null, null, 1]);
  await clock.advance(DAY_MS + 1);
  vendor.failure = null;
  expect([await start()(), vendor.asked]).toEqual(["A1", 2]);
});

test("after a passing failure what was told stands, and without it the next call asks again", async () => {
  const { clock, vendor, start } = bed();
  vendor.failure = "unavailable";
  const get = start();
  expect([await get(), await get(), vendor.asked]).toEqual([null, null, 2]);
  vendor.failure = null;
  expect(await get()).toBe("A1");
  await clock.advance(DAY_MS + 1);
  vendor.failure = "unavailable";
  expect(await start()()).toBe("A1");
});

test("an account that is out is no answer", async () => {
  const { vendor, start } = bed();
  vendor.failure = "login-refused";
  await expect(start()()).rejects.toMatchObject({ kind: "login-refused" });
});
