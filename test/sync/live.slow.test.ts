import { describe, expect, test } from "vitest";
import type { LiveStream } from "../../src/engine/contracts/live.ts";
import { batteryOptions, makeHome } from "../engine/home.ts";
import { ask, MINUTE, names, open, openLive, parse, SECOND, type Sent, stateOf, take } from "./live-house.ts";

describe("a first stream", () => {
  test("begins with the state of everything, and says when that is complete", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const sent = take(open(house));
    expect(sent[0]).toEqual({
      name: "snapshot",
      id: null,
      data: { reason: "start", version: "2024-10-01", assets: 2 },
    });
    expect(names(sent).slice(1, -1).toSorted()).toEqual(["user:battery:current", "user:charger:current"]);
    expect(sent[1]?.data).toMatchObject({ createdAt: expect.any(String), version: "2024-10-01", user: { id: "home" } });
    expect(sent.find(({ data }) => data["event"] === "user:battery:current")?.data["battery"]).toEqual(
      house.run.engine.assets.list("battery")[0]?.asset,
    );
    expect(sent.at(-1)).toMatchObject({ name: "live", id: expect.stringMatching(/^1-\d+$/) });
    // No place to go on from before the state is complete.
    for (const { id } of sent.slice(0, -1)) expect(id).toBeNull();
  });

  test("has the house as a whole in it, unless only some kinds are asked for", async () => {
    await using house = await openLive();
    await house.pass(MINUTE);
    const [entry] = house.run.engine.services.hemSystems.list();
    const texts = (stream: LiveStream) => Array.from({ length: 10 }, () => stream.next() ?? "").join("");
    expect(texts(open(house))).toContain(
      `"event":"user:hem-system:current","user":{"id":"home"},"hemSystem":{"id":"${entry?.system.id}"`,
    );
    expect(texts(open(house, { kinds: ["battery"] }))).not.toContain("hem-system:current");
  });

  test("tells what the house uses, at once and as it changes, until it cannot be known any more", async () => {
    const home = makeHome();
    const meter = home.add("meter", { values: { "meter.power": 1_500 } });
    home.add("battery", batteryOptions());
    await using house = await openLive(home);
    await house.pass(10 * SECOND);
    const stream = open(house);
    const powers = (): readonly unknown[] => {
      const sent: Sent[] = [];
      for (let text = stream.next(); text !== null; text = stream.next()) {
        if (text.includes('"user:hem-system:power"')) sent.push(parse(text));
      }
      return sent.map(({ data }) => data["power"]);
    };
    const [entry] = house.run.engine.services.hemSystems.list();
    const known = { grid: 1.5, generation: null, battery: -1.234, load: 2.734, unit: "kW", loadFrom: "balance" };
    expect(powers()).toEqual([{ ...known, lastUpdated: expect.any(String) }]);
    expect(house.run.engine.services.housePowers.list()).toMatchObject([
      { hemSystemId: entry?.system.id, userId: "home", loadW: 2_734 },
    ]);
    meter.show("meter.power", 900);
    await house.pass(6 * SECOND);
    expect(powers()).toMatchObject([{ grid: 0.9, load: 2.134 }]);
    await house.pass(MINUTE);
    // What stays the same comes again while it is measured; a reader that did not look gets the newest.
    expect(powers()).toMatchObject([{ grid: 0.9, load: 2.134 }]);
    meter.isUp = false;
    await house.pass(2 * MINUTE);
    expect(powers()).toMatchObject([{ grid: null, battery: -1.234, load: null, loadFrom: null }]);
  });

  test("has no power of a house that is gone", async () => {
    await using house = await openLive();
    await house.pass(MINUTE);
    const texts = (): string => Array.from({ length: 10 }, () => stream.next() ?? "").join("");
    let stream = open(house);
    expect(texts()).toContain("user:hem-system:power");
    const { userRemovals } = house.run.engine.services;
    await house.home.world.clock.resolve(userRemovals.remove("home"), MINUTE);
    await house.pass(MINUTE);
    stream = open(house);
    expect(texts()).not.toContain("user:hem-system:power");
  });

  test("then tells each change with its fields, at the devices' pace", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const stream = open(house);
    take(stream);
    await house.pass(10 * SECOND);
    // Stamps of freshness move with every reading, and are no news.
    expect(take(stream)).toEqual([]);
    house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
    house.home.devices["battery"]?.show("battery.soc", 60);
    await house.pass(2 * SECOND);
    const sent = take(stream);
    expect(sent.map(({ data }) => [data["event"], data["updatedFields"]]).toSorted()).toEqual([
      ["user:battery:updated", ["chargeState.batteryLevel"]],
      ["user:charger:updated", ["chargeState.isPluggedIn", "chargeState.powerDeliveryState"]],
    ]);
    expect(sent.every(({ id }) => id !== null)).toBe(true);
  });

  test("tells a new asset as discovered, and actions as they go", async () => {
    await using house = await openLive();
    const stream = open(house);
    take(stream);
    await house.pass(3 * SECOND);
    expect(names(take(stream)).toSorted()).toEqual(["user:battery:discovered", "user:charger:discovered"]);
    const id = house.run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const starting = house.run.engine.actions.start(id, { targetType: "charger", kind: "START" });
    await house.home.world.clock.resolve(starting, 10 * SECOND);
    const begun = take(stream).filter(({ data }) => "vendorAction" in data);
    expect(begun).toMatchObject([
      { data: { event: "user:vendor-action:updated", vendorAction: { state: "PENDING" } } },
    ]);
    await house.pass(5 * SECOND);
    const ended = take(stream).filter(({ data }) => "vendorAction" in data);
    // `updatedAt` is among them unless the device follows within the same millisecond.
    const updatedFields = expect.arrayContaining(["completedAt", "state"]);
    expect(ended).toMatchObject([{ data: { vendorAction: { state: "CONFIRMED" }, updatedFields } }]);
  });

  test("shows an action that is under way", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const charger = house.home.devices["charger"];
    if (charger !== undefined) charger.onWrite = () => undefined;
    const id = house.run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const starting = house.run.engine.actions.start(id, { targetType: "charger", kind: "START" });
    const { id: actionId } = await house.home.world.clock.resolve(starting, 10 * SECOND);
    const sent = take(open(house));
    expect(sent.find(({ data }) => data["event"] === "user:vendor-action:current")?.data).toMatchObject({
      vendorAction: { id: actionId, state: "PENDING" },
    });
  });

  test("tells what the journal tells beside assets and actions", async () => {
    await using house = await openLive();
    const stream = open(house);
    take(stream);
    const payload = {
      user: { id: "home" },
      schedule: { id: "s", targetType: "charger" },
      status: {},
      updatedFields: [],
    };
    const writing = house.run.store.commit([], [{ event: "user:schedule:execution-updated", payload }]);
    await house.home.world.clock.resolve(writing, SECOND);
    await house.pass(SECOND);
    expect(take(stream).at(-1)).toMatchObject({
      data: { event: "user:schedule:execution-updated", schedule: { id: "s" } },
    });
  });
});

describe("a filter", () => {
  test("of kinds leaves out the others, their actions and schedules too", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const stream = open(house, { kinds: ["battery"] });
    expect(names(take(stream))).toEqual(["snapshot", "user:battery:current", "live"]);
    const id = house.run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const starting = house.run.engine.actions.start(id, { targetType: "charger", kind: "START" });
    await house.home.world.clock.resolve(starting, 10 * SECOND);
    await house.pass(5 * SECOND);
    expect(take(stream)).toEqual([]);
  });

  test("of a user leaves out what belongs to others", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    expect(names(take(open(house, { userId: "home" })))).toHaveLength(4);
    expect(names(take(open(house, { userId: "somebody" })))).toEqual(["snapshot", "live"]);
  });

  test("leaves out users whose authorization was deleted", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const stream = open(house);
    take(stream);
    house.deauthorized.add("home");
    house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
    await house.pass(2 * SECOND);
    expect(take(stream)).toEqual([]);
  });
});

describe("a slow reader", () => {
  test("gets the newest state of each device, and waits with a list of them, not of their changes", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const slow = open(house);
    take(slow);
    const fast = open(house);
    take(fast);
    let told = 0;
    for (let second = 0; second < 300; second += 1) {
      house.home.devices["battery"]?.show("battery.soc", second / 10);
      await house.pass(SECOND);
      told += take(fast).length;
    }
    expect(told).toBeGreaterThan(250);
    const sent = take(slow);
    expect(sent.map(({ data }) => data["event"])).toEqual(["user:battery:updated"]);
    expect(sent[0]?.data["battery"]).toEqual(house.run.engine.assets.list("battery")[0]?.asset);
  });

  test("that missed what passed gets a new snapshot, marked as such", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const slow = open(house);
    take(slow);
    const entries = Array.from({ length: 1_200 }, (_unused, n) => ({
      event: "user:credentials:invalidated",
      payload: { user: { id: "home" }, vendor: `V${n}` },
    }));
    await house.home.world.clock.resolve(house.run.store.commit([], entries), SECOND);
    await house.pass(SECOND);
    const sent = take(slow);
    expect(sent[0]).toMatchObject({ name: "snapshot", data: { reason: "expired", assets: 2 } });
    expect(names(sent).slice(-1)).toEqual(["live"]);
  });
});

describe("a reader that comes back", () => {
  test("gets what changed since, and nothing else", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const first = open(house);
    const lastEventId = take(first).at(-1)?.id ?? null;
    first[Symbol.dispose]();
    house.home.devices["battery"]?.show("battery.soc", 61);
    const starting = house.run.store.commit(
      [],
      [{ event: "user:credentials:invalidated", payload: { user: { id: "home" }, vendor: "SMA" } }],
    );
    await house.home.world.clock.resolve(starting, SECOND);
    await house.pass(2 * SECOND);
    const sent = take(open(house, { lastEventId }));
    expect(names(sent)).not.toContain("snapshot");
    expect(sent.find(({ data }) => "battery" in data)?.data).toMatchObject({
      event: "user:battery:current",
      battery: { chargeState: { batteryLevel: 61 } },
    });
    expect(names(sent)).toContain("user:credentials:invalidated");
  });

  test("at any place of its stream misses nothing", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const whole = open(house);
    const sent = [...take(whole)];
    for (let step = 0; step < 60; step += 1) {
      house.home.devices["battery"]?.show("battery.soc", step);
      if (step % 3 === 0) {
        house.home.devices["charger"]?.show("charger.state", step % 2 === 0 ? "UNPLUGGED" : "PLUGGED_IN:STOPPED");
      }
      await house.pass(1_500);
      // This reader takes one message a step, so it is behind, and what it gets is put together of several changes.
      const text = whole.next();
      if (text?.includes("data: ") === true) sent.push(parse(text));
    }
    const now = stateOf(
      ["battery", "charger"].map((kind) => house.run.engine.assets.list(kind as "battery")[0]?.asset),
    );
    const firstPlace = sent.findIndex(({ id }) => id !== null);
    expect(sent.length).toBeGreaterThan(40);
    for (let taken = firstPlace + 1; taken <= sent.length; taken += 1) {
      const before = sent.slice(0, taken);
      const lastEventId = before.findLast(({ id }) => id !== null)?.id ?? null;
      const resumed = open(house, { lastEventId });
      const known = new Map<string, unknown>();
      for (const { name, data } of [...before, ...take(resumed)]) {
        if (name === null) for (const kind of ["battery", "charger"]) if (kind in data) known.set(kind, data[kind]);
      }
      resumed[Symbol.dispose]();
      expect(stateOf([known.get("battery"), known.get("charger")])).toEqual(now);
    }
  });

  test.each([
    ["of an earlier run", "9-1", "restarted"],
    ["that is no place", "what", "restarted"],
    ["from the future", "1-999999999", "expired"],
  ])("with a place %s gets a snapshot that says why", async (_name, lastEventId, reason) => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    expect(take(open(house, { lastEventId }))[0]).toMatchObject({ name: "snapshot", data: { reason } });
  });

  test("after a restart of the gateway gets a snapshot", async () => {
    const home = makeHome();
    let lastEventId: string | null = null;
    {
      await using house = await openLive(home);
      await house.pass(3 * SECOND);
      lastEventId = take(open(house)).at(-1)?.id ?? null;
    }
    await using house = await openLive(home);
    expect(take(open(house, { lastEventId }))[0]).toMatchObject({ data: { reason: "restarted" } });
  });
});

describe("streams", () => {
  test("say that they are alive in silence, and end after an hour", async () => {
    await using house = await openLive();
    await house.pass(3 * SECOND);
    const stream = open(house, { kinds: ["battery", "charger"] });
    take(stream);
    let calls = 0;
    stream.watch(() => {
      calls += 1;
    });
    await house.pass(20 * SECOND);
    expect(calls).toBeGreaterThan(0);
    const texts: string[] = [];
    for (let text = stream.next(); text !== null; text = stream.next()) texts.push(text);
    expect(texts.at(-1)).toBe(": alive\n\n");
    await house.pass(61 * MINUTE);
    expect(stream.isOver).toBe(true);
    expect(stream.next()).toBeNull();
  });

  test("are so many and no more, and leave nothing behind", async () => {
    const house = await openLive();
    const streams = Array.from({ length: 32 }, () => open(house));
    expect(house.live.open(ask())).toBeNull();
    streams[0]?.[Symbol.dispose]();
    expect(house.live.open(ask())).not.toBeNull();
    house.live.endStreams();
    expect(streams.every((stream) => stream.isOver)).toBe(true);
    await house[Symbol.asyncDispose]();
    expect(house.run.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
  });
});
