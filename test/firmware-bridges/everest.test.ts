import { describe, expect, it } from "vitest";
import { everest } from "../../firmware-bridges/everest/everest.ts";
import { sessionState } from "../../firmware-bridges/everest/session-state.ts";
import { EverestTwin } from "../twins/firmware/everest.ts";
import { MqttBench } from "./bench.ts";

const OPTIONS = { bridge: "everest", topic: "evse_manager" };

describe("a charger that runs EVerest", () => {
  it("is read with its meter, its session and its limit", async () => {
    await using bench = new MqttBench();
    bench.board(new EverestTwin("evse_manager"));
    const driver = await bench.connect(OPTIONS);
    expect(await bench.read(driver)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.power": 10_807.6,
      "charger.energy": 4_611.95,
      "charger.energySession": 1_234.5,
      "charger.current.l2": 17.1,
      "charger.voltage.l3": 225.5,
      "charger.maxCurrent": 32,
      "charger.enabled": true,
    });
  });

  it("shows the session's power where there is no meter", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    twin.hasMeter = false;
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 10_807.6 });
    expect(driver.points).not.toContain("charger.energy");
  });

  it("takes a limit when the limits show it", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    expect(driver.controls).toContainEqual(
      expect.objectContaining({ point: "charger.maxCurrent", range: { min: 6, max: 32 } }),
    );
    await bench.write(driver, "charger.maxCurrent", 10);
    expect(twin.externalA).toBe(10);
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 10 });
    expect(bench.broker.retained.size).toBe(0);
  });

  it("refuses a limit that does not come to hold", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    twin.fuseA = 12;
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await expect(bench.write(driver, "charger.maxCurrent", 20)).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("the limits stay at 12 A"),
    });
    twin.hasSink = false;
    await expect(bench.write(driver, "charger.maxCurrent", 8)).rejects.toThrow("no evse_energy_sink");
  });

  it("leaves it to later readings where a round is too long to wait for", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    bench.board({
      filters: twin.filters,
      ticks: twin.ticks.map((tick) => ({ ...tick, everyMs: 15_000 })),
      connected: (say) => twin.connected(say),
      heard: (message) => twin.heard(message),
    });
    const driver = await bench.connect({ ...OPTIONS, intervalSeconds: 15 });
    await bench.write(driver, "charger.maxCurrent", 10);
    await bench.pass(30_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.maxCurrent": 10 });
  });

  it("stops with a limit of 0, keeps a new current for the start, and starts with it", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await bench.write(driver, "charger.enabled", false);
    await bench.pass(1_000);
    expect(await bench.read(driver)).toMatchObject({
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
      "charger.maxCurrent": 32,
    });
    await bench.write(driver, "charger.maxCurrent", 13);
    await bench.pass(2_000);
    expect(twin.externalA).toBe(0);
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": false, "charger.maxCurrent": 13 });
    await bench.write(driver, "charger.enabled", true);
    expect(twin.externalA).toBe(13);
  });

  it("is lost when nothing ticks, and found again after a restart of the broker", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    twin.isSilent = true;
    await bench.pass(11_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for 11 s");
    await expect(bench.write(driver, "charger.maxCurrent", 10)).rejects.toMatchObject({ kind: "unreachable" });
    twin.isSilent = false;
    bench.broker.stop();
    await bench.pass(20_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(120_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 10_807.6 });
  });

  it("makes what is no number null", async () => {
    await using bench = new MqttBench();
    const twin = new EverestTwin("evse_manager");
    const board = bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    twin.isSilent = true;
    board.say({ topic: "everest_api/evse_manager/var/powermeter", text: '{"power_W":{"total":"lots"}}' });
    board.say({ topic: "everest_api/evse_manager/var/limits", text: "[]" });
    board.say({ topic: "everest_api/evse_manager/var/session_info", text: '{"state":7}' });
    await bench.pass(500);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": null, "charger.enabled": null });
    expect(bench.warnings()).toEqual(["charger.power is no number", "session_info without a state"]);
  });

  it("knows every state", () => {
    expect(sessionState("Unplugged", true, 0)).toBe("UNPLUGGED");
    expect(sessionState("Charging", true, 0)).toBe("PLUGGED_IN:FAULT");
    expect(sessionState("Charging", false, -3_000)).toBe("PLUGGED_IN:DISCHARGING");
    expect(sessionState("AuthRequired", false, 0)).toBe("PLUGGED_IN:INITIALIZING");
    expect(sessionState("FinishedEV", false, 0)).toBe("PLUGGED_IN:STOPPED");
    expect(sessionState("Disabled", false, 0)).toBe("UNKNOWN");
    expect(sessionState("Teleporting", false, 0)).toBe("UNKNOWN");
  });

  it("announces its connectors", () => {
    const heard = [
      { topic: "everest_api/connectors", text: '["evse_manager","evse_2","a/b",3]', isRetained: false },
      { topic: "everest_api/connectors", text: "{", isRetained: false },
    ];
    expect(everest.announcements?.sightings(heard)).toMatchObject([
      { key: "everest:evse_manager", roles: ["charger"], options: { bridge: "everest", topic: "evse_manager" } },
      { key: "everest:evse_2" },
    ]);
  });
});
