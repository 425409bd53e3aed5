import { expect, test } from "vitest";
import { solaredgeStoredge } from "../../../../adapters/modbus/profiles/solaredge-storedge.ts";
import { openBench } from "./twin-bench.ts";

const CHARGE = "battery.control.maxChargePower";
const DISCHARGE = "battery.control.maxDischargePower";

test.each([
  ["SELF_RELIANCE", CHARGE],
  ["SELF_RELIANCE", DISCHARGE],
  ["IMPORT_FOCUS", CHARGE],
  ["EXPORT_FOCUS", DISCHARGE],
] as const)("%s is not told of a battery whose %s is 0: a limit did not get through", async (mode, limit) => {
  await using bench = await openBench(solaredgeStoredge);
  await bench.write("battery.mode", mode);
  expect((await bench.readAll()).get("battery.mode")).toBe(mode);
  bench.twin.set(limit, 0);
  expect((await bench.readAll()).get("battery.mode")).toBe("UNKNOWN");
});
