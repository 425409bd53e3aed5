/** Reads a telegram in text: lines of an OBIS code with values in brackets, as P1 and IEC 62056-21 have them. */
import { makerOf, plateNumber } from "../meter-identity.ts";
import { type RegisterUnit, type RegisterValue, registerCode, type Telegram } from "../telegram.ts";

/** `1-0:1.8.0*255(00012.345*kWh)`; medium and channel may be absent, and several may stand in one line. */
const DATA_SET =
  /(?:(\d{1,3})-(\d{1,3}):)?([0-9A-Z]{1,3})\.([0-9A-Z]{1,3})(?:\.(\d{1,3}))?(?:([*&])(\d{1,3}))?((?:\([^()]*\))+)/g;
const MAX_VERSION = 40;
const QUANTITY = /^(-?)(\d{1,15})(?:\.(\d{1,9}))?\*([A-Za-z]+)$/;

/** Units as meters write them, and the power of ten that leads to ours. */
const UNITS: Readonly<Record<string, readonly [RegisterUnit, number]>> = {
  w: ["W", 0],
  kw: ["W", 3],
  wh: ["Wh", 0],
  kwh: ["Wh", 3],
  mwh: ["Wh", 6],
  v: ["V", 0],
  a: ["A", 0],
  hz: ["Hz", 0],
};

/** Kinds of meters on the wired M-Bus behind the port (EN 13757-3). */
const MEDIA: Readonly<Record<number, string>> = { 3: "gas", 4: "heat", 6: "hot water", 7: "water", 12: "heat" };

/** Where meters say their number, the best first. */
const NUMBERS = ["96.1.1", "96.1.0", "96.1.255", "0.0.0", "C.1.0", "42.0.0"];

export interface TextTelegram extends Telegram {
  /** What stands in it, with the digits of registers blotted out: alike for telegrams that differ in values only. */
  readonly shape: string;
  /** True: a meter that says what it is appends a checksum. */
  readonly needsChecksum: boolean;
}

interface DataSet {
  /** Null where the telegram does not say. */
  readonly medium: number | null;
  readonly channel: number;
  readonly groups: readonly [string, string, string];
  readonly historic: number;
  readonly values: readonly string[];
}

/** Lines that cannot be understood are passed over. */
export function readText(text: string): TextTelegram {
  const [header = "", ...lines] = text.split(/\r\n|\r|\n/);
  // DSMR 2 and 3 write the reading of a gas meter on a separate line.
  const content = lines.join("\n").replaceAll("\n(", "(");
  const sets = [...dataSets(content)];
  const registers = new Map<string, RegisterValue>();
  const shape: string[] = [];
  for (const set of sets) {
    const found = registerOf(set);
    shape.push(set.groups.join("."));
    if (found === null || registers.has(found.code)) continue;
    registers.set(found.code, found.register);
    shape.push((set.values[0] ?? "").replace("-", "").replaceAll(/\d/g, "0"));
  }
  // What is left of a line that lost a part of itself.
  shape.push(content.replaceAll(DATA_SET, "").replaceAll(/\s+/g, " ").replaceAll(/\d/g, "0"));
  return {
    identity: identityOf(header, sets),
    registers,
    otherMedia: sets.flatMap(mediumOf),
    shape: shape.join(" "),
    needsChecksum: sets.some(isVersion),
  };
}

function* dataSets(text: string): Iterable<DataSet> {
  for (const match of text.matchAll(DATA_SET)) {
    const [, medium, channel, c = "", d = "", e = "0", mark, f = "255", brackets = ""] = match;
    yield {
      medium: medium === undefined ? null : Number(medium),
      channel: Number(channel ?? 0),
      groups: [c, d, e],
      historic: mark === "&" ? 0 : Number(f),
      values: brackets.slice(1, -1).split(")("),
    };
  }
}

function registerOf({ medium, channel, groups, historic, values }: DataSet): {
  readonly code: string;
  readonly register: RegisterValue;
} | null {
  const code = registerCode({ medium: medium ?? 1, channel, historic }, groups);
  const [text] = values;
  if (code === null || text === undefined || values.length !== 1) return null;
  const register = quantityOf(text);
  return register === null ? null : { code, register };
}

/** Scaled as a whole number, so that 4.426 kWh is 4426 Wh and nothing beside it. */
function quantityOf(text: string): RegisterValue | null {
  const [, sign, whole = "", fraction = "", unitName = ""] = QUANTITY.exec(text) ?? [];
  const unit = UNITS[unitName.toLowerCase()];
  if (unit === undefined) return null;
  const [name, exponent] = unit;
  const digits = Number(whole + fraction);
  const shift = exponent - fraction.length;
  const value = shift < 0 ? digits / 10 ** -shift : digits * 10 ** shift;
  return { value: sign === "-" ? -value : value, unit: name };
}

/** `0-1:24.1.0(003)` */
function mediumOf({ medium, channel, groups, values: [kind = ""] }: DataSet): readonly string[] {
  if (medium !== 0 || channel === 0 || groups.join(".") !== "24.1.0") return [];
  return [MEDIA[Number(kind)] ?? `kind ${kind}`];
}

/** `1-3:0.2.8(50)` of DSMR 4 and 5, `0-0:96.1.4(50217)` of Belgium. */
function isVersion({ medium, channel, groups, values: [version = ""] }: DataSet): boolean {
  const code = groups.join(".");
  if (medium === 1 && channel === 3 && code === "0.2.8") return Number(version) >= 40;
  return medium === 0 && channel === 0 && code === "96.1.4" && /^\d{5}$/.test(version);
}

/** `/ISK5\2M550T-1012`: three letters, a digit for the speed, and the model, maybe after a mark of the mode. */
function identityOf(header: string, sets: readonly DataSet[]): Telegram["identity"] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Iskraemeco sends one in place of the backslash.
  const [, letters = "", model = ""] = /^\/([A-Za-z]{3}).(?:\\\d|\x02)?(.*)$/.exec(header) ?? [];
  return {
    manufacturer: makerOf(letters),
    model: model.replaceAll(/[^ -~]|\\/g, "").trim() || null,
    serial: numberOf(sets),
    version: firmwareOf(sets),
  };
}

/** `1-0:0.2.0*255(ver.03,432F,20170504)` of Logarex, `1-0:0.2.0*255(V1.0)` of Iskraemeco. */
function firmwareOf(sets: readonly DataSet[]): string | null {
  const set = sets.find(
    ({ medium, channel, groups }) => (medium ?? 1) === 1 && channel === 0 && groups.join(".") === "0.2.0",
  );
  return (
    set?.values[0]
      ?.replaceAll(/[^ -~]/g, "")
      .trim()
      .slice(0, MAX_VERSION) || null
  );
}

function numberOf(sets: readonly DataSet[]): string | null {
  for (const expected of NUMBERS) {
    for (const { medium, channel, groups, values } of sets) {
      if (groups.join(".") !== expected || channel !== 0 || (medium ?? 0) > 1) continue;
      const number = plateNumber(values[0] ?? "");
      if (number !== null) return number;
    }
  }
  return null;
}
