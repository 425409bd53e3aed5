import { DeviceError, OtherDeviceError, RegisterException } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { ModbusProxyConfig } from "../../../src/config/modbus-proxy-config.ts";
import { openModbusProxy } from "../../../src/engine/modbus-proxy/open-modbus-proxy.ts";
import { EVCC, MAKER, open } from "./proxy-bed.ts";
import { type Program, reading, word } from "./proxy-client.ts";

describe("a read", () => {
  test("of registers that were just polled is answered without the device", async () => {
    const { device, proxy, connect } = await open();
    device.polled = { address: 100, count: 50, ageMs: 1_999 };
    const program = await connect();
    expect(await program.ask(3, reading(3, 110, 2))).toEqual([3, 4, ...word(1_110), ...word(1_111)]);
    expect(device.asked).toEqual([]);
    expect(proxy.state().counts).toMatchObject({ cached: 1, read: 0 });
  });

  test("of registers that were polled too long ago, or in part, asks the device", async () => {
    const { device, proxy, connect } = await open();
    const program = await connect();
    device.polled = { address: 100, count: 50, ageMs: 2_001 };
    expect(await program.ask(3, reading(3, 110, 1))).toEqual([3, 2, ...word(1_110)]);
    device.polled = { address: 100, count: 50, ageMs: 0 };
    expect(await program.ask(3, reading(4, 149, 2))).toEqual([4, 4, ...word(1_149), ...word(1_150)]);
    expect(device.asked).toEqual(["holding 110+1", "input 149+2"]);
    expect(proxy.state().counts).toMatchObject({ cached: 0, read: 2 });
  });

  test("takes 125 registers and 2,000 coils, and no more", async () => {
    const { device, connect } = await open();
    const program = await connect();
    expect((await program.ask(3, reading(3, 0, 125)))?.length).toBe(2 + 250);
    const coils = await program.ask(3, reading(1, 0, 2_000));
    expect(coils?.slice(0, 4)).toEqual([1, 250, 0b10101010, 0b10101010]);
    expect(await program.ask(3, reading(3, 0, 126))).toEqual([0x83, 3]);
    expect(await program.ask(3, reading(2, 0, 2_001))).toEqual([0x82, 3]);
    expect(await program.ask(3, reading(3, 0, 0))).toEqual([0x83, 3]);
    expect(await program.ask(3, reading(3, 65_535, 2))).toEqual([0x83, 2]);
    expect(await program.ask(3, [3, 0, 0])).toEqual([0x83, 3]);
    expect(device.asked).toEqual(["holding 0+125", "coil 0+2000"]);
  });

  test("that fails gets the exception that says why", async () => {
    const { device, connect } = await open();
    const program = await connect();
    const cases = [
      [new RegisterException(2, "no such registers"), 2],
      [new DeviceError("unreachable", "no answer"), 11],
      [new DeviceError("malformed", "nonsense"), 4],
      [new OtherDeviceError("A", "B", "its address"), 10],
      [new Error("a bug"), 4],
    ] as const;
    for (const [fault, code] of cases) {
      device.fault = fault;
      expect(await program.ask(3, reading(3, 0, 1))).toEqual([0x83, code]);
    }
    device.isOff = true;
    expect(await program.ask(3, reading(3, 0, 1))).toEqual([0x83, 11]);
    expect(await program.ask(4, reading(3, 0, 1))).toEqual([0x83, 10]);
    expect(await program.ask(3, [43, 14, 1, 0])).toEqual([0xab, 1]);
  });

  test("of a device that hangs is given up after five seconds", async () => {
    const { world, device, connect } = await open();
    device.delayMs = 60_000;
    const program = await connect();
    const startMs = world.clock.monotonicMs();
    expect(await program.ask(3, reading(3, 0, 1))).toEqual([0x83, 11]);
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(5_200);
  });
});

describe("the bytes of a connection", () => {
  test("requests sent ahead are answered in their order, with their transaction ids", async () => {
    const { device, connect } = await open();
    device.delayMs = 50;
    const program = await connect();
    const ids = Array.from({ length: 10 }, (_unused, index) => program.request(3, reading(3, index, 1)));
    await program.answer(ids.at(-1)!);
    expect(program.answers.map(({ id }) => id)).toEqual(ids);
    expect(program.answers.map(({ pdu }) => pdu[3])).toEqual(ids.map((_id, index) => (1_000 + index) & 0xff));
    expect(program.answers.every(({ unit }) => unit === 3)).toBe(true);
  });

  test("a request may come byte by byte", async () => {
    const { world, connect } = await open();
    const program = await connect();
    for (const byte of [0, 9, 0, 0, 0, 6, 3, ...reading(3, 1, 1)]) {
      program.send([byte]);
      await world.clock.advance(500);
    }
    expect(await program.answer(9)).toEqual([3, 2, ...word(1_001)]);
  });

  test.each([
    ["HTTP", [...Buffer.from("GET / HTTP/1.1\r\n\r\n")]],
    ["another protocol id", [0, 1, 0, 7, 0, 6, 3, ...reading(3, 0, 1)]],
    ["a length that no request has", [0, 1, 0, 0, 1, 0, 3, ...reading(3, 0, 1)]],
  ])("%s ends the connection", async (_what, bytes) => {
    const { world, device, proxy, connect } = await open();
    const program = await connect();
    program.send(bytes);
    await world.clock.advance(1_000);
    expect(program.isClosed).toBe(true);
    expect(device.asked).toEqual([]);
    expect(proxy.state().clients.find(({ address }) => address === EVCC)).toMatchObject({ connections: 0 });
  });

  test("a program that floods is told that the device is busy, and then cut off", async () => {
    const { world, device, proxy, connect } = await open();
    device.delayMs = 1_000;
    const [flood, calm] = [await connect(MAKER), await connect(EVCC)];
    for (let index = 0; index < 30; index++) flood.request(3, reading(3, index, 1));
    await world.clock.advance(100);
    // One is under way, and 16 wait.
    expect(flood.answers).toHaveLength(13);
    expect(flood.answers.every(({ pdu }) => pdu.join() === "131,6")).toBe(true);
    for (let index = 0; index < 500; index++) flood.request(3, reading(3, index, 1));
    await world.clock.advance(100);
    expect(flood.isClosed).toBe(true);
    expect(await calm.ask(3, reading(3, 7, 1))).toEqual([3, 2, ...word(1_007)]);
    expect(device.asked.length).toBeLessThan(5);
    expect(proxy.state().clients.find(({ address }) => address === MAKER)?.counts.refused).toBeGreaterThan(200);
  });

  test("more requests a second than any program needs are refused", async () => {
    const { device, connect } = await open();
    device.polled = { address: 0, count: 10, ageMs: 0 };
    const program = await connect();
    const last = Array.from({ length: 450 }, () => program.request(3, reading(3, 0, 1))).at(-1)!;
    await program.answer(last);
    const refused = program.answers.filter(({ pdu }) => pdu.join() === "131,6").length;
    expect(refused).toBeGreaterThan(30);
    expect(refused).toBeLessThan(60);
  });

  test("of many connections of one machine the unused ones give way, and other machines get theirs", async () => {
    const { world, proxy, connect } = await open();
    const programs: Program[] = [];
    for (let index = 0; index < 12; index++) programs.push(await connect(MAKER));
    await world.clock.advance(100);
    expect(programs.filter(({ isClosed }) => isClosed)).toEqual(programs.slice(0, 4));
    expect(await (await connect()).ask(3, reading(3, 0, 1))).toEqual([3, 2, ...word(1_000)]);
    expect(proxy.state().clients.find(({ address }) => address === MAKER)?.connections).toBe(8);
  });

  test("the stop ends connections, and what waited is not sent any more", async () => {
    const { world, device, proxy, connect } = await open();
    device.delayMs = 1_000;
    const program = await connect();
    program.request(3, reading(3, 0, 1));
    program.request(3, reading(3, 1, 1));
    await world.clock.advance(100);
    await proxy[Symbol.asyncDispose]();
    await world.clock.advance(5_000);
    expect(program.isClosed).toBe(true);
    expect(program.answers).toEqual([]);
    expect(device.asked).toEqual(["holding 0+1"]);
    await expect(connect()).rejects.toThrow("ECONNREFUSED");
  });
});

describe("who may connect", () => {
  test("a machine that the configuration does not name is turned away", async () => {
    const { world, device, proxy, connect } = await open();
    const stranger = await connect("192.168.2.5");
    stranger.request(3, reading(3, 0, 1));
    await world.clock.advance(100);
    expect(stranger.isClosed).toBe(true);
    expect(device.asked).toEqual([]);
    expect(proxy.state().refusedConnections).toBe(1);
  });

  test("without a list every machine of the house may read, and none outside", async () => {
    const { world, connect } = await open({ clients: undefined });
    expect(await (await connect("10.1.2.3")).ask(3, reading(3, 0, 1))).toEqual([3, 2, ...word(1_000)]);
    expect(await (await connect("::ffff:192.168.7.7")).ask(3, reading(3, 0, 1))).toEqual([3, 2, ...word(1_000)]);
    expect(await (await connect("10.1.2.3")).ask(3, [6, ...word(1), ...word(1)])).toEqual([0x86, 1]);
    const outside = await connect("203.0.113.9");
    await world.clock.advance(100);
    expect(outside.isClosed).toBe(true);
  });

  test("a taken port is an error that names it", async () => {
    const world = new World({ seed: 1 });
    const { platform } = world.boot("gateway", new MemoryDisk());
    await world.net
      .host()
      .listen({ host: "0.0.0.0", port: 1502 }, () => ({ data: () => undefined, closed: () => undefined }));
    const modbusProxy = ModbusProxyConfig.parse({
      hosts: ["127.0.0.1", "0.0.0.0"],
      devices: [{ device: "a", unit: 1 }],
    });
    const engine = { sharedDevice: () => null, services: { audit: { note: () => undefined } } };
    const opening = openModbusProxy({ ...platform, config: { modbusProxy }, engine });
    await expect(opening).rejects.toThrow("cannot listen on 0.0.0.0:1502: the port is taken by another program");
    expect(world.net.listening({ host: "127.0.0.1", port: 1502 })).toBeUndefined();
  });
});

describe("a write", () => {
  const WRITE = [16, ...word(200), ...word(2), 4, ...word(5), ...word(0xffff)];
  const COILS = [15, ...word(19), ...word(10), 2, 0xcd, 0x01];
  const MASK = [22, ...word(4), ...word(0x00f2), ...word(0x0025)];
  const READ_AFTER = [23, ...word(3), ...word(2), ...word(14), ...word(1), 2, ...word(255)];

  test("of a program that may not is refused, and noted", async () => {
    const { device, deeds, connect } = await open();
    const program = await connect(MAKER);
    const pdus = [WRITE, [6, ...word(1), ...word(2)], [5, ...word(1), 0xff, 0], COILS, MASK, READ_AFTER];
    for (const pdu of pdus) expect(await program.ask(3, pdu)).toEqual([pdu[0]! | 0x80, 1]);
    expect(device.asked).toEqual([]);
    expect(deeds).toHaveLength(6);
    expect(deeds[0]).toEqual({
      who: { kind: "program", id: MAKER, name: null },
      method: null,
      path: "modbus unit 3 (inverter), function 16, holding register 200 to 201 = 5 65535: it may not write to this device",
      status: null,
      outcome: "refused",
    });
  });

  test("of a program that may is passed on as it is, noted, and looked at", async () => {
    const { device, deeds, proxy, connect } = await open();
    const program = await connect();
    expect(await program.ask(3, WRITE)).toEqual(WRITE.slice(0, 5));
    expect(await program.ask(3, [6, ...word(7), ...word(9)])).toEqual([6, ...word(7), ...word(9)]);
    expect(await program.ask(3, [5, ...word(8), 0xff, 0])).toEqual([5, ...word(8), 0xff, 0]);
    expect(await program.ask(3, [5, ...word(8), 0x12, 0])).toEqual([0x85, 3]);
    expect(device.asked).toEqual(["16: 200 = 5 65535", "6: 7 = 9", "5: 8 = 1"]);
    expect(device.hints).toBe(3);
    expect(deeds.map(({ outcome }) => outcome)).toEqual(["done", "done", "done", "refused"]);
    expect(deeds[1]).toMatchObject({
      who: { kind: "program", id: EVCC, name: "evcc" },
      path: "modbus unit 3 (inverter), function 6, holding register 7 = 9",
    });
    expect(proxy.state().counts).toMatchObject({ written: 3, refused: 1 });
  });

  test("of several coils, of single bits, and one that reads afterwards are passed on and noted as they are", async () => {
    const { device, deeds, proxy, connect } = await open();
    const program = await connect();
    expect(await program.ask(3, COILS)).toEqual(COILS.slice(0, 5));
    expect(await program.ask(3, MASK)).toEqual(MASK);
    expect(await program.ask(3, READ_AFTER)).toEqual([23, 4, ...word(1_003), ...word(1_004)]);
    expect(device.asked).toEqual(["15: 19 = 1 0 1 1 0 0 1 1 1 0", "22: 4 = 242 37", "23: 14 = 255"]);
    expect(deeds.map(({ path, outcome }) => [path.replace("modbus unit 3 (inverter), ", ""), outcome])).toEqual([
      ["function 15, coil 19 to 28 = 1 0 1 1 0 0 1 1 1 0", "done"],
      ["function 22, holding register 4 and 0x00f2 or 0x0025", "done"],
      ["function 23, holding register 14 = 255, then reads 3 to 4", "done"],
    ]);
    expect(proxy.state().counts).toMatchObject({ written: 3, read: 0 });
    device.commanded = "battery.mode";
    for (const pdu of [COILS, MASK, READ_AFTER]) expect(await program.ask(3, pdu)).toEqual([pdu[0]! | 0x80, 6]);
    expect(device.asked).toHaveLength(3);
  });

  test.each([
    ["more than 1,968 coils", [15, ...word(0), ...word(1_969), 247, ...Array<number>(247).fill(0)], 3],
    ["no coil", [15, ...word(0), ...word(0), 0], 3],
    ["fewer bytes than coils", [15, ...word(0), ...word(9), 1, 0], 3],
    ["coils beyond the last address", [15, ...word(0xffff), ...word(2), 1, 3], 2],
    ["one mask", [22, ...word(4), ...word(1)], 3],
    ["no register before a read", [23, ...word(0), ...word(1), ...word(0), ...word(0), 0], 3],
    ["a write before a read of 126 registers", [23, ...word(0), ...word(126), ...word(0), ...word(1), 2, 0, 0], 3],
    [
      "a write before a read beyond the last address",
      [23, ...word(0xffff), ...word(2), ...word(0), ...word(1), 2, 0, 0],
      2,
    ],
    ["a write before a read without its values", [23, ...word(0), ...word(1), ...word(0), ...word(1), 2], 3],
    ["a write before a read that ends early", [23, ...word(0), ...word(1), ...word(0)], 3],
  ] as const)("of %s is refused as the specification says", async (_name, pdu, exception) => {
    const { device, connect } = await open();
    const program = await connect();
    expect(await program.ask(3, pdu)).toEqual([pdu[0] | 0x80, exception]);
    expect(device.asked).toEqual([]);
  });

  test("is refused while the gateway commands the device, and told why", async () => {
    const { device, deeds, connect } = await open();
    device.commanded = "battery.mode";
    const program = await connect();
    expect(await program.ask(3, WRITE)).toEqual([0x90, 6]);
    expect(device.asked).toEqual([]);
    expect(deeds[0]).toMatchObject({
      outcome: "refused",
      path: expect.stringContaining("the gateway commands battery.mode"),
    });
    device.commanded = null;
    expect(await program.ask(3, WRITE)).toEqual(WRITE.slice(0, 5));
  });

  test("that waits for its turn while the gateway takes the device over is refused", async () => {
    const { device, deeds, connect } = await open();
    device.meanwhile = () => {
      device.commanded = "inverter.powerLimit";
    };
    const program = await connect();
    expect(await program.ask(3, WRITE)).toEqual([0x90, 6]);
    expect(device.asked).toEqual([]);
    expect(deeds[0]).toMatchObject({ outcome: "refused" });
  });

  test("without an answer is noted as failed, because the device may have it", async () => {
    const { device, deeds, connect } = await open();
    device.fault = new DeviceError("unreachable", "no answer in 1000 ms");
    const program = await connect();
    expect(await program.ask(3, WRITE)).toEqual([0x90, 11]);
    expect(deeds[0]).toMatchObject({ outcome: "failed", path: expect.stringContaining("no answer in 1000 ms") });
    expect(device.hints).toBe(1);
  });

  test("more often than registers bear is refused", async () => {
    const { device, deeds, connect } = await open();
    const program = await connect();
    for (let index = 0; index < 100; index++) await program.ask(3, [6, ...word(7), ...word(index)]);
    expect(device.asked.length).toBeGreaterThan(55);
    expect(device.asked.length).toBeLessThan(70);
    expect(deeds).toHaveLength(device.asked.length);
  });
});
