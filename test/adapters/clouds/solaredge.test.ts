import { describe, expect, test } from "vitest";
import type { Grant } from "../../../adapters/clouds/kit/connector.ts";
import { solaredge } from "../../../adapters/clouds/solaredge/solaredge.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { SolarEdgeSiteTruth, SolarEdgeTwin } from "../../twins/clouds/solaredge-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { valuesOf } from "./values-of.ts";

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;
const SITE = "1001";

function bed({ startMs = Date.UTC(2026, 5, 21, 10) } = {}) {
  const clock = new VirtualClock({ startMs });
  const twin = new SolarEdgeTwin(clock);
  const site = twin.sites[0]!;
  const grant: Grant = { access: twin.apiKey, refresh: null, expiresAtMs: null };
  return { clock, twin, site, session: fakeSession({ connector: solaredge, twin, grant, clock }) };
}

async function opened(parts = bed()) {
  const device = await solaredge.open(parts.session, SITE, signal);
  return { ...parts, device, values: async () => valuesOf(await device.read(signal)) };
}

async function read(change: (site: SolarEdgeSiteTruth) => void) {
  const parts = bed();
  change(parts.site);
  return await (await opened(parts)).values();
}

describe("a SolarEdge site", () => {
  test("is read with every point at noon: charging and exporting", async () => {
    const values = await read((site) => Object.assign(site, { pvW: 6_000, gridW: -1_500, batteryW: 2_500, soc: 75 }));
    expect(values).toEqual({
      "inverter.power": 6_000,
      "inverter.energy": 12_345_678,
      "meter.power": -1_500,
      "hem.load": 2_000,
      "battery.power": 2_500,
      "battery.status": "CHARGING",
      "battery.soc": 75,
      "battery.capacity": 9_700,
      "battery.energyCharged": 2_000_000,
      "battery.energyDischarged": 1_800_000,
    });
  });

  test("has the other signs in the evening: discharging and importing", async () => {
    const values = await read((site) => Object.assign(site, { pvW: 0, gridW: 700, batteryW: -1_300 }));
    expect(values).toMatchObject({
      "inverter.power": 0,
      "meter.power": 700,
      "hem.load": 2_000,
      "battery.power": -1_300,
      "battery.status": "DISCHARGING",
    });
  });

  test("is the same in watts, and nothing in a unit that is not known", async () => {
    expect(await read((site) => Object.assign(site, { unit: "W", gridW: 432 }))).toMatchObject({ "meter.power": 432 });
    const odd = await read((site) => Object.assign(site, { unit: "BTU", gridW: 432, pvW: 5 }));
    expect(odd).toMatchObject({ "meter.power": null, "hem.load": null, "battery.power": null, "inverter.power": 5 });
  });

  test("tells no direction that no arrow shows, and a zero that needs none", async () => {
    const values = await read((site) => Object.assign(site, { hasArrows: false, gridW: 500, pvW: 100 }));
    expect(values).toMatchObject({
      "meter.power": null,
      "battery.power": 0,
      "battery.status": "IDLE",
      "hem.load": 600,
    });
  });

  test("does not take a battery that the vendor has lost for an empty one", async () => {
    const values = await read((site) => Object.assign(site, { isBatteryHeard: false }));
    expect(values).toMatchObject({ "battery.power": null, "battery.soc": null, "battery.status": null });
  });

  test("without a meter has its power from the overview, at the time of that", async () => {
    const parts = bed();
    Object.assign(parts.site, { hasMeter: false, hasBattery: false, pvW: 3_210 });
    const { device, clock } = await opened(parts);
    expect(device.points).toEqual(["inverter.power", "inverter.energy"]);
    expect(await device.read(signal)).toEqual([
      { point: "inverter.power", value: 3_210, measuredAtMs: clock.nowMs() },
      { point: "inverter.energy", value: 12_345_678, measuredAtMs: clock.nowMs() },
    ]);
  });

  test.each([
    ["before", Date.UTC(2026, 9, 25, 0, 30)],
    ["after", Date.UTC(2026, 9, 25, 1, 30)],
  ])("dates a counter right %s the clock goes back", async (_when, startMs) => {
    const { device } = await opened(bed({ startMs }));
    const energy = (await device.read(signal)).find(({ point }) => point === "inverter.energy");
    expect(energy?.measuredAtMs).toBe(startMs);
  });

  test("goes on without counters that the key may not see, and does not ask for them each time", async () => {
    const parts = bed();
    parts.twin.forbidden.add("storageData").add("overview");
    parts.site.pvW = 1_000;
    const { twin, values, clock } = await opened(parts);
    expect(await values()).toMatchObject({
      "inverter.power": 1_000,
      "inverter.energy": null,
      "battery.energyCharged": null,
    });
    const asked = twin.asked.length;
    await clock.advance(10 * 60_000);
    await values();
    expect(twin.asked.slice(asked).map(({ url }) => url.pathname)).toEqual([`/site/${SITE}/currentPowerFlow`]);
  });

  test("reads for a whole day within what its cost says", async () => {
    const { device, clock, twin } = await opened();
    const before = twin.asked.length;
    let reads = 0;
    for (; reads < 100; reads += 1) {
      await device.read(signal);
      await clock.advance(solaredge.pace.usual);
    }
    expect(twin.asked.length - before).toBeLessThanOrEqual(Math.ceil(reads * device.cost["site-day"]!) + 2);
  });

  test("is looked at less often in the dark", async () => {
    const { device, site, clock } = await opened();
    await device.read(signal);
    expect(device.tempo()).toBe("idle");
    site.pvW = 200;
    await clock.advance(HOUR_MS);
    await device.read(signal);
    expect(device.tempo()).toBe("usual");
  });

  test("takes no commands", async () => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    expect(device.controls).toEqual([]);
    await expect(device.write("battery.mode", "IDLE", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });

  test("says who it is", async () => {
    const { device } = await opened();
    expect(device.identity).toEqual({
      manufacturer: "SolarEdge",
      model: "SE10K",
      serial: "7E123456-78",
      version: "4.18.32",
      name: "Test Site",
    });
  });
});

describe("a SolarEdge account", () => {
  test("lists its sites with what each has, odd entries left out", async () => {
    const { session, twin } = bed();
    twin.oddSites = [{ id: "?" }, null];
    const roof = Object.assign(new SolarEdgeSiteTruth(1_002), { name: "Roof", hasMeter: false, hasBattery: false });
    twin.sites = [...twin.sites, roof];
    expect(await solaredge.list(session, signal)).toMatchObject([
      { key: "1001", types: ["inverter", "meter", "battery"], name: "Test Site" },
      { key: "1002", types: ["inverter"], name: "Roof" },
    ]);
  });

  test("with hundreds of sites spends few requests on listing them", async () => {
    const { session, twin } = bed();
    twin.sites = Array.from({ length: 250 }, (_, index) => new SolarEdgeSiteTruth(2_000 + index));
    expect(await solaredge.list(session, signal)).toHaveLength(250);
    expect(twin.asked.length).toBeLessThan(20);
  });

  test("has no site any more that was taken away", async () => {
    const { session } = bed();
    await expect(solaredge.open(session, "999", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("signs in with its key, and the key stands in the query alone", async () => {
    const { twin } = bed();
    const { login } = solaredge;
    if (login.kind !== "form") throw new Error("not a form");
    const tools = { ask: askTwin(solaredge, twin), app: APP, nowMs: () => 0 };
    expect(await login.signIn({ apiKey: ` ${twin.apiKey} ` }, tools, signal)).toMatchObject({ access: twin.apiKey });
    await expect(login.signIn({ apiKey: "wrong" }, tools, signal)).rejects.toMatchObject({ kind: "login-refused" });
    expect(twin.asked.every(({ url }) => !url.pathname.includes(twin.apiKey))).toBe(true);
  });

  test("whose key was withdrawn is told from one that may not see something, and from one that asks too much", async () => {
    const { device, twin, clock } = await opened();
    twin.forbidden.add("currentPowerFlow");
    await clock.advance(HOUR_MS);
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "forbidden" });
    twin.trouble = "limited";
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "rate-limited" });
    twin.trouble = null;
    twin.apiKey = "another";
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "login-refused" });
  });
});
