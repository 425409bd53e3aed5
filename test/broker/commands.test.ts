import { describe, expect, it } from "vitest";
import { readSetting } from "../../src/broker/command-settings.ts";
import { takeCommands } from "../../src/broker/commands.ts";
import { batteryOptions, chargerOptions, makeHome } from "../engine/home.ts";

const URL = "mqtt://10.0.0.9";

async function start(limits = { commandsPerMinute: 60, commandsPerDevicePerMinute: 6 }) {
  const home = makeHome(3);
  home.add("battery", batteryOptions());
  const charger = home.add("charger", chargerOptions());
  const { engine, process } = await home.start();
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
