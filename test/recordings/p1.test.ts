/** Telegrams recorded from P1 and D0 ports, against what their sources expect. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makerOf } from "../../adapters/smart-meter/meter-identity.ts";
import { meterPoints } from "../../adapters/smart-meter/meter-points.ts";
import type { ReadOutcome, Telegram } from "../../adapters/smart-meter/telegram.ts";
import { TextReader } from "../../adapters/smart-meter/text/text-reader.ts";
import { readText } from "../../adapters/smart-meter/text/text-telegram.ts";
import { compareCurrents } from "../adapters/current-faults.ts";
import { recordingAt } from "./recordings.ts";

const FOLDER = recordingAt("devices/p1");
const used = new Set<string>();

function bytesOf(file: string): Buffer {
  used.add(file);
  return readFileSync(join(FOLDER, file));
}

/** What a meter that sends this over and over tells. */
function heard(bytes: Uint8Array): readonly ReadOutcome[] {
  const reader = new TextReader();
  return [...reader.push(bytes), ...reader.push(bytes)];
}

function telegramOf(file: string): Telegram {
  const last = heard(bytesOf(file)).at(-1);
  if (last?.kind !== "telegram") throw new Error(`${file}: ${last?.why ?? "nothing was found"}`);
  return last.telegram;
}

const ENERGIES = {
  "meter.energyImport": ["ELECTRICITY_USED_TARIFF_1", "ELECTRICITY_USED_TARIFF_2"],
  "meter.energyExport": ["ELECTRICITY_DELIVERED_TARIFF_1", "ELECTRICITY_DELIVERED_TARIFF_2"],
} as const;
const POWERS = {
  "meter.power": ["CURRENT_ELECTRICITY_USAGE", "CURRENT_ELECTRICITY_DELIVERY"],
  "meter.power.l1": ["INSTANTANEOUS_ACTIVE_POWER_L1_POSITIVE", "INSTANTANEOUS_ACTIVE_POWER_L1_NEGATIVE"],
  "meter.power.l2": ["INSTANTANEOUS_ACTIVE_POWER_L2_POSITIVE", "INSTANTANEOUS_ACTIVE_POWER_L2_NEGATIVE"],
  "meter.power.l3": ["INSTANTANEOUS_ACTIVE_POWER_L3_POSITIVE", "INSTANTANEOUS_ACTIVE_POWER_L3_NEGATIVE"],
} as const;
const SINGLES = {
  "meter.voltage.l1": "INSTANTANEOUS_VOLTAGE_L1",
  "meter.voltage.l2": "INSTANTANEOUS_VOLTAGE_L2",
  "meter.voltage.l3": "INSTANTANEOUS_VOLTAGE_L3",
  "meter.current.l1": "INSTANTANEOUS_CURRENT_L1",
  "meter.current.l2": "INSTANTANEOUS_CURRENT_L2",
  "meter.current.l3": "INSTANTANEOUS_CURRENT_L3",
} as const;

type Asserts = Readonly<Record<string, string>>;

/** A number that the source's own test asserts, such as `Decimal('4.426')`; null when it asserts none. */
function expected(asserts: Asserts, name: string): number | null {
  const entry = Object.entries(asserts).find(([left]) => left.includes(name) && left.endsWith(".value"));
  const [, digits] = /Decimal\('([\d.]+)'\)/.exec(entry?.[1] ?? "") ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Every point that the source's expectation speaks of, in W and Wh. */
function expectedPoints(asserts: Asserts): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [point, [first, second]] of Object.entries(ENERGIES)) {
    const [a, b] = [expected(asserts, first), expected(asserts, second)];
    if (a !== null && b !== null) found[point] = (a + b) * 1_000;
  }
  for (const [point, [imported, exported]] of Object.entries(POWERS)) {
    const [a, b] = [expected(asserts, imported), expected(asserts, exported)];
    if (a !== null && b !== null) found[point] = (a - b) * 1_000;
  }
  for (const [point, name] of Object.entries(SINGLES)) {
    const value = expected(asserts, name);
    if (value !== null) found[point] = value;
  }
  return found;
}

describe("telegrams with the values that their source expects", () => {
  const all: Readonly<Record<string, { readonly asserts: Asserts }>> = JSON.parse(
    bytesOf("dsmr_parser/expected.json").toString("utf8"),
  );
  test.each([
    ["v3.txt", "test_parse_v3.test_parse", 3, "K8EG004046395507"],
    ["v5.txt", "test_parse_v5.test_parse", 12, "K8EG004046395507"],
    ["fluvius_v171.txt", "test_parse_fluvius.test_parse", 12, "1SAG3101021605"],
    ["iskra_ie.txt", "test_parse_iskra_ie.test_parse", 12, "09610"],
  ])("%s", (file, name, count, serial) => {
    const telegram = telegramOf(`dsmr_parser/${file}`);
    const points = meterPoints(telegram.registers);
    const wanted = Object.entries(expectedPoints(all[name]?.asserts ?? {}));
    expect(wanted).toHaveLength(count);
    for (const [point, value] of wanted) {
      const read = [...points].find(([key]) => key === point)?.[1];
      expect(read).toBeCloseTo(value, 6);
    }
    expect(compareCurrents(Object.fromEntries(points)).faults).toEqual([]);
    expect(telegram.identity.serial).toBe(serial);
  });
});

test("two gas meters, one of them with a value that is no reading", () => {
  const telegram = telegramOf("dsmr_parser/v5_two_mbus.txt");
  expect(telegram.identity).toMatchObject({
    manufacturer: "Iskraemeco",
    model: "M550T-1012",
    serial: "E0044007382246019",
  });
  expect(telegram.otherMedia).toEqual(["gas", "gas"]);
  expect(Object.fromEntries(meterPoints(telegram.registers))).toMatchObject({
    "meter.power": 111,
    "meter.power.l3": 55,
    "meter.voltage.l3": 222.9,
    "meter.current.l3": 1,
    "meter.energyImport": 2_375_582,
    "meter.energyExport": 0,
  });
});

test("a heat meter's telegram with a checksum of three digits is whole, and tells nothing about electricity", () => {
  const telegram = telegramOf("dsmr_parser/unpadded_crc.txt");
  expect(telegram.otherMedia).toEqual(["heat"]);
  expect(meterPoints(telegram.registers).size).toBe(0);
  expect(telegram.identity.serial).toBe("ADC3100000158491");
});

test("an EasyMeter's D0 telegram, with lines behind its end", () => {
  const telegram = telegramOf("dsmr_parser/esy5q3da1004_v304.txt");
  expect(telegram.identity).toMatchObject({ manufacturer: "EasyMeter", serial: "1ESY1336001560" });
  expect(Object.fromEntries(meterPoints(telegram.registers))).toEqual({
    "meter.power": 1_688.21,
    "meter.power.l1": 557.29,
    "meter.power.l2": 521.62,
    "meter.power.l3": 609.3,
    "meter.energyImport": 32_549_506.1662,
  });
});

test("a telegram whose first character was lost is none, and with it put back it is whole", () => {
  const bytes = bytesOf("homewizard_telegram_ts.txt");
  expect(heard(bytes)).toEqual([]);
  const last = heard(Buffer.concat([Buffer.from("/"), bytes])).at(-1);
  if (last?.kind !== "telegram") throw new Error(`${last?.why ?? "nothing was found"}`);
  expect(Object.fromEntries(meterPoints(last.telegram.registers))).toMatchObject({
    "meter.power": 1_765,
    "meter.power.l3": 1_596,
    "meter.current.l3": 6,
    "meter.energyImport": 5_155_595,
  });
});

test("the makers of the meters in Dutch houses are known by their headers", () => {
  const rows = bytesOf("dsmr-info_dsmr-e-meters.csv").toString("utf8").split("\n").slice(1);
  const known = rows.flatMap((row) => {
    const header = /\/([A-Za-z]{3})5[^,]*/.exec(row);
    return header?.[1] === undefined ? [] : [{ brand: row.split(",")[0] ?? "", letters: header[1], header: header[0] }];
  });
  expect(known.length).toBeGreaterThan(20);
  const wrong = known.filter(({ brand, letters, header }) => {
    const maker = readText(`${header}\r\n!`).identity.manufacturer;
    return maker !== makerOf(letters) || !maker?.toLowerCase().startsWith(brand.slice(0, 5).toLowerCase());
  });
  expect(wrong).toEqual([]);
});

/** A folder of fixtures that belong to devices here is decoded as a whole. */
afterAll(() => {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(FOLDER, "/").length));
  expect(files.filter((file) => !used.has(file))).toEqual([]);
});
