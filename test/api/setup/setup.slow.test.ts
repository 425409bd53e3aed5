import { describe, expect, test } from "vitest";
import { batteryOptions, chargerOptions, makeHome } from "../../engine/home.ts";
import { Browser, ownerOf, personOf } from "../people/browser.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE = 60_000;

async function openSetup(): Promise<RealHouse> {
  const home = makeHome();
  home.add("charger", chargerOptions());
  home.add("battery", batteryOptions());
  home.add("meter", {
    values: { "meter.power": 600 },
    identity: { manufacturer: "Eastron", model: "SDM630", serial: "M-1", version: "1.4" },
    vendors: ["EASTRON", "MODBUS"],
  });
  const house = await openRealHouse({ home });
  await house.pass(MINUTE);
  return house;
}

describe("the setup over the API", () => {
  test("leads from an unclaimed box to a handed-over house, and its report names who did what", async () => {
    await using house = await openSetup();
    const owner = await ownerOf(house);
    const begun = (await owner.get("/local/setup")).json();
    expect(begun).toMatchObject({ current: "site", isDue: true, handOver: null });

    expect((await owner.send("PATCH", "/local/site", { fuseA: 35 })).statusCode).toBe(200);
    const installer = await personOf(house, owner, "installer", "Ines");
    expect((await installer.get("/local/setup")).json().steps).toMatchObject([
      { step: "site", state: "done", reason: "limits-set" },
      { step: "devices", state: "done", done: 3, all: 3 },
      { step: "checks", state: "open", reason: "load-check-missing" },
      { step: "control-tests", state: "open", reason: "tests-missing", done: 0, all: 2 },
      { step: "prices", state: "open" },
      { step: "people", state: "done" },
      { step: "hand-over", state: "open" },
    ]);

    const started = await installer.send("POST", "/local/setup/load-check", { line: 1 });
    expect(started.json().running).toMatchObject({ deviceId: "meter", line: 1, by: { name: "Ines" } });
    expect((await installer.send("POST", "/local/setup/load-check", {})).statusCode).toBe(409);
    await house.pass(10_000);
    house.home.devices["meter"]?.show("meter.power", 2_600);
    await house.pass(20_000);
    expect((await installer.get("/local/setup/load-check")).json()).toMatchObject({
      running: null,
      results: [{ verdict: "right", loadW: 2_000, meterW: 2_000, lines: [] }],
    });

    const tests = (await installer.get("/local/setup/tests")).json();
    expect(tests).toMatchObject([
      { assetType: "charger", refusal: null, last: null },
      { assetType: "battery", refusal: null },
    ]);
    for (const { assetId } of tests) {
      expect((await installer.send("POST", `/local/setup/tests/${assetId}`, {})).json()).toMatchObject({
        state: "running",
      });
      await house.pass(3 * MINUTE);
    }
    const early = await installer.send("PUT", "/local/setup/hand-over", { isHandedOver: true });
    expect(early.statusCode).toBe(409);
    expect(early.json().detail).toContain("prices");
    // The values of the fake battery never move, which the checks find out.
    await installer.send("PUT", "/local/setup/steps/checks", { isSkipped: true });
    await installer.send("PUT", "/local/setup/steps/prices", { isSkipped: true, reason: " no contract yet " });
    const done = await installer.send("PUT", "/local/setup/hand-over", { isHandedOver: true, note: "Keys: Anna" });
    expect(done.json()).toMatchObject({
      isDue: false,
      current: null,
      handOver: { by: { name: "Ines" }, note: "Keys: Anna" },
    });

    const report = (await installer.get("/local/setup/report")).json();
    expect(report).toMatchObject({
      handOver: { by: { kind: "account", name: "Ines" } },
      site: { connection: { fuseA: 35 } },
      loadChecks: [{ verdict: "right", by: { name: "Ines" } }],
      seen: [{ assetType: "battery", negative: { powerW: 1_234 } }],
      tests: [
        { point: "charger.maxCurrent", before: 16, asked: 14, state: "passed", by: { name: "Ines" } },
        { point: "battery.mode", before: "SELF_RELIANCE", asked: "IDLE", state: "passed" },
      ],
      people: [
        { name: "Anna", role: "owner" },
        { name: "Ines", role: "installer" },
      ],
    });
    expect(report.devices).toContainEqual(
      expect.objectContaining({ deviceId: "meter", manufacturer: "Eastron", serial: "M-1", firmware: "1.4" }),
    );
    expect(report.steps).toContainEqual(
      expect.objectContaining({ step: "prices", skip: expect.objectContaining({ reason: "no contract yet" }) }),
    );
    expect(JSON.stringify(report)).not.toMatch(/password|secret|token/i);
  });

  test("is seen by everybody, and done by who may install", async () => {
    await using house = await openSetup();
    const owner = await ownerOf(house);
    for (const role of ["member", "guest"]) {
      const person = await personOf(house, owner, role);
      const answers = [
        await person.send("PUT", "/local/setup/steps/site", { isSkipped: true }),
        await person.send("PUT", "/local/setup/hand-over", { isHandedOver: true }),
        await person.send("POST", "/local/setup/load-check", {}),
        await person.send("DELETE", "/local/setup/load-check"),
        await person.send("POST", "/local/setup/tests/00000000-0000-4000-8000-000000000000", {}),
        await person.get("/local/setup/report"),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403, 403]);
    }
    const stranger = new Browser(house, "192.168.1.99");
    expect((await stranger.get("/local/setup")).statusCode).toBe(401);
  });

  test("refuses what cannot be, with what to do", async () => {
    await using house = await openSetup();
    const ask = async (method: "PUT" | "POST" | "DELETE", url: string, payload?: object) => {
      const answer = await house.ask({ method, url, ...(payload !== undefined && { payload }) });
      return `${answer.statusCode} ${answer.json().detail ?? ""}`;
    };
    expect(await ask("PUT", "/local/setup/steps/hand-over", { isSkipped: true })).toMatch(/^400/);
    expect(await ask("PUT", "/local/setup/steps/site", { isSkipped: true, reason: "x".repeat(501) })).toMatch(/^400/);
    expect(await ask("POST", "/local/setup/load-check", { line: 4 })).toMatch(/^400/);
    const nobody = "00000000-0000-4000-8000-000000000000";
    expect(await ask("POST", `/local/setup/tests/${nobody}`)).toMatch(/^404 There is no device/);
    expect(await ask("DELETE", `/local/setup/tests/${nobody}`)).toMatch(/^404 No test/);
  });

  test("a program does the same with its token, and the report names it", async () => {
    await using house = await openSetup();
    const payload = { isSkipped: true, reason: "by the fleet" };
    const answer = await house.ask({ method: "PUT", url: "/local/setup/steps/checks", payload });
    expect(answer.json().steps[2]).toMatchObject({ state: "skipped", skip: { by: { kind: "client", name: "test" } } });
    const back = await house.ask({ method: "PUT", url: "/local/setup/steps/checks", payload: { isSkipped: false } });
    expect(back.json().steps[2]).toMatchObject({ state: "open", skip: null });
  });
});
