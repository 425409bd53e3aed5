import { describe, expect, test } from "vitest";
import { houseLine, lineText, readingLines } from "../../../src/domain/influx/line-protocol.ts";

const AT_MS = 1_782_000_000_000;

describe("the line protocol of InfluxDB", () => {
  test("readings of a device are one line for each kind and time, with units in the names of the fields", () => {
    const lines = readingLines("roof", [
      { point: "battery.power", value: -1_234.5, atMs: AT_MS },
      { point: "battery.mode", value: "SELF_RELIANCE", atMs: AT_MS },
      { point: "inverter.energy", value: 1_000, atMs: AT_MS },
      { point: "battery.soc", value: 55, atMs: AT_MS + 500 },
      { point: "charger.enabled", value: true, atMs: AT_MS },
    ]);
    expect(lines.map(lineText)).toStrictEqual([
      `battery,device=roof power_w=-1234.5,mode="SELF_RELIANCE" ${AT_MS}\n`,
      `inverter,device=roof energy_wh=1000 ${AT_MS}\n`,
      `battery,device=roof soc_percent=55 ${AT_MS + 500}\n`,
      `charger,device=roof enabled=true ${AT_MS}\n`,
    ]);
  });

  test("what a device could not say is in no line, and neither is where a car is", () => {
    const lines = readingLines("car", [
      { point: "vehicle.soc", value: null, atMs: AT_MS },
      { point: "vehicle.latitude", value: 52.5, atMs: AT_MS },
    ]);
    expect(lines).toStrictEqual([]);
  });

  test("a power of the house that is not known is left out, and a house without any has no line", () => {
    const nothing = { gridW: null, generationW: null, batteryW: null, loadW: null, loadFrom: null } as const;
    expect(houseLine("a-b", nothing, AT_MS)).toBeNull();
    const line = houseLine("a-b", { ...nothing, gridW: 0, loadW: 300 }, AT_MS);
    expect(line === null ? "" : lineText(line)).toBe(`house,system=a-b grid_w=0,load_w=300 ${AT_MS}\n`);
  });

  test("commas, spaces and equals signs in names are escaped, and line breaks and closing backslashes taken out", () => {
    const text = lineText({
      measurement: "a b,c=d",
      tags: { "t,a g=": "über, all = \\here\\\\", line: "one\r\ntwo" },
      fields: { "f =": 'say "no\\yes"' },
      atMs: AT_MS,
    });
    expect(text).toBe(
      `a\\ b\\,c=d,t\\,a\\ g\\==über\\,\\ all\\ \\=\\ \\here,line=one\\ two f\\ \\=="say \\"no\\\\yes\\"" ${AT_MS}\n`,
    );
  });
});
