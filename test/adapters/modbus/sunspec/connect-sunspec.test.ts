import { DeviceError } from "hemgate/sdk";
import { describe, expect, it } from "vitest";
import { connect } from "./device.ts";
import { chain, common, controls123, inverter103, type ModelImage, mppt160, storage124 } from "./images.ts";
import { BASE, readings } from "./sunspec-readings.ts";

/** Two strings and the battery's two directions, as a GEN24 labels them. */
const GEN24_INPUTS = mppt160([
  { label: "MPPT1", watts: 30_000, wattHours: 5_000_000 },
  { label: "MPPT2", watts: 12_505, wattHours: 4_000_000 },
  { label: "StCha 3", watts: 18_000, wattHours: 900_000 },
  { label: "StDisCha 4", watts: 0, wattHours: 800_000 },
]);

describe("who a SunSpec device is", () => {
  it("stands in model 1", async () => {
    const { map } = await connect(chain(BASE, [common("Fronius", "Symo GEN24 10.0", "33 21"), inverter103()]));
    expect(map.identity).toEqual({
      manufacturer: "Fronius",
      model: "Symo GEN24 10.0",
      serial: "33 21",
      version: "1.2.3",
    });
    expect(map.vendors).toEqual(["FRONIUS", "SUNSPEC"]);
  });

  it("names the protocol last, for a maker that the API has no code for", async () => {
    const { map } = await connect(chain(BASE, [common("KOSTAL"), inverter103()]));
    expect(map.vendors).toEqual(["KOSTAL", "SUNSPEC"]);
  });

  it("is unknown without model 1", async () => {
    const { map } = await connect(chain(BASE, [inverter103()]));
    expect(map.identity).toEqual({ manufacturer: null, model: null, serial: null, version: null });
  });

  it("does not need the registers behind the serial number", async () => {
    const registers = chain(BASE, [common("Maker"), inverter103()]);
    registers.delete(BASE + 2 + 66);
    registers.delete(BASE + 2 + 67);
    expect((await connect(registers)).map.identity.serial).toBe("S1");
  });

  it("is no device of ours when nothing in it is known", async () => {
    const work = connect(chain(BASE, [common("Maker"), { id: 64_001, length: 3 }]));
    await expect(work).rejects.toThrow(
      new DeviceError("malformed", "SunSpec device with no inverter, battery or meter among its models 1, 64001"),
    );
  });
});

describe("an inverter", () => {
  it("of model 103 gives its power and its lifetime energy", async () => {
    expect(await readings(common("Maker"), inverter103({ 14: 2345, 15: 1, 26: -1 }))).toEqual({
      "inverter.power": 23_450,
      "inverter.energy": 1_234_560,
    });
  });

  it("of model 113 gives floats", async () => {
    const floats: ModelImage = { id: 113, length: 60, words: { 22: [0x45a5, 0xb800], 32: [0x4b3c, 0x614e] } };
    expect(await readings(common("Maker"), floats)).toEqual({ "inverter.power": 5303, "inverter.energy": 12_345_678 });
  });

  it("of model 701 gives what it injected", async () => {
    const measured: ModelImage = { id: 701, length: 153, words: { 10: 9800, 19: [0, 0, 0, 150], 116: 0, 120: 3 } };
    expect(await readings(common("Maker"), measured)).toEqual({ "inverter.power": 9800, "inverter.energy": 150_000 });
  });

  it("says null, not 0, for what it does not implement", async () => {
    expect(await readings(common("Maker"), inverter103({ 14: 0x8000, 24: [0, 0] }))).toEqual({
      "inverter.power": null,
      "inverter.energy": null,
    });
  });

  it("says null while its scale factor is not implemented", async () => {
    expect(await readings(common("Maker"), inverter103({ 15: 0x8000 }))).toMatchObject({ "inverter.power": null });
  });

  it("gives the points that a shorter model still has", async () => {
    const short: ModelImage = { id: 103, length: 20, words: { 14: 100, 15: 0 } };
    expect(await readings(common("Maker"), short)).toEqual({ "inverter.power": 100 });
  });

  it("is read without a model that the device lists and refuses", async () => {
    const registers = chain(BASE, [common("Maker"), inverter103(), controls123()]);
    const at123 = BASE + 2 + 68 + 52;
    for (let address = at123 + 2; address < at123 + 26; address++) registers.delete(address);
    const { map } = await connect(registers);
    expect(map.controls).toEqual([]);
    expect(map.registers.map(({ key }) => key)).toContain("inverter.power");
  });

  it("follows a scale factor that changes between two polls", async () => {
    const device = await connect(chain(BASE, [common("SolarEdge"), inverter103({ 14: 5000, 15: 0 })]));
    expect(await device.read()).toMatchObject({ "inverter.power": 5000 });
    const at103 = BASE + 2 + 68;
    device.unit.registers.set(at103 + 14, 12_345);
    device.unit.registers.set(at103 + 15, 0xffff);
    expect(await device.read()).toMatchObject({ "inverter.power": 1234.5 });
  });

  it("is asked for its power and the scale factor in one request", async () => {
    const device = await connect(chain(BASE, [common("SolarEdge"), inverter103()]));
    device.unit.reads.length = 0;
    await device.read();
    expect(device.unit.reads).toHaveLength(1);
  });
});

describe("a hybrid inverter", () => {
  const models = [common("Fronius"), inverter103(), GEN24_INPUTS, storage124()];

  it("produces what its strings give, whatever the battery does", async () => {
    expect(await readings(...models)).toMatchObject({ "inverter.power": 4250.5, "inverter.energy": 9_000_000 });
  });

  it("adds its strings up without binary dust", async () => {
    const inputs = mppt160([
      { label: "MPPT1", watts: 1, wattHours: 1 },
      { label: "MPPT2", watts: 2, wattHours: 1 },
      { label: "StCha 3", watts: 3, wattHours: 1 },
      { label: "StDisCha 4", watts: 1, wattHours: 1 },
    ]);
    expect(await readings(common("Fronius"), inverter103(), inputs, storage124())).toMatchObject({
      "inverter.power": 0.3,
      "battery.power": 0.2,
    });
  });

  it("charges its battery with what the charging input takes", async () => {
    expect(await readings(...models)).toMatchObject({ "battery.power": 1800 });
  });

  it("discharges with a negative sign", async () => {
    const discharging = mppt160([
      { label: "MPPT1", watts: 100, wattHours: 1 },
      { label: "StCha 2", watts: 0xffff, wattHours: 1 },
      { label: "StDisCha 3", watts: 25_000, wattHours: 1 },
    ]);
    expect(await readings(common("Maker"), inverter103(), discharging, storage124())).toMatchObject({
      "battery.power": -2500,
      "inverter.power": 10,
    });
  });

  it("says null at night, when its strings read all ones", async () => {
    const night = mppt160([
      { label: "MPPT1", watts: 0xffff, wattHours: 0xffff_ffff },
      { label: "MPPT2", watts: 0xffff, wattHours: 0xffff_ffff },
      { label: "StCha 3", watts: 0xffff, wattHours: 0xffff_ffff },
      { label: "StDisCha 4", watts: 0xffff, wattHours: 0xffff_ffff },
    ]);
    expect(await readings(common("Fronius"), inverter103(), night, storage124())).toMatchObject({
      "inverter.power": null,
      "inverter.energy": null,
      "battery.power": null,
    });
  });

  it("counts an input without modules as nothing", async () => {
    const oneString = mppt160([
      { label: "MPPT1", watts: 30_000, wattHours: 5_000_000 },
      { label: "MPPT2", watts: 0xffff, wattHours: 0 },
      { label: "StCha 3", watts: 0, wattHours: 1 },
      { label: "StDisCha 4", watts: 0, wattHours: 1 },
    ]);
    expect(await readings(common("Fronius"), inverter103(), oneString, storage124())).toMatchObject({
      "inverter.power": 3000,
      "inverter.energy": 5_000_000,
      "battery.power": 0,
    });
  });

  it("of Fronius has its four inputs in order when they carry no labels", async () => {
    const bare = mppt160([1, 2, 3, 4].map((watts) => ({ label: "", watts: watts * 1000, wattHours: watts })));
    expect(await readings(common("Fronius"), inverter103(), bare, storage124())).toMatchObject({
      "inverter.power": 300,
      "battery.power": -100,
      "inverter.energy": 3,
    });
  });

  it("of another maker keeps four unlabelled inputs for strings", async () => {
    const bare = mppt160([1, 2, 3, 4].map((watts) => ({ label: "", watts: watts * 1000, wattHours: watts })));
    const values = await readings(common("Maker"), inverter103(), bare, storage124());
    expect(values).toMatchObject({ "inverter.power": 2345 });
    expect(values).not.toHaveProperty(["battery.power"]);
  });

  it("tells charge, reserve and mode from model 124, and capacity from the nameplate", async () => {
    const nameplate: ModelImage = { id: 120, length: 26, words: { 19: 1024, 20: 1 } };
    expect(await readings(common("Fronius"), inverter103(), nameplate, storage124())).toMatchObject({
      "battery.soc": 64.5,
      "battery.reserve": 7,
      "battery.capacity": 10_240,
      "battery.status": "IDLE",
      "battery.mode": "SELF_RELIANCE",
    });
  });

  it.each([
    [1, "IDLE"],
    [2, "IDLE"],
    [3, "DISCHARGING"],
    [4, "CHARGING"],
    [5, "IDLE"],
    [6, "IDLE"],
    [7, "UNKNOWN"],
    [99, "UNKNOWN"],
  ])("with charge status %i is %s", async (status, expected) => {
    expect(await readings(common("Fronius"), storage124({ 11: status }))).toMatchObject({ "battery.status": expected });
  });

  it("without a battery shows none, though model 124 is there", async () => {
    const empty = storage124({ 2: 0, 8: 0xffff, 11: 0xffff });
    const device = await connect(chain(BASE, [common("Fronius"), inverter103(), GEN24_INPUTS, empty]));
    expect(Object.keys(await device.read()).filter((point) => point.startsWith("battery."))).toEqual([]);
    expect(device.map.controls).toEqual([]);
  });
});
