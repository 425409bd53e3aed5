import { describe, expect, test } from "vitest";
import { tesla } from "../../../adapters/clouds/tesla/tesla.ts";
import { makeSite, makeTeslaHome, makeVehicle, SIGNAL } from "./tesla-houses.ts";
import { read } from "./values-of.ts";

describe("an account", () => {
  test("lists its sites and vehicles, and leaves out what it does not know", async () => {
    const home = makeTeslaHome({ sites: [makeSite()], vehicles: [makeVehicle()] });
    home.twin.strangers = [{ robot_id: 7 }, null, { energy_site_id: 9, components: { wall_connectors: [] } }];
    const listings = await tesla.list(home.session, SIGNAL);
    expect(listings.map(({ types, name, model }) => ({ types, name, model }))).toEqual([
      { types: ["vehicle"], name: "Nikola", model: "Model Y" },
      { types: ["battery", "inverter", "meter"], name: "Home", model: "Powerwall" },
    ]);
  });

  test("is asked for in the region where it is at home", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    home.twin.home = "eu";
    await home.open();
    expect(home.twin.asked.at(-1)?.url.host).toContain(".eu.");
  });

  test("is found where its app is not registered in the first region", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    home.twin.home = "eu";
    home.twin.registered = ["eu"];
    expect((await read(await home.open()))["battery.soc"]).toBe(61.5);
  });

  test("whose app is registered nowhere is refused", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    home.twin.registered = [];
    // The twin serves two regions; the third has no host there, and is the last that is asked.
    await expect(home.open()).rejects.toMatchObject({ kind: "refused" });
  });

  test("no longer having a device refuses to open it", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    await expect(tesla.open(home.session, "1", SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });

  test("whose token ended says so", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    home.twin.desk.revokeAll();
    await expect(home.open()).rejects.toMatchObject({ kind: "expired" });
  });

  test("tells how many requests are left", () => {
    const headers = { "ratelimit-limit": "60", "ratelimit-remaining": "12", "ratelimit-reset": "30" };
    const news = tesla.budgetNews?.({ status: 200, headers, body: null });
    expect(news).toEqual([{ budget: "requests", limit: 60, left: 12, resetsInMs: 30_000 }]);
    expect(tesla.budgetNews?.({ status: 200, headers: {}, body: null })).toEqual([]);
  });
});

describe("a site", () => {
  test("with a battery shows all points by our signs while it charges and exports", async () => {
    const device = await makeTeslaHome({ sites: [makeSite()] }).open();
    const readings = await read(device);
    expect(readings).toEqual({
      "battery.power": 1_500,
      "battery.soc": 61.5,
      "battery.capacity": 27_000,
      "battery.reserve": 20,
      "battery.mode": "SELF_RELIANCE",
      "inverter.power": 4_000,
      "meter.power": -500,
      "hem.load": 2_000,
      "battery.latitude": 48.1,
      "battery.longitude": 11.6,
      "inverter.latitude": 48.1,
      "inverter.longitude": 11.6,
      "meter.latitude": 48.1,
      "meter.longitude": 11.6,
    });
    expect(Object.keys(readings).sort()).toEqual([...device.points].sort());
    expect(device.isEnergyManager).toBe(true);
    expect(device.identity.serial).toBe("CN2252147638651575");
  });

  test("shows discharge and import, too", async () => {
    const home = makeTeslaHome({ sites: [makeSite({ batteryW: 3_000, gridW: 250, solarW: 0 })] });
    expect(await read(await home.open())).toMatchObject({
      "battery.power": -3_000,
      "meter.power": 250,
      "inverter.power": 0,
    });
  });

  test("says when its power was measured", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    const readings = await (await home.open()).read(SIGNAL);
    const told = readings.find(({ point }) => point === "battery.power");
    expect(told?.measuredAtMs).toBe(home.clock.nowMs());
  });

  test("shows null for what it does not tell, never 0", async () => {
    const home = makeTeslaHome({
      sites: [makeSite({ batteryW: null, soc: null, packWh: 0, solarW: null, gridW: null })],
    });
    expect(await read(await home.open())).toMatchObject({
      "battery.power": null,
      "battery.soc": null,
      "battery.capacity": null,
      "inverter.power": null,
      "meter.power": null,
    });
  });

  test("tells the energy of its batteries' plates where it does not tell what they hold", async () => {
    for (const packWh of [null, 0]) {
      const site = makeSite({ packWh, nameplateWh: 40_500 });
      expect(await read(await makeTeslaHome({ sites: [site] }).open())).toMatchObject({ "battery.capacity": 40_500 });
    }
    const measured = makeSite({ packWh: 13_100, nameplateWh: 13_500 });
    expect(await read(await makeTeslaHome({ sites: [measured] }).open())).toMatchObject({ "battery.capacity": 13_100 });
  });

  test("of panels alone is an inverter that commands nothing", async () => {
    const parts = { solar: true, battery: false, grid: true, load_meter: false, tou_capable: false };
    const device = await makeTeslaHome({ sites: [makeSite({ parts, place: null, exportRule: null })] }).open();
    expect(await read(device)).toEqual({ "inverter.power": 4_000 });
    expect(device.controls).toEqual([]);
    expect(device.isEnergyManager).toBe(false);
  });

  test("that is not connected to Tesla is asleep", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    const device = await home.open();
    home.twin.sites[0]!.isConnected = false;
    await expect(device.read(SIGNAL)).rejects.toMatchObject({ kind: "asleep" });
  });

  test("that is asked often looks at its settings once an hour", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    const device = await home.open();
    for (let minutes = 0; minutes < 55; minutes += 5) {
      await device.read(SIGNAL);
      await home.clock.advance(300_000);
    }
    expect(home.twin.asked.filter(({ url }) => url.pathname.endsWith("/site_info"))).toHaveLength(1);
  });
});

describe("a site's mode", () => {
  test.each([
    ["autonomous", "pv_only", "TIME_OF_USE"],
    ["autonomous", "battery_ok", "EXPORT_FOCUS"],
    ["backup", "battery_ok", "IMPORT_FOCUS"],
    ["self_consumption", "battery_ok", "SELF_RELIANCE"],
    ["dream", "pv_only", "UNKNOWN"],
  ])("%s with export %s reads as %s", async (mode, exportRule, shown) => {
    const home = makeTeslaHome({ sites: [makeSite({ mode, exportRule })] });
    expect((await read(await home.open()))["battery.mode"]).toBe(shown);
  });

  test.each(["TIME_OF_USE", "IMPORT_FOCUS", "EXPORT_FOCUS"] as const)(
    "%s is written, shown once Tesla shows it, and taken back",
    async (mode) => {
      const home = makeTeslaHome({ sites: [makeSite()] });
      const device = await home.open();
      await device.write("battery.mode", mode, SIGNAL);
      expect(device.tempo()).toBe("active");
      expect((await read(device))["battery.mode"]).toBe("SELF_RELIANCE");
      await home.clock.advance(61_000);
      expect((await read(device))["battery.mode"]).toBe(mode);
      await device.write("battery.mode", "SELF_RELIANCE", SIGNAL);
      await home.clock.advance(31_000);
      await device.read(SIGNAL);
      expect(home.twin.sites[0]).toMatchObject({ mode: "self_consumption", exportRule: "pv_only", reserve: 20 });
      await home.clock.advance(600_000);
      expect(device.tempo()).toBe("usual");
    },
  );

  test("is left for TIME_OF_USE without the battery's export", async () => {
    const home = makeTeslaHome({ sites: [makeSite({ mode: "autonomous", exportRule: "battery_ok" })] });
    const device = await home.open();
    await device.write("battery.mode", "TIME_OF_USE", SIGNAL);
    await home.clock.advance(31_000);
    expect((await read(device))["battery.mode"]).toBe("TIME_OF_USE");
  });

  test("an owner's permission to export stays after EXPORT_FOCUS", async () => {
    const home = makeTeslaHome({ sites: [makeSite({ exportRule: "battery_ok" })] });
    const device = await home.open();
    await device.write("battery.mode", "EXPORT_FOCUS", SIGNAL);
    await home.clock.advance(31_000);
    await device.write("battery.mode", "SELF_RELIANCE", SIGNAL);
    await home.clock.advance(31_000);
    await device.read(SIGNAL);
    expect(home.twin.sites[0]).toMatchObject({ mode: "self_consumption", exportRule: "battery_ok" });
  });

  test("without a tariff only knows self-reliance and import", async () => {
    const parts = { solar: true, battery: true, grid: true, load_meter: true, tou_capable: false };
    const device = await makeTeslaHome({ sites: [makeSite({ parts })] }).open();
    expect(device.controls[0]?.values).toEqual(["SELF_RELIANCE", "IMPORT_FOCUS"]);
    await expect(device.write("battery.mode", "TIME_OF_USE", SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });

  test("that Tesla has no equal of is refused before anything is sent", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    const device = await home.open();
    const before = home.twin.asked.length;
    await expect(device.write("battery.mode", "IDLE", SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(home.twin.asked).toHaveLength(before);
  });

  test("is forbidden to a login without the scope", async () => {
    const home = makeTeslaHome({ sites: [makeSite()] });
    const device = await home.open();
    home.twin.lacksCommandScope = true;
    await expect(device.write("battery.mode", "TIME_OF_USE", SIGNAL)).rejects.toMatchObject({ kind: "forbidden" });
  });

  test("that is refused inside a 200 is refused", async () => {
    const home = makeTeslaHome({ sites: [makeSite({ exportRule: "unheard_of", mode: "autonomous" })] });
    const device = await home.open();
    await device.write("battery.mode", "EXPORT_FOCUS", SIGNAL);
    await home.clock.advance(31_000);
    // Taking it back asks for the rule that was found, which this Tesla does not take.
    await expect(device.write("battery.mode", "SELF_RELIANCE", SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });
});
