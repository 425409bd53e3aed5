/** What a device sends that is no answer, and what it does when it does not answer. */
import { describe, expect, test } from "vitest";
import type { SimWebAnswer, SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import { GoETwin } from "../../twins/http-devices/charger-twins.ts";
import { EnphaseTwin, envoyToken } from "../../twins/http-devices/enphase-twin.ts";
import { FroniusTwin } from "../../twins/http-devices/fronius-twin.ts";
import { HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import type { HttpFault } from "../../twins/http-devices/http-twin.ts";
import { PowerwallTwin } from "../../twins/http-devices/powerwall-twin.ts";
import { ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { TasmotaTwin } from "../../twins/http-devices/tasmota-twin.ts";
import { bed, calm, HOST } from "./http-world.ts";

const FAULTS: readonly (readonly [HttpFault, string, string])[] = [
  ["html", "malformed", "a page instead of JSON"],
  ["truncated", "malformed", "invalid or incomplete JSON"],
  ["empty", "malformed", "nothing"],
  ["deep", "malformed", "levels"],
  ["huge", "malformed", "more than is read"],
  ["redirect", "rejected", "redirects are not followed"],
  ["refused", "unauthorized", "answered 403"],
  ["unavailable", "unreachable", "answered 503"],
  ["hang", "unreachable", "not finished within 5000 ms"],
  ["break", "unreachable", "broke"],
];

describe("an answer that is none", () => {
  test.each(FAULTS)("%s is %s, and says what was asked", async (fault, kind, words) => {
    const twin = new HomeWizardTwin(1);
    const { connect, read } = bed(twin, { profile: "homewizard-v1" });
    await using driver = await connect();
    await read(driver);
    twin.fault = fault;
    const failure = await read(driver).catch((error: unknown) => error);
    // What a read cannot use now is asked for again; a refusal is none of the device's answers.
    expect(failure).toMatchObject({ kind: kind === "rejected" ? "unreachable" : kind });
    expect(String(failure)).toContain(words);
    expect(String(failure)).toContain(HOST);
  });

  test("a device that sends every request away is silent, minute after minute, also to what it need not have", async () => {
    const twin = new PowerwallTwin("AB123");
    const { connect, read, world } = bed(twin, { profile: "tesla-powerwall", password: "AB123" });
    await using driver = await connect();
    await read(driver);
    twin.fault = "redirect";
    for (let minute = 0; minute < 15; minute += 1) {
      await world.clock.advance(60_000);
      await expect(read(driver)).rejects.toMatchObject({ kind: "unreachable" });
    }
    twin.fault = "none";
    await world.clock.advance(60_000);
    expect(await read(driver)).toHaveProperty("battery.power");
  });

  test.each([
    ['"active_power_w":734', '"active_power_w":"734"', "/active_power_w in the answer to data is a string"],
    ['"active_power_w":734', '"active_power_w":{}', "is an object"],
    ['"active_power_w":734', '"active_power_w":true', "is a boolean"],
  ])("with %s in place is malformed, and says where", async (truth, lie, words) => {
    const twin = new HomeWizardTwin(1);
    const { connect, read } = bed(twin, { profile: "homewizard-v1" });
    await using driver = await connect();
    await read(driver);
    twin.lies.set(truth, lie);
    await expect(read(driver)).rejects.toMatchObject({ kind: "malformed", message: expect.stringContaining(words) });
    twin.lies.clear();
    expect(await read(driver)).toMatchObject({ "meter.power": 734 });
  });

  test.each(["null", "1e999", "[]"])("a value %s is unknown, never 0", async (lie) => {
    const twin = new HomeWizardTwin(1);
    const { connect, read } = bed(twin, { profile: "homewizard-v1" });
    await using driver = await connect();
    await read(driver);
    twin.lies.set('"active_power_w":734', `"active_power_w":${lie}`);
    expect(await read(driver)).toMatchObject({ "meter.power": null, "meter.power.l1": 434 });
  });

  test("with fields that an attacker would like to set changes nothing", async () => {
    const twin = new HomeWizardTwin(1);
    const { connect, read } = bed(twin, { profile: "homewizard-v1" });
    await using driver = await connect();
    await read(driver);
    twin.lies.set('"active_power_w":734', '"__proto__":{"active_power_w":99}');
    expect(await read(driver)).toMatchObject({ "meter.power": null });
    expect(Object.hasOwn(Object.prototype, "active_power_w")).toBe(false);
  });
});

describe("what some devices of a family do not have", () => {
  test("is not shown, asked for ever more rarely, but at least every ten minutes, and shown once it is there", async () => {
    const twin = new FroniusTwin();
    twin.hasBattery = false;
    const { connect, read, world } = bed(twin, { profile: "fronius-solar-api" });
    await using driver = await connect();
    expect(driver.points.filter((point) => point.startsWith("battery."))).toEqual([]);
    const readings = await read(driver);
    expect(readings).toMatchObject({ "meter.power": 734 });
    expect(Object.keys(readings).filter((point) => point.startsWith("battery."))).toEqual([]);
    const asked = (): number => twin.asked.filter((each) => each.includes("Storage")).length;
    for (let minute = 0; minute < 6 * 60; minute += 1) {
      await world.clock.advance(60_000);
      await read(driver);
    }
    expect(asked()).toBeGreaterThan(30);
    expect(asked()).toBeLessThan(60);
    twin.hasBattery = true;
    await world.clock.advance(600_000);
    expect(await read(driver)).toMatchObject({ "battery.soc": 63.5, "battery.capacity": 11_520 });
    expect(driver.points).toContain("battery.soc");
  });

  test("that it answered before is asked for again within a minute, however long it was refused", async () => {
    const twin = new FroniusTwin();
    const { connect, read, world } = bed(twin, { profile: "fronius-solar-api" });
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "battery.soc": 63.5 });
    twin.hasBattery = false;
    for (let minute = 0; minute < 3 * 60; minute += 1) {
      await world.clock.advance(60_000);
      expect(await read(driver)).toMatchObject({ "battery.soc": null });
    }
    twin.hasBattery = true;
    await world.clock.advance(60_000);
    expect(await read(driver)).toMatchObject({ "battery.soc": 63.5 });
  });

  test("is null in time when it is not answered, though the rest of the device is", async () => {
    const twin = new FroniusTwin();
    let isBroken = false;
    const serve = (request: SimWebRequest): SimWebAnswer =>
      isBroken && request.path.includes("Storage") ? { status: 500 } : twin.serve(request);
    const { connect, read, world } = bed({ serve }, { profile: "fronius-solar-api" });
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "battery.capacity": 11_520 });
    isBroken = true;
    await world.clock.advance(5_000);
    expect(await read(driver)).not.toHaveProperty("battery.capacity");
    await world.clock.advance(120_000);
    expect(await read(driver)).toMatchObject({ "battery.capacity": null, "meter.power": 734 });
    isBroken = false;
    expect(await read(driver)).toMatchObject({ "battery.capacity": 11_520 });
  });

  const DAY = { "retry-after": "86400" };
  const TO_THE_DATE = { "retry-after": "Sun, 22 Nov 2026 10:00:40 GMT", date: "Sun, 22 Nov 2026 10:00:00 GMT" };
  test.each([
    ["a day", 503, DAY, 60_000],
    ["a day", 429, DAY, 600_000],
    ["the time to a date of the device's own clock", 429, TO_THE_DATE, 40_000],
  ])("a pause of %s with %s ends in time", async (_what, status, headers, longestMs) => {
    const twin = new FroniusTwin();
    let isBroken = false;
    const serve = (request: SimWebRequest): SimWebAnswer => (isBroken ? { status, headers } : twin.serve(request));
    const { connect, read, world } = bed({ serve }, { profile: "fronius-solar-api" });
    await using driver = await connect();
    isBroken = true;
    await world.clock.advance(30_000);
    await expect(read(driver)).rejects.toMatchObject({ kind: "unreachable" });
    isBroken = false;
    await world.clock.advance(longestMs - 10_000);
    await expect(read(driver)).rejects.toThrow("left alone");
    await world.clock.advance(10_000);
    expect(await read(driver)).toMatchObject({ "meter.power": 734 });
  });

  test("does not hide that the sun is down", async () => {
    const twin = new FroniusTwin();
    twin.isNight = true;
    const { connect, read } = bed(twin, { profile: "fronius-solar-api" });
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "inverter.power": null, "meter.power": 734 });
  });

  test("an Envoy with a clamp at its battery tells what that counts", async () => {
    const token = envoyToken(2_000_000_000);
    const twin = new EnphaseTwin(token);
    twin.hasStorageClamp = true;
    const { connect, read } = bed(twin, { profile: "enphase-envoy", token });
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({
      "battery.power": 1_200,
      "battery.energyCharged": 2_345_600,
      "battery.energyDischarged": 2_109_800,
    });
  });

  test("a GEN24 with the software of 2021 tells its meter in names of its own", async () => {
    const twin = new FroniusTwin();
    const usual = await readFronius(twin);
    twin.hasOwnNames = true;
    const own = await readFronius(twin);
    expect(own).toMatchObject({ "meter.power.l1": 434, "meter.voltage.l1": 231.5, "meter.current.l1": 2.5 });
    expect(own).toEqual(usual);
  });

  test("an Envoy without clamps tells what its microinverters reported", async () => {
    const token = envoyToken(2_000_000_000);
    const twin = new EnphaseTwin(token);
    twin.hasClamps = false;
    const { connect, read } = bed(twin, { profile: "enphase-envoy", token });
    await using driver = await connect();
    expect(await read(driver)).toMatchObject({ "inverter.power": 2_150 });
    expect(driver.points).not.toContain("meter.power");
  });
});

async function readFronius(twin: FroniusTwin) {
  const { connect, read } = bed(twin, { profile: "fronius-solar-api" });
  await using driver = await connect();
  return await read(driver);
}

describe("politeness", () => {
  test("one request at a time goes to a host, also for two devices there", async () => {
    const twin = new ShellyRpcTwin("monophase");
    twin.delayMs = 500;
    const { adapter, options, world, connect, read } = bed(twin, { profile: "shelly-gen2-em" });
    await using one = await connect();
    const second = adapter.connect("second", { ...options, settings: { channel: 1 } }, new AbortController().signal);
    await using other = await world.clock.resolve(second, 60_000);
    await Promise.all([read(one), world.clock.settle()]);
    const startMs = world.clock.monotonicMs();
    await world.clock.advance(60_000);
    const both = Promise.all([one.read("due", calm), other.read("due", calm)]);
    const [, readings] = await world.clock.resolve(both, 60_000);
    expect(readings).toContainEqual({ point: "meter.power", value: 734 });
    expect(world.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(61_000);
  });

  test("only what is due is asked for", async () => {
    const twin = new GoETwin(2);
    const { connect, read, world } = bed(twin, { profile: "go-e-http" });
    await using driver = await connect();
    await read(driver);
    const before = twin.asked.length;
    await world.clock.advance(2_000);
    await read(driver, "due");
    expect(twin.asked.slice(before)).toEqual(["GET /api/status?filter=car,alw,frc,amp,psm,nrg,wh,eto,err"]);
    expect(driver.pollMs).toBe(2_000);
  });

  test("a host that asks for a pause gets one", async () => {
    const twin = new HomeWizardTwin(1);
    const { connect, read, world } = bed(twin, { profile: "homewizard-v1" });
    await using driver = await connect();
    await read(driver);
    twin.fault = "unavailable";
    await expect(read(driver)).rejects.toMatchObject({ kind: "unreachable" });
    twin.fault = "none";
    const before = twin.asked.length;
    await expect(read(driver)).rejects.toThrow("left alone");
    expect(twin.asked.length).toBe(before);
    await world.clock.advance(31_000);
    expect(await read(driver)).toMatchObject({ "meter.power": 734 });
  });
});

describe("secrets", () => {
  test.each([
    ["tasmota-http", { password: "hunter2-secret" }, new TasmotaTwin("plug", "other")],
    ["tesla-powerwall", { password: "hunter2-secret" }, new PowerwallTwin("other")],
    ["shelly-gen2-3em", { password: "hunter2-secret" }, new ShellyRpcTwin("triphase", "other")],
    ["enphase-envoy", { token: "hunter2-secret" }, new EnphaseTwin("other")],
  ] as const)("of %s stand in no error and no log", async (profile, more, twin) => {
    const { connect, log } = bed(twin, { profile, ...more });
    const failure = await connect().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "unauthorized" });
    const chain: unknown[] = [];
    for (let error: unknown = failure; error instanceof Error; error = error.cause)
      chain.push(error.message, error.stack);
    expect(JSON.stringify([chain, log.lines])).not.toContain("hunter2");
  });
});
