import { expect, test } from "vitest";
import { Simulation } from "../../../adapters/simulated/device/simulation.ts";
import type { RegisterImage } from "../../../adapters/simulated/register-image.ts";
import { SANDBOX_PORTS, startSandboxHome } from "../../../adapters/simulated/sandbox-home.ts";
import { followCar } from "../../../src/cli/sandbox/sandbox-car.ts";
import { conditionOf, type SimulatedDevice } from "../../../src/domain/sandbox/simulated.ts";
import { NewSimulated } from "../../../src/domain/sandbox/simulated-request.ts";
import type { SimulatedEntry } from "../../../src/engine/contracts/simulated.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";

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
  const following = followCar(
    { simulated: { list: () => [car], supply: () => undefined }, owner: "home", home, clock },
    end.signal,
  );
  const after = async (next: SimulatedEntry) => {
    car = next;
    await world.clock.advance(60_000);
    const { carW, secondCarW, heaterW, gridW, loadW, acW, isCarPluggedIn } = home.truth();
    expect(gridW).toBeCloseTo(loadW + carW + secondCarW + heaterW - acW, 6);
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

test("a sandbox charger that stops, is limited or starts again does so to the car on it", async () => {
  const world = new World({ seed: 1 });
  const { clock, random } = world.boot("home", new MemoryDisk()).platform;
  const images = new Map<number, RegisterImage>();
  const serve = async (image: RegisterImage, { port }: { readonly port: number }) => {
    images.set(port, image);
    return { [Symbol.asyncDispose]: async () => undefined };
  };
  const startMs = Date.parse("2026-06-20T13:45:00Z");
  await using home = await startSandboxHome({ clock, random, serve, startMs });
  const simulation = new Simulation(clock);
  const { device } = carWith({ isPluggedIn: true, batteryLevel: 42 });
  simulation.put({ ...device, asOfMs: clock.nowMs() });
  let isHere = true;
  const simulated = {
    list: () =>
      [simulation.get("car")].flatMap((car) => (car === null || !isHere ? [] : [{ ...carWith({}), device: car }])),
    supply: simulation.supply.bind(simulation),
  };
  const end = new AbortController();
  const following = followCar({ simulated, owner: "home", home, clock }, end.signal);
  /** The car's state, kW and whole percents, a few minutes after a write to the charger. */
  const after = async (address: number, value: number) => {
    images.get(SANDBOX_PORTS.charger)?.writeHolding(255, address, [value], 6);
    await world.clock.advance(10_000);
    const before = simulation.get("car")?.state;
    await world.clock.advance(10 * 60_000);
    const told = new Map(simulation.readings("car").map((reading) => [reading.point, reading.value]));
    const now = simulation.get("car")?.state;
    const gained =
      before && now && "batteryLevel" in before && "batteryLevel" in now && now.batteryLevel > before.batteryLevel;
    return { state: told.get("vehicle.state"), powerW: told.get("vehicle.power"), gained, houseW: home.truth().carW };
  };
  const charging = { state: "PLUGGED_IN:CHARGING", gained: true };
  const stopped = { state: "PLUGGED_IN:NO_POWER", powerW: 0, gained: false, houseW: 0 };
  expect(await after(5014, 1)).toMatchObject({ ...charging, powerW: 11_000 });
  expect(await after(5014, 0)).toEqual(stopped);
  expect(await after(5014, 1)).toMatchObject(charging);
  expect(await after(5004, 8_000)).toMatchObject({ ...charging, powerW: 5_520 });
  expect(await after(5004, 0)).toEqual(stopped);
  // A car that hangs elsewhere now is none of this charger's.
  isHere = false;
  await world.clock.advance(5_000);
  expect(new Map(simulation.readings("car").map(({ point, value }) => [point, value])).get("vehicle.power")).toBe(
    11_000,
  );
  end.abort();
  await world.clock.resolve(following, 5_000);
});
