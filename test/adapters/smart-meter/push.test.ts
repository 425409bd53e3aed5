import { describe, expect, test } from "vitest";
import { SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { encryptedP1, P1_SERIAL, p1Telegram } from "../../twins/smart-meters/p1-twin.ts";
import { SML_SERIAL, smlFile } from "../../twins/smart-meters/sml-twin.ts";
import { bed, calm, HOST, LINE_FAULTS, P1_LINE, PORT, SML_LINE, TEXT_LINE } from "./meter-bed.ts";

const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1");
const KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

/** Telegrams whose power counts up, so that each is another one. */
function counting(make: (powerW: number) => Uint8Array): () => Uint8Array {
  let powerW = 0;
  return () => {
    powerW += 1;
    return make(powerW);
  };
}

const p1 = (powerW: number): Uint8Array => ascii(p1Telegram("dsmr5", { ...SOME_MEASURED, powerW: [powerW, 0, 0] }));
const sml = (powerW: number): Uint8Array => smlFile({ ...SOME_MEASURED, powerW: [powerW, 0, 0] });
const d0 = (powerW: number): Uint8Array => ascii(p1Telegram("easymeter", { ...SOME_MEASURED, powerW: [powerW, 0, 0] }));

describe("a meter that speaks by itself", () => {
  const ways = [
    ["P1", { protocol: "p1" }, P1_LINE, p1, P1_SERIAL, "P1"],
    ["SML", { protocol: "sml" }, SML_LINE, sml, SML_SERIAL, "SML"],
    ["D0", { protocol: "iec62056-21", mode: "push" }, TEXT_LINE, d0, P1_SERIAL, "IEC62056"],
  ] as const;

  test.each(ways)(
    "%s, on a serial line with the settings of the protocol",
    async (_name, given, line, make, serial, vendor) => {
      const { plugged, connect, read, process, adapter, world } = bed(given);
      plugged(2_000, line, counting(make));
      const driver = await connect();
      expect(driver).toMatchObject({ identity: { serial }, vendors: [vendor], controls: [], pollMs: 1_000 });
      expect(driver.points).toContain("meter.energyExport");
      const first = (await read(driver))["meter.power"];
      expect(first).toBeGreaterThan(0);
      // Nothing new, nothing to tell; all of it when it is asked for.
      expect(await read(driver, "due")).toEqual({});
      expect(await read(driver)).toMatchObject({ "meter.power": first });
      await world.clock.advance(2_100);
      expect(await read(driver, "due")).toMatchObject({ "meter.power": Number(first) + 1 });
      await driver[Symbol.asyncDispose]();
      await adapter[Symbol.asyncDispose]();
      await world.clock.advance(10);
      expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
    },
  );

  test.each(ways)("%s, behind a host", async (_name, given, _line, make, serial) => {
    const { served, connect, read } = bed({ ...given, ...HOST });
    await served(2_000, counting(make));
    await using driver = await connect();
    expect(driver.identity.serial).toBe(serial);
    expect((await read(driver))["meter.power"]).toBeGreaterThan(0);
  });

  test("encrypted P1 opens with the key of the configuration", async () => {
    const { plugged, connect, read } = bed({ protocol: "p1", key: KEY });
    const telegram = p1Telegram("luxembourg", SOME_MEASURED);
    plugged(
      10_000,
      P1_LINE,
      counting((counter) => encryptedP1(telegram, { key: KEY, counter })),
    );
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "meter.power": 555, "meter.energyImport": 5_155_595 });
  });

  test("on a line that is set in another way nothing is understood, and that is said", async () => {
    const { plugged, connect } = bed({ protocol: "p1" });
    plugged(1_000, TEXT_LINE, counting(d0));
    await expect(connect()).rejects.toThrow(/bytes came, but no telegram|were not right/);
  });

  test("one that measures heat is no electricity meter", async () => {
    const { plugged, connect } = bed({ protocol: "p1" });
    plugged(1_000, TEXT_LINE, () => ascii("/NWA-HEAT\r\n\r\n0-1:24.2.1(260215200523W)(240.860*GJ)\r\n!\r\n"));
    await expect(connect()).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("that is not there is told so, and found when it is", async () => {
    const { plugged, connect } = bed({ protocol: "sml" });
    await expect(connect()).rejects.toThrow(`open ${PORT}: there is no such serial port`);
    plugged(1_000, SML_LINE, counting(sml));
    await using driver = await connect();
    expect(driver.identity.serial).toBe(SML_SERIAL);
  });
});

describe("what goes wrong on the line", () => {
  test.each(LINE_FAULTS)(
    "%s: the last telegram holds for a while, then the meter is unreachable, then it is back",
    async (fault) => {
      const { served, connect, watch } = bed({ protocol: "sml", ...HOST });
      const made: number[] = [];
      const telegram = counting((powerW) => {
        made.push(powerW);
        return sml(powerW);
      });
      const meter = await served(1_000, telegram);
      await using driver = await connect();
      meter.fault = fault;
      const bad = await watch(driver, 30);
      expect(bad.slice(0, 8).every((each) => typeof each === "object")).toBe(true);
      expect(bad.slice(18).every((each) => typeof each === "string" && each.includes("no telegram for"))).toBe(true);
      meter.fault = "none";
      const good = await watch(driver, 20);
      const told = [...bad, ...good].flatMap((each) => (typeof each === "object" ? [each["meter.power"]] : []));
      expect(made).toEqual(expect.arrayContaining(told));
      expect(typeof good.at(-1)).toBe("object");
    },
  );

  test.each(["garbage", "slow"] as const)("%s costs nothing", async (fault) => {
    const { served, connect, watch } = bed({ protocol: "p1", ...HOST });
    const meter = await served(2_000, counting(p1));
    await using driver = await connect();
    meter.fault = fault;
    expect((await watch(driver, 30)).filter((each) => typeof each === "string")).toEqual([]);
  });

  test("damaged telegrams are counted, and told once an hour", async () => {
    const { served, connect, watch, log } = bed({ protocol: "p1", ...HOST });
    const meter = await served(1_000, counting(p1));
    await using driver = await connect();
    meter.fault = "wrong-checksum";
    const seen = await watch(driver, 35);
    expect(seen.at(-1)).toMatch(/\d+ were not right, the last because: the checksum is wrong/);
    expect(log.lines.filter(({ text }) => text === "telegram of a meter dropped")).toHaveLength(1);
  });

  test("a line that is silent is opened anew", async () => {
    const { served, connect, watch } = bed({ protocol: "p1", ...HOST });
    const meter = await served(1_000, counting(p1));
    await using driver = await connect();
    meter.fault = "silent";
    await watch(driver, 80);
    expect(meter.opened).toBeGreaterThan(1);
    expect(meter.openLines).toBe(1);
    meter.fault = "none";
    expect(typeof (await watch(driver, 5)).at(-1)).toBe("object");
  });

  test("a flood without a telegram ends the connection", async () => {
    const { connect, world, process } = bed({ protocol: "p1", ...HOST });
    let opened = 0;
    await world.net.host().listen(HOST, (stream) => {
      opened += 1;
      let isOpen = true;
      const pour = (): void => {
        if (!isOpen) return;
        stream.write(Buffer.alloc(50_000, 0x35));
        world.clock.timer(1_000, pour);
      };
      pour();
      const closed = (): void => {
        isOpen = false;
      };
      return { data: () => undefined, closed };
    });
    await expect(connect()).rejects.toThrow(/bytes without a telegram|bytes came, but no telegram/);
    await world.clock.advance(1_000);
    expect(opened).toBeGreaterThan(1);
    expect(process.resources.streams).toBe(0);
  });

  test("one silence is no interval: the next one is noticed as soon as the first", async () => {
    const { plugged, connect, world, watch } = bed({ protocol: "p1" });
    const meter = plugged(2_000, P1_LINE, counting(p1));
    await using driver = await connect();
    const silent = async (): Promise<number> => {
      meter.fault = "silent";
      const seen = await watch(driver, 55);
      meter.fault = "none";
      return seen.filter((each) => typeof each === "string").length;
    };
    await world.clock.advance(20_000);
    const first = await silent();
    await world.clock.advance(10_000);
    expect(first).toBeGreaterThan(40);
    expect(await silent()).toBe(first);
  });

  test("a telegram that lacks a value makes it unknown", async () => {
    const { plugged, connect, read, world } = bed({ protocol: "sml" });
    let tellsPower = true;
    plugged(1_000, SML_LINE, () => smlFile(SOME_MEASURED, { tellsPower }));
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "meter.power": 555, "meter.energyImport": 5_155_595 });
    tellsPower = false;
    await world.clock.advance(1_500);
    expect(await read(driver)).toMatchObject({ "meter.power": null, "meter.energyImport": 5_155_000 });
  });

  test("a meter that tells more, as after its PIN was entered, is met anew", async () => {
    const { plugged, connect, read, world } = bed({ protocol: "sml" });
    let tellsPower = false;
    plugged(1_000, SML_LINE, () => smlFile(SOME_MEASURED, { tellsPower }));
    await using before = await connect();
    expect(before.points).toEqual(["meter.energyImport", "meter.energyExport"]);
    tellsPower = true;
    await world.clock.advance(1_500);
    await expect(read(before)).rejects.toThrow("reports more values than before");
    await using after = await connect();
    expect(after.points).toContain("meter.power");
    expect(await read(after)).toMatchObject({ "meter.power": 555 });
  });

  test("another meter on the line is not taken for the first", async () => {
    const { plugged, connect, read, world } = bed({ protocol: "sml" });
    let server = "0a0149534b0004025f32";
    plugged(1_000, SML_LINE, () => smlFile(SOME_MEASURED, { server }));
    await using driver = await connect();
    server = "0a0149534b0004025f99";
    await world.clock.advance(1_500);
    await expect(read(driver)).rejects.toThrow("another meter is on the line");
  });
});

describe("options", () => {
  test.each([
    [{ protocol: "p1" }, "neither host nor serialPort"],
    [{ protocol: "p1", host: "a", serialPort: "/dev/a" }, "both set"],
    [{ protocol: "p1", host: "a" }, "port is missing"],
    [{ protocol: "p1", host: "a", port: 1, parity: "even" }, "parity is set with host"],
    [{ protocol: "p1", serialPort: "/dev/a", port: 1 }, "port is set with serialPort"],
    [{ protocol: "sml", serialPort: "/dev/a", mode: "push" }, "mode is set with sml"],
    [{ protocol: "sml", serialPort: "/dev/a", dataBits: 7 }, "need 8"],
    [{ protocol: "sml", serialPort: "/dev/a", key: KEY }, "belongs to p1"],
    [{ protocol: "p1", serialPort: "/dev/a", authenticationKey: KEY }, "without key"],
    [{ protocol: "iec62056-21", serialPort: "/dev/a", baudRate: 9_600 }, "begins at 300"],
    [{ protocol: "iec62056-21", serialPort: "/dev/a", mode: "push", meterAddress: "1" }, "nobody asks"],
  ])("%j: %s", async (given, why) => {
    const { adapter } = bed({ protocol: "p1" });
    const { smartMeterAdapter } = await import("../../../adapters/smart-meter/smart-meter-adapter.ts");
    const options = smartMeterAdapter.options.parse(given);
    expect(smartMeterAdapter.check?.(options)).toContain(why);
    await expect(adapter.connect("x", options, calm)).rejects.toMatchObject({ kind: "rejected" });
  });

  test("two devices on one line share it, when they agree about it", async () => {
    const { plugged, connect, adapter, world } = bed({ protocol: "sml" });
    const meter = plugged(1_000, SML_LINE, counting(sml));
    await using first = await connect();
    await using second = await connect();
    expect(second.identity).toEqual(first.identity);
    expect(meter.opened).toBe(1);
    const { smartMeterAdapter } = await import("../../../adapters/smart-meter/smart-meter-adapter.ts");
    const other = smartMeterAdapter.options.parse({ protocol: "p1", serialPort: PORT });
    await expect(world.clock.resolve(adapter.connect("x", other, calm), 1_000)).rejects.toThrow("in another way");
  });
});
