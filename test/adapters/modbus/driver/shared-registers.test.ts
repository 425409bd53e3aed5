import { OtherDeviceError, type RegisterRange } from "hemgate/sdk";
import { expect, test } from "vitest";
import { NoAnswer } from "../../../../adapters/modbus/bus/bus-link.ts";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import { SharedRegisters } from "../../../../adapters/modbus/driver/shared-registers.ts";
import { outcome } from "../bus/bus-world.ts";

const calm = new AbortController().signal;
const range = (address: number, count: number): RegisterRange => ({ table: "holding", address, count });
const words = (first: number, count: number): Uint16Array =>
  Uint16Array.from({ length: count }, (_unused, index) => first + index);

function bed() {
  const bed = {
    nowMs: 100_000,
    asked: [] as string[],
    fault: null as unknown,
    check: async () => undefined as undefined,
  };
  const shared = new SharedRegisters({
    clock: { monotonicMs: () => bed.nowMs },
    same: { check: () => bed.check() },
    guest: {
      read: async ({ address, count }) => {
        bed.asked.push(`${address}+${count}`);
        if (bed.fault !== null) throw bed.fault;
        return words(500, count);
      },
      write: async ({ address, values }) => {
        bed.asked.push(`${address} = ${values.join()}`);
        return words(0, 0);
      },
    },
  });
  return Object.assign(bed, { shared });
}

test("what was polled covers what lies within it while it is young enough", () => {
  const { shared, nowMs } = bed();
  shared.keep(range(100, 10), words(1_000, 10), nowMs - 1_500);
  expect([...shared.recent(range(104, 2), 2_000)!]).toEqual([1_004, 1_005]);
  expect(shared.recent(range(104, 2), 1_499)).toBeNull();
  expect(shared.recent(range(109, 2), 2_000)).toBeNull();
  expect(shared.recent(range(99, 2), 2_000)).toBeNull();
  expect(shared.recent({ table: "input", address: 104, count: 2 }, 2_000)).toBeNull();
});

test("two reads of different moments are not joined to one answer", () => {
  const { shared, nowMs } = bed();
  shared.keep(range(100, 10), words(1_000, 10), nowMs);
  shared.keep(range(110, 10), words(2_000, 10), nowMs - 500);
  expect(shared.recent(range(109, 2), 2_000)).toBeNull();
});

test("of several reads the newest answers", () => {
  const { shared, nowMs } = bed();
  shared.keep(range(100, 10), words(1_000, 10), nowMs);
  shared.keep(range(100, 20), words(2_000, 20), nowMs - 500);
  expect([...shared.recent(range(100, 1), 2_000)!]).toEqual([1_000]);
});

test("what is kept is a copy", () => {
  const { shared, nowMs } = bed();
  const registers = words(1_000, 10);
  shared.keep(range(100, 10), registers, nowMs);
  registers.fill(0);
  expect([...shared.recent(range(100, 1), 0)!]).toEqual([1_000]);
});

test("a read that went to the device answers the next program", async () => {
  const { shared, asked } = bed();
  expect([...(await shared.read(range(7, 2), calm))]).toEqual([500, 501]);
  expect([...shared.recent(range(7, 2), 0)!]).toEqual([500, 501]);
  expect(asked).toEqual(["7+2"]);
});

test("after a write nothing that was asked for before it counts", async () => {
  const it = bed();
  it.shared.keep(range(100, 10), words(1_000, 10), it.nowMs);
  await it.shared.write({ code: 6, address: 100, values: [5] }, () => null, calm);
  expect(it.shared.recent(range(100, 1), 2_000)).toBeNull();
  // The answer to a poll that was under way.
  it.shared.keep(range(100, 10), words(1_000, 10), it.nowMs - 10);
  expect(it.shared.recent(range(100, 1), 2_000)).toBeNull();
  it.nowMs += 1;
  it.shared.keep(range(100, 10), words(1_000, 10), it.nowMs);
  expect(it.shared.recent(range(100, 1), 2_000)).not.toBeNull();
});

test("registers to which the device was silent are left alone for a minute, and all others for three seconds", async () => {
  const it = bed();
  it.fault = new NoAnswer("no answer in 1000 ms");
  expect(await outcome(it.shared.read(range(7, 2), calm))).toBe(it.fault);
  it.fault = null;
  expect(await outcome(it.shared.read(range(50, 1), calm))).toMatchObject({ kind: "unreachable" });
  it.nowMs += 3_001;
  expect(await outcome(it.shared.read(range(7, 2), calm))).toMatchObject({ kind: "unreachable" });
  await it.shared.read(range(50, 1), calm);
  it.nowMs += 60_000;
  await it.shared.read(range(7, 2), calm);
  expect(it.asked).toEqual(["7+2", "50+1", "7+2"]);
});

test("an exception is no silence", async () => {
  const it = bed();
  it.fault = new ModbusException(2, "unit 1");
  expect(await outcome(it.shared.read(range(7, 2), calm))).toMatchObject({ code: 2 });
  it.fault = null;
  await it.shared.read(range(7, 2), calm);
});

test("another device at the address is neither read nor written", async () => {
  const it = bed();
  it.check = async () => {
    throw new OtherDeviceError("A", "B", "its address");
  };
  await expect(it.shared.read(range(7, 2), calm)).rejects.toBeInstanceOf(OtherDeviceError);
  await expect(it.shared.write({ code: 6, address: 1, values: [1] }, () => null, calm)).rejects.toThrow(
    "another device",
  );
  expect(it.asked).toEqual([]);
});

test("after the driver was closed nothing is answered", async () => {
  const it = bed();
  it.shared.keep(range(100, 10), words(1_000, 10), it.nowMs);
  it.shared.close();
  expect(it.shared.recent(range(100, 1), 2_000)).toBeNull();
  await expect(it.shared.read(range(100, 1), calm)).rejects.toThrow("disconnected");
  await expect(it.shared.write({ code: 6, address: 1, values: [1] }, () => null, calm)).rejects.toThrow("disconnected");
  expect(it.asked).toEqual([]);
});
