import { expect, test } from "vitest";
import { nodeRandom } from "../../../src/platform/node/node-random.ts";

test("scrypt gives the key that Python's hashlib gives for N = 2^15, r = 8, p = 1", async () => {
  const key = await nodeRandom.scrypt("pleaseletmein", new TextEncoder().encode("SodiumChloride"));
  expect(Buffer.from(key).toString("hex")).toMatchInlineSnapshot(
    `"f72cbc204bdcfc3ff5b115d8508aec1566ff0ef3f658388601a3933078ef7ac8"`,
  );
  expect(key).toHaveLength(32);
});

test("scrypt leaves the event loop free", async () => {
  const key = nodeRandom.scrypt("secret", nodeRandom.secretBytes(16));
  const first = await Promise.race([key, new Promise((resolve) => setImmediate(() => resolve("loop turned")))]);
  expect(first).toBe("loop turned");
  await key;
});

test("secrets and ids do not repeat", () => {
  expect(nodeRandom.secretBytes(32)).not.toEqual(nodeRandom.secretBytes(32));
  expect(nodeRandom.uuid()).not.toBe(nodeRandom.uuid());
  expect(nodeRandom.next()).toBeLessThan(1);
});
