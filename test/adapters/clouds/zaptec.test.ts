import { describe, expect, test } from "vitest";
import type { CloudDevice } from "../../../adapters/clouds/kit/connector.ts";
import { lifetimeWh } from "../../../adapters/clouds/zaptec/signed-meter.ts";
import { zaptec } from "../../../adapters/clouds/zaptec/zaptec.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { type TwinZaptec, ZAPTEC_OBSERVATIONS, ZaptecTwin } from "../../twins/clouds/zaptec-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";
import { signed, zaptecCharger } from "./zaptec-charger.ts";

const SIGNAL = new AbortController().signal;
const ID = "c-000001";

function makeHome(changes: Partial<TwinZaptec> = {}) {
  const clock = new VirtualClock();
  const twin = new ZaptecTwin(clock);
  const charger = zaptecCharger(changes);
  twin.chargers = [charger];
  const grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  const session = fakeSession({ connector: zaptec, twin, grant, clock });
  const login = zaptec.login.kind === "form" ? zaptec.login : null;
  const tools = { ask: askTwin(zaptec, twin), app: APP, nowMs: () => clock.nowMs() };
  const open = () => clock.resolve(zaptec.open(session, ID, SIGNAL), 60_000);
  return { clock, twin, charger, session, login, tools, open };
}

async function later(home: ReturnType<typeof makeHome>, device: CloudDevice) {
  await home.clock.advance(5_000);
  return await read(device);
}

describe("the login", () => {
  test("gives a grant for as long as the token lives", async () => {
    const { login, tools, twin, clock } = makeHome();
    const grant = await login!.signIn({ username: "ada@example.com", password: "secret-1" }, tools, SIGNAL);
    if ("keep" in grant) expect.unreachable("Zaptec asks for no second factor");
    expect(grant).toMatchObject({ refresh: null, expiresAtMs: clock.nowMs() + 86_399_000 });
    expect(twin.desk.accepts((grant as { access: string }).access)).toBe(true);
    expect(login!.keepsForm).toBe(true);
  });

  test("says that a password is wrong, and not when Zaptec is asked too often", async () => {
    const { login, tools, twin } = makeHome();
    const wish = () => login!.signIn({ username: "ada@example.com", password: "wrong" }, tools, SIGNAL);
    await expect(wish()).rejects.toMatchObject({ kind: "login-refused" });
    twin.trouble = "limited";
    await expect(wish()).rejects.toMatchObject({ kind: "rate-limited" });
  });
});

describe("an account", () => {
  test("lists the chargers of all pages, and leaves out what it does not know", async () => {
    const { session, twin } = makeHome();
    twin.chargers.push(zaptecCharger({ id: "c-000002", name: "Hall", deviceType: 1 }));
    twin.chargers.push(zaptecCharger({ id: "c-000003", name: "Yard", deviceType: 99 }));
    twin.strangers = [null, { Name: "without an id" }];
    const listings = await zaptec.list(session, SIGNAL);
    expect(listings.map(({ name, model, detail }) => [name, model, detail])).toEqual([
      ["Carport", "Zaptec Go", "ZAP000001"],
      ["Hall", "Zaptec Pro", "ZAP000002"],
      ["Yard", null, "ZAP000003"],
    ]);
  });

  test("no longer having a charger refuses to open it", async () => {
    const { session } = makeHome();
    await expect(zaptec.open(session, "gone", SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });

  test("whose token ended says so", async () => {
    const home = makeHome();
    const device = await home.open();
    home.twin.desk.revokeAll();
    await expect(device.read(SIGNAL)).rejects.toMatchObject({ kind: "expired" });
  });
});

describe("a charger", () => {
  test("that charges shows all points in our units", async () => {
    const home = makeHome();
    const device = await home.open();
    const values = await read(device);
    expect(values).toEqual({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.enabled": true,
      "charger.maxCurrent": 16,
      "charger.power": 9_009,
      "charger.voltage.l1": 231,
      "charger.voltage.l2": 231,
      "charger.voltage.l3": 231,
      "charger.current.l1": 13,
      "charger.current.l2": 13,
      "charger.current.l3": 13,
      "charger.energySession": 4_250,
      "charger.energy": expect.closeTo(905_490, 3),
    });
    expect(Object.keys(values).sort()).toEqual([...device.points].sort());
    expect(device.identity).toMatchObject({ model: "Zaptec Go", serial: "ZAP000001", version: "3.2.2.0" });
    const power = (await device.read(SIGNAL)).find(({ point }) => point === "charger.power");
    expect(power?.measuredAtMs).toBe(home.clock.nowMs());
  });

  test("whose firmware tells kW shows W", async () => {
    const device = await makeHome({ tellsKilowatts: true }).open();
    expect((await read(device))["charger.power"]).toBe(9_009);
  });

  test("on one phase has two that are not connected", async () => {
    const device = await makeHome({ phases: 1 }).open();
    expect(await read(device)).toMatchObject({
      "charger.voltage.l1": 231,
      "charger.current.l1": 13,
      "charger.voltage.l2": null,
      "charger.current.l2": null,
    });
  });

  test("on a net without neutral has currents, and no voltage to it", async () => {
    const device = await makeHome({ networkType: 2 }).open();
    expect(await read(device)).toMatchObject({ "charger.voltage.l1": null, "charger.current.l1": 13 });
  });

  test.each([
    [1, false, "UNPLUGGED", true],
    [2, false, "PLUGGED_IN:STOPPED", true],
    [5, false, "PLUGGED_IN:NO_POWER", true],
    [5, true, "PLUGGED_IN:STOPPED", false],
    [6, false, "PLUGGED_IN:STOPPED", true],
    [0, false, "UNKNOWN", true],
    [42, false, "UNKNOWN", true],
  ])("in mode %i, stopped %s, is %s", async (mode, isStopped, state, isEnabled) => {
    const device = await makeHome({ mode, isStopped }).open();
    expect(await read(device)).toMatchObject({
      "charger.state": state,
      "charger.enabled": isEnabled,
      "charger.power": 0,
      "charger.voltage.l1": null,
      "charger.current.l1": null,
    });
  });

  test("out of reach shows nothing of the moment, and goes on telling its totals", async () => {
    const device = await makeHome({ isOnline: false }).open();
    expect(await read(device)).toMatchObject({
      "charger.state": "UNKNOWN",
      "charger.enabled": null,
      "charger.maxCurrent": null,
      "charger.power": null,
      "charger.energySession": 4_250,
      "charger.energy": expect.closeTo(905_490, 3),
    });
    expect(device.tempo()).toBe("idle");
  });

  test("is understood by the constants where they moved a number", async () => {
    const home = makeHome();
    home.twin.observations = { ...ZAPTEC_OBSERVATIONS, TotalChargePower: 9_513 };
    expect((await read(await home.open()))["charger.power"]).toBe(9_009);
  });

  test("is understood where the constants lack its names", async () => {
    const home = makeHome();
    const serve = home.twin.serve.bind(home.twin);
    home.twin.serve = (request) => (request.path.endsWith("/constants") ? { body: "{}" } : serve(request));
    expect((await read(await home.open()))["charger.power"]).toBe(9_009);
  });

  test("asks for the constants once a day", async () => {
    const home = makeHome();
    const device = await home.open();
    for (const _hour of Array.from({ length: 12 })) {
      await home.clock.advance(3_600_000);
      await device.read(SIGNAL);
    }
    expect(home.twin.asked.filter(({ url }) => url.pathname.endsWith("/constants"))).toHaveLength(1);
  });
});

describe("the most that may be asked of a charger", () => {
  test("is what its circuit carries, although Zaptec gathers that first", async () => {
    const home = makeHome();
    home.twin.gathering = 2;
    const device = await home.open();
    expect(device.controls.find(({ point }) => point === "charger.maxCurrent")?.range).toEqual({ min: 6, max: 20 });
  });

  test.each([
    ["Zaptec has no hierarchy yet", { gathering: 99 }],
    ["the login may not see it", { isGuest: true }],
  ])("is its own where %s", async (_why, trouble) => {
    const home = makeHome();
    Object.assign(home.twin, trouble);
    const device = await home.open();
    expect(device.controls.find(({ point }) => point === "charger.maxCurrent")?.range).toEqual({ min: 6, max: 32 });
  });
});

describe("a charger's commands", () => {
  test("stop and resume it", async () => {
    const home = makeHome();
    const device = await home.open();
    await device.write("charger.enabled", false, SIGNAL);
    expect(device.tempo()).toBe("active");
    expect(await later(home, device)).toMatchObject({
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
    });
    await device.write("charger.enabled", true, SIGNAL);
    expect(await later(home, device)).toMatchObject({
      "charger.enabled": true,
      "charger.state": "PLUGGED_IN:CHARGING",
    });
  });

  test("limit the current", async () => {
    const home = makeHome();
    const device = await home.open();
    await device.write("charger.maxCurrent", 10, SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.maxCurrent": 10, "charger.current.l1": 10 });
  });

  test("that ask for what is so already send nothing", async () => {
    const home = makeHome({ isStopped: true, mode: 5 });
    const device = await home.open();
    await device.write("charger.enabled", false, SIGNAL);
    expect(home.twin.asked.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("do not stop what is not plugged in", async () => {
    const home = makeHome({ mode: 1 });
    const device = await home.open();
    await expect(device.write("charger.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(home.twin.asked.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("that do not fit the charger's state are refused, although Zaptec answers 500", async () => {
    const home = makeHome({ isStopped: true, mode: 2 });
    const device = await home.open();
    await expect(device.write("charger.enabled", true, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });

  test("do not reach a charger that is not connected", async () => {
    const home = makeHome({ isOnline: false });
    const device = await home.open();
    await expect(device.write("charger.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "asleep" });
  });

  test.each([
    ["charger.maxCurrent", 5],
    ["charger.maxCurrent", 21],
    ["charger.enabled", "yes"],
    ["hvac.mode", "OFF"],
  ] as const)("%s = %s is refused before anything is sent", async (point, value) => {
    const home = makeHome();
    const device = await home.open();
    const before = home.twin.asked.length;
    await expect(device.write(point, value as never, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(home.twin.asked).toHaveLength(before);
  });
});

describe("a signed meter reading", () => {
  test("is the last good one of the energy into vehicles", () => {
    const text = signed(
      { RV: "100.5", RI: "1-0:1.8.0", RU: "kWh", ST: "G" },
      { RV: 101, RU: "kWh" },
      { RV: 5, RI: "1-0:2.8.0", RU: "kWh", ST: "G" },
      { RV: 999, RI: "1-0:1.8.0", RU: "kWh", ST: "E" },
    );
    expect(lifetimeWh(text)).toBe(101_000);
  });

  test("may be in Wh, and signed", () => {
    const text = signed({ RV: 1_234, RI: "1-b:1.8.0", RU: "Wh", ST: "G" });
    expect(lifetimeWh(`${text}|{"SD":"3045"}`)).toBe(1_234);
  });

  test.each([
    null,
    "",
    "OCMF|",
    "OCMF|{]|",
    signed(),
    signed({ RV: 1, RI: "1-0:1.8.0", RU: "J", ST: "G" }),
    signed({ RV: 1, RI: "1-0:1.8.0", RU: "kWh", ST: "T" }),
    signed({ RV: null, RI: "1-0:1.8.0", RU: "kWh", ST: "G" }),
  ])("%j tells nothing", (text) => {
    expect(lifetimeWh(text)).toBeNull();
  });
});
