import { expect, test } from "vitest";
import { EventStreamReader } from "../../../src/sync/uplink/event-stream.ts";
import { bytes } from "./recorded-events.ts";

const texts = (frames: readonly Uint8Array[]) => frames.map((frame) => new TextDecoder().decode(frame));
const A = "id: 7\nevent: frame\ndata: YQ==\n\n";
const B = "event: frame\r\ndata: Yg==\r\n\r\n";

test("frames come whole however the stream is cut", () => {
  const all = bytes(`: hello\n\n${A}${B}event: other\ndata: YQ==\n\ndata: YQ==\n\n`);
  for (let cut = 0; cut <= all.length; cut += 1) {
    const reader = new EventStreamReader();
    const frames = [...reader.take(all.subarray(0, cut)), ...reader.take(all.subarray(cut))];
    expect(texts(frames)).toEqual(["a", "b"]);
    expect(reader.lastId).toBe("7");
  }
});

test("data on several lines is one frame", () => {
  expect(texts(new EventStreamReader().take(bytes("event: frame\ndata: YW\ndata: I=\n\n")))).toEqual(["ab"]);
});

test("an event that no frame is as long as is refused, with a line's end or without", () => {
  const reader = new EventStreamReader();
  expect(() => reader.take(bytes(`data: ${"Y".repeat(3_000_000)}`))).toThrow("too long");
  const lines = new EventStreamReader();
  const line = bytes(`data: ${"Y".repeat(1_000_000)}\n`);
  expect(() => [1, 2, 3].map(() => lines.take(line))).toThrow("too long");
});
