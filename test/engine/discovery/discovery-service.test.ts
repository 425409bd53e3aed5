import { expect, test } from "vitest";
import { CHARGER, entryFor, INVERTER, makeModbusHome } from "./modbus-home.ts";

const MINUTE_MS = 60_000;

test("A search lists the devices in the house, without asking those that the gateway uses already", async () => {
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

test("The gateway's own listening keeps the result of an active search that a client requested", async () => {
  const home = makeModbusHome();
  await home.place(CHARGER, "192.168.1.6");
  const run = await home.start({ devices: [] });
  const { discovery } = run.engine.services;
  // In the middle of the gateway's own first search: the requested search has to wait for its end.
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

test("A search opens no second connection to a device in use, even if it is configured by host name", async () => {
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

test("A found device can be added once and is then listed as known", async () => {
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
  await expect(discovery.adopt(found?.id ?? "", { options: {} })).rejects.toThrow("already known");
  await expect(discovery.adopt("nothing", { options: {} })).rejects.toThrow("No search found");
  await run.close();
});

test("A found device is added once when two requests add it at the same time", async () => {
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
  expect(other).toMatchObject({ reason: { message: "Another request is adding the device." } });
  expect(fleet.list()).toHaveLength(1);
  await run.close();
});

test("Two devices with the same serial number are listed with both addresses, and neither can be added", async () => {
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
  await expect(discovery.adopt(found?.id ?? "", { options: {} })).rejects.toThrow("identify themselves as this device");
  await run.close();
});

test("A search asks no public address, and without an active search no host is asked", async () => {
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
  expect(run.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
