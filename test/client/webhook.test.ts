import { describe, expect, it } from "vitest";
import { readWebhook, verifyWebhook } from "../../src/client/index.ts";
import { signaturesOf } from "../../src/sync/webhooks/signature.ts";

const secret = "9b2e7d64c0a84f1db7b3";
const text = '[{"event":"user:charger:updated","name":"Säule"}]';
const body = new TextEncoder().encode(text);
const { sha256: signature, sha1 } = signaturesOf(body, secret);

describe("the signature of a delivery", () => {
  it("is genuine as the gateway makes it, over bytes or their text", async () => {
    expect(await verifyWebhook({ secret, body, signature })).toBe(true);
    expect(await verifyWebhook({ secret, body: text, signature })).toBe(true);
    expect(await readWebhook({ secret, body, signature })).toEqual([{ event: "user:charger:updated", name: "Säule" }]);
  });

  it.each([
    ["another secret", { secret: "other", body, signature }],
    ["another body", { secret, body: `${text} `, signature }],
    ["no signature", { secret, body, signature: undefined }],
    ["the shorter hash", { secret, body, signature: sha1 }],
    ["half of a signature", { secret, body, signature: signature.slice(0, 30) }],
    ["a signature with more behind it", { secret, body, signature: `${signature}00` }],
    ["no secret", { secret: "", body, signature }],
  ])("is not genuine with %s", async (_what, delivery) => {
    expect(await verifyWebhook(delivery)).toBe(false);
    expect(await readWebhook(delivery)).toBeNull();
  });
});
