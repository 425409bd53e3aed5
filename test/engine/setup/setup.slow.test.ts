import { describe, expect, test } from "vitest";
import type { SetupStepName } from "../../../src/domain/setup/setup-steps.ts";
import { INSTALLER, MINUTE, SECOND, type SetupHouse, setupHouse } from "./setup-house.ts";

function setupOf(house: SetupHouse) {
  return house.run.engine.services.setup;
}

function stepOf(house: SetupHouse, name: SetupStepName) {
  return setupOf(house)
    .state()
    .steps.find(({ step }) => step === name);
}

describe("the check with a kettle", () => {
  test("finds the phase that rises, and keeps the result over a restart", async () => {
    const house = await setupHouse();
    expect(stepOf(house, "checks")).toMatchObject({ state: "open", reason: "load-check-missing" });
    setupOf(house).startLoadCheck(null, INSTALLER);
    await house.advance(10 * SECOND);
    expect(setupOf(house).loadChecks().running?.step).toMatchObject({ kind: "waiting" });
    house.loads[1] += 2_000;
    await house.advance(20 * SECOND);
    const { running, results } = setupOf(house).loadChecks();
    expect(running).toBeNull();
    expect(results).toMatchObject([{ verdict: "right", lines: [2], loadW: 2_000, findingId: null, by: INSTALLER }]);
    await house.powerCut();
    expect(setupOf(house).loadChecks().results).toMatchObject([{ verdict: "right", lines: [2] }]);
    await house.close();
  });

  test("finds a clamp that is turned round, and its fix turns that phase and is the proof", async () => {
    const house = await setupHouse();
    house.clamps[1] = -1;
    await house.advance(40 * SECOND);
    setupOf(house).startLoadCheck(2, INSTALLER);
    await house.advance(3 * SECOND);
    house.loads[1] += 2_000;
    await house.advance(20 * SECOND);
    const [result] = setupOf(house).loadChecks().results;
    expect(result).toMatchObject({ verdict: "turned", lines: [2], loadW: 2_000 });
    const { checks } = house.run.engine.services;
    expect(checks.list()).toMatchObject([
      { id: result?.findingId, state: "OPEN", finding: { check: "sign", fix: { points: ["meter.power.l2"] } } },
    ]);
    expect(stepOf(house, "checks")).toMatchObject({ state: "open", reason: "findings-open" });
    await house.resolve(checks.confirm(result?.findingId ?? ""));
    await house.advance(10 * SECOND);
    const [meter] = house.run.engine.assets.list("meter");
    expect(meter?.asset.energyState.power).toBeCloseTo(2.6, 1);
    expect(stepOf(house, "checks")?.reason).not.toBe("load-check-missing");
    await house.close();
  });

  test("ends after two minutes without a step, and says so", async () => {
    const house = await setupHouse();
    setupOf(house).startLoadCheck(null, INSTALLER);
    expect(() => setupOf(house).startLoadCheck(null, INSTALLER)).toThrow(/under way/);
    await house.advance(2 * MINUTE + 2 * SECOND);
    expect(setupOf(house).loadChecks()).toMatchObject({ running: null, results: [{ verdict: "nothing" }] });
    setupOf(house).startLoadCheck(null, INSTALLER);
    expect(setupOf(house).stopLoadCheck().running).toBeNull();
    await house.advance(3 * MINUTE);
    expect(setupOf(house).loadChecks().results).toHaveLength(1);
    await house.close();
  });
});

describe("a control test", () => {
  test("lowers the charger's current, sees it, and gives it back", async () => {
    const house = await setupHouse();
    const charger = house.home.devices["charger"];
    const started = await house.resolve(setupOf(house).startTest(house.idOf("charger"), INSTALLER));
    expect(started).toMatchObject({ state: "running", point: "charger.maxCurrent", before: 16, asked: 14 });
    await house.advance(5 * SECOND);
    expect(charger?.values["charger.maxCurrent"]).toBe(14);
    await house.advance(MINUTE);
    const test = setupOf(house)
      .tests()
      .find(({ kind }) => kind === "charger");
    expect(test?.last).toMatchObject({ state: "passed", cause: null, shown: 14, isRestored: true, by: INSTALLER });
    expect(test?.last?.tookMs).toBeLessThan(10 * SECOND);
    expect(charger?.values["charger.maxCurrent"]).toBe(16);
    expect(house.run.store.all("lease")).toEqual([]);
    await house.close();
  });

  test("goes on while the control cycle guards a fuse, and raises nothing above it", async () => {
    const house = await setupHouse({ connection: { fuseA: 35 } });
    const charger = house.home.devices["charger"];
    charger?.show("charger.enabled", true);
    charger?.show("charger.state", "PLUGGED_IN:CHARGING");
    charger?.show("charger.power", 11_000);
    for (const at of [0, 1, 2] as const) house.loads[at] += 11_000 / 3;
    if (charger !== undefined) {
      charger.onWrite = (point, value) => {
        charger.show(point, value);
        if (point !== "charger.maxCurrent") return;
        for (const at of [0, 1, 2] as const)
          house.loads[at] += 230 * Number(value) - Number(charger.values["charger.power"]) / 3;
        charger.show("charger.power", 690 * Number(value));
      };
    }
    await house.advance(MINUTE);
    expect(house.run.engine.services.energy.state()).toMatchObject({ isActive: true, hasLimits: true });
    await house.resolve(setupOf(house).startTest(house.idOf("charger"), INSTALLER));
    await house.advance(2 * MINUTE);
    const last = setupOf(house)
      .tests()
      .find(({ kind }) => kind === "charger")?.last;
    expect(last).toMatchObject({ state: "passed", cause: null, shown: 14, isRestored: true });
    expect(charger?.written("charger.maxCurrent")).toEqual([14, 16]);
    await house.close();
  });

  test("is refused while a fuse lowers the charger, and the fuse keeps what it has lowered", async () => {
    const house = await setupHouse({ connection: { fuseA: 16 } });
    const charger = house.home.devices["charger"];
    charger?.show("charger.enabled", true);
    charger?.show("charger.state", "PLUGGED_IN:CHARGING");
    charger?.show("charger.power", 11_000);
    for (const at of [0, 1, 2] as const) house.loads[at] += 4_500;
    await house.advance(MINUTE);
    const id = house.idOf("charger");
    await expect(house.resolve(setupOf(house).startTest(id, INSTALLER))).rejects.toThrow(/limit|energy manager/);
    expect(Number(charger?.values["charger.maxCurrent"])).toBeLessThan(16);
    await house.close();
  });

  test("holds the battery for a minute and lets it go; another test waits", async () => {
    const house = await setupHouse();
    const battery = house.home.devices["battery"];
    await house.resolve(setupOf(house).startTest(house.idOf("battery"), INSTALLER));
    await house.advance(30 * SECOND);
    expect(battery?.values["battery.mode"]).toBe("IDLE");
    await expect(house.resolve(setupOf(house).startTest(house.idOf("charger"), INSTALLER))).rejects.toThrow(
      /under way/,
    );
    await house.advance(2 * MINUTE);
    expect(battery?.values["battery.mode"]).toBe("SELF_RELIANCE");
    expect(
      setupOf(house)
        .tests()
        .find(({ kind }) => kind === "battery")?.last,
    ).toMatchObject({ state: "passed" });
    await house.close();
  });

  test.each([
    ["battery", "battery.mode", "SELF_RELIANCE", "IDLE"],
    ["charger", "charger.maxCurrent", 16, 14],
    ["inverter", "inverter.powerLimit", 100, 99],
  ] as const)(
    "leaves nothing forced on the %s when the power is cut in its middle",
    async (kind, point, before, asked) => {
      const house = await setupHouse();
      const device = house.home.devices[kind];
      await house.resolve(setupOf(house).startTest(house.idOf(kind), INSTALLER));
      for (let s = 0; s < 10 && device?.values[point] !== asked; s += 1) await house.advance(SECOND);
      expect(device?.values[point]).toBe(asked);
      await house.powerCut();
      await house.advance(3 * MINUTE);
      expect(device?.values[point]).toBe(before);
      expect(house.run.store.all("lease")).toEqual([]);
      const test = setupOf(house)
        .tests()
        .find((each) => each.kind === kind);
      expect(test?.last).toMatchObject({ state: "interrupted" });
      expect(stepOf(house, "control-tests")).toMatchObject({ state: "open", reason: "tests-failed" });
      await house.close();
    },
  );

  test("gives back at an orderly stop, and when a person ends it", async () => {
    const house = await setupHouse();
    const battery = house.home.devices["battery"];
    const id = house.idOf("battery");
    await house.resolve(setupOf(house).startTest(id, INSTALLER));
    await house.advance(20 * SECOND);
    setupOf(house).stopTest(id);
    await house.advance(30 * SECOND);
    expect(battery?.values["battery.mode"]).toBe("SELF_RELIANCE");
    const last = setupOf(house)
      .tests()
      .find(({ kind }) => kind === "battery")?.last;
    expect(last).toMatchObject({ state: "failed", cause: "stopped", isRestored: true });
    await house.resolve(setupOf(house).startTest(id, INSTALLER));
    await house.advance(20 * SECOND);
    expect(battery?.values["battery.mode"]).toBe("IDLE");
    await house.close();
    expect(battery?.values["battery.mode"]).toBe("SELF_RELIANCE");
  });

  test("of a device that does not follow fails, says so, and leaves the value that it had", async () => {
    const house = await setupHouse();
    const charger = house.home.devices["charger"];
    if (charger !== undefined) charger.onWrite = () => undefined;
    await house.resolve(setupOf(house).startTest(house.idOf("charger"), INSTALLER));
    await house.advance(3 * MINUTE);
    const last = setupOf(house)
      .tests()
      .find(({ kind }) => kind === "charger")?.last;
    expect(last).toMatchObject({ state: "failed", cause: "not-followed", isRestored: true });
    expect(charger?.values["charger.maxCurrent"]).toBe(16);
    await house.close();
  });

  test("is refused while the grid operator limits the house, and ends when that begins", async () => {
    const house = await setupHouse();
    const { energyLimits } = house.run.engine.services;
    const port = energyLimits.port({ id: "operator", kind: "client", name: "Grid operator" });
    const limit = { isActive: true, watts: 4_200, durationMs: null } as never;
    const demand = { scope: "connection", limit, failsafeW: null, failsafeMs: null } as const;
    const id = house.idOf("battery");
    await house.resolve(setupOf(house).startTest(id, INSTALLER));
    await house.advance(10 * SECOND);
    await house.resolve(port.set({ isHeartbeat: true, heartbeatLostMs: null, import: demand }));
    await house.advance(MINUTE);
    expect(house.home.devices["battery"]?.values["battery.mode"]).toBe("SELF_RELIANCE");
    const shown = setupOf(house)
      .tests()
      .find(({ kind }) => kind === "battery");
    expect(shown?.last).toMatchObject({ state: "failed", cause: "grid-operator", isRestored: true });
    expect(shown?.refusal).toMatchObject({ code: "grid-operator" });
    await expect(house.resolve(setupOf(house).startTest(id, INSTALLER))).rejects.toThrow(/grid operator/);
    await house.close();
  });
});

describe("the steps", () => {
  test("follow from what is there, and a house is handed over when nothing is open", async () => {
    const house = await setupHouse();
    expect(setupOf(house).state()).toMatchObject({ current: "site", isDue: true, handOver: null });
    expect(stepOf(house, "devices")).toMatchObject({ state: "done", done: 4, all: 4 });
    await expect(house.resolve(setupOf(house).handOver(null, INSTALLER))).rejects.toThrow(
      /site, checks, control-tests/,
    );
    await house.resolve(house.run.engine.services.siteConnections.update({ fuseA: 35 }));
    expect(stepOf(house, "site")).toMatchObject({ state: "done" });
    for (const step of ["checks", "control-tests", "prices", "people"] as const) {
      await house.resolve(setupOf(house).skip(step, { isSkipped: true, reason: "at night" }, INSTALLER));
    }
    expect(stepOf(house, "checks")).toMatchObject({ state: "skipped", skip: { reason: "at night", by: INSTALLER } });
    await house.resolve(setupOf(house).handOver("Keys are with Anna", INSTALLER));
    await house.powerCut();
    await house.advance(20 * SECOND);
    const after = setupOf(house).state();
    expect(after).toMatchObject({
      isDue: false,
      current: null,
      handOver: { note: "Keys are with Anna", by: INSTALLER },
    });
    expect(await house.resolve(setupOf(house).reopen())).toMatchObject({ isDue: true, current: "hand-over" });
    await house.close();
  });

  test("note the sun and the battery once they are seen, and not while they are in doubt", async () => {
    const house = await setupHouse();
    expect(setupOf(house).seen()).toMatchObject([{ kind: "battery", positive: null }, { kind: "inverter" }]);
    house.home.devices["inverter"]?.show("inverter.power", 3_000);
    house.home.devices["battery"]?.show("battery.power", 1_500);
    await house.advance(20 * SECOND);
    expect(setupOf(house).seen()).toMatchObject([
      { kind: "battery", positive: { watts: 1_500 }, negative: null },
      { kind: "inverter", positive: { watts: 3_000 } },
    ]);
    await house.close();
  });
});
