import { describe, expect, it } from "vitest";
import { shellyGen2 } from "../../firmware-bridges/shelly-gen2/shelly-gen2.ts";
import { ShellyGen2Twin } from "../twins/firmware/shelly-gen2.ts";
import { MqttBench } from "./bench.ts";

const PRO3EM = { bridge: "shelly-gen2", topic: "shellypro3em-aabbccddeeff", role: "meter" } as const;
const PLUG = { bridge: "shelly-gen2", topic: "shellyplus1pm-aabbccddeeff", role: "charger" } as const;

function pro3em(): ShellyGen2Twin {
  return new ShellyGen2Twin(PRO3EM.topic, "SPEM-003CEBEU", {
    "em:0": {
      id: 0,
      a_act_power: 375.5,
      a_voltage: 229.1,
      a_current: 2.392,
      a_freq: 50,
      b_act_power: -170.8,
      b_voltage: 229.4,
      b_current: 1.037,
      c_act_power: 12.7,
      c_voltage: 229.2,
      c_current: 0.428,
      n_current: null,
      total_act_power: 217.4,
    },
    "emdata:0": { id: 0, total_act: 2_589_773.39, total_act_ret: 1_026.61 },
  });
}

function plug(): ShellyGen2Twin {
  return new ShellyGen2Twin(PLUG.topic, "SNSW-001P16EU", {
    "switch:0": { id: 0, output: true, apower: 2_047.1, voltage: 229.9, current: 8.91, aenergy: { total: 5_125 } },
  });
}

describe("a Shelly from the second generation on", () => {
  it("is a three-phase meter with counters in Wh", async () => {
    await using bench = new MqttBench();
    bench.board(pro3em());
    const driver = await bench.connect(PRO3EM);
    await bench.pass(1_000);
    expect(driver.identity).toMatchObject({ model: "SPEM-003CEBEU", serial: "AABBCCDDEEFF", name: "Cellar" });
    expect(await bench.read(driver)).toMatchObject({
      "meter.power": 217.4,
      "meter.power.l2": -170.8,
      "meter.voltage.l1": 229.1,
      "meter.frequency": 50,
      "meter.energyImport": 2_589_773.39,
      "meter.energyExport": 1_026.61,
    });
  });

  it("takes off what came back from a plug's counter, which counts both directions", async () => {
    await using bench = new MqttBench();
    const counters = { aenergy: { total: 5_125 }, ret_aenergy: { total: 125 } };
    const status = { id: 0, output: true, apower: -47.1, voltage: 229.9, current: 0.2, ...counters };
    bench.board(new ShellyGen2Twin(PLUG.topic, "SNSW-001P16EU", { "switch:0": status }));
    const driver = await bench.connect({ ...PLUG, role: "meter" });
    await bench.pass(1_000);
    expect(await bench.read(driver)).toMatchObject({
      "meter.power": -47.1,
      "meter.energyImport": 5_000,
      "meter.energyExport": 125,
    });
  });

  it("lays notifications of a part over what is known", async () => {
    await using bench = new MqttBench();
    const twin = pro3em();
    bench.board(twin);
    const driver = await bench.connect(PRO3EM);
    await bench.pass(6_000);
    await bench.read(driver);
    twin.set("em:0", { total_act_power: 300 });
    await bench.pass(5_000);
    expect(await bench.read(driver, "due")).toEqual({ "meter.power": 300 });
  });

  it("reads status topics where they are on and RPC is off", async () => {
    await using bench = new MqttBench();
    const twin = pro3em();
    twin.isDeaf = true;
    twin.components.clear();
    bench.board(twin);
    const connecting = bench.connect(PRO3EM);
    connecting.catch(() => undefined);
    bench.world.clock.timer(1_000, () => {
      const payload = new TextEncoder().encode('{"id":0,"total_act_power":-42.5}');
      void bench.broker.publish({ topic: `${PRO3EM.topic}/status/em:0`, payload, isRetained: false });
    });
    expect(await bench.read(await connecting)).toEqual({ "meter.power": -42.5 });
  });

  it("answers a command by its number, with a refusal, or not at all", async () => {
    await using bench = new MqttBench();
    const twin = plug();
    bench.board(twin);
    const driver = await bench.connect(PLUG);
    await bench.pass(1_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.state": "PLUGGED_IN:CHARGING", "charger.energy": 5_125 });
    await bench.write(driver, "charger.enabled", false);
    expect(twin.components.get("switch:0")).toMatchObject({ output: false });
    twin.refusal = "Overtemperature";
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({
      kind: "rejected",
      message: "charger.enabled true: Overtemperature",
    });
    twin.isDeaf = true;
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is not convinced by an answer to somebody else", async () => {
    await using bench = new MqttBench();
    const twin = plug();
    bench.board(twin);
    const driver = await bench.connect(PLUG);
    twin.isDeaf = true;
    const source = JSON.parse(bench.published(`${PLUG.topic}/rpc`)[0] ?? "{}").src;
    bench.world.clock.timer(500, () => {
      const payload = new TextEncoder().encode('{"id":9999,"result":{"was_on":true}}');
      void bench.broker.publish({ topic: `${source}/rpc`, payload, isRetained: false });
    });
    await expect(bench.write(driver, "charger.enabled", false)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is lost when it is gone, and when it answers no more", async () => {
    await using bench = new MqttBench();
    const twin = plug();
    const board = bench.board(twin);
    const driver = await bench.connect(PLUG);
    twin.isDeaf = true;
    await bench.pass(36_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    board.pull();
    await bench.pass(100);
    await expect(bench.read(driver)).rejects.toThrow("its last will says that it is offline");
  });

  it("makes what is no number null, and says so once", async () => {
    await using bench = new MqttBench();
    const twin = plug();
    bench.board(twin);
    const driver = await bench.connect(PLUG);
    twin.set("switch:0", { apower: "lots" });
    await bench.pass(21_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": null, "charger.voltage.l1": 229.9 });
    await bench.pass(11_000);
    await bench.read(driver);
    expect(bench.warnings().filter((what) => what === "charger.power is no number")).toHaveLength(2);
  });

  it("announces itself by its last will's topic or a notification", () => {
    const heard = [
      { topic: `${PRO3EM.topic}/online`, text: "true", isRetained: true },
      {
        topic: "cellar/events/rpc",
        text: `{"src":"${PLUG.topic.replace("aabb", "1122")}","method":"NotifyStatus"}`,
        isRetained: false,
      },
      { topic: "kitchen/online", text: "true", isRetained: true },
    ];
    expect(shellyGen2.announcements?.sightings(heard)).toMatchObject([
      { key: "shelly:aabbccddeeff", roles: ["meter", "inverter", "charger", "hvac"], confidence: 0.8 },
      { key: "shelly:1122ccddeeff", options: { topic: "cellar" }, confidence: 0.5 },
    ]);
  });
});
