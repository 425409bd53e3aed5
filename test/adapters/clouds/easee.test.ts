import { describe, expect, test } from "vitest";
import { easee } from "../../../adapters/clouds/easee/easee.ts";
import type { CloudDevice } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { EaseeTwin, type TwinEasee } from "../../twins/clouds/easee-twin.ts";
import { easeeCharger } from "./easee-charger.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const SIGNAL = new AbortController().signal;

function makeHome(changes: Partial<TwinEasee> = {}) {
  const clock = new VirtualClock();
  const twin = new EaseeTwin(clock);
  const charger = { ...easeeCharger(), ...changes };
  twin.chargers = [charger];
  const grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  const session = fakeSession({ connector: easee, twin, grant, clock });
  const login = easee.login.kind === "form" ? easee.login : null;
  const tools = { ask: askTwin(easee, twin), app: APP, nowMs: () => clock.nowMs() };
  return { clock, twin, charger, session, login, tools };
}

/** A charger whose vehicle had time to start. */
async function openRunning(home: ReturnType<typeof makeHome>): Promise<CloudDevice> {
  const device = await easee.open(home.session, "EH123456", SIGNAL);
  await home.clock.advance(10_000);
  await device.read(SIGNAL);
  return device;
}

async function later(home: ReturnType<typeof makeHome>, device: CloudDevice, ms = 10_000) {
  await home.clock.advance(ms);
  return await read(device);
}

describe("the login", () => {
  test("gives a grant, and renews it with the token that came last", async () => {
    const { login, tools, twin, clock } = makeHome();
    const form = { userName: "ada@example.com", password: "secret-1" };
    const grant = await login!.signIn(form, tools, SIGNAL);
    if ("keep" in grant) expect.unreachable("Easee asks for no second factor");
    expect(grant).toMatchObject({ expiresAtMs: clock.nowMs() + 3_600_000 });
    const renewed = await login!.renew!(grant as never, tools, SIGNAL);
    expect(twin.desk.accepts(renewed.access)).toBe(true);
    await expect(login!.renew!(grant as never, tools, SIGNAL)).rejects.toMatchObject({ kind: "login-refused" });
  });

  test("says that a password is wrong", async () => {
    const { login, tools } = makeHome();
    const wish = login!.signIn({ userName: "ada@example.com", password: "wrong" }, tools, SIGNAL);
    await expect(wish).rejects.toMatchObject({ kind: "login-refused" });
  });

  test("does not blame the password when it was tried too often", async () => {
    const { login, tools, twin } = makeHome();
    twin.trouble = "limited";
    const wish = login!.signIn({ userName: "ada@example.com", password: "secret-1" }, tools, SIGNAL);
    await expect(wish).rejects.toMatchObject({ kind: "rate-limited" });
  });
});

describe("an account", () => {
  test("lists its chargers, and leaves out what it does not know", async () => {
    const { session, twin } = makeHome();
    twin.strangers = [null, { id: 7 }];
    expect(await easee.list(session, SIGNAL)).toEqual([
      { key: "EH123456", types: ["charger"], name: "Garage", model: null, detail: "EH123456" },
    ]);
  });

  test("no longer having a charger refuses to open it", async () => {
    const { session } = makeHome();
    await expect(easee.open(session, "EH000000", SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });

  test("that asks too often hears it as 403, too", async () => {
    const home = makeHome();
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    home.twin.isTired = true;
    await expect(device.read(SIGNAL)).rejects.toMatchObject({ kind: "rate-limited" });
    home.twin.isTired = false;
    home.twin.desk.revokeAll();
    await expect(device.read(SIGNAL)).rejects.toMatchObject({ kind: "expired" });
  });
});

describe("a charger", () => {
  test("that charges shows all points in our units", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    const values = await read(device);
    expect(values).toEqual({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.enabled": true,
      "charger.maxCurrent": 16,
      "charger.phases": 0,
      "charger.power": 11_040,
      "charger.current.l1": 16,
      "charger.current.l2": 16,
      "charger.current.l3": 16,
      "charger.voltage.l1": 230,
      "charger.voltage.l2": 230,
      "charger.voltage.l3": null,
      "charger.energySession": 5_500,
      "charger.energy": 1_234_500,
    });
    expect(Object.keys(values).sort()).toEqual([...device.points].sort());
    expect(device.controls.find(({ point }) => point === "charger.maxCurrent")?.range).toEqual({ min: 6, max: 32 });
  });

  test.each([
    ["unplugged", { isPlugged: false }, "UNPLUGGED", true],
    ["paused", { dynamicA: 0 }, "PLUGGED_IN:STOPPED", false],
    ["switched off", { isEnabled: false }, "PLUGGED_IN:STOPPED", false],
    ["at a full vehicle", { isFull: true }, "PLUGGED_IN:NO_POWER", true],
    ["at a vehicle that has not begun", { dynamicA: 6 }, "PLUGGED_IN:NO_POWER", true],
    ["waiting for somebody's card", { needsAuthorization: true }, "PLUGGED_IN:STOPPED", false],
    ["broken", { hasFault: true }, "PLUGGED_IN:FAULT", true],
    ["too hot", { oddMode: 158 }, "PLUGGED_IN:FAULT", true],
    ["behind a balancer", { oddMode: 103 }, "PLUGGED_IN:STOPPED", true],
    ["in a mode that nobody knows", { oddMode: 4_711 }, "UNKNOWN", true],
  ])("%s says so", async (_what, changes, state, isEnabled) => {
    const home = makeHome(changes);
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.state": state, "charger.enabled": isEnabled });
  });

  test("on a grid without neutral has no voltage to it", async () => {
    const device = await easee.open(makeHome({ gridType: 4 }).session, "EH123456", SIGNAL);
    expect(await read(device)).toMatchObject({ "charger.voltage.l1": null, "charger.voltage.l2": null });
  });

  test("out of reach shows nothing of the moment, and goes on telling its totals", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    const toldAtMs = home.clock.nowMs();
    home.charger.isOnline = false;
    expect(await later(home, device)).toMatchObject({
      "charger.state": "UNKNOWN",
      "charger.enabled": null,
      "charger.maxCurrent": null,
      "charger.power": null,
      "charger.current.l1": null,
      "charger.energy": 1_234_500,
    });
    const total = (await device.read(SIGNAL)).find(({ point }) => point === "charger.energy");
    expect(total?.measuredAtMs).toBe(toldAtMs);
    expect(device.tempo()).toBe("idle");
  });

  test("whose power was told long ago shows none", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    const told = { 109: 3, 120: 11.04, 250: true };
    const timestamp = "2026-06-20T00:00:00Z";
    const observations = Object.entries(told).map(([id, value]) => ({ id: Number(id), value, timestamp }));
    home.twin.serve = () => ({ body: JSON.stringify({ observations }) });
    expect(await read(device)).toMatchObject({ "charger.state": "PLUGGED_IN:CHARGING", "charger.power": null });
  });
});

describe("a charger's commands", () => {
  test("pause and resume it", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    await device.write("charger.enabled", false, SIGNAL);
    expect(device.tempo()).toBe("active");
    expect(await later(home, device)).toMatchObject({
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
    });
    await device.write("charger.enabled", true, SIGNAL);
    await later(home, device);
    const values = await later(home, device);
    expect(values).toMatchObject({ "charger.enabled": true, "charger.state": "PLUGGED_IN:CHARGING" });
    expect(values["charger.maxCurrent"]).toBe(16);
  });

  test("resume one that was paused by its owner to its own maximum", async () => {
    const home = makeHome({ dynamicA: 0 });
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    await device.write("charger.enabled", true, SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.enabled": true, "charger.maxCurrent": 32 });
  });

  test("limit the current", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    await device.write("charger.maxCurrent", 10, SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.maxCurrent": 10, "charger.power": 6_900 });
    await device.write("charger.maxCurrent", 6, SIGNAL);
    expect(await later(home, device)).toMatchObject({
      "charger.maxCurrent": 6,
      "charger.state": "PLUGGED_IN:CHARGING",
    });
  });

  test("never start a paused charger by a limit, which counts from its start on", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    await device.write("charger.enabled", false, SIGNAL);
    await device.write("charger.maxCurrent", 12, SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.enabled": false, "charger.maxCurrent": 12 });
    await device.write("charger.enabled", true, SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.enabled": true, "charger.maxCurrent": 12 });
  });

  test("start at 7 A where 6 A would keep the vehicle waiting, and go down to 6 A", async () => {
    const home = makeHome({ dynamicA: 0 });
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    await device.write("charger.maxCurrent", 6, SIGNAL);
    await device.write("charger.enabled", true, SIGNAL);
    await later(home, device);
    expect(await later(home, device)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 7,
    });
    expect(await later(home, device)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 6,
    });
  });

  test("show the 6 A that were asked for as long as the vehicle waits, for its own timer perhaps", async () => {
    const home = makeHome({ dynamicA: 0, oddMode: 6 });
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    await device.write("charger.maxCurrent", 6, SIGNAL);
    await device.write("charger.enabled", true, SIGNAL);
    for (let look = 0; look < 4; look += 1) {
      expect(await later(home, device)).toMatchObject({ "charger.enabled": true, "charger.maxCurrent": 6 });
    }
    home.charger.oddMode = null;
    await later(home, device);
    expect(await later(home, device)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 6,
    });
    expect(home.charger.dynamicA).toBe(6);
  });

  test("go down to 6 A at the next reading where the first try fails", async () => {
    const home = makeHome({ dynamicA: 0 });
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    await device.write("charger.maxCurrent", 6, SIGNAL);
    await device.write("charger.enabled", true, SIGNAL);
    await later(home, device);
    const serve = home.twin.serve.bind(home.twin);
    home.twin.serve = (request) => (request.method === "POST" ? { status: 503 } : serve(request));
    expect(await later(home, device)).toMatchObject({
      "charger.state": "PLUGGED_IN:CHARGING",
      "charger.maxCurrent": 7,
    });
    home.twin.serve = serve;
    await later(home, device);
    expect(await later(home, device)).toMatchObject({ "charger.maxCurrent": 6 });
  });

  test("are forgotten when the vehicle leaves, as the charger forgets them", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    await device.write("charger.maxCurrent", 10, SIGNAL);
    await later(home, device);
    home.twin.unplug(home.charger);
    expect(await later(home, device)).toMatchObject({ "charger.state": "UNPLUGGED", "charger.maxCurrent": 32 });
  });

  test("take it to one phase, which counts from its next start on, and back to itself", async () => {
    const home = makeHome();
    const device = await openRunning(home);
    await device.write("charger.phases", 1, SIGNAL);
    expect(await later(home, device)).toMatchObject({ "charger.phases": 1, "charger.power": 11_040 });
    await device.write("charger.enabled", false, SIGNAL);
    await later(home, device);
    await device.write("charger.enabled", true, SIGNAL);
    await later(home, device);
    expect(await later(home, device)).toMatchObject({ "charger.power": 3_680, "charger.current.l2": 0 });
    await device.write("charger.phases", 0, SIGNAL);
    await later(home, device);
    expect(home.charger.phaseMode).toBe(2);
  });

  test("offer no number of phases where the grid has one, and no other number than 0, 1 and 3", async () => {
    const single = makeHome({ gridType: 3 });
    const device = await easee.open(single.session, "EH123456", SIGNAL);
    expect(device.controls.map(({ point }) => point)).not.toContain("charger.phases");
    const other = await openRunning(makeHome());
    await expect(other.write("charger.phases", 2, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
  });

  test("switch it on and let it charge without a card", async () => {
    const home = makeHome({ isEnabled: false, needsAuthorization: true });
    const device = await easee.open(home.session, "EH123456", SIGNAL);
    await device.write("charger.enabled", true, SIGNAL);
    await later(home, device);
    expect(await later(home, device)).toMatchObject({
      "charger.enabled": true,
      "charger.state": "PLUGGED_IN:CHARGING",
    });
  });

  test.each([
    ["charger.maxCurrent", 5],
    ["charger.maxCurrent", 33],
    ["charger.maxCurrent", Number.NaN],
    ["charger.enabled", 1],
    ["battery.mode", "IDLE"],
  ] as const)("%s = %s is refused before anything is sent", async (point, value) => {
    const home = makeHome();
    const device = await openRunning(home);
    const before = home.twin.asked.length;
    await expect(device.write(point, value as never, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(home.twin.asked).toHaveLength(before);
  });
});
