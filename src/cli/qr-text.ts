/** A QR code as text, for a phone in front of a terminal. */
import qrcode from "qrcode-generator";

/** White around the code, in modules; scanners need it. */
const MARGIN = 2;
/** Black on white whatever the colours of the terminal are, and back to them. */
const BLACK_ON_WHITE = "\u001b[30;107m";
const AS_BEFORE = "\u001b[0m";

/** Returns the lines of a QR code of this text. A character is one module wide and two high. */
export function qrText(text: string): string {
  // The smallest code that the text fits in; L: a screen is never dirty.
  const code = qrcode(0, "L");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const isDark = (row: number, column: number): boolean =>
    row >= 0 && column >= 0 && row < size && column < size && code.isDark(row, column);
  const lines: string[] = [];
  for (let row = -MARGIN; row < size + MARGIN; row += 2) {
    let line = "";
    for (let column = -MARGIN; column < size + MARGIN; column += 1) {
      line += half(isDark(row, column), isDark(row + 1, column));
    }
    lines.push(`${BLACK_ON_WHITE}${line}${AS_BEFORE}`);
  }
  return lines.join("\n");
}

function half(isUpperDark: boolean, isLowerDark: boolean): string {
  if (isUpperDark) return isLowerDark ? "█" : "▀";
  return isLowerDark ? "▄" : " ";
}
