import { describe, expect, it } from "vitest";
import { zigbee2mqtt } from "../../firmware-bridges/zigbee2mqtt/zigbee2mqtt.ts";
import { Zigbee2MqttTwin, type ZigbeeTwinDevice, zigbeeNumber, zigbeeSwitch } from "../twins/firmware/zigbee2mqtt.ts";
import { MqttBench } from "./bench.ts";

const PLUG = { bridge: "zigbee2mqtt", topic: "garage/plug", role: "charger" } as const;
const THERMOSTAT = { bridge: "zigbee2mqtt", topic: "living room" };

function plug(): ZigbeeTwinDevice {
  return {
    name: "garage/plug",
    gettable: ["power", "state"],
    exposes: [
      zigbeeSwitch(),
      zigbeeNumber("power", "W"),
      zigbeeNumber("energy", "kWh"),
      zigbeeNumber("voltage", "V"),
      zigbeeNumber("current", "A"),
      { type: "numeric", property: "countdown", access: 3, unit: "s" },
    ],
    state: { state: "ON", power: 2_047.1, energy: 12.34, voltage: 231, current: 8.9 },
  };
}

function thermostat(): ZigbeeTwinDevice {
  const setpoint = {
    ...zigbeeNumber("occupied_heating_setpoint", "°C", 7),
    value_min: 5,
    value_max: 30,
    value_step: 0.5,
  };
  const features = [
    setpoint,
    zigbeeNumber("local_temperature", "°C"),
    { type: "enum", property: "system_mode", access: 7, values: ["off", "auto", "heat", "sleep"] },
    { type: "enum", property: "running_state", access: 1, values: ["idle", "heat"] },
  ];
  return {
    name: "living room",
    powerSource: "Battery",
    exposes: [{ type: "climate", features }, zigbeeNumber("battery", "%", 1)],
    state: {
      occupied_heating_setpoint: 21.5,
      local_temperature: 20.4,
      system_mode: "heat",
      running_state: "heat",
      battery: 80,
    },
  };
}

describe("a plug behind Zigbee2MQTT", () => {
  it("is known by its exposes, asked, and read in their units", async () => {
    await using bench = new MqttBench();
    bench.board(new Zigbee2MqttTwin(plug()));
    const driver = await bench.connect(PLUG);
    expect(driver.identity).toMatchObject({ manufacturer: "Tuya", model: "TS011F", name: "garage/plug" });
    expect(await bench.read(driver)).toEqual({
      "charger.power": 2_047.1,
      "charger.energy": 12_340,
      "charger.voltage.l1": 231,
      "charger.current.l1": 8.9,
      "charger.enabled": true,
      "charger.state": "PLUGGED_IN:CHARGING",
    });
  });

  it("is switched when its state comes again, refused by the log, and lost in silence", async () => {
    await using bench = new MqttBench();
    const device = plug();
    const twin = new Zigbee2MqttTwin(device);
    bench.board(twin);
    const driver = await bench.connect(PLUG);
    await bench.write(driver, "charger.enabled", false);
    expect(device.state["state"]).toBe("OFF");
    expect(await bench.read(driver)).toMatchObject({ "charger.enabled": false });
    expect(bench.broker.retained.has("zigbee2mqtt/garage/plug/set")).toBe(false);
    device.isReachable = false;
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("no response"),
    });
    twin.isDeaf = true;
    await expect(bench.write(driver, "charger.enabled", true)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("is gone when it answers no more, by its availability, and with Zigbee2MQTT", async () => {
    await using bench = new MqttBench();
    const device = plug();
    const board = bench.board(new Zigbee2MqttTwin(device));
    const driver = await bench.connect(PLUG);
    await bench.read(driver);
    device.isReachable = false;
    for (let turn = 0; turn < 10; turn += 1) {
      await bench.pass(10_000);
      if (turn < 8) await bench.read(driver, "due");
    }
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    device.isReachable = true;
    await bench.publish("zigbee2mqtt/garage/plug/availability", '{"state":"offline"}', true);
    await expect(bench.read(driver)).rejects.toThrow("Zigbee2MQTT says that it is offline");
    await bench.publish("zigbee2mqtt/garage/plug/availability", "online", true);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 2_047.1 });
    board.pull();
    await bench.pass(100);
    await expect(bench.read(driver)).rejects.toThrow("Zigbee2MQTT is offline");
  });

  it("takes no remembered state for power that flows now", async () => {
    await using bench = new MqttBench();
    const device = plug();
    device.isReachable = false;
    bench.board(new Zigbee2MqttTwin(device));
    await bench.publish("zigbee2mqtt/garage/plug", '{"power":1800,"state":"ON"}', true);
    const driver = await bench.connect(PLUG);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": null, "charger.enabled": true });
  });

  it("comes back after a restart of the broker", async () => {
    await using bench = new MqttBench();
    bench.board(new Zigbee2MqttTwin(plug()));
    const driver = await bench.connect(PLUG);
    bench.broker.stop();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    bench.broker.start();
    await bench.pass(60_000);
    expect(await bench.read(driver)).toMatchObject({ "charger.power": 2_047.1 });
  });

  it("shows as nothing what stays the same while other values move", async () => {
    await using bench = new MqttBench();
    const device = plug();
    bench.board(new Zigbee2MqttTwin(device));
    const driver = await bench.connect(PLUG);
    for (let turn = 0; turn < 30; turn += 1) {
      device.state = { ...device.state, voltage: 230 + (turn % 5) / 10 };
      await bench.pass(30_000);
      await bench.read(driver, "due");
    }
    expect(await bench.read(driver)).toMatchObject({ "charger.power": null, "charger.voltage.l1": 230.4 });
  });

  it("asks for its role, and says when there is no such device", async () => {
    await using bench = new MqttBench();
    const twin = new Zigbee2MqttTwin(plug());
    bench.board(twin);
    await expect(bench.connect({ ...PLUG, topic: "attic" })).rejects.toThrow(
      "attic is not one of Zigbee2MQTT's devices",
    );
    const board = bench.board(twin);
    const driver = await bench.connect(PLUG);
    await expect(bench.connect({ bridge: "zigbee2mqtt", topic: "garage/plug" })).rejects.toThrow("role is missing");
    twin.devices.length = 0;
    twin.list(board.say);
    await bench.pass(100);
    await expect(bench.read(driver)).rejects.toThrow("Zigbee2MQTT has no device garage/plug");
  });
});

describe("meters behind Zigbee2MQTT", () => {
  const phases = (names: readonly string[]): object[] => names.map((name) => zigbeeNumber(name, "W", 1));

  it("adds up phases where the plain name is the first one's", async () => {
    await using bench = new MqttBench();
    const device: ZigbeeTwinDevice = {
      name: "meter",
      exposes: [
        ...phases(["power", "power_phase_b", "power_phase_c"]),
        zigbeeNumber("energy", "Wh", 1),
        zigbeeNumber("produced_energy", "kWh", 1),
        zigbeeNumber("current", "bananas", 1),
      ],
      state: { power: 100, power_phase_b: -250, power_phase_c: 30.5, energy: 1_000, produced_energy: 2, current: 1 },
    };
    const twin = new Zigbee2MqttTwin(device);
    const board = bench.board(twin);
    const driver = await bench.connect({ bridge: "zigbee2mqtt", topic: "meter", role: "meter" });
    twin.report(device, board.say);
    await bench.pass(100);
    expect(await bench.read(driver)).toEqual({
      "meter.power": -119.5,
      "meter.power.l1": 100,
      "meter.power.l2": -250,
      "meter.power.l3": 30.5,
      "meter.energyImport": 1_000,
      "meter.energyExport": 2_000,
    });
  });

  it("reads one gang of several", async () => {
    await using bench = new MqttBench();
    const device: ZigbeeTwinDevice = {
      name: "strip",
      exposes: [
        zigbeeSwitch("state_l1"),
        zigbeeSwitch("state_l2"),
        ...phases(["power_l1", "power_l2"]),
        zigbeeNumber("voltage", "V", 1),
      ],
      state: { state_l1: "ON", state_l2: "OFF", power_l1: 900, power_l2: 0, voltage: 230 },
    };
    const twin = new Zigbee2MqttTwin(device);
    const board = bench.board(twin);
    const driver = await bench.connect({ bridge: "zigbee2mqtt", topic: "strip", role: "charger", channel: 1 });
    twin.report(device, board.say);
    await bench.pass(100);
    expect(await bench.read(driver)).toEqual({
      "charger.power": 0,
      "charger.voltage.l1": 230,
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
    });
    await bench.write(driver, "charger.enabled", true);
    expect(device.state).toMatchObject({ state_l1: "ON", state_l2: "ON" });
  });
});

describe("a thermostat behind Zigbee2MQTT", () => {
  it("is read without a question, as it sleeps, and told its setpoint and mode", async () => {
    await using bench = new MqttBench();
    const device = thermostat();
    const twin = new Zigbee2MqttTwin(device);
    const board = bench.board(twin);
    const driver = await bench.connect(THERMOSTAT);
    expect(driver.identity).toMatchObject({ category: "HEATING" });
    twin.report(device, board.say);
    await bench.pass(600_000);
    expect(await bench.read(driver)).toEqual({
      "hvac.temperature": 20.4,
      "hvac.heatSetpoint": 21.5,
      "hvac.mode": "HEAT",
      "hvac.isActive": true,
    });
    expect(bench.published("zigbee2mqtt/living room/get")).toEqual([]);
    expect(driver.controls).toEqual([
      { point: "hvac.heatSetpoint", range: { min: 5, max: 30 }, holdMs: null, safeDefault: "as-found" },
      { point: "hvac.mode", values: ["OFF", "AUTO", "HEAT"], holdMs: null, safeDefault: "as-found" },
    ]);
    await bench.write(driver, "hvac.heatSetpoint", 19);
    await bench.write(driver, "hvac.mode", "OFF");
    expect(device.state).toMatchObject({ occupied_heating_setpoint: 19, system_mode: "off" });
    await expect(bench.write(driver, "hvac.heatSetpoint", 31)).rejects.toThrow("does not take 31");
    await bench.pass(3_700_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
  });
});

it("announces what measures power or heats, and no lamp", () => {
  const list = [
    { friendly_name: "Coordinator", type: "Coordinator" },
    { friendly_name: "plug", ieee_address: "0x1", definition: { exposes: plug().exposes } },
    { friendly_name: "living room", ieee_address: "0x2", definition: { exposes: thermostat().exposes } },
    { friendly_name: "lamp", ieee_address: "0x3", definition: { exposes: [zigbeeSwitch()] } },
    { friendly_name: "unknown", definition: null },
    "nonsense",
  ];
  const heard = [
    { topic: "home/z2m/bridge/devices", text: JSON.stringify(list), isRetained: true },
    { topic: "zigbee2mqtt/bridge/devices", text: "{", isRetained: true },
  ];
  expect(zigbee2mqtt.announcements?.sightings(heard)).toMatchObject([
    { key: "zigbee2mqtt:0x1", roles: ["charger", "inverter", "hvac", "meter"], options: { prefix: "home/z2m" } },
    { key: "zigbee2mqtt:0x2", roles: ["hvac"], confidence: 0.9 },
  ]);
});
