import { z } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { CloudError, type CloudErrorKind } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { forgetAnswers, SeldomAnswers } from "../../../../../adapters/clouds/kit/session/seldom-answers.ts";
import type { ClockQuality } from "../../../../../src/platform/ports/ports.ts";
import { TestLog } from "../../../../../src/testing/test-log.ts";
import { FakeStore } from "../fake-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const Sites = z.array(z.object({ id: z.number(), name: z.string().nullable() }));
const { signal } = new AbortController();

function bed() {
  const store = new FakeStore();
  const now = { ms: 0, wallMs: 1_800_000_000_000, quality: "synced" as ClockQuality };
  const sites: z.infer<typeof Sites> = [{ id: 1, name: "Roof" }];
  const vendor = { asked: 0, sites, failure: null as CloudErrorKind | null };
  const clock = {
    monotonicMs: () => now.ms,
    nowMs: () => now.wallMs + now.ms,
    quality: () => now.quality,
  };
  const start = () => {
    const answers = new SeldomAnswers({ clock, store: store.nextRun(), log: new TestLog() });
    const ask = async () => {
      vendor.asked += 1;
      if (vendor.failure !== null) throw new CloudError(vendor.failure, "GET sites");
      return vendor.sites;
    };
    const get = () => answers.get({ key: "sites", freshMs: DAY_MS, schema: Sites, ask }, signal);
    return { answers, get };
  };
  return { store, now, vendor, start };
}

describe("what an account tells seldom", () => {
  test("is not asked for again by a restart, but after its time", async () => {
    const { now, vendor, start } = bed();
    await start().get();
    now.ms += 23 * HOUR_MS;
    const { get } = start();
    expect(await get()).toEqual(vendor.sites);
    expect(vendor.asked).toBe(1);
    now.ms += 2 * HOUR_MS;
    vendor.sites = [{ id: 2, name: null }];
    expect(await get()).toEqual([{ id: 2, name: null }]);
    expect(vendor.asked).toBe(2);
  });

  test.each(["no-budget", "rate-limited", "timeout", "unavailable"] as const)(
    "stands, however old, while it cannot be asked for: %s",
    async (failure) => {
      const { now, vendor, start } = bed();
      await start().get();
      now.ms += 20 * DAY_MS;
      vendor.failure = failure;
      expect(await start().get()).toEqual(vendor.sites);
    },
  );

  test.each(["refused", "forbidden", "login-refused", "malformed"] as const)(
    "stands no more when the vendor says so: %s",
    async (failure) => {
      const { now, vendor, start } = bed();
      await start().get();
      now.ms += 2 * DAY_MS;
      vendor.failure = failure;
      await expect(start().get()).rejects.toMatchObject({ kind: failure });
    },
  );

  test("is asked for when nothing is kept, or what is kept is not readable", async () => {
    const { store, vendor, start } = bed();
    vendor.failure = "no-budget";
    await expect(start().get()).rejects.toMatchObject({ kind: "no-budget" });
    vendor.failure = null;
    for (const text of ["{", "[]", '{"sites":{"wallMs":0}}', '{"sites":{"wallMs":0,"value":[{"id":"one"}]}}']) {
      store.texts.set("answers", text);
      expect(await start().get()).toEqual(vendor.sites);
    }
    expect(vendor.asked).toBe(5);
  });

  test("is taken for new for a time by a gateway whose clock is not set, and not for ever", async () => {
    const { now, vendor, start } = bed();
    await start().get();
    now.quality = "restored";
    now.wallMs -= 20 * DAY_MS;
    const { get } = start();
    await get();
    now.ms += 23 * HOUR_MS;
    await get();
    expect(vendor.asked).toBe(1);
    now.ms += 2 * HOUR_MS;
    await get();
    expect(vendor.asked).toBe(2);
    now.quality = "synced";
    now.wallMs += 20 * DAY_MS;
    // Nobody knows when that was.
    await start().get();
    expect(vendor.asked).toBe(3);
  });

  test("is asked for anew once it is outdated", async () => {
    const { vendor, start } = bed();
    const { answers, get } = start();
    await get();
    answers.outdate("sites");
    await get();
    expect(vendor.asked).toBe(2);
  });

  test("is forgotten by who signs in anew, whether the account is at work or not", async () => {
    const { store, vendor, start } = bed();
    const run = start();
    await run.get();
    await forgetAnswers(store);
    run.answers.forget();
    await run.get();
    expect(vendor.asked).toBe(2);
    await forgetAnswers(store);
    await start().get();
    expect(vendor.asked).toBe(3);
  });

  test("is kept without what is not used", async () => {
    const { store, vendor, start } = bed();
    vendor.sites = [{ id: 1, name: "Roof", owner: "A. Person" } as (typeof vendor.sites)[number]];
    await start().get();
    expect(store.get("answers")).not.toContain("Person");
  });

  test("never outgrows its drawer: what was asked for longest ago goes", async () => {
    const { store, start } = bed();
    const { answers } = start();
    const schema = z.string();
    for (let index = 0; index < 30; index += 1) {
      const ask = async () => "x".repeat(1_000);
      await answers.get({ key: `key ${index}`, freshMs: DAY_MS, schema, ask }, signal);
    }
    const text = store.get("answers") ?? "";
    expect(text.length).toBeLessThan(16_000);
    expect(Object.keys(JSON.parse(text)).at(-1)).toBe("key 29");
    expect(Object.keys(JSON.parse(text)).length).toBeGreaterThan(10);
  });
});
