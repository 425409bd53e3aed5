import { expect, test } from "vitest";
import { liveIn } from "../../adapters/modbus/discovery/lived-in.ts";
import { type PlatedDevice, plated } from "../../adapters/modbus/discovery/plated-devices.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import type { Run } from "../home.ts";
import { CHARGER, entryFor, INVERTER, METER, makeModbusHome } from "./modbus-home.ts";

const MINUTE_MS = 60_000;
const ENTRIES = [entryFor("inverter", INVERTER, "192.168.1.5"), entryFor("charger", CHARGER, "192.168.1.6")];

const reachable = (run: Run): readonly boolean[] => run.engine.devices().map(({ isReachable }) => isReachable);

test("Devices are found at their new addresses after a change of the network, also after a restart", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const [inverter, charger] = [await home.place(INVERTER, "192.168.1.5"), await home.place(CHARGER, "192.168.1.6")];
  const run = await home.start({ devices: ENTRIES });
  await clock.advance(MINUTE_MS);
  expect(reachable(run)).toEqual([true, true]);
  const ids = run.engine.devices().map(({ assets }) => assets);

  await inverter[Symbol.asyncDispose]();
  await charger[Symbol.asyncDispose]();
  home.renumber("10.0.0.2");
  await home.place(INVERTER, "10.0.0.9");
  await home.place(CHARGER, "10.0.0.5");
  await clock.advance(4 * MINUTE_MS);
  expect(reachable(run)).toEqual([false, false]);
  await clock.advance(8 * MINUTE_MS);
  expect(reachable(run)).toEqual([true, true]);
  expect(run.engine.devices().map(({ assets }) => assets)).toEqual(ids);
  expect(run.engine.services.discovery.state().moved).toMatchObject([
    { deviceId: "inverter", serial: "A2350415770", to: "10.0.0.9:502" },
    { deviceId: "charger", serial: "19123456", to: "10.0.0.5:502" },
  ]);
  expect(
    run.process.log.lines.filter(({ text }) => text === "device found at another address; using that address"),
  ).toHaveLength(2);
  await run.close();

  const again = await home.start({ devices: ENTRIES });
  await clock.advance(MINUTE_MS);
  expect(reachable(again)).toEqual([true, true]);
  await again.close();

  // A new address in the configuration replaces the found one.
  const corrected = await home.start({ devices: [entryFor("inverter", INVERTER, "10.0.0.9"), ...ENTRIES.slice(1)] });
  await clock.advance(MINUTE_MS);
  expect(corrected.engine.services.discovery.state().moved).toMatchObject([{ deviceId: "charger" }]);
  await corrected.close();
});

test("A moved device that returns to its configured address is no longer listed as moved", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const first = await home.place(INVERTER, "192.168.1.5");
  const run = await home.start({ devices: ENTRIES.slice(0, 1) });
  await clock.advance(MINUTE_MS);
  await first[Symbol.asyncDispose]();
  const second = await home.place(INVERTER, "192.168.1.9");
  await clock.advance(12 * MINUTE_MS);
  expect(run.engine.services.discovery.state().moved).toHaveLength(1);
  await second[Symbol.asyncDispose]();
  await home.place(INVERTER, "192.168.1.5");
  await clock.advance(45 * MINUTE_MS);
  expect(reachable(run)).toEqual([true]);
  expect(run.engine.services.discovery.state().moved).toEqual([]);
  await run.close();
});

test("A lost device is not moved if two devices with its serial number are found", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const first = await home.place(INVERTER, "192.168.1.5");
  const run = await home.start({ devices: ENTRIES.slice(0, 1) });
  await clock.advance(MINUTE_MS);
  await first[Symbol.asyncDispose]();
  await home.place(INVERTER, "192.168.1.8");
  await home.place(INVERTER, "192.168.1.9");
  await clock.advance(40 * MINUTE_MS);
  expect(reachable(run)).toEqual([false]);
  expect(run.engine.services.discovery.state().moved).toEqual([]);
  await run.close();
});

test("A device that does not answer is searched for after five minutes, then every half hour", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const first = await home.place(INVERTER, "192.168.1.5");
  const stranger = await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: ENTRIES.slice(0, 1) });
  await clock.advance(MINUTE_MS);
  await first[Symbol.asyncDispose]();
  await clock.advance(4 * MINUTE_MS);
  expect(stranger.opened()).toBe(0);
  await clock.advance(6 * MINUTE_MS);
  expect(stranger.opened()).toBe(1);
  await clock.advance(20 * MINUTE_MS);
  expect(stranger.opened()).toBe(1);
  await clock.advance(15 * MINUTE_MS);
  expect(stranger.opened()).toBe(2);
  await run.close();
});

test("A lost device is not searched for if the configuration forbids it", async () => {
  const home = makeModbusHome({ isListening: false, followsAddresses: false });
  const { clock } = home.world;
  const first = await home.place(INVERTER, "192.168.1.5");
  const run = await home.start({ devices: ENTRIES.slice(0, 1) });
  await clock.advance(MINUTE_MS);
  await first[Symbol.asyncDispose]();
  await home.place(INVERTER, "192.168.1.9");
  await clock.advance(60 * MINUTE_MS);
  expect(reachable(run)).toEqual([false]);
  await run.close();
});

test("Two inverters of one model that swap their addresses are never confused, and both are followed", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const other: PlatedDevice = {
    ...INVERTER,
    serial: "A2359999999",
    input: { ...INVERTER.input, 4989: "A2359999999".padEnd(20, "\0") },
  };
  const soc = async (device: PlatedDevice, percent: number) => {
    const twin = await createTwin(device.twin, { clock, unit: device.unit });
    liveIn(twin, device.twin);
    twin.set("battery.soc", percent);
    return plated(device, twin);
  };
  const [mine, theirs] = [await soc(INVERTER, 77), await soc(other, 11)];
  const first = await home.placeImage(mine, "192.168.1.5");
  const second = await home.placeImage(theirs, "192.168.1.6");
  const entries = [entryFor("mine", INVERTER, "192.168.1.5"), entryFor("theirs", other, "192.168.1.6")];
  const once = await home.start({ devices: entries });
  await clock.advance(MINUTE_MS);
  await once.close();
  const run = await home.start({ devices: entries });
  await clock.advance(MINUTE_MS);
  const levels = new Map(
    run.engine.devices().map(({ id, assets }) => [id, assets.find(({ kind }) => kind === "battery")?.id]),
  );
  const level = (id: string) => run.engine.assets.get("battery", levels.get(id) ?? "");
  expect([level("mine")?.chargeState.batteryLevel, level("theirs")?.chargeState.batteryLevel]).toEqual([77, 11]);

  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
  await home.placeImage(theirs, "192.168.1.5");
  await home.placeImage(mine, "192.168.1.6");
  const shown = new Set<string>();
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await clock.advance(1_000);
    shown.add(`${level("mine")?.chargeState.batteryLevel} ${level("theirs")?.chargeState.batteryLevel}`);
  }
  expect([...shown]).toEqual(["77 11"]);
  expect(reachable(run)).toEqual([false, false]);
  expect(run.engine.devices()[0]?.lastError).toContain(
    "another device (serial A2359999999) answers at 192.168.1.5; expected serial A2350415770",
  );
  const others = () => run.engine.services.checks.list().filter(({ finding }) => finding.check === "identity");
  expect(others()).toHaveLength(2);

  await clock.advance(12 * MINUTE_MS);
  expect(reachable(run)).toEqual([true, true]);
  expect([level("mine")?.chargeState.batteryLevel, level("theirs")?.chargeState.batteryLevel]).toEqual([77, 11]);
  expect(
    run.engine.services.discovery
      .state()
      .moved.map(({ deviceId, to }) => [deviceId, to])
      .sort(),
  ).toEqual([
    ["mine", "192.168.1.6:502"],
    ["theirs", "192.168.1.5:502"],
  ]);
  expect(others()).toEqual([]);
  await run.close();
});

test("A meter behind an RTU-to-TCP gateway with a new address is found by its serial number", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const first = await home.place(METER, "192.168.1.5");
  const run = await home.start({ devices: [entryFor("meter", METER, "192.168.1.5")] });
  await clock.advance(MINUTE_MS);
  expect(run.engine.devices()).toMatchObject([{ isReachable: true, identity: { serial: METER.serial } }]);
  await first[Symbol.asyncDispose]();
  await home.place(METER, "192.168.1.9");
  await clock.advance(12 * MINUTE_MS);
  expect(reachable(run)).toEqual([true]);
  expect(run.engine.services.discovery.state().moved).toMatchObject([
    { deviceId: "meter", serial: METER.serial, to: "192.168.1.9:502" },
  ]);
  await run.close();
});

test("Both sockets of a station are found at its new address by the serial number that they share", async () => {
  const home = makeModbusHome();
  const { clock } = home.world;
  const station = await createTwin("alfen-ng9xx", { clock });
  liveIn(station, "alfen-ng9xx");
  station.set("plate.serial", "ACE0287582");
  station.set("charger.state", "A");
  const first = await home.placeImage(station, "192.168.1.5");
  const socket = (id: string, unit: number) => ({
    id,
    adapter: "modbus",
    host: "192.168.1.5",
    profile: "alfen-ng9xx",
    unit,
  });
  const run = await home.start({ devices: [socket("left", 1), socket("right", 2)] });
  await clock.advance(MINUTE_MS);
  expect(run.engine.devices()).toMatchObject([
    { isReachable: true, identity: { serial: "ACE0287582" } },
    { isReachable: true, identity: { serial: "ACE0287582" } },
  ]);
  await first[Symbol.asyncDispose]();
  await home.placeImage(station, "192.168.1.9");
  await clock.advance(12 * MINUTE_MS);
  expect(reachable(run)).toEqual([true, true]);
  expect(run.engine.services.discovery.state().moved).toMatchObject([
    { deviceId: "left", serial: "ACE0287582", to: "192.168.1.9:502" },
    { deviceId: "right", serial: "ACE0287582", to: "192.168.1.9:502" },
  ]);
  await run.close();
});
