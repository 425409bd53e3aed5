import { connect, type Socket } from "node:net";
import { DeviceError } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import modbusSerial from "modbus-serial";
import { expect, test } from "vitest";
import { createChargerTwin } from "../../../adapters/simulated/charger-twin.ts";
import { createInverterTwin } from "../../../adapters/simulated/inverter-twin.ts";
import { createMeterTwin } from "../../../adapters/simulated/meter-twin.ts";
import type { RegisterImage } from "../../../adapters/simulated/register-image.ts";
import { serveOnLoopback } from "../../../adapters/simulated/serve-twins.ts";
import { freePort } from "../../free-ports.ts";
import { makeHome, steady } from "./make-home.ts";

const ModbusClient = modbusSerial.default;
type ModbusClient = InstanceType<typeof ModbusClient>;

const HOST = "127.0.0.1";

async function serve(image: RegisterImage) {
  const clock = new VirtualClock();
  const port = await freePort();
  const server = await serveOnLoopback(clock, image, { host: HOST, port });
  return { clock, port, server };
}

async function withClient<T>(port: number, unit: number, work: (client: ModbusClient) => Promise<T>): Promise<T> {
  const client = new ModbusClient();
  await client.connectTCP(HOST, { port });
  client.setTimeout(2_000);
  client.setID(unit);
  try {
    return await work(client);
  } finally {
    await new Promise<void>((resolve) => client.destroy(() => resolve()));
  }
}

test("a foreign client reads the inverter, writes its controls, and sees what the battery does", async () => {
  const home = makeHome({ profile: steady(500, 800) });
  home.step(60_000);
  const { port, server } = await serve(createInverterTwin(home));
  await using _server = server;
  await withClient(port, 1, async (client) => {
    expect((await client.readHoldingRegisters(40_000, 4)).data).toEqual([0x5375, 0x6e53, 1, 65]);
    expect((await client.readHoldingRegisters(40_083, 1)).data).toEqual([1_800]);
    await client.writeRegister(40_358, 600);
    await client.writeRegisters(40_355, [0, 0]);
    await client.writeRegister(40_348, 3);
    home.step(5_000);
    expect((await client.readHoldingRegisters(40_083, 1)).data).toEqual([6_800]);
    expect(home.truth()).toMatchObject({ batteryW: 0, gridW: -6_300 });
  });
});

test("a foreign client reads the meter's floats", async () => {
  const home = makeHome({ profile: steady(500, 800) });
  home.step(60_000);
  const { port, server } = await serve(createMeterTwin(() => home.truth()));
  await using _server = server;
  await withClient(port, 1, async (client) => {
    const { buffer } = await client.readInputRegisters(52, 2);
    expect(buffer.readFloatBE(0)).toBe(-1_300);
  });
});

test("a foreign client sets the charger's current", async () => {
  const home = makeHome({ hasCar: true, profile: steady(500, 0) });
  const { port, server } = await serve(createChargerTwin(home));
  await using _server = server;
  await withClient(port, 255, async (client) => {
    await client.writeRegister(5004, 8_000);
    home.step(60_000);
    const { buffer } = await client.readHoldingRegisters(1008, 2);
    expect(buffer.readUInt32BE(0)).toBe(8_000);
  });
});

test.each([
  ["an address outside", 1, (client: ModbusClient) => client.readHoldingRegisters(39_000, 2), 2],
  ["one register outside", 1, (client: ModbusClient) => client.readHoldingRegisters(39_000, 1), 2],
  ["126 registers", 1, (client: ModbusClient) => client.readHoldingRegisters(40_000, 126), 3],
  ["an input register", 1, (client: ModbusClient) => client.readInputRegisters(40_000, 2), 1],
  ["a write of a measurement", 1, (client: ModbusClient) => client.writeRegister(40_083, 0), 2],
  ["a value that is too large", 1, (client: ModbusClient) => client.writeRegisters(40_355, [20_000]), 3],
])("%s reaches the client as the exception that the twin gives", async (_name, unit, ask, code) => {
  const { port, server } = await serve(createInverterTwin(makeHome()));
  await using _server = server;
  await withClient(port, unit, async (client) => {
    await expect(ask(client)).rejects.toMatchObject({ modbusCode: code });
  });
});

test("another unit gets no answer, and the next request does", async () => {
  const { port, server } = await serve(createInverterTwin(makeHome()));
  await using _server = server;
  await withClient(port, 9, async (client) => {
    client.setTimeout(100);
    await expect(client.readHoldingRegisters(40_000, 2)).rejects.toThrow("Timed out");
    client.setID(1);
    client.setTimeout(2_000);
    expect((await client.readHoldingRegisters(40_000, 2)).data).toEqual([0x5375, 0x6e53]);
  });
});

test("a port that is taken is told with its address", async () => {
  const { port, server } = await serve(createInverterTwin(makeHome()));
  await using _server = server;
  const second = serveOnLoopback(new VirtualClock(), createInverterTwin(makeHome()), { host: HOST, port });
  await expect(second).rejects.toThrow(`listen on 127.0.0.1:${port}: `);
  await expect(second).rejects.toBeInstanceOf(DeviceError);
});

test("a late answer waits on the clock, and disposing takes it back", async () => {
  const image = createInverterTwin(makeHome());
  const { clock, port, server } = await serve({
    ...image,
    readHolding: (...asked) => ({ ...image.readHolding(...asked), delayMs: 500 }),
  });
  const late = withClient(port, 1, (client) => client.readHoldingRegisters(40_000, 2));
  await expect.poll(() => clock.pendingTimers).toBe(1);
  await clock.advance(500);
  expect((await late).data).toEqual([0x5375, 0x6e53]);
  const socket = await openSocket(port);
  socket.write(Buffer.from("0001000000060103" + "9c400002", "hex"));
  await expect.poll(() => clock.pendingTimers).toBe(1);
  const gone = new Promise((resolve) => socket.once("close", resolve));
  await server[Symbol.asyncDispose]();
  await gone;
  expect(clock.pendingTimers).toBe(0);
});

test("a device that hangs up closes the connections", async () => {
  const { port, server } = await serve({
    ...createInverterTwin(makeHome()),
    readHolding: () => ({ kind: "hang-up" }),
  });
  await using _server = server;
  const socket = await openSocket(port);
  const gone = new Promise((resolve) => socket.once("close", resolve));
  socket.write(Buffer.from("0001000000060103" + "9c400002", "hex"));
  await gone;
});

test("disposing frees the port and closes what is open, twice over", async () => {
  const { port, server } = await serve(createInverterTwin(makeHome()));
  const socket = await openSocket(port);
  const gone = new Promise((resolve) => socket.once("close", resolve));
  await server[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await gone;
  const again = await serveOnLoopback(new VirtualClock(), createInverterTwin(makeHome()), { host: HOST, port });
  await again[Symbol.asyncDispose]();
});

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port }, () => resolve(socket));
    socket.on("error", reject);
  });
}
