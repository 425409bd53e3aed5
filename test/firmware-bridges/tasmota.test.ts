import { describe, expect, it } from "vitest";
import { tasmota } from "../../firmware-bridges/tasmota/tasmota.ts";
import { TasmotaTwin } from "../twins/firmware/tasmota.ts";
import { MqttBench } from "./bench.ts";

const TOPIC = "tasmota_345678";
const CHARGER = { bridge: "tasmota", topic: TOPIC, role: "charger" } as const;

describe("a Tasmota plug", () => {
  it("is read as what hangs on it", async () => {
    await using bench = new MqttBench();
    bench.board(new TasmotaTwin(TOPIC));
    const driver = await bench.connect(CHARGER);
    await bench.pass(1_000);
    expect(driver.identity).toMatchObject({ model: "NOUS A1T", serial: "A4CF12345678", name: "Garage plug" });
    expect(await bench.read(driver)).toEqual({
      "charger.power": 1_840.5,
      "charger.voltage.l1": 231,
      "charger.current.l1": 7.968,
      "charger.energy": 12_345,
      "charger.enabled": true,
      "charger.state": "PLUGGED_IN:CHARGING",
    });
  });

  it("is asked, as it would tell by itself every five minutes only", async () => {
    await using bench = new MqttBench();
    const twin = new TasmotaTwin(TOPIC);
    bench.board(twin);
    const driver = await bench.connect({ ...CHARGER, role: "inverter" });
    await bench.pass(11_000);
    twin.loadW = 900;
    expect(await bench.read(driver, "due")).toMatchObject({ "inverter.power": 900 });
    expect(await bench.read(driver, "due")).toEqual({});
  });

  it("is lost when it answers no more, though its last will says nothing", async () => {
    await using bench = new MqttBench();
    const twin = new TasmotaTwin(TOPIC);
    bench.board(twin);
    const driver = await bench.connect(CHARGER);
    twin.isSilent = true;
    await bench.pass(31_000);
    await expect(bench.read(driver)).rejects.toThrow(/nothing came for 3\d s, it is due every 10 s/);
    await expect(bench.connect(CHARGER)).rejects.toThrow("only old values from the broker");
  });

  it("is lost at once when the broker publishes its last will", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new TasmotaTwin(TOPIC));
    const driver = await bench.connect(CHARGER);
    board.pull();
    await bench.pass(200);
    await expect(bench.read(driver)).rejects.toThrow("its last will says that it is offline");
  });

  it("is there again with its next answer when the will of a connection that it lost comes late", async () => {
    await using bench = new MqttBench();
    bench.board(new TasmotaTwin(TOPIC));
    const driver = await bench.connect(CHARGER);
    await bench.publish(`tele/${TOPIC}/LWT`, "Offline", true);
    await expect(bench.read(driver)).rejects.toThrow("its last will says that it is offline");
    await bench.pass(11_000);
    await bench.read(driver, "due").catch(() => undefined);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 1_840.5 });
  });

  it.each([false, true])("echoes a command, under the command's name: %s", async (answersByName) => {
    await using bench = new MqttBench();
    const twin = new TasmotaTwin(TOPIC, { onText: "AN" });
    twin.answersByName = answersByName;
    bench.board(twin);
    const driver = await bench.connect(CHARGER);
    await bench.pass(1_000);
    await bench.write(driver, "charger.enabled", false);
    expect(twin.isOn).toBe(false);
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": false, "charger.state": "PLUGGED_IN:STOPPED" });
    await bench.write(driver, "charger.enabled", true);
    expect(twin.isOn).toBe(true);
    expect(bench.broker.retained.has(`cmnd/${TOPIC}/POWER`)).toBe(false);
  });

  it("rejects a command that the relay does not follow, and one that nothing answers", async () => {
    await using bench = new MqttBench();
    const twin = new TasmotaTwin(TOPIC);
    bench.board(twin);
    const driver = await bench.connect(CHARGER);
    twin.isLocked = true;
    await expect(bench.write(driver, "charger.enabled", false)).rejects.toMatchObject({
      kind: "rejected",
      message: "charger.enabled false: the relay says ON",
    });
    twin.isSilent = true;
    await expect(bench.write(driver, "charger.enabled", false)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is the same device after the broker restarted", async () => {
    await using bench = new MqttBench();
    bench.board(new TasmotaTwin(TOPIC));
    const driver = await bench.connect(CHARGER);
    bench.broker.stop();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(70_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 1_840.5 });
    await bench.write(driver, "charger.enabled", false);
  });

  it("reads a meter script, by the names that it has or is told", async () => {
    await using bench = new MqttBench();
    const twin = new TasmotaTwin(TOPIC);
    twin.script = {
      Total_in: 34_507.4761,
      Total_out: 14_737.1422,
      Power_curr: -894,
      P_kW: 1.5,
      Meter_number: "0901454d",
    };
    bench.board(twin);
    const driver = await bench.connect({ ...CHARGER, role: "meter" });
    await bench.pass(1_000);
    expect(await bench.read(driver)).toEqual({
      "meter.power": -894,
      "meter.energyImport": 34_507_476.1,
      "meter.energyExport": 14_737_142.2,
    });
    const named = await bench.connect({ ...CHARGER, role: "meter", points: { "hem.load": "SML.P_kW kW" } });
    expect(await bench.read(named)).toMatchObject({ "hem.load": 1_500 });
  });

  it("turns power and counters round when it is told to", async () => {
    await using bench = new MqttBench();
    const twin = new TasmotaTwin(TOPIC);
    twin.script = { Total_in: 1, Total_out: 2, Power_curr: -894 };
    bench.board(twin);
    const driver = await bench.connect({ ...CHARGER, role: "meter", invert: true });
    expect(await bench.read(driver)).toEqual({
      "meter.power": 894,
      "meter.energyImport": 2_000,
      "meter.energyExport": 1_000,
    });
  });

  it("asks for what is missing or wrong in its options", async () => {
    await using bench = new MqttBench();
    const { role: _role, ...unsaid } = CHARGER;
    await expect(bench.connect(unsaid)).rejects.toThrow("tasmota: role is missing");
    await expect(bench.connect({ ...CHARGER, prefix: "home" })).rejects.toThrow("prefix is the FullTopic");
    await expect(bench.connect({ ...CHARGER, points: { "charger.power": "SML.P kWh" } })).rejects.toThrow(
      "kWh does not measure charger.power",
    );
  });

  it("announces itself with its topic", () => {
    const config = {
      t: TOPIC,
      mac: "A4CF12345678",
      md: "NOUS A1T",
      sw: "13.1.0",
      dn: "Plug",
      ft: "home/%topic%/%prefix%/",
      rl: [1],
    };
    const heard = [
      { topic: "tasmota/discovery/A4CF12345678/config", text: JSON.stringify(config), isRetained: true },
      { topic: "tasmota/discovery/000000000000/config", text: "{", isRetained: true },
      { topic: "tasmota/discovery/A4CF12345678/sensors", text: "{}", isRetained: true },
    ];
    expect(tasmota.announcements?.sightings(heard)).toEqual([
      expect.objectContaining({
        key: "tasmota:a4cf12345678",
        roles: ["charger", "inverter", "meter", "hvac"],
        options: { bridge: "tasmota", topic: TOPIC, prefix: "home/%topic%/%prefix%/" },
      }),
    ]);
  });
});
