/** `/local/setup/import`: a setup file is checked, previewed, imported, left and found again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HYBRID, makeModbusHome } from "../../engine/discovery/modbus-home.ts";
import { batteryOptions, makeHome } from "../../engine/home.ts";
import { type Browser, ownerOf, personOf } from "../people/browser.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const URL = "/local/setup/import";
const PREVIEW = `${URL}/preview`;
const HOST = "192.168.1.6";
const PASSWORD = "correct horse battery";
const FILE = `
site: { fuseA: 25, phases: 3 }
devices:
  - { name: Roof, host: ${HOST}, set: { maxChargeW: 2500 }, confirm: [battery.mode] }
people: [{ name: Ben, role: member, password: ${PASSWORD} }]
leaveOut: { checks: no sun today }
`;

interface ShownStep {
  readonly kind: string;
  readonly name: string | null;
  readonly state: string;
}
const statesOf = (steps: readonly ShownStep[]): readonly string[] =>
  steps.map(({ kind, name, state }) => [kind, name, state].filter((word) => word !== null).join(" "));

describe("the import of a setup file over the API", () => {
  let house: RealHouse;
  let owner: Browser;

  beforeAll(async () => {
    const home = makeModbusHome({ isListening: false, followsAddresses: false });
    await home.place(HYBRID, HOST);
    house = await openRealHouse({ home });
    owner = await ownerOf(house);
  }, 60_000);
  afterAll(async () => await house[Symbol.asyncDispose]());

  const task = async () => (await owner.get(URL)).json().task;

  test("names each mistake of a file with its line, quotes no value, and does nothing", async () => {
    const wrong = `site: { fuseA: 0, phasen: 3 }\ndevices:\n  - name: Roof\n    host: 8.8.8.8\n  - name: Roof\npeople:\n  - { name: Ben, role: king, password: ${PASSWORD} }\n`;
    const { mistakes, steps } = (await owner.send("POST", PREVIEW, { text: wrong })).json();
    expect(steps).toEqual([]);
    const places = mistakes.map((each: { line: number; path: unknown[] }) => `${each.line} ${each.path.join(".")}`);
    expect(places).toEqual(["1 site.fuseA", "1 site.phasen", "5 devices.1.name", "7 people.0.role"]);
    const begun = await owner.send("POST", URL, { text: wrong });
    expect(begun.statusCode).toBe(400);
    expect(begun.json().issues).toContainEqual(
      expect.objectContaining({ path: ["text", "site", "fuseA"], message: "line 1: Expected at least 1" }),
    );
    expect(begun.body + JSON.stringify(mistakes)).not.toContain("horse");
    const outside = (await owner.send("POST", PREVIEW, { text: "devices: [{ name: Roof, host: 8.8.8.8 }]" })).json();
    expect(outside.mistakes).toMatchObject([{ line: 1, path: ["devices", 0, "host"], code: "outside-house" }]);
    expect((await owner.send("POST", PREVIEW, { text: "{ a: b" })).json().mistakes).toMatchObject([
      { line: 1, code: "not-yaml" },
    ]);
    expect([await task(), (await owner.get("/local/site")).json().connection.fuseA]).toEqual([null, undefined]);
  });

  test("is for people who may install; accounts are made for owners only", async () => {
    const member = await personOf(house, owner, "member", "Mia");
    const refused = [await member.get(URL), await member.send("POST", PREVIEW, { text: FILE })];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403]);
    const installer = await personOf(house, owner, "installer", "Ines");
    expect((await installer.send("POST", PREVIEW, { text: FILE })).json().mistakes).toMatchObject([
      { line: 5, path: ["people"], code: "forbidden" },
    ]);
    expect((await installer.send("POST", URL, { text: FILE })).statusCode).toBe(400);
  });

  test("shows before what it would do, goes on when it is left, and keeps no secret", async () => {
    const preview = (await owner.send("POST", PREVIEW, { text: FILE })).json();
    const kinds = ["site", "device Roof", "answers", "person Ben", "leave-out checks"];
    expect(statesOf(preview.steps)).toEqual(kinds.map((kind) => `${kind} open`));
    expect(preview.steps[1].values).toEqual({ host: HOST, set: "maxChargeW", confirm: "battery.mode" });
    const begun = await owner.send("POST", URL, { text: FILE });
    expect([begun.statusCode, begun.json().state, begun.json().by]).toEqual([202, "running", "Anna"]);
    expect((await owner.send("POST", URL, { text: FILE })).statusCode).toBe(409);
    await house.pass(60_000);
    const ended = await task();
    expect([ended.state, ...statesOf(ended.steps)]).toEqual(["done", ...kinds.map((kind) => `${kind} done`)]);
    expect(ended.steps[1].results).toMatchObject([{ name: "Deye SG03LP1", outcome: "added" }]);
    expect((await owner.get("/local/setup")).json().steps).toContainEqual(
      expect.objectContaining({ step: "checks", skip: expect.objectContaining({ reason: "no sun today" }) }),
    );
    expect(JSON.stringify([preview, ended, house.run.store.all("setup-import")])).not.toContain("horse");
    const again = (await owner.send("POST", PREVIEW, { text: FILE })).json();
    expect(statesOf(again.steps).filter((text) => text.endsWith("unchanged"))).toEqual([
      "device Roof unchanged",
      "person Ben unchanged",
    ]);
  });

  test("ends at the first step that fails, with why, and can be ended by a person", async () => {
    const text = "devices: [{ name: Cellar, host: 192.168.1.9 }]\nleaveOut: { people: they come later }\n";
    await owner.send("POST", URL, { text });
    await house.pass(60_000);
    expect(await task()).toMatchObject({
      state: "failed",
      steps: [{ state: "failed", failure: { code: "none-found" } }, { state: "open" }, { state: "open" }],
    });
    await owner.send("POST", URL, { text });
    expect((await owner.send("DELETE", URL)).statusCode).toBe(204);
    await house.pass(1_000);
    expect(await task()).toMatchObject({ state: "stopped", steps: [{ state: "open", failure: null }, {}, {}] });
    expect((await owner.send("DELETE", URL)).statusCode).toBe(404);
  });
});

test("an import that a stop of the gateway cut short says so after the next start, with what was done", async () => {
  const home = makeHome();
  home.add("battery", batteryOptions());
  const { clock } = home.world;
  const by = { kind: "account", id: "1", name: "Anna" } as const;
  const first = await home.start();
  const { setupImports } = first.engine.services;
  const text = "site: { fuseA: 25 }\ndevices: [{ name: Roof, brand: nobody }]\n";
  await clock.resolve(setupImports.begin(text, { by, isManager: true }), 1_000);
  await clock.advance(500);
  expect(setupImports.task()).toMatchObject({ state: "running", steps: [{ state: "done" }, { state: "running" }, {}] });
  await first.close();
  const second = await home.start();
  await clock.advance(1_000);
  expect(second.engine.services.setupImports.task()).toMatchObject({
    state: "interrupted",
    endedAtMs: expect.any(Number),
    steps: [{ state: "done" }, { kind: "device", state: "open" }, { state: "open" }],
  });
  await second.close();
});
