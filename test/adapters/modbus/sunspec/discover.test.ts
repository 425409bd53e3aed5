import { DeviceError } from "hemgate/sdk";
import { describe, expect, it } from "vitest";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import { discoverModels } from "../../../../adapters/modbus/sunspec/discover.ts";
import { NEVER } from "./device.ts";
import { FakeUnit } from "./fake-unit.ts";
import { chain, common, put } from "./images.ts";

const MODELS = [common("Maker"), { id: 64_999, length: 7 }, { id: 103, length: 50 }];

async function failureOf(work: Promise<unknown>): Promise<DeviceError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeviceError)) throw new Error(`not a DeviceError: ${error}`);
  return error;
}

describe("SunSpec discovery", () => {
  it.each([40_000, 50_000, 0])("walks a chain that starts at %i", async (base) => {
    const found = await discoverModels(new FakeUnit(chain(base, MODELS)), NEVER);
    expect(found).toEqual([
      { id: 1, address: base + 2, length: 66 },
      { id: 64_999, address: base + 70, length: 7 },
      { id: 103, address: base + 79, length: 50 },
    ]);
  });

  it("goes on to the next base when one holds something else", async () => {
    const registers = chain(50_000, MODELS);
    put(registers, 40_000, [0x5375, 0x0000]);
    expect((await discoverModels(new FakeUnit(registers), NEVER))[0]?.address).toBe(50_002);
  });

  it("goes on to the next base when one answers with nonsense", async () => {
    const unit = new FakeUnit(chain(50_000, MODELS));
    const read = unit.read.bind(unit);
    unit.read = async (table, address, count, signal) => {
      if (address === 40_000) throw new DeviceError("malformed", "two bytes too few");
      return await read(table, address, count, signal);
    };
    expect((await discoverModels(unit, NEVER))[0]?.address).toBe(50_002);
  });

  it("does not try another base on a device that does not answer", async () => {
    const unit = new FakeUnit(chain(50_000, MODELS));
    let requests = 0;
    unit.read = async () => {
      requests++;
      throw new DeviceError("unreachable", "no answer");
    };
    expect((await failureOf(discoverModels(unit, NEVER))).kind).toBe("unreachable");
    expect(requests).toBe(1);
  });

  it("names the bases that it tried when there is no marker", async () => {
    const error = await failureOf(discoverModels(new FakeUnit(new Map()), NEVER));
    expect(error).toMatchObject({ kind: "malformed", message: "no SunSpec marker at register 40000, 50000, 0" });
  });

  it("refuses a marker with nothing behind it", async () => {
    const error = await failureOf(discoverModels(new FakeUnit(chain(40_000, [])), NEVER));
    expect(error).toMatchObject({ kind: "malformed", message: expect.stringContaining("40000") });
  });

  it("takes an end marker that is the last register of the device", async () => {
    expect(await discoverModels(new FakeUnit(chain(40_000, MODELS, [0xffff])), NEVER)).toHaveLength(3);
  });

  it("keeps the models in front of an exception that cuts the chain", async () => {
    expect(await discoverModels(new FakeUnit(chain(40_000, MODELS, [])), NEVER)).toHaveLength(3);
  });

  it.each([
    ["a broken answer", new DeviceError("malformed", "not a Modbus TCP answer")],
    ["a busy device", new ModbusException(6, "reading")],
    ["a gateway whose target is silent", new ModbusException(11, "reading")],
  ])("does not take %s for the end of the chain: the battery's model may come behind it", async (_name, failure) => {
    const unit = new FakeUnit(chain(40_000, MODELS));
    const read = unit.read.bind(unit);
    unit.read = async (table, address, count, signal) => {
      if (address === 40_079) throw failure;
      return await read(table, address, count, signal);
    };
    expect(await failureOf(discoverModels(unit, NEVER))).toBe(failure);
  });

  it("takes zeros behind the last model for a forgotten end marker", async () => {
    expect(await discoverModels(new FakeUnit(chain(40_000, MODELS, [0, 0])), NEVER)).toHaveLength(3);
  });

  it("says where a chain leaves the address space", async () => {
    const registers = chain(50_000, [common("Maker"), { id: 9, length: 0 }]);
    registers.set(50_071, 16_000);
    const error = await failureOf(discoverModels(new FakeUnit(registers), NEVER));
    expect(error.kind).toBe("malformed");
    expect(error.message).toContain("model 9 at register 50070 with length 16000");
  });

  it("says where a chain is longer than any device's", async () => {
    const error = await failureOf(discoverModels(new FakeUnit(chain(0, [{ id: 9, length: 10_001 }])), NEVER));
    expect(error.message).toContain("model 9 at register 2 with length 10001");
  });

  it("ends a chain that repeats itself", async () => {
    const models = Array.from({ length: 150 }, () => ({ id: 203, length: 4 }));
    const unit = new FakeUnit(chain(40_000, models));
    const error = await failureOf(discoverModels(unit, NEVER));
    expect(error.kind).toBe("malformed");
    expect(error.message).toContain("more than 100 models: model 203 at register 40602");
    expect(unit.reads.length).toBeLessThanOrEqual(102);
  });

  it("ends on a device that answers every read with the same registers", async () => {
    const unit = new FakeUnit(new Map());
    unit.read = async (_table, _address, count) => Uint16Array.from([0x5375, 0x6e53]).slice(0, count);
    expect((await failureOf(discoverModels(unit, NEVER))).kind).toBe("malformed");
  });

  it("stops when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(discoverModels(new FakeUnit(chain(40_000, MODELS)), signal)).rejects.toThrow("enough");
  });
});
