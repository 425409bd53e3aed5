import fc from "fast-check";
import { generate } from "mqtt-packet";
import { expect, test } from "vitest";
import { PacketLengthError, PacketLengths } from "../../../src/platform/mqtt/packet-lengths.ts";

const publish = (bytes: number) =>
  generate({ cmd: "publish", topic: "t", payload: Buffer.alloc(bytes), qos: 0, dup: false, retain: false });

test("every packet of a stream is counted, however it is cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 50 }),
      (sizes, step) => {
        const stream = Buffer.concat([generate({ cmd: "pingreq" }), ...sizes.map(publish)]);
        const lengths = new PacketLengths(1_000);
        let ended = 0;
        for (let at = 0; at < stream.length; at += step) ended += lengths.take(stream.subarray(at, at + step));
        expect(ended).toBe(sizes.length + 1);
      },
    ),
  );
});

test("a packet that announces more than it may have is refused before it comes", () => {
  expect(() => new PacketLengths(100).take(publish(98).subarray(0, 3))).toThrow(PacketLengthError);
  expect(new PacketLengths(100).take(publish(97))).toBe(1);
});

test("a length of five bytes is none", () => {
  expect(() => new PacketLengths(2 ** 31).take(Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0xff))).toThrow(
    "more than four bytes",
  );
});
