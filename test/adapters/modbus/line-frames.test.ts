import { expect, test } from "vitest";
import { ASCII } from "../../../adapters/modbus/line-frames.ts";

/** Reading the state of an ABL eMH1, and switching its outlet on. */
const STATE = { unit: 1, code: 3, address: 4, count: 1, values: [] } as const;
const ENABLE = { unit: 1, code: 16, address: 5, count: 1, values: [0xa1a1] } as const;

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

test("the frame that switches an ABL box on is the one that its owners know", () => {
  expect(Buffer.from(ASCII.encode(ENABLE)).toString("latin1")).toBe(":01100005000102A1A1A5\r\n");
});

test.each([
  [":0103022EC20A\r\n", 0],
  // ABL's boxes begin an answer with another character.
  [">0103022EC20A\r\n", 0],
  ["\0\xff>0103022EC20A\r\n", 2],
])("an answer is found by its colon, or what ABL sends for it: %j", (text, offset) => {
  const found = ASCII.find(bytes(text), STATE);
  expect(found).toMatchObject({ kind: "answer", offset });
  if (found.kind === "answer") expect([...found.adu.subarray(found.start, found.end)]).toEqual([1, 3, 2, 0x2e, 0xc2]);
});

test("a wrong check digit is damage, the gateway's own request is nothing", () => {
  expect(ASCII.find(bytes(">0103022EC20B\r\n"), STATE)).toEqual({ kind: "damaged" });
  expect(ASCII.find(bytes(":010300040001F7\r\n"), STATE)).toEqual({ kind: "none" });
  expect(ASCII.find(bytes(">0103022EC2"), STATE)).toEqual({ kind: "none" });
});
