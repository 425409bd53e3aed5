import { describe, expect, it, onTestFinished } from "vitest";
import { authenticate, createClient, pinClient } from "../../../src/api/clients/clients.ts";
import { createTokens } from "../../../src/api/clients/tokens.ts";
import type { Random } from "../../../src/platform/ports/ports.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { MemoryDisk, SeededRandom, TestLog, VirtualClock } from "../../../src/testing/index.ts";
import { openHouse } from "../support/api-house.ts";
import { FakeStore } from "../support/fake-store.ts";

function setUp() {
  return { store: new FakeStore(), clock: new VirtualClock(), random: new SeededRandom(1) };
}

/** Counts the costly work. */
function counting(random: Random): { scrypt: Random["scrypt"]; calls: number } {
  const counter = {
    calls: 0,
    scrypt: (secret: string, salt: Uint8Array) => {
      counter.calls += 1;
      return random.scrypt(secret, salt);
    },
  };
  return counter;
}

async function close(store: Store, clock: VirtualClock): Promise<void> {
  const closed = async (): Promise<void> => store[Symbol.asyncDispose]();
  await clock.resolve(closed(), 10_000);
}

describe("a client", () => {
  it("gets an id and a secret of 256 bits, of which only a salted hash is kept", async () => {
    const parts = setUp();
    const { id, secret } = await createClient(parts, "Home Assistant");
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    const record = parts.store.get("client", id);
    expect(record).toMatchObject({ id, name: "Home Assistant", apiVersion: "2024-10-01" });
    expect(JSON.stringify(record)).not.toContain(secret);
  });

  it("is known by its secret only", async () => {
    const parts = setUp();
    const one = await createClient(parts, "one");
    const other = await createClient(parts, "other");
    expect((await authenticate(parts, one))?.id).toBe(one.id);
    expect(await authenticate(parts, { id: one.id, secret: other.secret })).toBeNull();
  });

  it("that does not exist costs the same work as a wrong secret", async () => {
    const parts = setUp();
    const { id } = await createClient(parts, "one");
    const random = counting(parts.random);
    await authenticate({ store: parts.store, random }, { id, secret: "wrong" });
    const ofWrongSecret = random.calls;
    await authenticate({ store: parts.store, random }, { id: "nobody", secret: "wrong" });
    expect(random.calls - ofWrongSecret).toBe(ofWrongSecret);
  });

  it.each(["", "  ", "x".repeat(256)])("is not named %j", async (name) => {
    await expect(createClient(setUp(), name)).rejects.toMatchObject({ slug: "bad-request" });
  });
});

describe("a client's version", () => {
  it("is what its requests are answered in that name none, from the next one on", async () => {
    await using house = await openHouse();
    const versionOf = async (headers = {}) =>
      (await house.ask({ url: "/batteries", headers })).headers["service-version"];
    expect(await versionOf()).toBe("2024-10-01");
    const pin = await pinClient(house, house.client.id, "2024-01-01");
    expect(pin).toEqual({ id: house.client.id, name: "test", version: "2024-01-01" });
    expect(await versionOf()).toBe("2024-01-01");
    expect(await versionOf({ "service-version": "2023-08-01" })).toBe("2023-08-01");
  });

  it("can be chosen when it is made", async () => {
    const parts = setUp();
    const { id } = await createClient(parts, "old", "2023-05-01");
    expect(parts.store.get("client", id)?.apiVersion).toBe("2023-05-01");
  });

  it("that is not served is refused, and the client stays as it is", async () => {
    const parts = setUp();
    await expect(createClient(parts, "new", "2025-01-01")).rejects.toMatchObject({ slug: "unsupported-version" });
    expect(parts.store.all("client")).toEqual([]);
    const { id } = await createClient(parts, "one");
    await expect(pinClient(parts, id, "latest")).rejects.toMatchObject({ slug: "unsupported-version" });
    await expect(pinClient(parts, "nobody", "2024-01-01")).rejects.toMatchObject({
      slug: "not-found",
      message: `There is no client "nobody"; there are ${id} (one).`,
    });
    expect(parts.store.get("client", id)?.apiVersion).toBe("2024-10-01");
  });
});

describe("with the real store", () => {
  it("a client and its token outlive a restart", async () => {
    const clock = new VirtualClock();
    const random = new SeededRandom(1);
    const log = new TestLog();
    const disk = new MemoryDisk();
    const open = async (): Promise<Store> => {
      const store = await clock.resolve(openStore({ disk, clock, random, log }), 10_000);
      onTestFinished(() => close(store, clock));
      return store;
    };
    const first = await open();
    const client = await clock.resolve(createClient({ store: first, clock, random }, "one"), 10_000);
    const token = await clock.resolve(createTokens({ store: first, clock, random }).issue(client.id), 10_000);
    await close(first, clock);

    const second = await open();
    expect((await authenticate({ store: second, random }, client))?.name).toBe("one");
    expect(createTokens({ store: second, clock, random }).clientOf(token)).toBe(client.id);
  });
});
