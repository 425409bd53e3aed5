import { describe, expect, test } from "vitest";
import { IecTwin, type IecTwinParts } from "../../twins/smart-meters/iec-twin.ts";
import { bed, HOST, PORT } from "./meter-bed.ts";

const LINES = [
  "F.F(00000000)",
  "C.1.0(10203040)",
  "1.8.0(001846.0*kWh)",
  "1.8.0*01(001800.0*kWh)",
  "2.8.0(000012.5*kWh)",
  "16.7.0(-0.532*kW)",
  "32.7.0(231.2*V)",
];
const VALUES = {
  "meter.power": -532,
  "meter.voltage.l1": 231.2,
  "meter.energyImport": 1_846_000,
  "meter.energyExport": 12_500,
};

function asked(identification: string, more: Partial<IecTwinParts> = {}, given: object = {}) {
  const made = bed({ protocol: "iec62056-21", ...given });
  const twin = new IecTwin({ clock: made.world.clock, identification, lines: () => LINES, ...more });
  made.world.serial.plug(PORT, twin.line);
  return { ...made, twin };
}

describe("a meter that is asked", () => {
  test("in mode C: the sign-on at 300, the meter's speed, and the values", async () => {
    const { connect, read, twin } = asked("LGZ5ZMF100AC.M23");
    await using driver = await connect();
    expect(driver.identity).toMatchObject({ manufacturer: "Landis+Gyr", model: "ZMF100AC.M23", serial: "10203040" });
    expect(await read(driver)).toEqual(VALUES);
    expect(twin.asked).toEqual([String.raw`/?!\r\n`, String.raw`\u0006050\r\n`]);
    expect(twin.speeds).toEqual([300, 9_600]);
  });

  test.each([
    ["mode B changes its speed by itself", "ABCEMETER", [300, 9_600]],
    ["mode A stays at 300", "ABC@METER", [300]],
    ["mode C at 300", "ABC0METER", [300]],
  ])("%s", async (_name, identification, speeds) => {
    const { connect, read, twin } = asked(identification);
    await using driver = await connect();
    expect(await read(driver)).toEqual(VALUES);
    expect(twin.speeds).toEqual(speeds);
  });

  test("behind a host the speed stays", async () => {
    const made = bed({ protocol: "iec62056-21", ...HOST });
    const twin = new IecTwin({ clock: made.world.clock, identification: "LGZ5METER", lines: () => LINES });
    await made.world.net.host().listen(HOST, (stream) => twin.line(stream));
    await using driver = await made.connect();
    expect(await made.read(driver)).toEqual(VALUES);
    expect(twin.asked[1]).toBe(String.raw`\u0006000\r\n`);
  });

  test("by its number", async () => {
    const { connect, twin } = asked("LGZ5METER", { address: "12345678" }, { meterAddress: "12345678" });
    await using _driver = await connect();
    expect(twin.asked[0]).toBe(String.raw`/?12345678!\r\n`);
  });

  test("a head that returns what is sent is no answer", async () => {
    const { connect, read, twin } = asked("LGZ5METER");
    twin.fault = "echo";
    await using driver = await connect();
    expect(await read(driver)).toEqual(VALUES);
  });

  test("is asked again in its interval, and values follow", async () => {
    let kwh = 1_000;
    const { connect, read, twin, world } = asked(
      "LGZ5METER",
      { lines: () => [`1.8.0(00${kwh}.0*kWh)`] },
      { intervalSeconds: 15 },
    );
    await using driver = await connect();
    expect(await read(driver)).toEqual({ "meter.energyImport": 1_000_000 });
    kwh += 1;
    await world.clock.advance(15_500);
    expect(await read(driver, "due")).toEqual({ "meter.energyImport": 1_001_000 });
    expect(twin.asked).toHaveLength(4);
  });

  test("a readout that takes longer than a connect may goes on, and the next connect finds it", async () => {
    const many = Array.from({ length: 60 }, (_unused, at) => `1.8.0*${String(at).padStart(2, "0")}(000100.0*kWh)`);
    const { connect, read, twin } = asked("ABC0METER", { lines: () => [...LINES, ...many] });
    await expect(connect()).rejects.toMatchObject({ kind: "unreachable" });
    await expect(connect()).rejects.toMatchObject({ kind: "unreachable" });
    await using driver = await connect();
    expect(await read(driver)).toEqual(VALUES);
    expect(twin.asked.filter((text) => text.startsWith("/?"))).toHaveLength(1);
  });
});

describe("a meter that does not answer as it should", () => {
  test.each([
    ["silent", "does not answer the sign-on"],
    ["silent-after-acknowledgement", "no whole data message came at 9600"],
    ["wrong-block-check", "the block check is wrong"],
    ["cut", "no whole data message"],
  ] as const)("%s", async (fault, why) => {
    const { connect, read, twin, world, process } = asked("LGZ5METER", {}, { intervalSeconds: 5 });
    twin.fault = fault;
    await expect(connect()).rejects.toThrow(why);
    twin.fault = "none";
    await using driver = await connect();
    expect(await read(driver)).toEqual(VALUES);
    // And it may fail later: what was read holds for a while only.
    twin.fault = fault;
    await world.clock.advance(70_000);
    await expect(read(driver)).rejects.toMatchObject({ kind: "unreachable" });
    expect(process.resources.streams).toBeLessThanOrEqual(1);
  });

  test("one that does not end", async () => {
    const made = bed({ protocol: "iec62056-21", ...HOST });
    const twin = new IecTwin({ clock: made.world.clock, identification: "LGZ5METER", lines: () => LINES });
    twin.fault = "endless";
    await made.world.net.host().listen(HOST, (stream) => twin.line(stream));
    await expect(made.connect()).rejects.toThrow("an answer of more than 32768 bytes");
  });
});
