import { expect, test } from "vitest";
import { startSandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import { followCar } from "../../src/cli/sandbox-car.ts";
import { conditionOf, type SimulatedDevice } from "../../src/domain/simulated.ts";
import { NewSimulated } from "../../src/domain/simulated-request.ts";
import type { SimulatedEntry } from "../../src/engine/services/simulated.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";

function carWith(state: object): SimulatedEntry {
  const { state: given, ...plate } = NewSimulated.parse({ userId: "home", name: "Family car", state });
  const device = {
    ...plate,
    ...conditionOf("vehicle", given),
    id: "car",
    home: "home",
    vendor: "SIMULATED",
    account: null,
    grant: 0,
    faults: [],
    slowCommands: [],
    createdAtMs: 0,
    asOfMs: 0,
  } as unknown as SimulatedDevice;
  return { device, userId: "home", assetId: null };
}

test("a sandbox car that stops, leaves or is full takes its power out of the charger and the house's meter, and brings it back", async () => {
  const world = new World({ seed: 1 });
  const { clock, random } = world.boot("home", new MemoryDisk()).platform;
  const nothing = { [Symbol.asyncDispose]: async () => undefined };
  const startMs = Date.parse("2026-06-20T13:45:00Z");
  await using home = await startSandboxHome({ clock, random, serve: async () => nothing, startMs });
  const at = (state: object) => carWith({ isPluggedIn: true, batteryLevel: 42, ...state });
  let car = at({});
  const end = new AbortController();
  const following = followCar({ simulated: { list: () => [car] }, owner: "home", home, clock }, end.signal);
  const after = async (next: SimulatedEntry) => {
    car = next;
    await world.clock.advance(60_000);
    const { carW, gridW, loadW, acW, isCarPluggedIn } = home.truth();
    expect(gridW).toBeCloseTo(loadW + carW - acW, 6);
    return { isTaking: carW > 5_000, isNothing: carW === 0, isCarPluggedIn };
  };
  const charging = { isTaking: true, isNothing: false, isCarPluggedIn: true };
  const waiting = { isTaking: false, isNothing: true, isCarPluggedIn: true };
  expect(await after(at({}))).toEqual(charging);
  expect(await after(at({ isChargingEnabled: false }))).toEqual(waiting);
  expect(await after(at({ isChargingEnabled: true }))).toEqual(charging);
  expect(await after(at({ batteryLevel: 80, chargeLimit: 80 }))).toEqual(waiting);
  expect(await after(at({}))).toEqual(charging);
  expect(await after(at({ isPluggedIn: false }))).toEqual({ ...waiting, isCarPluggedIn: false });
  end.abort();
  await world.clock.resolve(following, 5_000);
});
