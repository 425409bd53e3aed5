import { SeededRandom, VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import type { RegisterImage } from "../../../adapters/simulated/register-image.ts";
import { type SandboxOptions, startSandboxHome } from "../../../adapters/simulated/sandbox-home.ts";
import { SUMMER_NOON_MS } from "./make-home.ts";

/** A home whose servers are only noted: what was served where, and what is still open. */
async function startNoted(options: Partial<SandboxOptions> = {}) {
  const clock = new VirtualClock({ startMs: SUMMER_NOON_MS });
  const images = new Map<string, RegisterImage>();
  const home = await startSandboxHome({
    clock,
    random: new SeededRandom(7),
    serve: async (image, { host, port }) => {
      images.set(`${host}:${port}`, image);
      return { [Symbol.asyncDispose]: async () => void images.delete(`${host}:${port}`) };
    },
    ...options,
  });
  return { clock, home, images };
}

test("five devices are served on loopback, and told as entries of a configuration", async () => {
  const { home, images } = await startNoted();
  expect([...images.keys()]).toEqual([5020, 5021, 5022, 5023, 5024].map((port) => `127.0.0.1:${port}`));
  expect(home.devices).toEqual([
    expect.objectContaining({ id: "inverter", adapter: "modbus", port: 5020, unit: 1, profile: "sunspec" }),
    expect.objectContaining({ id: "meter", adapter: "modbus", port: 5021, unit: 1, profile: "eastron-sdm630" }),
    expect.objectContaining({ id: "charger", adapter: "modbus", port: 5022, unit: 255, profile: "keba-p30" }),
    expect.objectContaining({ id: "second-charger", adapter: "modbus", port: 5023, unit: 1, profile: "heidelberg-ec" }),
    expect.objectContaining({ id: "heater", adapter: "modbus", port: 5024, unit: 1, profile: "my-pv-ac-thor" }),
  ]);
});

test("other hosts and ports are taken, and a house has no second charger and heater without a port", async () => {
  const { home, images } = await startNoted({
    hosts: { inverter: "a", meter: "b", charger: "c" },
    ports: { inverter: 1, meter: 2, charger: 3 },
  });
  expect([...images.keys()]).toEqual(["a:1", "b:2", "c:3"]);
  expect(home.devices.map(({ host, port }) => `${host}:${port}`)).toEqual(["a:1", "b:2", "c:3"]);
});

test("the house moves with the clock, and stops when it is disposed", async () => {
  const { clock, home, images } = await startNoted();
  await clock.advance(90_000);
  expect(home.truth().atMs).toBe(SUMMER_NOON_MS + 90_000);
  expect(home.truth().energies.load).toBeGreaterThan(0);
  await home[Symbol.asyncDispose]();
  expect([images.size, clock.pendingTimers]).toEqual([0, 0]);
});

test("a paused house stands still, and goes on from there", async () => {
  const { clock, home } = await startNoted();
  await clock.advance(10_500);
  home.pause();
  home.pause();
  const before = home.truth();
  expect(before.atMs).toBe(SUMMER_NOON_MS + 10_500);
  await clock.advance(3_600_000);
  expect(home.truth()).toBe(before);
  home.resume();
  home.resume();
  await clock.advance(5_000);
  expect(home.truth().atMs - before.atMs).toBeLessThanOrEqual(5_000);
  expect(home.truth().atMs - before.atMs).toBeGreaterThanOrEqual(4_000);
});

test("the house starts at another time of its own when told so", async () => {
  const startMs = Date.UTC(2025, 0, 1);
  const { clock, home } = await startNoted({ startMs });
  await clock.advance(1_000);
  expect(home.truth().atMs).toBe(startMs + 1_000);
});

test("a home file drives it", async () => {
  const homeFile = "non_shiftable_load,solar_generation\n1.5,0\n";
  const { clock, home } = await startNoted({ homeFile });
  await clock.advance(3_600_000);
  expect(home.truth().energies.load).toBeCloseTo(1_500, 6);
});

test("a home file with a mistake rejects before anything is served", async () => {
  let served = 0;
  const serve = async () => {
    served += 1;
    return { [Symbol.asyncDispose]: async () => undefined };
  };
  await expect(startNoted({ homeFile: "a,b\n1,2\n", serve })).rejects.toThrow("home file, line 1");
  expect(served).toBe(0);
});

test("a server that cannot start closes those before it", async () => {
  const open = new Set<number>();
  const serve: SandboxOptions["serve"] = async (_image, { port }) => {
    if (port === 5022) throw new Error("taken");
    open.add(port);
    return { [Symbol.asyncDispose]: async () => void open.delete(port) };
  };
  await expect(startNoted({ serve })).rejects.toThrow("taken");
  expect([...open]).toEqual([]);
});

describe("faults", () => {
  const POWER = [1, 40_083, 1] as const;
  const inverterOf = (images: ReadonlyMap<string, RegisterImage>): RegisterImage => images.get("127.0.0.1:5020")!;

  test("an exception answers everything until it is taken back", async () => {
    const { home, images } = await startNoted();
    const inverter = inverterOf(images);
    home.setFaults("inverter", { exceptionCode: 4 });
    expect(inverter.readHolding(...POWER)).toEqual({ kind: "exception", code: 4 });
    expect(inverter.writeHolding(1, 40_348, [0], 6)).toEqual({ kind: "exception", code: 4 });
    expect(images.get("127.0.0.1:5021")!.readInput(1, 52, 2)).toMatchObject({ kind: "values" });
    home.setFaults("inverter", { exceptionCode: null });
    expect(inverter.readHolding(...POWER)).toMatchObject({ kind: "values" });
  });

  test("a silent device never answers, a slow one says how late", async () => {
    const { home, images } = await startNoted();
    home.setFaults("inverter", { isSilent: true });
    expect(inverterOf(images).readHolding(...POWER)).toEqual({ kind: "silence" });
    home.setFaults("inverter", { isSilent: false, delayMs: 1_500 });
    expect(inverterOf(images).readHolding(...POWER)).toMatchObject({ kind: "values", delayMs: 1_500 });
  });

  test("a frozen device repeats itself and ignores what it is told", async () => {
    const { clock, home, images } = await startNoted({ homeFile: "non_shiftable_load,solar_generation\n0.5,300\n" });
    const inverter = inverterOf(images);
    await clock.advance(10_000);
    home.setFaults("inverter", { isFrozen: true });
    const before = inverter.readHolding(1, 40_253, 90);
    expect(inverter.writeHolding(1, 40_348, [3], 6)).toEqual({ kind: "values", values: [] });
    await clock.advance(60_000);
    expect(inverter.readHolding(1, 40_253, 90)).toBe(before);
    home.setFaults("inverter", { isFrozen: false });
    expect(inverter.readHolding(1, 40_253, 90)).not.toEqual(before);
    expect(inverter.readHolding(1, 40_348, 1)).toEqual({ kind: "values", values: [0] });
  });

  test("a restart closes connections while it boots, and loses what is volatile", async () => {
    const { clock, home, images } = await startNoted();
    const inverter = inverterOf(images);
    inverter.writeHolding(1, 40_348, [3], 6);
    const { batteryStoredWh, energies } = home.truth();
    home.restart("inverter", 20_000);
    expect(inverter.readHolding(...POWER)).toEqual({ kind: "hang-up" });
    await clock.advance(20_000);
    expect(inverter.readHolding(1, 40_348, 1)).toEqual({ kind: "values", values: [0] });
    expect(home.truth().energies.strings[0]).toBeGreaterThanOrEqual(energies.strings[0]);
    expect(home.truth().batteryStoredWh).toBeCloseTo(batteryStoredWh, -2);
  });

  test("a charger that restarts forgets its limit and keeps the session's energy", async () => {
    const { clock, home, images } = await startNoted();
    const charger = images.get("127.0.0.1:5022")!;
    await clock.advance(600_000);
    charger.writeHolding(255, 5004, [8_000], 6);
    const session = charger.readHolding(255, 1502, 2);
    expect(session).not.toEqual({ kind: "values", values: [0, 0] });
    home.restart("charger", 0);
    expect(charger.readHolding(255, 1100, 2)).toEqual({ kind: "values", values: [0, 32_000] });
    expect(charger.readHolding(255, 1502, 2)).toEqual(session);
  });
});
