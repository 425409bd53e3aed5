/** Telegrams of meters with a P1 port, as the countries' papers have them. */
import { createCipheriv } from "node:crypto";
import { crcOf } from "./checksums.ts";
import { type Measured, netW } from "./measured.ts";

export type P1Variant = "dsmr2" | "dsmr3" | "dsmr4" | "dsmr5" | "belgium" | "luxembourg" | "sweden" | "easymeter";

const HEADERS: Readonly<Record<P1Variant, string>> = {
  dsmr2: "/KMP5 KA6U001585654321",
  dsmr3: "/ISk5\\2MT382-1000",
  dsmr4: "/KFM5KAIFA-METER",
  dsmr5: "/ISK5\\2M550T-1012",
  belgium: "/FLU5\\253769484_A",
  luxembourg: "/EST5\\253710000_A",
  sweden: "/ELL5\\253833635_A",
  easymeter: "/ESY5Q3DA1004 V3.04",
};

/** The number on the plate of every twin that tells one. */
export const P1_SERIAL = "E0047000000123456";

export function p1Telegram(variant: P1Variant, measured: Measured): string {
  const lines = [HEADERS[variant], "", ...linesOf(variant, measured)].join("\r\n");
  const body = `${lines}\r\n!`;
  const hasChecksum = variant !== "dsmr2" && variant !== "dsmr3" && variant !== "easymeter";
  return `${body}${hasChecksum ? p1Checksum(body) : ""}\r\n`;
}

/** Four digits in upper case, over all from `/` to `!`. */
export function p1Checksum(body: string): string {
  return crcOf("arc", Buffer.from(body, "latin1")).toString(16).toUpperCase().padStart(4, "0");
}

/** The telegram in Luxembourg's encryption, AES-128-GCM with a tag of 12 bytes. */
export function encryptedP1(
  telegram: string,
  {
    key,
    counter,
    authentication,
  }: { readonly key: string; readonly counter: number; readonly authentication?: string },
): Uint8Array {
  const title = Buffer.from("SAG00001", "latin1");
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const cipher = createCipheriv("aes-128-gcm", Buffer.from(key, "hex"), Buffer.concat([title, count]), {
    authTagLength: 12,
  });
  cipher.setAAD(Buffer.from(`30${authentication ?? "00112233445566778899AABBCCDDEEFF"}`, "hex"));
  const secret = Buffer.concat([cipher.update(Buffer.from(telegram, "latin1")), cipher.final()]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(1 + 4 + secret.length + 12);
  const head = Buffer.concat([Buffer.from("db08", "hex"), title, Buffer.from("82", "hex"), length]);
  return Buffer.concat([head, Buffer.from("30", "hex"), count, secret, cipher.getAuthTag()]);
}

function linesOf(variant: P1Variant, measured: Measured): readonly string[] {
  switch (variant) {
    case "dsmr2":
    case "dsmr3":
      return [number(), ...tariffs(measured, 5), ...totals(measured, 4), "0-0:17.0.0(016*A)", ...oldGas()];
    case "dsmr4":
    case "dsmr5":
      return [
        `1-3:0.2.8(${variant === "dsmr4" ? 42 : 50})`,
        "0-0:1.0.0(261121230000W)",
        number(),
        ...tariffs(measured, 6),
        "0-0:96.14.0(0001)",
        ...totals(measured, 2),
        "1-0:99.97.0(1)(0-0:96.7.19)(190326095015W)(0000002014*s)",
        "0-0:96.13.0()",
        ...phases(measured),
        ...gas(),
      ];
    case "belgium":
      return [
        "0-0:96.1.4(50217)",
        number(),
        "0-0:1.0.0(261121230000W)",
        ...tariffs(measured, 6),
        "1-0:1.4.0(02.351*kW)",
        "1-0:1.6.0(261109134558W)(02.589*kW)",
        "0-0:98.1.0(1)(1-0:1.6.0)(1-0:1.6.0)(261001000000S)(260923192538S)(03.695*kW)",
        ...totals(measured, 2),
        ...phases(measured),
        "1-0:31.4.0(999*A)",
        ...gas(),
      ];
    case "luxembourg":
      return [
        "1-3:0.2.8(50)",
        `0-0:42.0.0(${Buffer.from(P1_SERIAL).toString("hex").toUpperCase()})`,
        ...sums(measured, 9, "Wh"),
        ...tariffs(measured, 6),
        ...totals(measured, 2),
        ...phases(measured),
      ];
    case "sweden":
      return [
        "0-0:1.0.0(261121230000W)",
        ...sums(measured, 8, "kWh"),
        "1-0:3.8.0(00000004.989*kvarh)",
        ...totals(measured, 4),
        ...phases(measured),
      ];
    case "easymeter":
      return easymeter(measured);
    default:
      return variant satisfies never;
  }
}

function easymeter(measured: Measured): readonly string[] {
  const [a, b, c] = measured.powerW;
  const watts = (value: number): string => `${value < 0 ? "-" : ""}${fixed(Math.abs(value), 6, 2)}*W`;
  return [
    "1-0:0.0.0*255(1336001560)",
    `1-0:1.8.0*255(${fixed(sum(measured.importWh) / 1_000, 8, 7)}*kWh)`,
    `1-0:2.8.0*255(${fixed(sum(measured.exportWh) / 1_000, 8, 7)}*kWh)`,
    `1-0:21.7.255*255(${watts(a)})`,
    `1-0:41.7.255*255(${watts(b)})`,
    `1-0:61.7.255*255(${watts(c)})`,
    `1-0:1.7.255*255(${watts(netW(measured))})`,
    "1-0:96.5.5*255(80)",
    `0-0:96.1.255*255(${P1_SERIAL})`,
  ];
}

function number(): string {
  return `0-0:96.1.1(${Buffer.from(P1_SERIAL).toString("hex").toUpperCase()})`;
}

function tariffs({ importWh, exportWh }: Measured, digits: number): readonly string[] {
  const kwh = (value: number): string => `${fixed(value / 1_000, digits, 3)}*kWh`;
  return [
    `1-0:1.8.1(${kwh(importWh[0])})`,
    `1-0:1.8.2(${kwh(importWh[1])})`,
    `1-0:2.8.1(${kwh(exportWh[0])})`,
    `1-0:2.8.2(${kwh(exportWh[1])})`,
  ];
}

function sums({ importWh, exportWh }: Measured, digits: number, unit: "Wh" | "kWh"): readonly string[] {
  const energy = (value: number): string =>
    unit === "Wh" ? `${fixed(value, digits, 0)}*Wh` : `${fixed(value / 1_000, digits, 3)}*kWh`;
  return [`1-0:1.8.0(${energy(sum(importWh))})`, `1-0:2.8.0(${energy(sum(exportWh))})`];
}

function totals(measured: Measured, digits: number): readonly string[] {
  const net = netW(measured);
  return [`1-0:1.7.0(${kw(net, digits)})`, `1-0:2.7.0(${kw(-net, digits)})`];
}

function phases({ powerW, voltageV, currentA }: Measured): readonly string[] {
  return [2, 4, 6].flatMap((group, at) => {
    const [power = 0, voltage = 0, current = 0] = [powerW[at], voltageV[at], currentA[at]];
    return [
      `1-0:${group}1.7.0(${kw(power, 2)})`,
      `1-0:${group}2.7.0(${kw(-power, 2)})`,
      `1-0:${group + 1}2.7.0(${fixed(voltage, 3, 1)}*V)`,
      `1-0:${group + 1}1.7.0(${fixed(current, 3, 0)}*A)`,
    ];
  });
}

function gas(): readonly string[] {
  return ["0-1:24.1.0(003)", "0-1:96.1.0(4730303339303031)", "0-1:24.2.1(261121225500W)(00246.138*m3)"];
}

function oldGas(): readonly string[] {
  return [
    "0-1:96.1.0(3232323241424344)",
    "0-1:24.1.0(03)",
    "0-1:24.3.0(261121220000)(00)(60)(1)(0-1:24.2.1)(m3)",
    "(00001.001)",
  ];
}

/** One direction only: nothing while the power flows the other way. */
function kw(powerW: number, digits: number): string {
  return `${fixed(Math.max(0, powerW) / 1_000, digits, 3)}*kW`;
}

function sum([a, b]: readonly [number, number]): number {
  return a + b;
}

function fixed(value: number, digits: number, decimals: number): string {
  return value.toFixed(decimals).padStart(digits + (decimals > 0 ? decimals + 1 : 0), "0");
}
