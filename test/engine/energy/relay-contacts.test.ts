import { describe, expect, test } from "vitest";
import { GridLimitsConfig } from "../../../src/config/grid-limits-config.ts";
import { makeHome, type Run } from "../home.ts";

const BROKER = { url: "mqtt://10.0.0.9" };
const S = 1_000;

/** A house with a control box whose contacts W3, S1 and W4 are published over MQTT. */
function boxHome(change: object = {}) {
  const home = makeHome(1, {
    broker: BROKER,
    connection: { panelsKw: 10 },
    gridLimits: GridLimitsConfig.parse({
      controllable: [
        { device: "wallbox", kind: "charger", kw: 11 },
        { device: "second", kind: "charger", kw: 11 },
      ],
      contacts: {
        alive: "box/online",
        inputs: { W3: { topic: "box/w3" }, S1: { topic: "box/s1" }, W4: { topic: "box/w4", path: "state" } },
      },
      ...change,
    }),
  });
  const broker = home.world.mqtt.broker(BROKER.url);
  const send = async (topic: string, text: string) => {
    await broker.publish({ topic, payload: Buffer.from(text), isRetained: false });
    await home.world.clock.advance(10);
  };
  return { home, send };
}

function active(run: Run): readonly unknown[] {
  return run.engine.services.energyLimits.active().map(({ direction, scope, watts }) => [direction, scope, watts]);
}

function warnings(run: Run): readonly string[] {
  const sources = run.engine.services.energyLimits.sources();
  return sources.find(({ id }) => id === "contacts")?.warnings ?? [];
}

const DIMMED = ["import", "controllable", 7_560];

/** The same box at the inputs of a device that the gateway reads, W4 wired so that a broken wire limits. */
function inputHome() {
  const home = makeHome(1, {
    connection: { panelsKw: 10 },
    gridLimits: GridLimitsConfig.parse({
      controllable: [{ device: "wallbox", kind: "charger", kw: 11 }],
      contacts: {
        inputs: {
          W3: { device: "io", point: "contact.1" },
          W4: { device: "io", point: "contact.2", closedWhen: false },
        },
      },
    }),
  });
  const io = home.add("io", { values: { "contact.1": false, "contact.2": true }, pollMs: 2 * S });
  return { home, io };
}

describe("relay contacts at the inputs of a device", () => {
  test("count as dimmed until they are read, and then as they are", async () => {
    const { home, io } = inputHome();
    const run = await home.start();
    expect(active(run)).toEqual([["import", "controllable", 4_200]]);
    await home.world.clock.advance(5 * S);
    expect(active(run)).toEqual([]);
    io.show("contact.2", false);
    await home.world.clock.advance(5 * S);
    expect(active(run)).toEqual([["import", "controllable", 4_200]]);
    io.show("contact.2", true);
    io.show("contact.1", true);
    await home.world.clock.advance(5 * S);
    expect(active(run)).toEqual([["export", "connection", 0]]);
    await run.close();
  });

  test("a device that does not answer for 30 s counts as dimmed, and keeps the feed-in as it was", async () => {
    const { home, io } = inputHome();
    const run = await home.start();
    io.show("contact.1", true);
    await home.world.clock.advance(5 * S);
    expect(active(run)).toEqual([["export", "connection", 0]]);
    io.isUp = false;
    await home.world.clock.advance(20 * S);
    expect(active(run)).toEqual([["export", "connection", 0]]);
    await home.world.clock.advance(20 * S);
    expect(active(run)).toEqual([
      ["export", "connection", 0],
      ["import", "controllable", 4_200],
    ]);
    io.isUp = true;
    await home.world.clock.advance(2 * 60 * S);
    expect(active(run)).toEqual([["export", "connection", 0]]);
    await run.close();
  });

  test("an input that the device cannot tell, and a device that is not there, count as dimmed", async () => {
    const { home, io } = inputHome();
    io.show("contact.2", null);
    const run = await home.start();
    await home.world.clock.advance(60 * S);
    expect(active(run)).toEqual([["import", "controllable", 4_200]]);
    expect(warnings(run)).toEqual(["W4 is not known: device io shows no contact.2; the contacts count as dimmed"]);
    io.show("contact.2", true);
    await home.world.clock.advance(5 * S);
    expect([active(run), warnings(run)]).toEqual([[], []]);
    await run.close();
  });
});

describe("relay contacts over MQTT", () => {
  test("count as dimmed until they are read, then as they are, in time and with the power that § 14a leaves", async () => {
    const { home, send } = boxHome();
    const run = await home.start();
    expect(active(run)).toEqual([DIMMED]);
    await home.world.clock.advance(S);
    for (const topic of ["box/w3", "box/s1"]) await send(topic, "0");
    await send("box/w4", '{"state":false}');
    expect(active(run)).toEqual([]);
    await send("box/w4", '{"state":true}');
    expect(active(run)).toEqual([]);
    await home.world.clock.advance(S);
    expect(active(run)).toEqual([DIMMED]);
    await run.close();
  });

  test("W3 before S1: a feed-in of 0 %, and 60 % of the peak power once W3 opens", async () => {
    const { home, send } = boxHome();
    const run = await home.start();
    await home.world.clock.advance(S);
    await send("box/w4", '{"state":0}');
    await send("box/w3", "ON");
    await send("box/s1", "1");
    expect(active(run)).toEqual([["export", "connection", 0]]);
    await send("box/w3", "off");
    await home.world.clock.advance(S);
    expect(active(run)).toEqual([["export", "connection", 6_000]]);
    await run.close();
  });

  test("a box that is silent for 30 s counts as dimmed, and its sign of life keeps it", async () => {
    const { home, send } = boxHome();
    const run = await home.start();
    await home.world.clock.advance(S);
    for (const topic of ["box/w3", "box/s1"]) await send(topic, "0");
    await send("box/w4", '{"state":false}');
    for (let round = 0; round < 5; round += 1) {
      await home.world.clock.advance(20 * S);
      await send("box/online", "true");
      expect(active(run)).toEqual([]);
    }
    await home.world.clock.advance(31 * S);
    expect(active(run)).toEqual([DIMMED]);
    expect(warnings(run)).toEqual([
      "W3 is not known: nothing comes at box/w3; the contacts count as dimmed",
      "S1 is not known: nothing comes at box/s1; the contacts count as dimmed",
      "W4 is not known: nothing comes at box/w4; the contacts count as dimmed",
    ]);
    const records = run.engine.services.energyLimits.limitations();
    expect(records.map(({ sourceName, state }) => [sourceName, state])).toContainEqual(["Relay contacts", "failsafe"]);
    await run.close();
  });

  test("a closed feed-in contact still limits after a restart, before it is read again", async () => {
    const { home, send } = boxHome();
    const first = await home.start();
    await home.world.clock.advance(S);
    await send("box/w3", "1");
    await home.world.clock.advance(S);
    await first.close();
    const run = await home.start();
    expect(active(run)).toEqual([DIMMED, ["export", "connection", 0]]);
    await run.close();
  });

  test("what the broker has kept of a box that is gone is no sign of its life, after a start", async () => {
    const { home } = boxHome();
    const broker = home.world.mqtt.broker(BROKER.url);
    const kept = async (topic: string, text: string) =>
      await broker.publish({ topic, payload: Buffer.from(text), isRetained: true });
    await kept("box/w3", "1");
    await kept("box/s1", "0");
    await kept("box/w4", '{"state":false}');
    await kept("box/online", "true");
    const run = await home.start();
    await home.world.clock.advance(5 * S);
    expect(active(run)).toEqual([DIMMED, ["export", "connection", 0]]);
    await broker.publish({ topic: "box/online", payload: Buffer.from("true"), isRetained: false });
    await home.world.clock.advance(S);
    expect(active(run)).toEqual([["export", "connection", 0]]);
    await run.close();
  });

  test.each(["", "unavailable", "unknown", "NULL"])("a value %j says nothing of a contact", async (text) => {
    const { home, send } = boxHome();
    const run = await home.start();
    await home.world.clock.advance(S);
    for (const topic of ["box/w3", "box/s1"]) await send(topic, "0");
    await send("box/w4", '{"state":true}');
    await send("box/w3", "1");
    await home.world.clock.advance(S);
    await send("box/w3", text);
    await send("box/w4", JSON.stringify({ state: text }));
    await home.world.clock.advance(S);
    expect(active(run)).toEqual([DIMMED, ["export", "connection", 0]]);
    await run.close();
  });

  test("chatter of W4, five changes in a second, is one limitation", async () => {
    const { home, send } = boxHome();
    const run = await home.start();
    await home.world.clock.advance(S);
    for (const topic of ["box/w3", "box/s1"]) await send(topic, "0");
    await send("box/w4", '{"state":false}');
    const before = run.engine.services.energyLimits.limitations().length;
    for (let round = 0; round < 5; round += 1) {
      await send("box/w4", JSON.stringify({ state: round % 2 === 0 }));
      await home.world.clock.advance(190);
    }
    await home.world.clock.advance(S);
    expect([active(run), run.engine.services.energyLimits.limitations().length - before]).toEqual([[DIMMED], 1]);
    await run.close();
  });
});

test("without a broker the contacts count as dimmed, and the log says why", async () => {
  const home = makeHome(1, {
    gridLimits: GridLimitsConfig.parse({ contacts: { dimKw: 5, inputs: { W4: { topic: "box/w4" } } } }),
  });
  const run = await home.start();
  expect(active(run)).toEqual([["import", "controllable", 5_000]]);
  await run.close();
});
