import qrcode from "qrcode-generator";
import { expect, test } from "vitest";
import { qrText } from "../../src/cli/qr-text.ts";

const BLACK_ON_WHITE = "\u001b[30;107m";
const AS_BEFORE = "\u001b[0m";

/** The modules that a camera sees: true is dark. */
function modulesOf(text: string): boolean[][] {
  return text.split("\n").flatMap((line) => {
    const blocks = [...line.slice(BLACK_ON_WHITE.length, -AS_BEFORE.length)];
    return [blocks.map((block) => "█▀".includes(block)), blocks.map((block) => "█▄".includes(block))];
  });
}

test("a QR code in a terminal has the modules of the address, inside of a white margin", () => {
  const url = "http://192.168.178.20:8080/#code=K7QM-2FXA";
  const code = qrcode(0, "L");
  code.addData(url);
  code.make();
  const size = code.getModuleCount();
  const seen = modulesOf(qrText(url));
  const expected = Array.from({ length: size }, (_row, row) =>
    Array.from({ length: size }, (_column, column) => code.isDark(row, column)),
  );
  expect(seen.slice(2, 2 + size).map((row) => row.slice(2, 2 + size))).toEqual(expected);
  const margin = [
    ...seen.slice(0, 2),
    ...seen.slice(2 + size),
    ...seen.map((row) => [...row.slice(0, 2), ...row.slice(-2)]),
  ];
  expect(margin.flat()).not.toContain(true);
  expect(seen[2]?.slice(2, 9)).toEqual(Array(7).fill(true));
});

test("it is black on white whatever the terminal's colours are", () => {
  for (const line of qrText("http://10.0.0.1/").split("\n")) {
    expect([line.startsWith(BLACK_ON_WHITE), line.endsWith(AS_BEFORE)]).toEqual([true, true]);
  }
});
