import { describe, expect, test } from "vitest";
import { CloudCaller } from "../../../src/api/clients/cloud-caller.ts";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse } from "../support/real-house.ts";

const VERSION = "2024-10-01";

async function opened() {
  const home = makeHome();
  home.add("wallbox", chargerOptions());
  const house = await openRealHouse({ home });
  await house.pass(5_000);
  const { store } = house.run;
  const { clock, random } = home.world;
  const caller = new CloudCaller({ api: house.api, store, clock, random, namePrefix: "Service" });
  const pass = <T>(work: Promise<T>): Promise<T> => clock.resolve(work, 60_000);
  const list = await pass(caller.ask({ version: VERSION, method: "GET", path: "/chargers" }, "k0"));
  const path = `/chargers/${JSON.parse(list.body).data[0].id}/charging`;
  const start = { version: VERSION, method: "POST", path, body: { action: "START" } } as const;
  return { house, caller, pass, start };
}

describe("the cloud service as a client", () => {
  test("runs a command once under its key, through the same handlers", async () => {
    const { house, caller, pass, start } = await opened();
    await using _house = house;
    const first = await pass(caller.ask(start, "cloud/c1"));
    expect(first).toMatchObject({ status: 200, contentType: expect.stringContaining("application/json") });
    await house.pass(60_000);
    expect(await pass(caller.ask(start, "cloud/c1"))).toEqual(first);
    expect(house.run.store.all("action")).toHaveLength(1);
    expect(caller.isRepeatable(start)).toBe(true);
  });

  test("is refused as others are", async () => {
    const { house, caller, pass, start } = await opened();
    await using _house = house;
    const wrong = await pass(caller.ask({ ...start, body: { action: "EXPLODE" } }, "cloud/c2"));
    expect(wrong).toMatchObject({ status: 400, contentType: expect.stringContaining("application/problem+json") });
    const old = await pass(caller.ask({ ...start, version: "1999-01-01" }, "cloud/c3"));
    expect(JSON.parse(old.body)).toMatchObject({ detail: expect.stringContaining("1999-01-01") });
    expect(house.run.store.all("action")).toHaveLength(0);
  });

  test("keeps its name over restarts of the gateway, and its secret nowhere", async () => {
    const { house, caller, pass, start } = await opened();
    await using _house = house;
    await pass(caller.ask(start, "cloud/c4"));
    const clients = house.run.store.all("client").filter(({ id }) => id === "cloud-service");
    expect(clients).toHaveLength(1);
    const { clock, random } = house.home.world;
    const next = new CloudCaller({ api: house.api, store: house.run.store, clock, random, namePrefix: "Service" });
    await pass(next.ask(start, "cloud/c4"));
    expect(house.run.store.all("action")).toHaveLength(1);
  });

  test("signs in once for requests that come at once", async () => {
    const { house, pass } = await opened();
    await using _house = house;
    const { clock, random } = house.home.world;
    const next = new CloudCaller({ api: house.api, store: house.run.store, clock, random, namePrefix: "Service" });
    const list = { version: VERSION, method: "GET", path: "/chargers" } as const;
    const answers = await pass(Promise.all([next.ask(list, "k1"), next.ask(list, "k2"), next.ask(list, "k3")]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test.each([
    ["GET", "/chargers", true],
    ["POST", "/webhooks", false],
    ["PATCH", "/locations/1", false],
    ["POST", "/chargers/5/charging?x=1", true],
    ["POST", "/chargers/5/refresh-hint", false],
  ] as const)("may be asked again: %s %s: %s", (method, path, isRepeatable) => {
    expect(CloudCaller.prototype.isRepeatable.call(null, { method, path })).toBe(isRepeatable);
  });
});
