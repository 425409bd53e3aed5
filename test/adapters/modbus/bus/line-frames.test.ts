import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkAnswer, putAdu, type Request, requestText } from "../../../../adapters/modbus/bus/frame.ts";
import { ASCII, DATAGRAM, RTU } from "../../../../adapters/modbus/bus/line-frames.ts";
import { countedExpect } from "../../../counted-expect.ts";

const READ: Request = { unit: 1, code: 3, address: 0, count: 1, values: [] };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytes = (text: string): Uint8Array => Buffer.from(text, "hex");

describe("frames as others write them", () => {
  test("RTU ends with its CRC, low byte first", () => {
    expect(hex(RTU.encode(READ))).toBe("010300000001840a");
    expect(hex(RTU.encode({ unit: 17, code: 6, address: 1, count: 1, values: [3] }))).toBe("1106000100039a9b");
    expect(hex(RTU.encode({ unit: 1, code: 5, address: 172, count: 1, values: [1] }))).toBe("010500acff004c1b");
    expect(hex(RTU.encode({ unit: 17, code: 16, address: 1, count: 2, values: [10, 258] }))).toBe(
      "11100001000204000a0102c6f0",
    );
  });

  test("ASCII is a colon, capital digits, the LRC, CR and LF", () => {
    expect(Buffer.from(ASCII.encode(READ)).toString()).toBe(":010300000001FB\r\n");
  });

  test("answers are found behind noise, and without GoodWe's mark", () => {
    expect(RTU.find(bytes("00ff0103020005 7847".replaceAll(" ", "")), READ)).toMatchObject({
      kind: "answer",
      offset: 2,
    });
    expect(DATAGRAM.find(bytes("aa5501030200057847"), READ)).toMatchObject({ kind: "answer", offset: 0 });
    expect(RTU.find(bytes("018302c0f1"), READ)).toMatchObject({ kind: "answer", end: 3 });
    expect(ASCII.find(Buffer.from("\u0000:0103020005F5\r\n"), READ)).toMatchObject({ kind: "answer" });
  });

  test("an answer of another unit, function or length is none, and a damaged one is told", () => {
    for (const other of ["02030200053c47", "0104020005793", "010304000500060000"]) {
      expect(RTU.find(bytes(other), READ)).toMatchObject({ kind: "none" });
    }
    expect(RTU.find(bytes("01030200057846"), READ)).toEqual({ kind: "damaged" });
    expect(ASCII.find(Buffer.from(":0103020005F4\r\n"), READ)).toEqual({ kind: "damaged" });
    expect(ASCII.find(Buffer.from(":01030200G5F5\r\n"), READ)).toEqual({ kind: "damaged" });
  });
});

describe("functions that only other programs use are written and answered as in the specification's examples", () => {
  const adu = (text: string): Uint8Array => bytes(`11${text.replaceAll(" ", "")}`);
  test.each<readonly [string, Omit<Request, "unit">, string, string, string]>([
    [
      "15",
      { code: 15, address: 19, count: 10, values: [1, 0, 1, 1, 0, 0, 1, 1, 1, 0] },
      "0f 0013 000a 02 cd01",
      "0f 0013 000a",
      "unit 17, writing 10 coils at 19",
    ],
    [
      "22",
      { code: 22, address: 4, count: 1, values: [0x00f2, 0x0025] },
      "16 0004 00f2 0025",
      "16 0004 00f2 0025",
      "unit 17, writing 1 holding register at 4",
    ],
    [
      "23",
      { code: 23, address: 3, count: 6, values: [255, 255, 255], writeAddress: 14 },
      "17 0003 0006 000e 0003 06 00ff 00ff 00ff",
      "17 0c 00fe 0acd 0001 0003 000d 00ff",
      "unit 17, writing 3 at 14 and reading 6 holding registers at 3",
    ],
  ])("function %s", (_code, rest, asked, answered, text) => {
    const request: Request = { unit: 17, ...rest };
    const sent = new Uint8Array(adu(asked).length).fill(0xaa);
    expect(putAdu(sent, 0, request)).toBe(sent.length);
    expect(hex(sent)).toBe(hex(adu(asked)));
    const answer = adu(answered);
    expect(checkAnswer(answer, 0, answer.length, request)).toEqual({ kind: "done" });
    // Another address, count, mask, or number of bytes.
    for (const at of [3, ...(request.code === 23 ? [] : [5]), ...(request.code === 22 ? [7] : [])]) {
      const other = answer.with(at, answer[at]! ^ 1);
      if (request.code === 23) other[2] = 11;
      expect([at, checkAnswer(other, 0, other.length, request).kind]).toEqual([at, "lie"]);
    }
    expect(checkAnswer(answer, 0, answer.length - 1, request).kind).toBe("lie");
    expect(requestText(request)).toBe(text);
  });
});

/** Bytes with a right answer in them more often than chance would have it. */
const Noise = fc.uint8Array({ maxLength: 140 });
const Answers = ["01030200057847", "018302c0f1", Buffer.from(":0103020005F5\r\n").toString("hex")] as const;
const Stream = fc
  .tuple(Noise, fc.constantFrom("", ...Answers), Noise)
  .map(([before, answer, after]) => Uint8Array.from([...before, ...bytes(answer), ...after]));

test.each([
  ["RTU", RTU],
  ["ASCII", ASCII],
  ["datagrams", DATAGRAM],
] as const)("%s: no stretch of bytes throws, and an answer lies within it", (_name, framing) => {
  const expectWithin = countedExpect();
  fc.assert(
    fc.property(Stream, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 125 })), (stream, count) => {
      const found = framing.find(stream, { ...READ, count });
      if (found.kind !== "answer") return;
      expectWithin(found.end).toBeLessThanOrEqual(found.adu.length);
      expect(found.start).toBeLessThan(found.end);
    }),
  );
  expectWithin.wasCalled();
});
