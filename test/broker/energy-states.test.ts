import { describe, expect, it } from "vitest";
import { setEnergy } from "../../src/broker/energy-commands.ts";
import { publishRetainedStates } from "../../src/broker/retained-states.ts";
import { batteryOptions, chargerOptions, type Home, makeHome } from "../engine/home.ts";
import { DeviceMessage } from "./home-assistant-rules.ts";

const URL = "mqtt://10.0.0.9";

async function start() {
  const home = makeHome(3);
  home.add("meter", { values: { "meter.power": 1_500 } });
  home.add("charger", chargerOptions());
  return await publish(home);
}

async function publish(home: Home) {
  const { engine, process } = await home.start();
  const { clock } = home.world;
  await clock.advance(6_000);
  const broker = home.world.mqtt.broker(URL);
  const link = process.platform.mqtt.connect({ url: URL });
  const { services, assets } = engine;
  const homeAssistant = { isEnabled: true, prefix: "homeassistant" };
  const { hemSystems } = services;
  const { log } = process.platform;
  const states = await clock.resolve(
    publishRetainedStates({ assets, hemSystems, energy: services, link, clock, log, homeAssistant }),
    60_000,
  );
  await clock.advance(1_000);
  const shown = (topic: string) => JSON.parse(broker.retained.get(topic) ?? "null");
  const id = assets.list("charger")[0]?.asset.id ?? "";
  return { engine, services, broker, clock, home, states, shown, id };
}

describe("states of the energy manager", () => {
  it("show the house: flows, limits and what its battery may do", async () => {
    const { shown, services, clock } = await start();
    expect(shown("hemgate/energy/site")).toMatchObject({
      isActive: false,
      gridKw: 1.5,
      batteryKw: null,
      importLimitKw: null,
      limits: [],
      batteryUse: { holdWhileFast: true },
      alarms: [],
    });
    await clock.resolve(services.siteConnections.update({ importKw: 11, fuseA: 35 }), 10_000);
    const port = services.energyLimits.port({ id: "guard", kind: "eebus", name: "Guard" });
    const limit = { isActive: true, watts: 4_200, durationMs: null } as const;
    const demand = { scope: "connection", limit, failsafeW: 4_200, failsafeMs: null } as const;
    await clock.resolve(port.set({ isHeartbeat: true, heartbeatLostMs: null, import: demand }), 10_000);
    await clock.advance(100);
    expect(shown("hemgate/energy/site")).toMatchObject({
      hasLimits: true,
      importLimitKw: 4.2,
      limits: [{ direction: "import", limit: 4.2 }],
      connection: { fuseA: 35, importKw: 11 },
    });
  });

  it("show the power of a device that is silent as unknown", async () => {
    const home = makeHome(6);
    const meter = home.add("meter", { values: { "meter.power": 1_500 } });
    const wallbox = home.add("charger", chargerOptions());
    const battery = home.add("battery", batteryOptions());
    battery.show("battery.power", 500);
    const { shown, clock, id, services } = await publish(home);
    const powers = () => {
      const { gridKw, batteryKw, chargersKw } = shown("hemgate/energy/site");
      return [gridKw, batteryKw, chargersKw, shown(`hemgate/energy/${id}`).powerKw];
    };
    await clock.advance(60_000);
    expect(powers()).toEqual([1.5, 0.5, 0, 0]);
    for (const device of [meter, wallbox, battery]) device.isUp = false;
    await clock.advance(30 * 60_000);
    expect(powers()).toEqual([null, null, null, null]);
    expect(services.energy.state().grid.ageSeconds).toBeGreaterThan(1_500);
    for (const device of [meter, wallbox, battery]) device.isUp = true;
    await clock.advance(10 * 60_000);
    expect(powers()).toEqual([1.5, 0.5, 0, 0]);
  });

  it("announce the battery's reserve and ceiling where a battery can be commanded, and show what is set", async () => {
    const topic = "homeassistant/device/hemgate_energy/config";
    const without = await start();
    expect(Object.keys(without.shown(topic).cmps)).not.toContain("minSoc");
    const home = makeHome(5);
    home.add("meter", { values: { "meter.power": 1_500 } });
    home.add("battery", batteryOptions());
    const { shown, services, clock } = await publish(home);
    const number = DeviceMessage.parse(shown(topic)).cmps.minSoc;
    expect(number).toMatchObject({ p: "number", command_topic: "hemgate/energy/site/minSoc/set", min: 0, max: 100 });
    const set = setEnergy(services, { id: "site", setting: "minSoc", payload: "15", nowMs: 0 });
    await clock.resolve(set, 10_000);
    await clock.advance(6_000);
    expect(shown("hemgate/energy/site").batteryUse).toMatchObject({ minSoc: 15, maxSoc: 100 });
  });

  it("show each device with its mode and what decides, and go with it", async () => {
    const { shown, services, clock, id, engine, broker } = await start();
    expect(shown(`hemgate/energy/${id}`)).toMatchObject({ id, mode: null, inCharge: "device" });
    await clock.resolve(services.energy.setPolicy(id, { mode: "OFF" }), 10_000);
    await clock.advance(6_000);
    expect(shown(`hemgate/energy/${id}`)).toMatchObject({
      mode: "OFF",
      inCharge: "energy",
      reason: { code: "mode-off", text: "The mode is off." },
    });
    await clock.resolve(engine.services.userRemovals.remove("home"), 60_000);
    await clock.advance(6_000);
    expect(broker.retained.has(`hemgate/energy/${id}`)).toBe(false);
  });

  it("show what is set for a device that the energy manager does not see, as in a house without a meter", async () => {
    const home = makeHome(7);
    home.add("charger", chargerOptions());
    const { shown, services, clock, id, engine, broker } = await publish(home);
    const set = async (setting: string, payload: string) => {
      await clock.resolve(setEnergy(services, { id, setting, payload, nowMs: 0 }), 10_000);
      await clock.advance(6_000);
      return shown(`hemgate/energy/${id}`);
    };
    expect(shown(`hemgate/energy/${id}`)).toMatchObject({ id, mode: null, policy: null, powerKw: null });
    expect(await set("mode", "SURPLUS")).toMatchObject({ mode: "SURPLUS" });
    expect(await set("priority", "7")).toMatchObject({ policy: { priority: 7 } });
    expect(await set("mode", "NONE")).toMatchObject({ mode: null, policy: null });
    await clock.resolve(engine.services.userRemovals.remove("home"), 60_000);
    await clock.advance(6_000);
    expect(broker.retained.has(`hemgate/energy/${id}`)).toBe(false);
  });

  it("show the number of phases that is set over MQTT for a charger", async () => {
    const { shown, services, clock, id } = await start();
    for (const [setting, payload] of [
      ["mode", "SURPLUS"],
      ["phases", "1"],
    ] as const)
      await clock.resolve(setEnergy(services, { id, setting, payload, nowMs: 0 }), 10_000);
    await clock.advance(6_000);
    expect(shown(`hemgate/energy/${id}`).policy).toMatchObject({ mode: "SURPLUS", phases: 1 });
    await clock.resolve(setEnergy(services, { id, setting: "phases", payload: "null", nowMs: 0 }), 10_000);
    await clock.advance(6_000);
    expect(shown(`hemgate/energy/${id}`).policy).toMatchObject({ phases: null });
  });

  it("are published again only when something changed", async () => {
    const { broker, clock } = await start();
    const count = () => broker.published.filter(({ topic }) => topic.startsWith("hemgate/energy/")).length;
    const before = count();
    await clock.advance(60_000);
    expect(count()).toBe(before);
  });

  it("show the limit of the controllable devices, the prices, and why there is no plan", async () => {
    const { shown, services, clock } = await start();
    const port = services.energyLimits.port({ id: "guard", kind: "client", name: "Guard" });
    const limit = { isActive: true, watts: 4_200, durationMs: null } as const;
    const demand = { scope: "controllable", limit, failsafeW: null, failsafeMs: null } as const;
    await clock.resolve(port.set({ isHeartbeat: false, heartbeatLostMs: null, import: demand }), 10_000);
    await clock.advance(100);
    expect(shown("hemgate/energy/site")).toMatchObject({
      controllableLimitKw: 4.2,
      importLimitKw: null,
      price: { importPrice: null, exportPrice: null, currency: "EUR" },
      plan: { isPlanned: false, text: services.energyPlans.view().whyNot?.text, from: null },
    });
  });

  it("give a heat pump, a heater and a plug their mode and power, and a thermostat none", async () => {
    const home = makeHome(4);
    home.add("meter", { values: { "meter.power": 1_500 } });
    const mode = { point: "hvac.mode", values: ["OFF", "AUTO", "HEAT"], holdMs: null, safeDefault: "AUTO" } as const;
    const power = { point: "hvac.maxPower", range: { min: 0, max: 3_000 }, holdMs: 10_000, safeDefault: 0 } as const;
    const heat = { point: "hvac.heatSetpoint", range: { min: 5, max: 25 }, holdMs: null, safeDefault: null } as const;
    home.add("pump", { values: { "hvac.mode": "AUTO" }, controls: [mode] });
    home.add("heater", { values: { "hvac.power": 0, "hvac.maxPower": 0 }, controls: [power] });
    home.add("thermostat", { values: { "hvac.mode": "AUTO", "hvac.heatSetpoint": 20 }, controls: [mode, heat] });
    const plugged = { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: null } as const;
    home.add("plug", {
      values: { "charger.state": "PLUGGED_IN:STOPPED", "charger.enabled": false },
      controls: [plugged],
    });
    const { engine, shown, clock } = await publish(home);
    const messages = [...engine.assets.list("hvac"), ...engine.assets.list("charger")].map(({ asset }) =>
      DeviceMessage.parse(shown(`homeassistant/device/hemgate_${asset.id}/config`)),
    );
    const withMode = messages.filter(({ cmps }) => "energyMode" in cmps);
    expect(withMode.length).toBe(3);
    expect(withMode.every(({ cmps }) => "energyPower" in cmps)).toBe(true);
    const heaterId = engine.assets.list("hvac").find(({ asset }) => asset.capabilities.capableModes === null)?.asset.id;
    await clock.resolve(
      setEnergy(engine.services, { id: heaterId ?? "", setting: "mode", payload: "SURPLUS", nowMs: 0 }),
      10_000,
    );
    await clock.resolve(
      setEnergy(engine.services, { id: heaterId ?? "", setting: "powerKw", payload: "2", nowMs: 0 }),
      10_000,
    );
    await clock.advance(6_000);
    expect(shown(`hemgate/energy/${heaterId}`)).toMatchObject({ mode: "SURPLUS", policy: { powerKw: 2 }, plan: null });
  });

  it("are announced to Home Assistant as a device of their own", async () => {
    const { shown } = await start();
    const message = DeviceMessage.parse(shown("homeassistant/device/hemgate_energy/config"));
    expect(message).toMatchObject({ state_topic: "hemgate/energy/site", dev: { name: "Energy manager" } });
  });
});
