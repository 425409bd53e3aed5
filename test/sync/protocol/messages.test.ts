import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cloudProtocolAsyncApi, cloudProtocolSchema } from "../../../scripts/cloud-protocol-documents.ts";
import { zstd } from "../../../src/platform/node/zstd.ts";
import { fromFrame, hintOf, toFrame } from "../../../src/sync/protocol/frame.ts";
import { MAX_MESSAGE_BYTES } from "../../../src/sync/protocol/limits.ts";
import { ProtocolError, parseToCloud, parseToGateway, type ToCloud } from "../../../src/sync/protocol/messages.ts";

const EPOCH = "00112233aabbccdd";

function makeBatch(given: object = {}): object {
  const record = {
    seq: 1,
    boot: 1,
    monotonicMs: 5.5,
    atMs: 1_795_000_000_000,
    quality: "synced",
    event: "user:meter:updated",
    entity: null,
    payload: { power: 5 },
  };
  const place = { stream: "event", epoch: EPOCH, from: 1, through: 1 };
  return { v: 1, kind: "batch", bootId: "b1", ...place, historical: false, records: [record], gaps: [], ...given };
}

function makeAck(given: object = {}): object {
  return { v: 1, kind: "ack", stream: "event", epoch: EPOCH, through: 7, missing: [], ...given };
}

describe("a message", () => {
  test("keeps keys that are not known, and is left alone when its kind is not", () => {
    expect(parseToGateway(makeAck({ later: [1] }))).toEqual(makeAck({ later: [1] }));
    expect(parseToGateway({ v: 1, kind: "later" })).toBeNull();
    expect(parseToCloud({ v: 2, kind: "toString" })).toBeNull();
  });

  test("takes streams, qualities and reasons that are not known yet", () => {
    expect(parseToGateway(makeAck({ stream: "video" }))).toMatchObject({ stream: "video" });
    const [record] = Reflect.get(makeBatch(), "records");
    const batch = makeBatch({
      records: [{ ...record, quality: "atomic" }],
      gaps: [{ from: 2, through: 2, reason: "sunk" }],
    });
    expect(parseToCloud(batch)).toMatchObject({ records: [{ quality: "unset" }], gaps: [{ reason: "dropped" }] });
  });

  test.each([
    ["no object", 5],
    ["no kind", { v: 1 }],
    ["another version", makeAck({ v: 2 })],
    ["a number below the first", makeAck({ through: -1 })],
    ["a fraction", makeAck({ through: 1.5 })],
    ["an epoch of another shape", makeAck({ epoch: "1" })],
    ["too many ranges", makeAck({ missing: Array.from({ length: 101 }, () => ({ from: 1, through: 1 })) })],
    ["another direction's", { ...makeAck(), kind: "welcome" }],
    ["a path to elsewhere", command({ path: "https://elsewhere.example/" })],
    ["a path with a line's end", command({ path: "/users\r\nhost: x" })],
  ])("is refused: %s", (_what, value) => {
    expect(() => parseToGateway(value)).toThrow(ProtocolError);
  });
});

function command(given: object): object {
  return { v: 1, kind: "command", id: "c1", expiresAtMs: 5, version: "2024-10-01", method: "GET", path: "/", ...given };
}

describe("a frame", () => {
  test.each([
    ["plain", makeBatch()],
    ["packed", makeBatch({ later: "x".repeat(5_000) })],
  ])("%s holds the message", async (how, value) => {
    const message = parseToCloud(value) as ToCloud;
    const frame = await toFrame(message, zstd);
    expect(frame[0] === 0x28).toBe(how === "packed");
    expect(frame.length).toBeLessThan(1_000);
    expect(await fromFrame(frame, zstd)).toEqual(value);
    expect(hintOf(message)).toEqual({ kind: "batch", stream: "event", epoch: EPOCH, from: 1, through: 1 });
  });

  test("that unpacks to more than a message is refused, as is one that is none", async () => {
    const bomb = await zstd.pack(new Uint8Array(MAX_MESSAGE_BYTES + 1));
    expect(bomb.length).toBeLessThan(1_000);
    await expect(fromFrame(bomb, zstd)).rejects.toThrow(ProtocolError);
    await expect(fromFrame(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 1), zstd)).rejects.toThrow(ProtocolError);
    await expect(fromFrame(Uint8Array.of(0xff, 0xfe), zstd)).rejects.toThrow(ProtocolError);
    const large = parseToCloud(makeBatch({ later: "x".repeat(MAX_MESSAGE_BYTES) })) as ToCloud;
    await expect(toFrame(large, zstd)).rejects.toThrow(ProtocolError);
  });
});

describe("docs/ (node --conditions=source scripts/update-cloud-protocol.mjs)", () => {
  test.each([
    ["cloud-protocol.schema.json", cloudProtocolSchema()],
    ["cloud-protocol.asyncapi.json", cloudProtocolAsyncApi()],
  ])("%s is what the schemas say", (name, document) => {
    const text = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
    expect(JSON.parse(text)).toEqual(document);
  });

  test("every reference of the AsyncAPI description leads somewhere", () => {
    const api = cloudProtocolAsyncApi();
    const documents: Record<string, unknown> = { "": api, "./cloud-protocol.schema.json": cloudProtocolSchema() };
    const references = JSON.stringify(api).matchAll(/"\$ref":"([^"#]*)#\/([^"]+)"/g);
    const found = [...references].map(([, file = "", path = ""]) =>
      path.split("/").reduce<unknown>((at, part) => Reflect.get(Object(at), part), documents[file]),
    );
    expect(found.length).toBeGreaterThan(20);
    expect(found).not.toContain(undefined);
  });
});
