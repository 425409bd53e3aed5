import { MemoryDisk, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { speedwireAdapter } from "../../../adapters/speedwire/speedwire-adapter.ts";
import { type Measured, SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { SpeedwireTwin } from "../../twins/smart-meters/speedwire-twin.ts";
import { ALL, calm, read } from "./speedwire-house.ts";

const LIMIT_MS = 60_000;

const METER = "192.168.1.61";

const MANAGER = "192.168.1.62";

const GATEWAY = "192.168.1.2";

function house() {
  const world = new World({ seed: 5 });
  const process = world.boot("gateway", new MemoryDisk());
  const adapter = speedwireAdapter.start(process.adapterContext());
  return {
    world,
    process,
    adapter,
    log: process.log,
    async meter(host: string, serial: number, susyId: number, measured: () => Measured = () => SOME_MEASURED) {
      const twin = new SpeedwireTwin({
        clock: world.clock,
        serial,
        susyId,
        everyMs: 1_000,
        measured,
        tellsFrequency: susyId === 372,
      });
      const socket = await world.udp.host(host).open({}, { datagram: () => undefined, closed: () => undefined });
      twin.start(socket);
      return twin;
    },
    connect: (given: object = {}) =>
      world.clock.resolve(adapter.connect("meter", speedwireAdapter.options.parse(given), calm), LIMIT_MS),
  };
}

describe("the adapter", () => {
  test("hears the only meter without being told its number, and follows it", async () => {
    const { meter, connect, world, process, adapter } = house();
    let imported = 100;
    await meter(METER, 1_901_427_928, 372, () => ({ ...SOME_MEASURED, powerW: [imported, 0, 0] }));
    const driver = await connect();
    expect(driver.identity).toMatchObject({ model: "Sunny Home Manager 2.0", serial: "1901427928" });
    expect(driver.vendors).toEqual(["SMA"]);
    expect(await read(driver)).toMatchObject({ "meter.power": 100, "meter.frequency": 49.98 });
    expect(await read(driver, "due")).toEqual({});
    imported = 200;
    // The meter's clock runs over meanwhile.
    await world.clock.advance(9_000);
    expect(await read(driver, "due")).toMatchObject({ "meter.power": 200 });
    await driver[Symbol.asyncDispose]();
    await adapter[Symbol.asyncDispose]();
    await world.clock.advance(10);
    expect(process.resources.listeners).toBe(0);
  });

  test("keeps two meters apart by their numbers, on one socket", async () => {
    const { meter, connect, process } = house();
    await meter(METER, 1_000_001, 349, () => ({ ...SOME_MEASURED, powerW: [111, 0, 0] }));
    await meter(MANAGER, 1_000_002, 372, () => ({ ...SOME_MEASURED, powerW: [222, 0, 0] }));
    await expect(connect()).rejects.toThrow("there are several meters: set serial to one of 1000001, 1000002");
    await using first = await connect({ serial: 1_000_001 });
    await using second = await connect({ serial: 1_000_002 });
    await using third = await connect({ host: MANAGER });
    expect(await read(first)).toMatchObject({ "meter.power": 111 });
    expect(await read(second)).toMatchObject({ "meter.power": 222 });
    expect(third.identity.serial).toBe("1000002");
    expect(process.resources.listeners).toBe(1);
    await expect(connect({ serial: 1_000_003 })).rejects.toThrow("no datagram of a meter 1000003");
    await expect(connect({ serial: 1_000_001, host: MANAGER })).rejects.toThrow("heard were 1000001 at 192.168.1.61");
  });

  test("hears a meter that sends to this machine alone", async () => {
    const { meter, connect } = house();
    const twin = await meter(METER, 7, 270);
    twin.to = { host: GATEWAY, port: 9_522 };
    await using driver = await connect({ serial: 7 });
    expect(await read(driver)).toEqual(ALL);
  });

  test.each(["silent", "cut", "swapped", "inverter"] as const)(
    "%s: the last value holds for ten seconds",
    async (fault) => {
      const { meter, connect, world, log } = house();
      const twin = await meter(METER, 7, 349);
      await using driver = await connect();
      twin.fault = fault;
      await world.clock.advance(8_000);
      expect(await read(driver)).toMatchObject({ "meter.power": 555 });
      await world.clock.advance(4_000);
      await expect(read(driver)).rejects.toThrow("IGMP snooping");
      twin.fault = "none";
      await world.clock.advance(2_000);
      expect(await read(driver)).toMatchObject({ "meter.power": 555 });
      expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(fault === "cut" ? 1 : 0);
    },
  );

  test("a meter that was switched off and on is heard at once, and a late datagram is not", async () => {
    const { meter, connect, world } = house();
    let watts = 1;
    const twin = await meter(METER, 7, 349, () => ({ ...SOME_MEASURED, powerW: [watts, 0, 0] }));
    await using driver = await connect();
    await world.clock.advance(20_000);
    const late = twin.datagram();
    watts = 2;
    await world.clock.advance(3_000);
    const socket = await world.udp.host(METER).open({}, { datagram: () => undefined, closed: () => undefined });
    socket.send(late, { host: "239.12.255.254", port: 9_522 });
    await world.clock.advance(500);
    expect(await read(driver)).toMatchObject({ "meter.power": 2 });
    watts = 3;
    twin.restart();
    await world.clock.advance(1_500);
    expect(await read(driver)).toMatchObject({ "meter.power": 3 });
  });

  test("says who holds the port, and gets it when it is free", async () => {
    const { meter, connect, world } = house();
    await meter(METER, 7, 349);
    const taken = await world.udp
      .host(GATEWAY)
      .open({ port: 9_522 }, { datagram: () => undefined, closed: () => undefined });
    await expect(connect()).rejects.toThrow("taken by another program");
    taken[Symbol.dispose]();
    await using driver = await connect();
    expect(driver.identity.serial).toBe("7");
  });

  test("a flood of invented meters does not grow without end", async () => {
    const { meter, connect, world } = house();
    await meter(METER, 7, 349);
    await using driver = await connect();
    for (let serial = 100; serial < 300; serial += 1) {
      const twin = new SpeedwireTwin({
        clock: world.clock,
        serial,
        susyId: 1,
        everyMs: 1_000,
        measured: () => SOME_MEASURED,
      });
      const socket = await world.udp
        .host("192.168.1.66")
        .open({}, { datagram: () => undefined, closed: () => undefined });
      socket.send(twin.datagram(), { host: "239.12.255.254", port: 9_522 });
    }
    await world.clock.advance(1_500);
    await expect(connect({ serial: 299 })).rejects.toThrow("datagrams were not right");
    expect(await read(driver)).toMatchObject({ "meter.power": 555 });
  });

  test("after such a flood a meter that is new is heard within a minute", async () => {
    const { meter, connect, world } = house();
    await meter(METER, 7, 349);
    await using driver = await connect();
    const socket = await world.udp
      .host("192.168.1.66")
      .open({}, { datagram: () => undefined, closed: () => undefined });
    for (let serial = 100; serial < 300; serial += 1) {
      const parts = { clock: world.clock, serial, susyId: 1, everyMs: 1_000, measured: () => SOME_MEASURED };
      socket.send(new SpeedwireTwin(parts).datagram(), { host: "239.12.255.254", port: 9_522 });
    }
    await world.clock.advance(1_500);
    await meter(MANAGER, 8, 372);
    await world.clock.advance(40_000);
    await using other = await connect({ serial: 8 });
    expect(await read(other)).toMatchObject({ "meter.power": 555 });
    expect(await read(driver)).toMatchObject({ "meter.power": 555 });
  });

  test("who sends in a meter's name from another address is not believed where the address is set", async () => {
    const { meter, connect, world } = house();
    await meter(METER, 7, 349);
    await using driver = await connect({ host: METER });
    const lie: Measured = { ...SOME_MEASURED, powerW: [9_000, 0, 0] };
    await meter("192.168.1.66", 7, 349, () => lie);
    for (let turn = 0; turn < 20; turn += 1) {
      await world.clock.advance(333);
      expect(await read(driver)).toMatchObject({ "meter.power": 555 });
    }
  });
});
