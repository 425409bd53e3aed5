import { expect, test } from "vitest";
import { kebaP30, kebaP40 } from "../../../../adapters/modbus/profiles/keba-p30-p40.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver } from "../profile-driver.ts";
import { openBench } from "./twin-bench.ts";

const MINUTE = 60_000;

test("a start after a stop whose timer ran out lifts the 0 A that it left", async () => {
  await using bench = await openBench(kebaP30);
  await bench.write("charger.enabled", false);
  await bench.world.clock.advance(2 * MINUTE);
  expect((await bench.readAll()).get("charger.maxCurrent")).toBe(0);
  await bench.write("charger.enabled", true);
  expect(bench.twin.effect.charger).toMatchObject({ isAllowed: true, limitA: 6 });
});

test("a start leaves a limit that lets it charge as it is", async () => {
  await using bench = await openBench(kebaP30);
  await bench.write("charger.maxCurrent", 10);
  await bench.write("charger.enabled", false);
  await bench.readAll();
  const before = bench.twin.effect.charger?.limitA;
  await bench.write("charger.enabled", true);
  expect(bench.twin.effect.charger).toMatchObject({ isAllowed: true, limitA: before });
});

test.each([kebaP30, kebaP40])(
  "$id is switched to one phase and back to three, and shows it in its own way",
  async (profile) => {
    await using bench = await openBench(profile);
    const shown = async () => (await bench.readAll()).get("charger.phases");
    expect(await shown()).toBe(3);
    await bench.write("charger.phases", 1);
    expect([await shown(), bench.twin.effect.charger?.phases]).toEqual([1, 1]);
    await bench.write("charger.phases", 3);
    expect([await shown(), bench.twin.effect.charger?.phases]).toEqual([3, 3]);
  },
);

test("a P30 whose switch waits for no one gets Modbus as its source first, by way of none", async () => {
  await using bench = await openBench(kebaP30, { prepare: (twin) => twin.set("charger.phaseSource", 4) });
  await bench.readAll();
  await bench.write("charger.phases", 1);
  expect(bench.twin.number("charger.phaseSource")).toBe(3);
});

test("a P40 whose app has not turned the switching on is sent nothing", async () => {
  await using bench = await openBench(kebaP40, { prepare: (twin) => twin.set("charger.phaseSource", 0) });
  await bench.readAll();
  await expect(bench.write("charger.phases", 1)).rejects.toThrow();
  expect(bench.twin.effect.charger?.phases).toBe(3);
});

test.each([kebaP30, kebaP40])("without the owner's setting $id has no control of the phases", async (profile) => {
  const driver = await profileDriver(profile, new FakeUnit(), { confirmUnverified: true });
  expect(driver.controls.map(({ point }) => point)).not.toContain("charger.phases");
});
