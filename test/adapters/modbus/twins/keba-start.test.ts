import { expect, test } from "vitest";
import { kebaP30 } from "../../../../adapters/modbus/profiles/keba-p30-p40.ts";
import { openBench } from "./twin-bench.ts";

const MINUTE = 60_000;

test("a start after a stop whose timer ran out lifts the 0 A that it left", async () => {
  await using bench = await openBench(kebaP30);
  await bench.write("charger.enabled", false);
  await bench.world.clock.advance(2 * MINUTE);
  expect((await bench.readAll()).get("charger.maxCurrent")).toBe(0);
  await bench.write("charger.enabled", true);
  expect(bench.twin.effect.charger).toEqual({ isAllowed: true, limitA: 6 });
});

test("a start leaves a limit that lets it charge as it is", async () => {
  await using bench = await openBench(kebaP30);
  await bench.write("charger.maxCurrent", 10);
  await bench.write("charger.enabled", false);
  await bench.readAll();
  const before = bench.twin.effect.charger?.limitA;
  await bench.write("charger.enabled", true);
  expect(bench.twin.effect.charger).toEqual({ isAllowed: true, limitA: before });
});
