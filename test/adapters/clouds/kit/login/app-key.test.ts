import { describe, expect, test } from "vitest";
import { AppKey } from "../../../../../adapters/clouds/kit/login/app-key.ts";
import { SeededRandom } from "../../../../../src/testing/seeded-random.ts";
import { FakeStore } from "../fake-store.ts";

function appKey(store: FakeStore, seed = "key") {
  return new AppKey({ store, random: new SeededRandom(seed) });
}

describe("the keys of a registration", () => {
  test("are made once, and stay over restarts", async () => {
    const store = new FakeStore();
    const key = appKey(store);
    const [first, second] = await Promise.all([key.pair(), key.pair()]);
    expect(second.publicKey).toEqual(first.publicKey);
    expect((await appKey(store, "another chance").pair()).publicKey).toEqual(first.publicKey);
    expect(store.puts).toBe(1);
  });

  test("are seen by nobody before they are on disk", async () => {
    const store = new FakeStore();
    store.beforePut = async () => {
      throw new Error("the disk is full");
    };
    const key = appKey(store);
    await expect(key.pair()).rejects.toThrow("the disk is full");
    store.beforePut = async () => undefined;
    const made = await key.pair();
    expect((await appKey(store, "another chance").pair()).publicKey).toEqual(made.publicKey);
  });

  test("agree with others on the same secret", async () => {
    const [one, other] = [await appKey(new FakeStore(), "one").pair(), await appKey(new FakeStore(), "other").pair()];
    expect(one.agree(other.publicKey)).toEqual(other.agree(one.publicKey));
  });
});
