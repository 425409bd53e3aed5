import { describe, expect, it } from "vitest";
import { connect } from "./device.ts";
import { chain, common, inverter103, put } from "./images.ts";

/** A float as SolarEdge keeps its own: least significant word first. */
function float(value: number): number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return [view.getUint16(2), view.getUint16(0)];
}

interface BatteryImage {
  readonly base: number;
  readonly rated: number;
  readonly watts: number;
  readonly soc: number;
  readonly status: number;
}

/** An inverter that puts out 3,000 W with 3,100 W on its DC side. */
async function inverter(...batteries: readonly BatteryImage[]) {
  const registers = chain(40_000, [common("SolarEdge "), inverter103({ 14: 3000, 15: 0, 31: 3100, 32: 0 })]);
  for (const { base, rated, watts, soc, status } of batteries) {
    put(registers, base, Array<number>(136).fill(0));
    put(registers, base + 66, float(rated));
    put(registers, base + 116, float(watts));
    put(registers, base + 132, float(soc));
    put(registers, base + 134, [status, 0]);
  }
  return await connect(registers);
}

const FIRST: BatteryImage = { base: 57_600, rated: 9700, watts: 1200, soc: 50, status: 3 };

describe("a SolarEdge inverter", () => {
  it("without a battery refuses the battery's registers, and that is no fault", async () => {
    const device = await inverter();
    expect(device.map.vendors).toEqual(["SOLAREDGE", "SUNSPEC"]);
    expect(await device.read()).toEqual({ "inverter.power": 3000, "inverter.energy": 12_345_600 });
  });

  it("produces its DC side and what its battery takes", async () => {
    expect(await (await inverter(FIRST)).read()).toMatchObject({
      "inverter.power": 4300,
      "battery.power": 1200,
      "battery.soc": 50,
      "battery.capacity": 9700,
      "battery.status": "CHARGING",
    });
  });

  it("does not count a discharging battery as production", async () => {
    const device = await inverter({ ...FIRST, watts: -3100, status: 4 });
    expect(await device.read()).toMatchObject({
      "inverter.power": 0,
      "battery.power": -3100,
      "battery.status": "DISCHARGING",
    });
  });

  it("adds two batteries up, the charge by what each can hold", async () => {
    const second = { base: 57_856, rated: 4850, watts: 600, soc: 80, status: 7 };
    expect(await (await inverter(FIRST, second)).read()).toMatchObject({
      "battery.power": 1800,
      "battery.soc": 60,
      "battery.capacity": 14_550,
      "battery.status": "CHARGING",
    });
  });

  it.each([Number.NaN, -3.4028234663852886e38, 0])("has no battery where the rated energy reads %d", async (rated) => {
    const device = await inverter({ ...FIRST, rated });
    expect(await device.read()).not.toHaveProperty(["battery.soc"]);
  });

  it.each([
    [0, "IDLE"],
    [2, "UNKNOWN"],
    [5, "FAULT"],
    [6, "IDLE"],
    [10, "IDLE"],
    [11, "UNKNOWN"],
  ])("with battery status %i is %s", async (status, expected) => {
    expect(await (await inverter({ ...FIRST, status })).read()).toMatchObject({ "battery.status": expected });
  });

  it.each([Number.NaN, -3.4028234663852886e38])("says null for a battery that reads %d", async (silence) => {
    const device = await inverter({ ...FIRST, watts: silence, soc: silence });
    expect(await device.read()).toMatchObject({ "battery.power": null, "battery.soc": null, "inverter.power": null });
  });

  it("offers no control: its storage commands are not SunSpec's", async () => {
    expect((await inverter(FIRST)).map.controls).toEqual([]);
  });
});
