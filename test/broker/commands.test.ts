import { describe, expect, it } from "vitest";
import { readSetting } from "../../src/broker/command-settings.ts";
import { takeCommands } from "../../src/broker/commands.ts";
import type { Config } from "../../src/config/config.ts";
import { batteryOptions, chargerOptions, makeHome } from "../engine/home.ts";

const URL = "mqtt://10.0.0.9";

type Scopes = NonNullable<Config["devices"][number]["scopes"]>;

async function start(
  limits = { commandsPerMinute: 60, commandsPerDevicePerMinute: 6 },
  scopes?: Scopes,
  hasMeter = true,
) {
  const home = makeHome(3);
  home.add("battery", batteryOptions());
  if (hasMeter) home.add("meter", { values: { "meter.power": 1_500 } });
  const charger = home.add("charger", chargerOptions());
  const devices = Object.keys(home.devices).map((id) => ({ id, adapter: "fake", owner: "home", scopes }));
  const { engine, process } = await home.start(scopes === undefined ? {} : { devices: devices as Config["devices"] });
  const { clock } = home.world;
  await clock.advance(5_000);
  const broker = home.world.mqtt.broker(URL);
  const link = process.platform.mqtt.connect({ url: URL });
  takeCommands({
    engine,
    audit: engine.services.audit,
    link,
    clock,
    log: process.platform.log,
    problemBase: "/problems",
    limits,
  });
  await clock.advance(1_000);
  const idOf = (kind: "battery" | "charger") => engine.assets.list(kind)[0]?.asset.id ?? "";
  const results = () =>
    broker.published
      .filter(({ topic }) => topic.endsWith("/result"))
      .map(({ topic, payload }) => ({ topic, ...JSON.parse(Buffer.from(payload).toString()) }));
  /** Sends a command and lets time pass; what came back. */
  const command = async (path: string, payload: string, isRetained = false) => {
    const before = results().length;
    const topic = `hemgate/${path}/set`;
    await broker.publish({ topic, payload: new TextEncoder().encode(payload), isRetained });
    await clock.advance(1_000);
    return results().slice(before);
  };
  return { home, engine, broker, charger, clock, idOf, command, results };
}

describe("commands of the energy manager over MQTT", () => {
  it("set the mode, the target and the priority of a charger, as the API does", async () => {
    const { command, idOf, engine } = await start();
    const id = idOf("charger");
    const [first] = await command(`energy/${id}/mode`, "SURPLUS");
    expect(first).toMatchObject({
      topic: `hemgate/energy/${id}/mode/set/result`,
      state: "CONFIRMED",
      energyDevice: { id, policy: { mode: "SURPLUS", priority: 50 } },
    });
    await command(`energy/${id}/priority`, "3");
    await command(`energy/${id}/targetEnergy`, "12.5");
    await command(`energy/${id}/targetTime`, "06:30");
    expect(engine.services.energy.device(id).policy).toMatchObject({
      mode: "SURPLUS",
      priority: 3,
      gridShare: 0,
      target: { kind: "WEEKLY", time: "06:30", weekdays: [0, 1, 2, 3, 4, 5, 6], soc: null, energyKwh: 12.5 },
    });
    const [last] = await command(`energy/${id}/mode`, "NONE");
    expect(last).toMatchObject({ state: "CONFIRMED", energyDevice: { policy: null } });
  });

  it("set the number of phases of a charger, and take it back with null", async () => {
    const { command, idOf, engine } = await start();
    const id = idOf("charger");
    await command(`energy/${id}/mode`, "SURPLUS");
    const [one] = await command(`energy/${id}/phases`, "1");
    expect(one).toMatchObject({ state: "CONFIRMED", energyDevice: { id, policy: { mode: "SURPLUS", phases: 1 } } });
    expect(engine.services.energy.device(id).policy?.phases).toBe(1);
    await command(`energy/${id}/phases`, "3");
    expect(engine.services.energy.device(id).policy?.phases).toBe(3);
    const [none] = await command(`energy/${id}/phases`, "null");
    expect(none).toMatchObject({ state: "CONFIRMED", energyDevice: { policy: { phases: null } } });
  });

  it("set what the house battery may do, and the contracted import", async () => {
    const { command, engine } = await start();
    await command("energy/site/priorityBelow", "40");
    await command("energy/site/holdWhileFast", "false");
    const [limited] = await command("energy/site/importKw", "11");
    expect(limited).toMatchObject({ state: "CONFIRMED", energySite: { importKw: 11 } });
    expect(engine.services.energy.batteryUse()).toMatchObject({
      ...{ holdWhileFast: false, priorityBelow: 40, supportAbove: 100 },
    });
    expect(engine.services.siteConnections.current().importKw).toBe(11);
    await command("energy/site/importKw", "null");
    expect(engine.services.siteConnections.current().importKw).toBeNull();
  });

  it("that arrive at the same time count in their order, each with what the one before it has set", async () => {
    const { command, idOf, engine, broker, clock } = await start();
    const id = idOf("charger");
    await command(`energy/${id}/mode`, "PLANNED");
    const sent = [
      ["targetEnergy", "12.5"],
      ["targetTime", "06:30"],
      ["targetSoc", "70"],
    ] as const;
    const payloadOf = (text: string) => new TextEncoder().encode(text);
    for (const [setting, text] of sent) {
      const topic = `hemgate/energy/${id}/${setting}/set`;
      void broker.publish({ topic, payload: payloadOf(text), isRetained: false });
    }
    await clock.advance(2_000);
    expect(engine.services.energy.device(id).policy?.target).toMatchObject({ time: "06:30", soc: 70, energyKwh: null });
  });

  it("that end the mode of a device are confirmed, also in a house without a meter at the grid", async () => {
    const { command, idOf, engine } = await start(undefined, undefined, false);
    const id = idOf("charger");
    expect(await command(`energy/${id}/mode`, "SURPLUS")).toMatchObject([{ state: "CONFIRMED" }]);
    expect(await command(`energy/${id}/mode`, "NONE")).toMatchObject([{ state: "CONFIRMED" }]);
    expect(() => engine.services.energy.device(id)).toThrow("knows no device");
  });

  it("of a level or an energy are not kept to a time that has passed: it is the usual one then", async () => {
    const { command, idOf, engine, clock } = await start();
    const id = idOf("charger");
    await command(`energy/${id}/mode`, "PLANNED");
    const by = new Date(clock.nowMs() + 60_000).toISOString();
    await command(`energy/${id}/target`, JSON.stringify({ kind: "ONCE", by, soc: 60, energyKwh: null }));
    await clock.advance(3 * 60_000);
    expect(await command(`energy/${id}/targetSoc`, "70")).toMatchObject([{ state: "CONFIRMED" }]);
    expect(engine.services.energy.device(id).policy?.target).toMatchObject({ kind: "WEEKLY", time: "07:00", soc: 70 });
  });

  it("set the battery's reserve and ceiling, and refuse one that leaves nothing between them", async () => {
    const { command, engine } = await start();
    await command("energy/site/minSoc", "20");
    await command("energy/site/maxSoc", "90");
    const [crossed] = await command("energy/site/minSoc", "95");
    expect(crossed).toMatchObject({ state: "REFUSED", problem: { type: "/problems/bad-request" } });
    expect(crossed?.problem.detail).toContain("Set minSoc below maxSoc.");
    expect(engine.services.energy.batteryUse()).toMatchObject({ minSoc: 20, maxSoc: 90 });
  });

  it.each([
    ["mode", "FASTER", "one of NONE, OFF, SURPLUS, MIN_SURPLUS, PLANNED, FAST."],
    ["priority", "0", "a whole number from 1 to 100"],
    ["phases", "2", "1 or 3, or null for as many as the power needs"],
    ["gridShare", "2", "a share from 0 to 1"],
    ["targetSoc", "101", "a number of percent from 1 to 100"],
    ["targetEnergy", "-1", "a number of kilowatt hours above 0"],
    ["targetTime", "25:00", "a time of day, such as 07:00"],
    ["target", '{"kind":"NEVER"}', "a target in JSON"],
  ])("of a device's %s with %s are refused, and say what to send", async (setting, payload, text) => {
    const { command, idOf, engine } = await start();
    const id = idOf("charger");
    const [result] = await command(`energy/${id}/${setting}`, payload);
    expect(result).toMatchObject({ state: "REFUSED", problem: { title: "Bad Request" } });
    expect(result?.problem.detail).toContain(text);
    expect(engine.services.energy.device(id).policy).toBeNull();
  });

  it.each([
    ["site/supportAbove", "101", "bad-request"],
    ["site/maxSoc", "101", "bad-request"],
    ["site/minSoc", "-1", "bad-request"],
    ["site/importKw", "-1", "bad-request"],
    ["site/importKw", "NaN", "bad-request"],
    ["site/fuseA", "63", "not-found"],
    ["site/toString", "1", "not-found"],
    ["00000000-0000-4000-8000-000000000000/mode", "OFF", "not-found"],
    ["nobody/mode", "OFF", "not-found"],
    ["site/importKw", "1".repeat(2_000), "payload-too-large"],
  ])("to %s with %s are refused", async (path, payload, slug) => {
    const { command } = await start();
    expect(await command(`energy/${path}`, payload)).toMatchObject([
      { state: "REFUSED", problem: { type: `/problems/${slug}` } },
    ]);
  });

  it("need the scope that the API needs, and a mode before anything else", async () => {
    const { command, idOf } = await start();
    const [early] = await command(`energy/${idOf("charger")}/priority`, "3");
    expect(early?.problem.detail).toBe("The device has no mode yet; send one.");
    const other = await start(undefined, ["charger:read:data"]);
    const [refused] = await other.command(`energy/${other.idOf("charger")}/mode`, "OFF");
    expect(refused).toMatchObject({ problem: { type: "/problems/forbidden" } });
  });

  it("are limited a device, the house being one", async () => {
    const { command } = await start({ commandsPerMinute: 10, commandsPerDevicePerMinute: 1 });
    await command("energy/site/priorityBelow", "40");
    expect(await command("energy/site/priorityBelow", "41")).toMatchObject([
      { problem: { type: "/problems/too-many-requests" } },
    ]);
  });
});

describe("commands over MQTT", () => {
  it("become actions, and tell what becomes of them", async () => {
    const { command, engine, idOf, results, clock } = await start();
    const id = idOf("battery");
    const [first] = await command(`battery/${id}/operationMode`, "IDLE");
    expect(first).toMatchObject({
      topic: `hemgate/battery/${id}/operationMode/set/result`,
      state: "PENDING",
      action: { targetId: id, targetState: { operationMode: "IDLE" } },
    });
    await clock.advance(30_000);
    expect(results().at(-1)).toMatchObject({ state: "CONFIRMED", action: { id: first?.action.id } });
    expect(engine.services.audit.list()).toMatchObject([
      { who: { kind: "mqtt" }, path: `hemgate/battery/${id}/operationMode/set`, outcome: "done" },
    ]);
  });

  it("reach the device", async () => {
    const { command, idOf, charger, clock } = await start();
    await command(`charger/${idOf("charger")}/maxCurrent`, "10");
    await clock.advance(30_000);
    expect(charger.values["charger.maxCurrent"]).toBe(10);
  });

  it.each([
    ["battery", "operationMode", "FASTER", "Bad Request"],
    ["charger", "maxCurrent", "1e9", "Bad Request"],
    ["charger", "maxCurrent", "-1", "Bad Request"],
    ["charger", "maxCurrent", "NaN", "Bad Request"],
    ["charger", "maxCurrent", "ten", "Bad Request"],
    ["charger", "charging", "STOP", "Bad Request"],
    ["charger", "colour", "red", "Not Found"],
    ["charger", "toString", "red", "Not Found"],
    ["charger", "maxCurrent", "1".repeat(2_000), "Payload Too Large"],
  ] as const)("to a %s's %s with %s are refused as the API refuses them", async (kind, setting, payload, title) => {
    const { command, idOf } = await start();
    const [result] = await command(`${kind}/${idOf(kind)}/${setting}`, payload);
    expect(result).toMatchObject({ state: "REFUSED", problem: { title } });
  });

  it.each([
    ["battery", "operationMode", "one of IMPORT_FOCUS, EXPORT_FOCUS, TIME_OF_USE, SELF_RELIANCE, IDLE."],
    ["charger", "maxCurrent", "a number of amperes above 0, such as 16."],
    ["charger", "chargeRateLimit", "a number of kilowatts above 0, such as 3.7, or null for no limit."],
    ["charger", "charging", "one of START, STOP."],
    ["hvac", "mode", "one of OFF, AUTO, COOL, HEAT."],
    ["hvac", "setpoint", "a number of degrees Celsius, such as 21."],
    ["hvac", "permanentHold", 'a hold in JSON, such as {"mode":"HEAT","heatSetpoint":21}.'],
    ["hvac", "followSchedule", "true."],
  ] as const)("to a %s's %s that do not fit say what to send, and repeat nothing", async (kind, setting, expected) => {
    const { engine } = await start();
    const asset = engine.assets.list("charger")[0]?.asset;
    if (asset === undefined) throw new Error("the house has a charger");
    for (const payload of ["hunter2", '"hunter2"', '{"password":"hunter2"}', "[", "\u001b", ""]) {
      const read = () => readSetting(kind, setting, payload, asset);
      expect(read, payload).toThrow(`The payload does not fit this setting; send ${expected}`);
    }
  });

  it("to nobody are refused", async () => {
    const { command } = await start();
    expect(await command("charger/nobody/maxCurrent", "10")).toMatchObject([
      { problem: { type: "/problems/not-found" } },
    ]);
    expect(await command("status/x/y", "10")).toMatchObject([{ problem: { type: "/problems/not-found" } }]);
  });

  it("that are kept are refused when they come out of the broker's memory, and taken away", async () => {
    const { home, idOf, broker, results, clock, engine } = await start();
    const topic = `hemgate/charger/${idOf("charger")}/maxCurrent/set`;
    broker.stop();
    await broker.publish({ topic, payload: new TextEncoder().encode("10"), isRetained: true });
    broker.start();
    await clock.advance(61_000);
    expect(results()).toMatchObject([{ state: "REFUSED", problem: { title: "Bad Request" } }]);
    expect(broker.retained.has(topic)).toBe(false);
    expect(engine.actions.pendingOf(idOf("charger"))).toBeNull();
    expect(home.devices["charger"]?.values["charger.maxCurrent"]).toBe(16);
  });

  it("are limited a device and in all", async () => {
    const { command, idOf } = await start({ commandsPerMinute: 3, commandsPerDevicePerMinute: 2 });
    const titles = [];
    for (const [kind, setting, payload] of [
      ["charger", "maxCurrent", "10"],
      ["charger", "maxCurrent", "11"],
      ["charger", "maxCurrent", "12"],
      ["battery", "operationMode", "IDLE"],
      ["battery", "operationMode", "SELF_RELIANCE"],
    ] as const) {
      const result = await command(`${kind}/${idOf(kind)}/${setting}`, payload);
      titles.push(result.some(({ problem }) => problem?.title === "Too Many Requests"));
    }
    expect(titles).toEqual([false, false, true, false, true]);
  });
});
