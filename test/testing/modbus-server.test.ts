import { expect, test } from "vitest";
import { type ModbusImage, type ModbusReply, serveModbus } from "../../src/testing/modbus-server.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { SimNet } from "../../src/testing/sim-net.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
const ADDRESS = { host: "device", port: 502 };

function makeImage(reply?: ModbusReply): ModbusImage & { writes: unknown[] } {
  const writes: unknown[] = [];
  const values = (count: number): ModbusReply =>
    reply ?? { kind: "values", values: Array.from({ length: count }, (_, index) => 0x100 + index) };
  return {
    writes,
    readHolding: (_unit, _address, count) => values(count),
    readInput: (_unit, _address, count) => values(count),
    writeHolding: (unit, address, words, code) => {
      writes.push([unit, address, [...words], code]);
      return reply ?? { kind: "values", values: [] };
    },
  };
}

/** Sends chunks of hexadecimal text and answers what came back, and whether the stream still stands. */
async function exchange(image: ModbusImage, ...requests: readonly string[]) {
  const clock = new VirtualClock();
  const net = new SimNet(clock, new SeededRandom(1));
  await serveModbus({ clock, net: net.host() }, image, ADDRESS);
  let received = "";
  let isOpen = true;
  const events = {
    data: (bytes: Uint8Array) => {
      received += Buffer.from(bytes).toString("hex");
    },
    closed: () => {
      isOpen = false;
    },
  };
  const stream = await clock.resolve(net.host().connect(ADDRESS, events, NEVER), 1_000);
  for (const request of requests) stream.write(Buffer.from(request, "hex"));
  await clock.advance(100);
  const soon = received;
  await clock.advance(10_000);
  return { received, soon, isOpen };
}

test("a read answers its registers under the request's id and unit", async () => {
  expect(await exchange(makeImage(), "00070000000611030000" + "0002")).toMatchObject({
    received: "0007000000071103040100" + "0101",
  });
});

test("a write of one and of several is acknowledged after the image has taken it", async () => {
  const image = makeImage();
  const { received } = await exchange(image, "0001000000060106001007d0", "00020000000b011000100002" + "0400010002");
  expect(image.writes).toEqual([
    [1, 16, [2000], 6],
    [1, 16, [1, 2], 16],
  ]);
  expect(received).toBe("0001000000060106001007d0" + "000200000006011000100002");
});

test("a request that comes in pieces, or several in one, is answered in order", async () => {
  const whole = "000100000006010300000001" + "000200000006010400000001";
  const { received } = await exchange(makeImage(), whole.slice(0, 10), whole.slice(10, 30), whole.slice(30));
  expect(received).toBe("0001000000050103020100" + "0002000000050104020100");
});

test("an unknown function and a count that lies are refused with an exception", async () => {
  const { received } = await exchange(makeImage(), "000100000006012b00000001", "00020000000901100010000204" + "0001");
  expect(received).toBe("00010000000301ab01" + "000200000003019003");
});

test("an exception, a delay, silence and a hang-up are as the image says", async () => {
  const request = "000100000006010300000001";
  expect(await exchange(makeImage({ kind: "exception", code: 2 }), request)).toMatchObject({
    received: "000100000003018302",
  });
  const late = await exchange(makeImage({ kind: "values", values: [1], delayMs: 5_000 }), request);
  expect([late.soon, late.received]).toEqual(["", "0001000000050103020001"]);
  expect(await exchange(makeImage({ kind: "silence" }), request)).toMatchObject({ received: "", isOpen: true });
  expect(await exchange(makeImage({ kind: "hang-up" }), request)).toMatchObject({ received: "", isOpen: false });
});

test("noise ends the connection", async () => {
  expect(await exchange(makeImage(), "474554202f20485454502f312e31")).toMatchObject({ received: "", isOpen: false });
});
