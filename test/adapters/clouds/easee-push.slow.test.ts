/** Easee's stream in a whole house: an engine, the kit and the hub. */
import { afterEach, describe, expect, test } from "vitest";
import { cloudAdapter } from "../../../adapters/clouds/cloud-adapter.ts";
import { easee } from "../../../adapters/clouds/easee/easee.ts";
import { vendorOf } from "../../../adapters/clouds/kit/vendor.ts";
import { VendorAccountView } from "../../../src/domain/vendors/vendor-account-view.ts";
import type { PointName } from "../../../src/points/points.ts";
import type { Adapter } from "../../../src/sdk/driver.ts";
import { makeHome } from "../../engine/home.ts";
import { EaseeTwin } from "../../twins/clouds/easee-twin.ts";
import { easeeCharger } from "./easee-charger.ts";
import { Person } from "./kit/sunny-house.ts";

const ID = "EH123456";
const HUB = "streams.easee.com";
const END = "\u001e";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A value is looked for, travels, and is fetched. */
const SOON_MS = 1_500;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A linked charger whose vehicle charges; the stream had a moment to begin. */
async function linkedHouse(prepare: (twin: EaseeTwin) => void = () => undefined) {
  const adapter = cloudAdapter({ apps: {}, vendors: [vendorOf(easee)] }) as unknown as Adapter;
  const home = makeHome(1, { adapters: [adapter] });
  const { world } = home;
  const { clock } = world;
  const twin = new EaseeTwin(clock);
  const charger = easeeCharger();
  twin.chargers = [charger];
  prepare(twin);
  twin.join(world.web, "93.184.216.10");
  const run = await home.start({ devices: [] });
  closing.push(() => run.close());
  const pass = (ms: number) => clock.advance(ms);
  const person = await Person.link({ home, pass }, run);
  await person.press({ ...twin.account });
  expect(await person.choose(`easee:${ID}`)).toBe("done");
  await pass(20_000);
  const value = (point: PointName) => run.engine.devices()[0]?.points.find((each) => each.point === point);
  return {
    world,
    clock,
    twin,
    charger,
    run,
    pass,
    value,
    amps: () => value("charger.maxCurrent")?.value,
    polls: () => twin.asked.filter(({ url }) => url.pathname.startsWith("/state/")).length,
    shown: () => VendorAccountView.parse(run.engine.services.vendors.accounts()[0]).stream,
    isReachable: () => run.engine.devices()[0]?.isReachable,
    until: (condition: () => boolean, limitMs: number) => clock.runUntil(condition, limitMs),
  };
}

describe("a stream that lives", () => {
  test("tells what changes at once, with its own time, and is seldom asked beside it", async () => {
    const { charger, until, pass, amps, polls, value, clock } = await linkedHouse();
    expect(value("charger.state")?.value).toBe("PLUGGED_IN:CHARGING");
    const before = polls();
    await pass(10 * MINUTE_MS);
    expect(polls() - before).toBeLessThanOrEqual(2);
    const asked = polls();
    charger.dynamicA = 10;
    expect(await until(() => amps() === 10, SOON_MS)).toBe(true);
    expect(value("charger.power")?.value).toBe(6_900);
    expect(clock.nowMs() - (value("charger.power")?.atMs ?? 0)).toBeLessThan(3_000);
    charger.isPlugged = false;
    expect(await until(() => value("charger.state")?.value === "UNPLUGGED", SOON_MS)).toBe(true);
    expect(polls()).toBe(asked);
  });

  test("is shown with its account, and why it is gone when it is", async () => {
    const { twin, world, clock, pass, shown } = await linkedHouse();
    const since = shown()?.since ?? "";
    expect(clock.nowMs() - Date.parse(since)).toBeLessThan(20_000);
    await pass(5 * MINUTE_MS);
    expect(shown()).toMatchObject({ isConnected: true, since, problem: null });
    expect(clock.nowMs() - Date.parse(shown()?.lastMessageAt ?? "")).toBeLessThan(30_000);
    twin.stream.refusal = 503;
    world.webSockets.cut(HUB);
    const cutAt = new Date(clock.nowMs()).toISOString();
    await pass(5 * MINUTE_MS);
    expect(shown()).toMatchObject({ isConnected: false, problem: { kind: "unavailable" } });
    expect(Date.parse(shown()?.since ?? "") - Date.parse(cutAt)).toBeLessThan(1_000);
  });

  test("shows what a command did before anybody asks", async () => {
    const { run, clock, amps, polls, until, pass } = await linkedHouse();
    await pass(5 * MINUTE_MS);
    const [charger] = run.engine.assets.list("charger");
    const asked = polls();
    const starting = run.engine.actions.start(charger?.asset.id ?? "", { targetType: "charger", maxCurrent: 8 });
    const action = await clock.resolve(starting, 10_000);
    const state = () => run.engine.actions.get("charger", action.id)?.state;
    expect(await until(() => state() === "CONFIRMED", 6_000)).toBe(true);
    expect([amps(), polls() - asked]).toEqual([8, 0]);
  });

  test("shows that a command was refused, and what the charger does instead", async () => {
    const { twin, run, clock, amps, polls, until, pass } = await linkedHouse();
    await pass(5 * MINUTE_MS);
    twin.isStubborn = true;
    const [charger] = run.engine.assets.list("charger");
    const asked = polls();
    const starting = run.engine.actions.start(charger?.asset.id ?? "", { targetType: "charger", maxCurrent: 8 });
    await clock.resolve(starting, 10_000);
    expect(await until(() => polls() > asked, 6_000)).toBe(true);
    expect(amps()).toBe(16);
    expect(run.process.log.lines.map(({ text }) => text)).toContain("Easee charger refused a command");
  });

  test("has an end with the gateway's", async () => {
    const { run, world, twin, pass } = await linkedHouse();
    expect([world.webSockets.count(HUB), twin.stream.connected]).toEqual([1, 1]);
    await run.close();
    await pass(MINUTE_MS);
    expect([run.process.resources.streams, twin.stream.connected]).toEqual([0, 0]);
  });

  test("has an end with its last device", async () => {
    const { run, twin, clock, pass } = await linkedHouse();
    const { fleet } = run.engine.services;
    await clock.resolve(fleet.remove(fleet.list().map(({ id }) => id)), MINUTE_MS);
    await pass(HOUR_MS);
    expect([twin.stream.connected, twin.stream.taken]).toEqual([0, 1]);
  });
});

describe("a stream that dies", () => {
  type House = Awaited<ReturnType<typeof linkedHouse>>;

  test.each<[string, (house: House) => void]>([
    [
      "by saying nothing",
      ({ twin }) => {
        twin.stream.isDead = true;
      },
    ],
    ["with the network", ({ world }) => void world.webSockets.silent.add(HUB)],
    [
      "at once",
      ({ world, twin }) => {
        twin.stream.refusal = 503;
        expect(world.webSockets.cut(HUB)).toBe(1);
      },
    ],
  ])("%s is noticed, and the charger is asked again", async (_how, kill) => {
    const house = await linkedHouse();
    await house.pass(MINUTE_MS);
    const asked = house.polls();
    kill(house);
    house.charger.dynamicA = 10;
    expect(await house.until(() => house.polls() > asked, 35_000)).toBe(true);
    await house.pass(SOON_MS);
    expect(house.amps()).toBe(10);
    const back = house.polls();
    await house.pass(20 * MINUTE_MS);
    expect(house.polls() - back).toBeGreaterThanOrEqual(5);
    expect(house.isReachable()).toBe(true);
  });

  test("is opened again, seldom enough", async () => {
    const { twin, world, pass } = await linkedHouse();
    twin.stream.refusal = 503;
    world.webSockets.cut(HUB);
    const before = world.web.connects.filter(({ host }) => host === HUB).length;
    await pass(2 * HOUR_MS);
    const tries = world.web.connects.filter(({ host }) => host === HUB).length - before;
    // Each takes a negotiation and a handshake.
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThanOrEqual(2 * 2 * 20);
    twin.stream.refusal = null;
    await pass(20 * MINUTE_MS);
    expect(twin.stream.connected).toBe(1);
  });

  test("leaves no value as if it were live when nobody answers any more", async () => {
    const { twin, world, pass, isReachable, run } = await linkedHouse();
    twin.trouble = "hang";
    world.webSockets.silent.add(HUB);
    await pass(3 * MINUTE_MS);
    expect(isReachable()).toBe(false);
    const [charger] = run.engine.assets.list("charger");
    expect(charger?.asset.isReachable).toBe(false);
  });

  test("while it pings on, shows at the next read and is not believed any more", async () => {
    const { twin, charger, pass, amps, polls } = await linkedHouse();
    await pass(5 * MINUTE_MS);
    twin.stream.isMute = true;
    charger.dynamicA = 10;
    await pass(7 * MINUTE_MS);
    expect(amps()).toBe(10);
    expect(twin.stream.taken).toBeGreaterThan(1);
    const asked = polls();
    await pass(20 * MINUTE_MS);
    expect(polls() - asked).toBeGreaterThanOrEqual(5);
  });
});

test("a token that ends in the middle of it is renewed once, and the stream goes on", async () => {
  const { twin, charger, pass, amps, until } = await linkedHouse();
  await pass(70 * MINUTE_MS);
  expect([twin.stream.connected, twin.stream.taken, twin.desk.refused]).toEqual([1, 2, 0]);
  expect(twin.asked.filter(({ url }) => url.pathname === "/api/accounts/login")).toHaveLength(1);
  charger.dynamicA = 12;
  expect(await until(() => amps() === 12, SOON_MS)).toBe(true);
});

test("a hub that sends its clients elsewhere is not followed", async () => {
  const { world, twin, pass, polls } = await linkedHouse((made) => {
    made.stream.redirect = "https://evil.example/client";
  });
  const asked = polls();
  await pass(20 * MINUTE_MS);
  expect(polls() - asked).toBeGreaterThanOrEqual(5);
  expect(twin.stream.taken).toBe(0);
  expect(new Set(world.web.connects.map(({ host }) => host))).toEqual(new Set(twin.hosts));
});

describe("a hostile hub", () => {
  function update(changes: Readonly<Record<string, unknown>>): string {
    const argument = { mid: ID, dataType: 3, id: 48, timestamp: "2026-06-21T00:00:30Z", value: "9", ...changes };
    return JSON.stringify({ type: 1, target: "ProductUpdate", arguments: [argument] }) + END;
  }

  test.each<[string, string]>([
    ["garbage", `\u0000\u001e${END}{]${END}null${END}[]${END}"x"${END}`],
    ["unknown types", `{"type":99}${END}{"type":"1"}${END}{"type":1,"target":"Other","arguments":[]}${END}`],
    ["arguments of other shapes", `{"type":1,"target":"ProductUpdate","arguments":{"0":1}}${END}${update({ mid: 7 })}`],
    ["another account's charger", update({ mid: "EH999999" })],
    ["deep JSON", `{"type":1,"target":"ProductUpdate","arguments":${"[".repeat(100_000)}${"]".repeat(100_000)}}${END}`],
    ["a deep value", update({ value: JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`) })],
    ["values of other types", [{}, [], "x".repeat(5_000)].map((value) => update({ value })).join("")],
    ["names out of the prototype", update({ id: 1e308 }) + update({ mid: "__proto__" })],
    ["nothing but separators", END.repeat(10_000)],
    ["a command's answer that nobody waits for", `{"type":1,"target":"CommandResponse","arguments":[{}]}${END}`],
  ])("that tells %s is passed over", async (_what, text) => {
    const { twin, charger, pass, amps, until } = await linkedHouse();
    twin.stream.shout(text);
    await pass(2_000);
    expect([amps(), twin.stream.taken, twin.stream.connected]).toEqual([16, 1, 1]);
    charger.dynamicA = 11;
    expect(await until(() => amps() === 11, SOON_MS)).toBe(true);
  });

  test.each<[string, string]>([
    ["a message that is too long for a socket", "x".repeat(1024 * 1024 + 1)],
    ["a close", `{"type":7,"error":"secret-1"}${END}`],
  ])("that sends %s is left, and the charger is asked", async (_what, text) => {
    const { twin, pass, amps, polls, run } = await linkedHouse();
    const asked = polls();
    twin.stream.shout(text);
    await pass(3_000);
    expect([amps(), polls() - asked, twin.stream.connected]).toEqual([16, 1, 0]);
    expect(JSON.stringify(run.engine.services.vendors.accounts())).not.toContain("secret-1");
    await pass(MINUTE_MS);
    expect(twin.stream.connected).toBe(1);
    expect(JSON.stringify(run.process.log.lines)).not.toContain("secret-1");
  });

  test("that never ends its message is left", async () => {
    const { twin, pass } = await linkedHouse();
    for (let sent = 0; sent < 11; sent += 1) twin.stream.shout("x".repeat(100_000));
    await pass(3_000);
    expect(twin.stream.connected).toBe(0);
  });

  test("whose records come in pieces, or many in one, is understood", async () => {
    const { twin, pass, amps, clock } = await linkedHouse();
    const timestamp = new Date(clock.nowMs()).toISOString();
    const records = ["7", "8", "9"].map((value) => update({ value, timestamp }));
    for (const letter of records.join("")) twin.stream.shout(letter);
    await pass(SOON_MS);
    expect(amps()).toBe(9);
    const later = new Date(clock.nowMs()).toISOString();
    twin.stream.shout(["14", "13"].map((value) => update({ value, timestamp: later })).join(""));
    await pass(SOON_MS);
    expect(amps()).toBe(13);
  });

  test("whose times are none, or have not come yet, shows what it tells as of now", async () => {
    const { twin, charger, pass, amps, value, clock } = await linkedHouse();
    twin.stream.shout(update({ timestamp: "2099-01-01T00:00:00Z" }));
    await pass(SOON_MS);
    expect(amps()).toBe(9);
    expect(value("charger.maxCurrent")?.atMs).toBeLessThanOrEqual(clock.nowMs());
    twin.stream.shout(update({ timestamp: "nonsense", value: "10" }));
    await pass(SOON_MS);
    expect(amps()).toBe(10);
    charger.dynamicA = 20;
    await pass(SOON_MS);
    expect(amps()).toBe(20);
  });

  test("that tells what is long past changes nothing", async () => {
    const { twin, pass, amps } = await linkedHouse();
    twin.stream.shout(update({ timestamp: "2020-01-01T00:00:00Z" }));
    await pass(SOON_MS);
    expect(amps()).toBe(16);
  });

  test("that floods is left alone ever longer, and the charger is asked", async () => {
    const { twin, world, clock, polls, pass, isReachable } = await linkedHouse();
    const flooding = (): void => {
      if (twin.stream.connected > 0) for (let sent = 0; sent < 2_001; sent += 1) twin.stream.shout(`{"type":6}${END}`);
      clock.timer(5_000, flooding);
    };
    flooding();
    await pass(1_000);
    expect(world.webSockets.count(HUB)).toBe(0);
    const asked = polls();
    await pass(HOUR_MS);
    expect(twin.stream.taken).toBeLessThanOrEqual(1 + 20);
    expect(polls() - asked).toBeGreaterThanOrEqual(15);
    expect(isReachable()).toBe(true);
  });
});
