import { expect, test } from "vitest";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE = 60_000;

async function openDevices(): Promise<RealHouse> {
  const home = makeHome();
  home.add("garage", chargerOptions());
  const house = await openRealHouse({ home });
  const added = home.devices["garage"];
  if (added !== undefined) home.devices["carport"] = added;
  const record = {
    ...({ id: "carport", adapter: "fake", options: {}, source: "linked", userId: "home", name: null } as const),
    ...{ scopes: null, createdAtMs: home.world.clock.nowMs() },
  };
  await home.world.clock.resolve(house.run.engine.services.fleet.add(record), MINUTE);
  await house.pass(MINUTE);
  return house;
}

test("A device is renamed, its assets keep their ids, and removal takes them along", async () => {
  await using house = await openDevices();
  const list = async () => (await house.ask({ url: "/local/devices" })).json();
  const before = (await list()).find(({ deviceId }: { deviceId: string }) => deviceId === "carport");
  expect(before).toMatchObject({ name: null, isConfigured: false, assets: [{ assetType: "charger" }] });
  const url = "/local/devices/carport";
  expect((await house.ask({ method: "PATCH", url, payload: { name: " Carport " } })).statusCode).toBe(204);
  await house.pass(MINUTE);
  const [, renamed] = await list();
  expect(renamed).toEqual({ ...before, name: "Carport", isReachable: true, lastSeen: expect.any(String) });
  await house.pass(MINUTE);
  // It answers although nothing changes.
  const [, later] = await list();
  expect(Date.parse(later.lastSeen) - Date.parse(renamed.lastSeen)).toBeGreaterThan(MINUTE / 2);
  const [{ assetId }] = before.assets;
  expect((await house.ask({ url: `/chargers/${assetId}` })).statusCode).toBe(200);
  expect((await house.ask({ method: "DELETE", url })).statusCode).toBe(204);
  expect((await house.ask({ url: `/chargers/${assetId}` })).statusCode).toBe(404);
  expect((await house.ask({ method: "DELETE", url })).statusCode).toBe(404);
});

test("A removed device leaves its circuit, phases and meter, and the fuse can still be set", async () => {
  await using house = await openDevices();
  const patch = (payload: object) => house.ask({ method: "PATCH", url: "/local/site", payload });
  const circuits = [{ id: "shed", fuseA: 16, meter: "carport", members: ["carport", "garage"] }];
  const [phasesOf, meters] = [{ carport: ["L2"], garage: ["L3"] }, { garage: "inside" }];
  expect((await patch({ fuseA: 25, gridMeter: "carport", circuits, phasesOf, meters })).statusCode).toBe(200);
  await house.ask({ method: "DELETE", url: "/local/devices/carport" });
  const left = {
    circuits: [{ id: "shed", fuseA: 16, members: ["garage"] }],
    ...{ phasesOf: { garage: ["L3"] }, meters },
  };
  expect((await house.ask({ url: "/local/site" })).json().connection).toEqual({ fuseA: 25, ...left });
  expect((await patch({ fuseA: 16 })).json()).toMatchObject({ connection: { fuseA: 16, ...left } });
  expect(house.run.engine.services.siteConnections.current().fuseA).toBe(16);
  expect((await patch({ gridMeter: "carport" })).statusCode).toBe(400);
});

test("A device of the file has the name that stands there, and the energy manager calls its charger so", async () => {
  const home = makeHome();
  home.add("garage", chargerOptions());
  home.add("meter", { values: { "meter.power": 0 }, identity: { model: "M", serial: "M-1" } });
  const devices = [
    { id: "garage", adapter: "fake", name: "Garage, left" },
    { id: "meter", adapter: "fake" },
  ];
  await using house = await openRealHouse({ home, engine: { devices } });
  await house.pass(MINUTE);
  const [device] = (await house.ask({ url: "/local/devices" })).json();
  expect(device).toMatchObject({ deviceId: "garage", name: "Garage, left", isConfigured: true });
  const [{ assetId }] = device.assets;
  const url = `/local/energy/devices/${assetId}`;
  await house.ask({ method: "PUT", url, payload: { mode: "SURPLUS" } });
  await house.pass(MINUTE);
  const { devices: shown } = (await house.ask({ url: "/local/energy" })).json();
  expect(shown).toMatchObject([{ id: assetId, name: "Garage, left" }]);
});

test("A device of the file stays, an unknown one is not found, and a name has to be one", async () => {
  await using house = await openDevices();
  const statusOf = async (method: "PATCH" | "DELETE", id: string, payload?: object) =>
    (await house.ask({ method, url: `/local/devices/${id}`, ...(payload !== undefined && { payload }) })).statusCode;
  expect(await statusOf("DELETE", "garage")).toBe(409);
  expect(await statusOf("PATCH", "garage", { name: "Garage" })).toBe(409);
  expect(await statusOf("DELETE", "nowhere")).toBe(404);
  for (const name of ["", "  ", "a\nb", "x".repeat(65)]) expect(await statusOf("PATCH", "carport", { name })).toBe(400);
});

test("A device is shown with all that it reports, each with its unit and time, and an unknown one is not found", async () => {
  await using house = await openDevices();
  const details = (await house.ask({ url: "/local/devices/carport" })).json();
  expect(details).toMatchObject({
    deviceId: "carport",
    isReachable: true,
    lastError: null,
    mayBeInUse: false,
    takenOver: [],
  });
  const points = details.readings.map(({ point }: { point: string }) => point);
  expect(points).toEqual(points.toSorted());
  expect(details.readings).toContainEqual(
    expect.objectContaining({ point: "charger.power", unit: "W", at: expect.any(String) }),
  );
  expect((await house.ask({ url: "/local/devices/nowhere" })).statusCode).toBe(404);
});
