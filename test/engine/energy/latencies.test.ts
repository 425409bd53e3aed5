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

test("a start includes the car's own time: it counts for half a minute at most, until a running charge changes", () => {
  const latencies = new Latencies();
  latencies.commanded("c", 16, 0, 0);
  latencies.measured("c", 16, 100_000);
  expect(latencies.of("c")).toBe(30_000);
  latencies.commanded("c", 10, 16, 200_000);
  latencies.measured("c", 10, 204_000);
  expect(latencies.of("c")).toBe(4_000);
  latencies.commanded("c", 16, 0, 300_000);
  latencies.measured("c", 16, 350_000);
  expect(latencies.of("c")).toBe(4_000);
});
