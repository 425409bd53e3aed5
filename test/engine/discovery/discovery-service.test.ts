import { expect, test } from "vitest";
import { CHARGER, entryFor, INVERTER, makeModbusHome } from "./modbus-home.ts";

const MINUTE_MS = 60_000;

test("a search tells what is in the house, and what of it the gateway runs already", async () => {
  const home = makeModbusHome();
  await home.place(INVERTER, "192.168.1.5");
  await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: [entryFor("inverter", INVERTER, "192.168.1.5")] });
  await home.world.clock.advance(MINUTE_MS);
  const { discovery } = run.engine.services;
  expect(discovery.begin({ isActive: true })).toMatchObject({ isSearching: true, isActive: true });
  expect(() => discovery.begin({ isActive: true })).toThrow("under way");
  await home.world.clock.advance(2 * MINUTE_MS);
  const { devices, ...state } = discovery.state();
  expect(state).toMatchObject({ isSearching: false, hostsAsked: 12, hostsInUse: ["192.168.1.5"], moved: [] });
  expect(devices).toMatchObject([
    {
      profile: "keba-p30",
      serial: "19123456",
      address: "192.168.1.6",
      knownAs: null,
      isAddable: true,
      confidence: 0.9,
    },
  ]);
  await run.close();
});

test("what an active search found, and how it went, outlives the gateway's own listening", async () => {
  const home = makeModbusHome();
  await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: [] });
  const { discovery } = run.engine.services;
  // In the middle of the gateway's own first search, which ends while the one that is asked for waits for it.
  await home.world.clock.advance(30_000 + 300_000 + 1_000);
  discovery.begin({ isActive: true });
  const seen = new Set<number>();
  for (let state = discovery.state(); state.isSearching; state = discovery.state()) {
    expect(state).toMatchObject({ isActive: true });
    seen.add(state.hostsDone);
    await home.world.clock.advance(5);
  }
  const ended = discovery.state();
  expect(ended).toMatchObject({ isActive: true, hostsAsked: 13, hostsDone: 13, devices: [{ serial: "19123456" }] });
  expect([...seen]).toEqual([...seen].toSorted((one, other) => one - other));
  expect([...seen].some((done) => done > 0 && done < 13)).toBe(true);
  await home.world.clock.advance(30 * MINUTE_MS);
  expect(discovery.state()).toEqual(ended);
  await run.close();
});

test("a device that is in use gets no second connection, however it is named", async () => {
  const home = makeModbusHome();
  home.world.net.names.set("inverter.lan", "192.168.1.5");
  const inverter = await home.place(INVERTER, "192.168.1.5", { maxClients: 1 });
  const run = await home.start({ devices: [entryFor("inverter", INVERTER, "inverter.lan")] });
  await home.world.clock.advance(MINUTE_MS);
  expect(inverter.opened()).toBe(1);
  run.engine.services.discovery.begin({ isActive: true, hosts: ["192.168.1.5", "192.168.1.7"] });
  await home.world.clock.advance(2 * MINUTE_MS);
  expect(inverter.opened()).toBe(1);
  expect(run.engine.services.discovery.state()).toMatchObject({ hostsAsked: 1, hostsInUse: ["192.168.1.5"] });
  expect(run.engine.devices()).toMatchObject([{ isReachable: true }]);
  await run.close();
});

test("a found device is added and runs; it is known from then on, and cannot be added twice", async () => {
  const home = makeModbusHome();
  await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: [] });
  const { discovery, fleet } = run.engine.services;
  discovery.begin({ isActive: true });
  await home.world.clock.advance(2 * MINUTE_MS);
  const [found] = discovery.state().devices;
  const { deviceId } = await home.world.clock.resolve(
    discovery.adopt(found?.id ?? "", { name: "Garage", options: {} }),
    5_000,
  );
  expect(fleet.get(deviceId)).toMatchObject({ adapter: "modbus", name: "Garage", userId: "home", source: "linked" });
  await home.world.clock.advance(MINUTE_MS);
  expect(run.engine.devices()).toMatchObject([{ isReachable: true, identity: { serial: "19123456" } }]);
  expect(discovery.state().devices).toMatchObject([{ knownAs: deviceId }]);
  await expect(discovery.adopt(found?.id ?? "", { options: {} })).rejects.toThrow("here already");
  await expect(discovery.adopt("nothing", { options: {} })).rejects.toThrow("No search found");
  await run.close();
});

test("a found device is added once, also when it is asked for twice at the same moment", async () => {
  const home = makeModbusHome();
  await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: [] });
  const { discovery, fleet } = run.engine.services;
  discovery.begin({ isActive: true });
  await home.world.clock.advance(2 * MINUTE_MS);
  const id = discovery.state().devices[0]?.id ?? "";
  const both = Promise.allSettled([discovery.adopt(id, { options: {} }), discovery.adopt(id, { options: {} })]);
  const [one, other] = await home.world.clock.resolve(both, 5_000);
  expect([one?.status, other?.status]).toEqual(["fulfilled", "rejected"]);
  expect(other).toMatchObject({ reason: { message: "The device is being added." } });
  expect(fleet.list()).toHaveLength(1);
  await run.close();
});

test("two devices that claim one serial number are told, and neither is added", async () => {
  const home = makeModbusHome();
  await home.place(CHARGER, "192.168.1.6");
  await home.place(CHARGER, "192.168.1.7");
  const run = await home.start({ devices: [] });
  const { discovery } = run.engine.services;
  discovery.begin({ isActive: true });
  await home.world.clock.advance(2 * MINUTE_MS);
  const [found, ...more] = discovery.state().devices;
  expect(more).toEqual([]);
  expect([found?.address, ...(found?.otherAddresses ?? [])].toSorted()).toEqual(["192.168.1.6", "192.168.1.7"]);
  expect(found?.isAddable).toBe(false);
  await expect(discovery.adopt(found?.id ?? "", { options: {} })).rejects.toThrow("claim to be this device");
  await run.close();
});

test("nothing is asked outside of the house, and nothing unasked", async () => {
  const home = makeModbusHome();
  const charger = await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: [] });
  const { discovery } = run.engine.services;
  expect(() => discovery.begin({ isActive: true, hosts: ["8.8.8.8"] })).toThrow("not an address in this house");
  await home.world.clock.advance(60 * MINUTE_MS);
  discovery.begin({ isActive: false });
  await home.world.clock.advance(MINUTE_MS);
  expect(charger.opened()).toBe(0);
  expect(discovery.state()).toMatchObject({ isSearching: false, hostsAsked: 0, devices: [] });
  await run.close();
  expect(run.process.held).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
