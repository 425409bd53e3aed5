import { describe, expect, test } from "vitest";
import { ForecastConfig } from "../../../src/config/forecast-config.ts";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse } from "../support/real-house.ts";

const URL = "/local/site";

describe("the connection to the grid over the API", () => {
  test("tells each value and where it comes from; what the file sets stays the master", async () => {
    await using house = await openRealHouse({ home: makeHome(1, { connection: { fuseA: 35, phases: 3 } }) });
    const changed = await house.ask({ method: "PATCH", url: URL, payload: { importKw: 15, fuseA: 35 } });
    expect(changed.json()).toMatchObject({
      connection: { fuseA: 35, phases: 3, importKw: 15 },
      origins: { fuseA: "file", phases: "file", importKw: "api", peakKw: "default" },
    });
    const refused = await house.ask({ method: "PATCH", url: URL, payload: { fuseA: 63 } });
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      expect.stringContaining("site.connection.fuseA is set in the configuration file"),
    ]);
    expect((await house.ask({ url: URL })).json().connection).toEqual({ fuseA: 35, phases: 3, importKw: 15 });
  });

  test("a limit is enforced from that second: whoever observes gets it before the answer", async () => {
    await using house = await openRealHouse();
    const { siteConnections } = house.run.engine.services;
    const seen: (number | null)[] = [];
    using _watch = siteConnections.observe(({ fuseA }) => seen.push(fuseA));
    await house.ask({ method: "PATCH", url: URL, payload: { fuseA: 25 } });
    await house.ask({ method: "PATCH", url: URL, payload: { fuseA: null } });
    expect([seen, siteConnections.current().fuseA]).toEqual([[25, null], null]);
  });

  test("PUT replaces what the file does not set, and survives a restart", async () => {
    const home = makeHome();
    const first = await openRealHouse({ home });
    await first.ask({ method: "PATCH", url: URL, payload: { fuseA: 25, importKw: 10 } });
    await first.ask({ method: "PUT", url: URL, payload: { fuseA: 35 } });
    await first[Symbol.asyncDispose]();
    await using house = await openRealHouse({ home });
    expect((await house.ask({ url: URL })).json().connection).toEqual({ fuseA: 35 });
  });

  test("a share of the feed-in stays what it is when the forecast that has the panels' power is gone", async () => {
    const planes = [{ name: "South", tilt: 35, azimuth: 180, peakKw: 10 }];
    const settings = { forecast: ForecastConfig.parse({ source: "open-meteo", planes }) };
    const home = makeHome(1, settings);
    const first = await openRealHouse({ home });
    expect((await first.ask({ method: "PATCH", url: URL, payload: { feedInPreset: "60%" } })).statusCode).toBe(200);
    await first[Symbol.asyncDispose]();
    Object.assign(settings, { forecast: undefined });
    const second = await openRealHouse({ home });
    expect(second.run.engine.services.siteConnections.current().exportKw).toBe(6);
    expect((await second.ask({ method: "PATCH", url: URL, payload: { fuseA: 25 } })).statusCode).toBe(200);
    await second[Symbol.asyncDispose]();
    await using house = await openRealHouse({ home });
    expect(house.run.engine.services.siteConnections.current()).toMatchObject({ exportKw: 6, fuseA: 25 });
  });

  test("names each mistake with its place, and changes nothing", async () => {
    await using house = await openRealHouse();
    const circuits = [{ id: "garage", parent: "garage", members: ["none"] }];
    const answer = await house.ask({ method: "PATCH", url: URL, payload: { circuits } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues).toMatchObject([
      { path: ["circuits", 0, "parent"], in: "body" },
      { path: ["circuits", 0, "members", 0], in: "body" },
    ]);
    expect((await house.ask({ method: "PATCH", url: URL, payload: { fuseA: 0 } })).statusCode).toBe(400);
    expect((await house.ask({ url: URL })).json().connection).toEqual({});
  });

  test("names the assets of a device that comes later", async () => {
    const home = makeHome();
    home.add("wallbox", chargerOptions());
    await using house = await openRealHouse({ home });
    const circuits = [{ id: "garage", fuseA: 16, members: ["wallbox"] }];
    await house.ask({ method: "PATCH", url: URL, payload: { circuits, phasesOf: { wallbox: ["L2", "L3", "L1"] } } });
    await house.pass(60_000);
    const { id } = (await house.ask({ url: "/chargers" })).json().data[0];
    const site = house.run.engine.services.siteConnections.current();
    expect([site.circuits[0]?.memberIds, [...site.phasesOf]]).toEqual([[id], [[id, ["L2", "L3", "L1"]]]]);
  });

  test("warns of a device without a meter, once it is known what it has", async () => {
    const home = makeHome();
    home.add("wallbox", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.ask({ method: "PATCH", url: URL, payload: { gridMeter: "wallbox" } });
    await house.pass(60_000);
    expect((await house.ask({ url: URL })).json().warnings).toMatchObject([
      { path: ["gridMeter"], message: expect.stringContaining('"wallbox" is to measure the connection') },
    ]);
  });

  test("says what is hardly intended in the language that is asked for", async () => {
    await using house = await openRealHouse();
    const circuits = [{ id: "shed" }, { id: "garage", fuseA: 32 }];
    await house.ask({ method: "PATCH", url: URL, payload: { fuseA: 25, importKw: 30.5, circuits } });
    const warnings = async (query: string): Promise<readonly string[]> =>
      (await house.ask({ url: `${URL}${query}` })).json().warnings.map(({ message }: { message: string }) => message);
    expect(await warnings("")).toEqual([
      '"shed" has neither fuseA nor maxKw, so it limits nothing',
      "the fuse of 32\u00a0A is above the 25\u00a0A of the connection, which limits; check both",
      "30.5\u00a0kW are more than the main fuse of 25\u00a0A carries (17.3\u00a0kW); the fuse limits",
    ]);
    expect(await warnings("?language=de-DE")).toEqual([
      '"shed" hat weder Sicherung noch höchste Leistung und begrenzt daher nichts',
      "Die Sicherung von 32\u00a0A liegt über 25\u00a0A (am Netzanschluss); diese Grenze gilt; beide prüfen",
      "30,5\u00a0kW sind mehr, als die Hauptsicherung von 25\u00a0A trägt (17,3\u00a0kW); die Sicherung begrenzt",
    ]);
  });

  test("a change is an event", async () => {
    await using house = await openRealHouse();
    await house.ask({ method: "PATCH", url: URL, payload: { fuseA: 25 } });
    const entries = await house.home.world.clock.resolve(house.run.store.journalAfter(null, 100), 10_000);
    const found = entries.find(({ event }) => event === "local:energy:site-updated");
    expect(found?.payload).toMatchObject({ site: { connection: { fuseA: 25 }, origins: { fuseA: "api" } } });
  });
});

describe("a site without a limit", () => {
  test("says so in the health and the checks, until a limit is set", async () => {
    await using house = await openRealHouse();
    const health = async () => (await house.ask({ url: "/health/energy", headers: { authorization: "" } })).json();
    const checks = async () => (await house.ask({ url: "/local/checks" })).json();
    expect(await health()).toEqual({ isLimited: false, notes: [expect.stringContaining("no import limit")] });
    expect(await checks()).toMatchObject([{ id: "site-no-import-limit", check: "site", state: "OPEN", fix: null }]);
    await house.ask({ method: "PATCH", url: URL, payload: { fuseA: 25 } });
    expect([await health(), await checks()]).toEqual([{ isLimited: true, notes: [] }, []]);
  });

  test("can be dismissed in the checks, not confirmed, and stays in the health", async () => {
    await using house = await openRealHouse();
    const verdict = (name: string) => house.ask({ method: "POST", url: `/local/checks/site-no-import-limit/${name}` });
    expect((await verdict("confirm")).statusCode).toBe(409);
    expect((await verdict("dismiss")).json()).toMatchObject({ state: "DISMISSED" });
    expect((await house.ask({ url: "/local/checks" })).json()).toMatchObject([{ state: "DISMISSED" }]);
    expect((await house.ask({ url: "/health/energy" })).json().isLimited).toBe(false);
  });

  test("is a finding again when a limit that was set after it was dismissed is removed", async () => {
    await using house = await openRealHouse();
    await house.ask({ method: "POST", url: "/local/checks/site-no-import-limit/dismiss" });
    for (const fuseA of [25, 35, null]) await house.ask({ method: "PATCH", url: URL, payload: { fuseA } });
    expect((await house.ask({ url: "/local/checks" })).json()).toMatchObject([{ state: "OPEN" }]);
  });

  test("stays dismissed over a change that is about something else", async () => {
    await using house = await openRealHouse();
    await house.ask({ method: "POST", url: "/local/checks/site-no-import-limit/dismiss" });
    await house.ask({ method: "PATCH", url: URL, payload: { phases: 1 } });
    expect((await house.ask({ url: "/local/checks" })).json()).toMatchObject([{ state: "DISMISSED" }]);
  });

  test("a missing meter that was dismissed is a finding again after there was a meter", async () => {
    const home = makeHome(1, { connection: { fuseA: 25 } });
    home.add("wallbox", chargerOptions());
    home.add("meter", { values: { "meter.power": 0 }, identity: { model: "M", serial: "M-1" } });
    const states: (readonly string[])[] = [];
    for (const ids of [["wallbox"], ["wallbox", "meter"], ["wallbox"]]) {
      const run = await home.start({ devices: ids.map((id) => ({ id, adapter: "fake" })) });
      const { siteConnections } = run.engine.services;
      await home.world.clock.advance(60_000);
      states.push(siteConnections.notes().map(({ state }) => state));
      if (states.length === 1) {
        await home.world.clock.resolve(siteConnections.dismiss("site-no-grid-meter"), 10_000);
        await home.world.clock.advance(60_000);
        states.push(siteConnections.notes().map(({ state }) => state));
      }
      await run.close();
    }
    expect(states).toEqual([["OPEN"], ["DISMISSED"], [], ["OPEN"]]);
  });

  test("a limit without a grid meter is a finding, until there is one at the connection", async () => {
    const home = makeHome();
    home.add("wallbox", chargerOptions());
    home.add("meter", { values: { "meter.power": 0 }, identity: { model: "M", serial: "M-1" } });
    await using house = await openRealHouse({ home });
    await house.pass(60_000);
    const open = async () =>
      (await house.ask({ url: "/local/checks?language=de-DE" })).json().map(({ id }: { id: string }) => id);
    const set = (payload: object) => house.ask({ method: "PATCH", url: URL, payload });
    await set({ meters: { meter: "inside" } });
    expect(await open()).toEqual(["site-no-import-limit"]);
    await set({ fuseA: 25 });
    expect(await open()).toEqual(["site-no-grid-meter"]);
    expect((await house.ask({ url: "/health/energy" })).json()).toEqual({
      isLimited: false,
      notes: [expect.stringContaining("no grid meter: nothing keeps them")],
    });
    const step = async () => (await house.ask({ url: "/local/setup" })).json().steps[2];
    expect(await step()).toMatchObject({ step: "checks", state: "open", reason: "findings-open" });
    await set({ meters: null });
    expect(await open()).toEqual([]);
    expect((await house.ask({ url: "/health/energy" })).json()).toEqual({ isLimited: true, notes: [] });
    expect(await step()).toMatchObject({ reason: "load-check-missing" });
  });
});
