import { describe, expect, test } from "vitest";
import { AppKey } from "../../../../../adapters/clouds/kit/login/app-key.ts";
import { SeededRandom } from "../../../../../src/testing/seeded-random.ts";
import { FakeDrawer } from "../fake-store.ts";

function appKey(drawer: FakeDrawer, seed = "key") {
  return new AppKey({ drawer, random: new SeededRandom(seed) });
}

describe("the keys of a registration", () => {
  test("are made once, and stay over restarts", async () => {
    const drawer = new FakeDrawer();
    const key = appKey(drawer);
    const [first, second] = await Promise.all([key.pair(), key.pair()]);
    expect(second.publicKey).toEqual(first.publicKey);
    expect((await appKey(drawer, "another chance").pair()).publicKey).toEqual(first.publicKey);
    expect(drawer.puts).toBe(1);
  });

  test("are seen by nobody before they are on disk", async () => {
    const drawer = new FakeDrawer();
    drawer.beforePut = async () => {
      throw new Error("the disk is full");
    };
    const key = appKey(drawer);
    await expect(key.pair()).rejects.toThrow("the disk is full");
    drawer.beforePut = async () => undefined;
    const made = await key.pair();
    expect((await appKey(drawer, "another chance").pair()).publicKey).toEqual(made.publicKey);
  });

  test("agree with others on the same secret", async () => {
    const [one, other] = [await appKey(new FakeDrawer(), "one").pair(), await appKey(new FakeDrawer(), "other").pair()];
    expect(one.agree(other.publicKey)).toEqual(other.agree(one.publicKey));
  });
});
