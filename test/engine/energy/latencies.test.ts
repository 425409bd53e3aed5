import { expect, test } from "vitest";
import { Latencies } from "../../../src/engine/energy/latencies.ts";

test("the time from a command to its effect is learned, and a slower effect counts at once", () => {
  const latencies = new Latencies();
  latencies.commanded("c", 10, 16, 1_000);
  latencies.measured("c", 15, 3_000);
  latencies.measured("c", 10.2, 5_000);
  expect(latencies.of("c")).toBe(4_000);
  latencies.commanded("c", 16, 10, 10_000);
  latencies.measured("c", 16, 22_000);
  expect(latencies.of("c")).toBe(12_000);
});
