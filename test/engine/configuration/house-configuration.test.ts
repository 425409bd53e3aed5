import { describe, expect, test } from "vitest";
import { MARKETS } from "../../../adapters/prices/markets.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { RemoteLayer } from "../../../src/config/remote-layer.ts";
import { ProblemError } from "../../../src/domain/problem.ts";
import { HouseConfiguration } from "../../../src/engine/configuration/house-configuration.ts";
import { TestLog, VirtualClock } from "../../../src/testing/index.ts";
import { FakeStore } from "../../api/support/fake-store.ts";

const PRICING = { currency: "EUR", feedIn: { perKwh: "0.08" } };

function open({
  text = "site: { name: House }",
  environment = {},
  store = new FakeStore(),
  fleet = [] as string[],
} = {}) {
  const input = { text, environment, adapters: [], markets: MARKETS };
  const loaded = loadConfig(input);
  if (!loaded.ok) throw new Error("the file is wrong");
  const log = new TestLog();
  let restarts = 0;
  let isOnTrial = false;
  const settings = new HouseConfiguration<RemoteLayer>({
    store: { ...bound(store), commitAlong: (writes) => void store.commit(writes) },
    clock: new VirtualClock(),
    log,
    layer: new RemoteLayer(input, loaded.config),
    sources: { prices: [], forecasts: [] },
    fleetSections: () => fleet,
    isOnTrial: () => isOnTrial,
    restart: () => {
      restarts += 1;
    },
  });
  return { settings, store, log, restarts: () => restarts, try: () => (isOnTrial = true) };
}

function bound(store: FakeStore) {
  return { get: store.get.bind(store), commit: store.commit.bind(store) };
}

async function problemOf(work: Promise<unknown>): Promise<ProblemError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProblemError)) throw new Error("no problem was thrown");
  return error;
}

describe("settings that are made over the API", () => {
  test("are laid over the file after a restart, and say where they come from", async () => {
    const house = open();
    expect(house.settings.stateOf("pricing")).toEqual({ origin: "default", isSettable: true, variables: [] });
    expect(house.settings.layer()).toBeNull();
    await house.settings.set("pricing", PRICING);
    expect(house.restarts()).toBe(1);
    const after = open({ store: house.store });
    expect(after.settings.layer()?.own.pricing.feedIn).toMatchObject({ perKwh: "0.08", marketFactor: 0 });
    expect(after.settings.stateOf("pricing").origin).toBe("api");
    await after.settings.remove("pricing");
    expect(open({ store: house.store }).settings.layer()).toBeNull();
  });

  test("give way to the file and to the fleet, and cannot be made there", async () => {
    const { store, settings } = open();
    await settings.set("pricing", PRICING);
    const withFile = open({ store, text: "pricing: { currency: SEK }" });
    expect(withFile.settings.layer()).toBeNull();
    expect(withFile.log.lines).toMatchObject([{ level: "warn", fields: { sections: ["pricing"] } }]);
    expect(withFile.settings.stateOf("pricing")).toMatchObject({ origin: "file", isSettable: false });
    expect((await problemOf(withFile.settings.set("pricing", PRICING))).slug).toBe("conflict");
    const withFleet = open({ store, fleet: ["pricing"] });
    expect(withFleet.settings.stateOf("pricing")).toMatchObject({ origin: "fleet", isSettable: false });
    expect((await problemOf(withFleet.settings.remove("pricing"))).slug).toBe("conflict");
    expect([withFile.restarts(), withFleet.restarts()]).toEqual([0, 0]);
  });

  test("are the web origins alone where the file has the rest of their section", async () => {
    const corsOrigins = ["https://app.example.com"];
    const { store, settings } = open({ text: "http: { port: 8081 }" });
    expect(settings.stateOf("http")).toMatchObject({ origin: "default", isSettable: true });
    await settings.set("http", { corsOrigins });
    const after = open({ store, text: "http: { port: 8081 }" });
    expect(after.settings.layer()?.own.http).toMatchObject({ port: 8_081, corsOrigins });
    expect(after.settings.stateOf("http").origin).toBe("api");
    const withFile = open({ store, text: "http: { corsOrigins: [] }" });
    expect(withFile.settings.layer()).toBeNull();
    expect(withFile.settings.stateOf("http")).toMatchObject({ origin: "file", isSettable: false });
  });

  test("can be made for some sections only", () => {
    const { settings } = open({ environment: { HEMGATE_LOG_LEVEL: "warn" } });
    expect(settings.stateOf("mqtt")).toEqual({ origin: "default", isSettable: true, variables: [] });
    expect(settings.stateOf("linking")).toEqual({ origin: "default", isSettable: false, variables: [] });
    expect(settings.stateOf("log")).toEqual({ origin: "default", isSettable: false, variables: ["HEMGATE_LOG_LEVEL"] });
  });

  test("that are wrong are refused with each place, and change nothing", async () => {
    const { settings, store, restarts } = open();
    const market = { source: "energy-charts", zone: "ATLANTIS" };
    const problem = await problemOf(settings.set("pricing", { currency: "EUR", market }));
    expect(problem.slug).toBe("bad-request");
    expect(problem.issues.map(({ path }) => path.join("."))).toEqual(["pricing.market.zone"]);
    expect([store.get("house-configuration", "current"), restarts()]).toEqual([null, 0]);
  });

  test("keep a secret that is sent as [redacted], and refuse that without one", async () => {
    const house = open();
    const market = { source: "tibber", zone: "96a14971-525a-4420-aae9-e5aedaa129ff", token: "canary-token" };
    await house.settings.set("pricing", { currency: "EUR", market });
    const changed = { ...market, token: "[redacted]", factor: "1.1" };
    await house.settings.set("pricing", { currency: "EUR", market: changed });
    expect(open({ store: house.store }).settings.layer()?.own.pricing.market).toMatchObject({
      token: "canary-token",
      factor: "1.1",
    });
    const problem = await problemOf(open().settings.set("pricing", { currency: "EUR", market: changed }));
    expect(problem.issues.map(({ path }) => path.join("."))).toEqual(["pricing.market.token"]);
  });

  test("wait while settings of the cloud service are being tried", async () => {
    const house = open();
    house.try();
    expect((await problemOf(house.settings.set("pricing", PRICING))).slug).toBe("conflict");
    expect(house.restarts()).toBe(0);
  });

  test("with which the gateway does not start give way to the earlier ones, once", async () => {
    const house = open();
    await house.settings.set("pricing", PRICING);
    house.settings.started();
    await house.settings.set("pricing", { ...PRICING, currency: "SEK" });
    expect(await house.settings.failed(new Error("it broke"))).toBe(true);
    expect(open({ store: house.store }).settings.layer()?.own.pricing.currency).toBe("EUR");
    expect(await house.settings.failed(new Error("it broke"))).toBe(false);
  });

  test("that no longer hold after an update leave the file alone in use, and the log says so", async () => {
    const { store, settings } = open();
    await settings.set("pricing", PRICING);
    await store.commit([
      {
        table: "house-configuration",
        key: "current",
        put: { sections: { pricing: { currency: "ZZZ" } }, before: null, changedAtMs: 0 },
      },
    ]);
    const after = open({ store });
    expect(after.settings.layer()).toBeNull();
    expect(after.log.texts("warn")).toHaveLength(1);
  });
});
