/** SML files as German meters send them, in the transport protocol's version 1. */
import { crcOf } from "./checksums.ts";
import { type Measured, netW } from "./measured.ts";

export interface SmlTwinOptions {
  /** Before its PIN is entered a meter tells its counters only, in whole kWh. Default true. */
  readonly tellsPower?: boolean;
  /** Holley's meters reckon the checksums in another way. Default `x25`. */
  readonly checksum?: "x25" | "kermit";
  /** The power's bytes as they stand in the file, with their type and length, in place of the usual ones. */
  readonly powerField?: string;
  /** The server id in hex. */
  readonly server?: string;
  /** A signature, which stands at the end, in hex. */
  readonly signature?: string;
}

const SML_SERVER = "0a0149534b0004025f32";
export const SML_SERIAL = "1ISK0067264306";

/** A whole file, with its transport. */
export function smlFile(measured: Measured, options: SmlTwinOptions = {}): Uint8Array {
  return transported(smlContent(measured, options), options.checksum);
}

/** The messages of a file, without the transport protocol around them. */
export function smlContent(measured: Measured, options: SmlTwinOptions = {}): Uint8Array {
  const { checksum = "x25", server = SML_SERVER } = options;
  const messages = [
    message("0101", list("01", "01", bytes("0001"), bytes(server), "01", "01"), checksum),
    message("0701", listResponse(measured, { ...options, server }), checksum),
    message("0201", list("01"), checksum),
  ];
  return Buffer.from(messages.join(""), "hex");
}

/** Content in the transport protocol: start, escapes, padding, end. */
export function transported(content: Uint8Array, checksum: "x25" | "kermit" = "x25"): Uint8Array {
  const padding = (4 - (content.length % 4)) % 4;
  const padded = Buffer.concat([content, Buffer.alloc(padding)]).toString("hex");
  const escaped = padded
    .match(/../g)
    ?.join(" ")
    .replaceAll("1b 1b 1b 1b", "1b 1b 1b 1b 1b 1b 1b 1b")
    .replaceAll(" ", "");
  const body = Buffer.from(`1b1b1b1b01010101${escaped ?? ""}1b1b1b1b1a${hex(padding, 1)}`, "hex");
  return Buffer.concat([body, Buffer.from(lowFirst(crcOf(checksum, body)), "hex")]);
}

function listResponse(measured: Measured, options: SmlTwinOptions & { readonly server: string }): string {
  const { tellsPower = true, powerField, server, signature } = options;
  const whole = tellsPower ? 0.1 : 1_000;
  const energy = (values: readonly [number, number]): string =>
    unsigned(Math.floor((values[0] + values[1]) / whole), 8);
  const scaler = tellsPower ? "52ff" : "5203";
  const entries = [
    entry("8181c78203ff", { value: bytes("49534b") }),
    entry("0100000009ff", { value: bytes(server) }),
    entry("0100010800ff", { unit: 30, scaler, value: energy(measured.importWh), status: "64000182" }),
    // The last year, from which nothing may be taken.
    entry("010001080063", { unit: 30, scaler, value: unsigned(77, 4) }),
    entry("0100020800ff", { unit: 30, scaler, value: energy(measured.exportWh) }),
    ...(tellsPower ? instantaneous(measured, powerField) : []),
    entry("8181c78205ff", { value: `8302${"1b".repeat(5)}${"a7".repeat(43)}` }),
  ];
  const time = list("6201", unsigned(29_584_322, 4));
  return list(
    "01",
    bytes(server),
    bytes("0100620affff"),
    time,
    list(...entries),
    signature === undefined ? "01" : bytes(signature),
    "01",
  );
}

function instantaneous(measured: Measured, powerField: string | undefined): readonly string[] {
  const [a, b, c] = measured.powerW;
  const watts = (code: string, value: number): string =>
    entry(code, { unit: 27, scaler: "52ff", value: signed(Math.round(value * 10), 4) });
  const field = powerField ?? signed(Math.round(netW(measured) * 10), 4);
  return [
    entry("0100100700ff", { unit: 27, scaler: "52ff", value: field }),
    watts("0100240700ff", a),
    watts("0100380700ff", b),
    watts("01004c0700ff", c),
    ...[0x20, 0x34, 0x48].map((group, at) =>
      entry(`0100${hex(group, 1)}0700ff`, {
        unit: 35,
        scaler: "52ff",
        value: unsigned(Math.round((measured.voltageV[at] ?? 0) * 10), 2),
      }),
    ),
    ...[0x1f, 0x33, 0x47].map((group, at) =>
      entry(`0100${hex(group, 1)}0700ff`, {
        unit: 33,
        scaler: "52fe",
        value: unsigned(Math.round((measured.currentA[at] ?? 0) * 100), 2),
      }),
    ),
    // A phase's angle, in degrees.
    entry("0100510701ff", { unit: 8, scaler: "01", value: unsigned(120, 2) }),
    entry("01000e0700ff", { unit: 44, scaler: "52ff", value: unsigned(Math.round(measured.frequencyHz * 10), 2) }),
  ];
}

interface EntryParts {
  readonly value: string;
  readonly unit?: number;
  readonly scaler?: string;
  readonly status?: string;
}

function entry(code: string, { value, unit, scaler = "01", status = "01" }: EntryParts): string {
  return list(bytes(code), status, "01", unit === undefined ? "01" : `62${hex(unit, 1)}`, scaler, value, "01");
}

/** Transaction, group, what happens on an error, body, checksum, end. */
function message(tag: string, body: string, checksum: "x25" | "kermit"): string {
  const head = `76${bytes("0000a1b2c3")}62006200${list(`65${tag.padStart(8, "0")}`, body)}`;
  return `${head}63${lowFirst(crcOf(checksum, Buffer.from(head, "hex")))}00`;
}

function list(...items: readonly string[]): string {
  const length = items.length;
  const field = length < 16 ? hex(0x70 | length, 1) : hex(0xf000 | ((length >> 4) << 8) | (length & 15), 2);
  return field + items.join("");
}

function bytes(content: string): string {
  const length = content.length / 2 + 1;
  if (length < 16) return hex(length, 1) + content;
  return hex(0x8000 | (((length + 1) >> 4) << 8) | ((length + 1) & 15), 2) + content;
}

function unsigned(value: number, size: number): string {
  return hex(0x60 | (size + 1), 1) + hex(value, size);
}

function signed(value: number, size: number): string {
  return hex(0x50 | (size + 1), 1) + hex(value < 0 ? value + 2 ** (8 * size) : value, size);
}

function hex(value: number, size: number): string {
  return value.toString(16).padStart(size * 2, "0");
}

function lowFirst(checksum: number): string {
  return hex(checksum & 0xff, 1) + hex(checksum >> 8, 1);
}
