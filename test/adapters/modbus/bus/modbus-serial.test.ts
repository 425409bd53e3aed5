/** As client of another implementation's server: modbus-serial's, over loopback. */
import { TestLog } from "hemgate/testing";
import ModbusSerial from "modbus-serial";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ModbusBus } from "../../../../adapters/modbus/bus/modbus-bus.ts";
import { nodeClock } from "../../../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../../../src/platform/node/node-net.ts";
import { busWorld, calm, outcome } from "./bus-world.ts";

const holding = new Map<number, number>();
const vector = {
  getHoldingRegister: (address: number) => {
    if (address >= 1_000) throw Object.assign(new Error("outside"), { modbusErrorCode: 2 });
    return holding.get(address) ?? address;
  },
  getInputRegister: (address: number) => address + 1,
  setRegister: (address: number, value: number) => void holding.set(address, value),
};

let server: InstanceType<typeof ModbusSerial.ServerTCP>;
let bus: ModbusBus;

beforeAll(async () => {
  server = new ModbusSerial.ServerTCP(vector, { host: "127.0.0.1", port: 0, unitID: 1 });
  const port = await new Promise<number>((resolve) => {
    server.on("initialized", () => {
      const address = Reflect.get(server, "_server").address();
      resolve(address.port);
    });
  });
  const clock = nodeClock(() => "synced");
  bus = new ModbusBus(busWorld(clock, nodeNet(new TestLog())), { kind: "tcp", host: "127.0.0.1", port });
});

afterAll(async () => {
  bus[Symbol.dispose]();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

describe("modbus-serial as server", () => {
  test("holding and input registers, one and 125 of them", async () => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
    expect([...(await unit.read("holding", 7, 1, calm))]).toEqual([7]);
    expect([...(await unit.read("input", 10, 125, calm))].at(-1)).toBe(135);
  });

  test("one register with function 6, many with 16, read back", async () => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
    await unit.write(20, [0xbeef], 6, calm);
    await unit.write(21, [1, 2, 3], 16, calm);
    expect([...(await unit.read("holding", 20, 4, calm))]).toEqual([0xbeef, 1, 2, 3]);
  });

  test("an exception names its code and the connection goes on", async () => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 1 });
    expect(await outcome(unit.read("holding", 1_000, 1, calm))).toMatchObject({ kind: "rejected", code: 2 });
    expect([...(await unit.read("holding", 999, 1, calm))]).toEqual([999]);
  });

  test("two hundred reads in a window of 16 each get their own answer", async () => {
    const unit = bus.unit(1, { minGapMs: 0, inFlight: 16 });
    const reads = Array.from({ length: 200 }, (_, index) => unit.read("holding", 100 + index, 1, calm));
    expect((await Promise.all(reads)).map(([register]) => register)).toEqual(
      Array.from({ length: 200 }, (_, index) => 100 + index),
    );
  });
});
