/** What the energy manager makes of the sandbox home, in simulated time. */
import { expect, test } from "vitest";
import { runSandbox } from "./running-sandbox.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A dark hour, and one with sun for 5.9 kW; the house uses 0.3 kW. */
const SUDDEN_SUN = "non_shiftable_load,solar_generation\n0.3,0\n0.3,700\n";
const GARAGE_FUSE_A = 20;

test("from night to the first sun a car charges within a minute, and the rod takes what is left over", async () => {
  await using sandbox = await runSandbox({
    seed: 1,
    homeFile: SUDDEN_SUN,
    startMs: Date.parse("2026-06-20T01:48:00Z"),
  });
  const { clock, home, gateway } = sandbox;
  await clock.advance(10 * MINUTE);
  const night = home.truth();
  expect([night.pvW, night.carW, night.secondCarW, night.heaterW]).toEqual([0, 0, 0, 0]);
  while (home.truth().pvW < 1_000) await clock.advance(SECOND);
  const sunMs = home.truth().atMs;
  while (home.truth().carW + home.truth().secondCarW < 1_000 && home.truth().atMs - sunMs < 5 * MINUTE) {
    await clock.advance(SECOND);
  }
  const tookS = (home.truth().atMs - sunMs) / SECOND;
  expect(tookS).toBeLessThanOrEqual(60);
  await clock.advance(15 * MINUTE);
  // For a second or two while the rod takes another step, the grid gives or takes what differs.
  let importWs = 0;
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(SECOND);
    importWs += Math.max(0, home.truth().gridW);
  }
  const { carW, secondCarW, heaterW, isCarPluggedIn } = home.truth();
  expect(isCarPluggedIn).toBe(true);
  expect(carW + secondCarW).toBeGreaterThan(1_300);
  expect(heaterW).toBeGreaterThanOrEqual(100);
  expect(importWs / 60).toBeLessThan(50);
  expect(gateway.engine.services.energy.state().alarms).toEqual([]);
  expect(gateway.engine.services.checks.list()).toEqual([]);
}, 120_000);

test("with both cars at full current the fuse of the garage is exceeded for 10 s at most, and no charger is taken to ignore it", async () => {
  await using sandbox = await runSandbox({
    seed: 2,
    startMs: Date.parse("2026-06-20T13:45:00Z"),
  });
  const { clock, home, gateway } = sandbox;
  const { energy } = gateway.engine.services;
  await clock.advance(10 * SECOND);
  for (const { asset } of gateway.engine.assets.list("charger")) {
    await clock.resolve(energy.setPolicy(asset.id, { mode: "FAST" }), MINUTE);
  }
  let [overS, longestS, highestA] = [0, 0, 0];
  for (let second = 0; second < 480; second += 1) {
    await clock.advance(SECOND);
    const { carW, secondCarW, voltages } = home.truth();
    const garageA = (carW / 3 + secondCarW) / voltages[0];
    overS = garageA > GARAGE_FUSE_A * 1.01 ? overS + 1 : 0;
    longestS = Math.max(longestS, overS);
    highestA = Math.max(highestA, garageA);
  }
  const { carW, secondCarW } = home.truth();
  expect(longestS).toBeLessThanOrEqual(10);
  // Together they use what the fuse leaves, so it was the fuse that shared them.
  expect(highestA).toBeGreaterThan(16);
  expect(carW).toBeGreaterThan(4_000);
  expect(secondCarW).toBeGreaterThan(1_300);
  expect(energy.state().alarms).toEqual([]);
}, 120_000);
