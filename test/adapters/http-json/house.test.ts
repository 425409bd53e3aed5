/** A house of devices that answer by HTTP, behind the engine: shown, commanded, and none in the way of another. */

import { describe, expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import { makeHome } from "../../engine/home.ts";
import { GoETwin } from "../../twins/http-devices/charger-twins.ts";
import { FroniusTwin } from "../../twins/http-devices/fronius-twin.ts";
import { HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import { listen } from "../../twins/http-devices/http-twin.ts";
import { PowerwallTwin } from "../../twins/http-devices/powerwall-twin.ts";
import { FINGERPRINT } from "./http-world.ts";

const SECOND = 1_000;
const STOP: DesiredSetting = { targetType: "charger", kind: "STOP" };
const adapter = "http-json";
const DEVICES = [
  { id: "goe", profile: "go-e-http", host: "192.168.1.41" },
  { id: "fronius", profile: "fronius-solar-api", host: "192.168.1.42" },
  { id: "meter", profile: "homewizard-v1", host: "192.168.1.43" },
  { id: "powerwall", profile: "tesla-powerwall", host: "192.168.1.44", password: "AB123" },
];

async function makeHouse() {
  const home = makeHome(3, { adapters: [httpJsonAdapter] });
  const twins = {
    goe: new GoETwin(2),
    fronius: new FroniusTwin(),
    meter: new HomeWizardTwin(1),
    powerwall: new PowerwallTwin("AB123"),
  };
  const { web } = home.world;
  listen(web, "192.168.1.41", 80, twins.goe);
  listen(web, "192.168.1.42", 80, twins.fronius);
  listen(web, "192.168.1.43", 80, twins.meter);
  listen(web, "192.168.1.44", 443, twins.powerwall, FINGERPRINT);
  const devices = DEVICES.map((device) => ({ ...device, adapter, ...parsed(device) }));
  const begin = () => home.start({ devices });
  return { home, twins, begin, run: await begin() };
}

/** As the configuration hands options over. */
function parsed({ id: _id, ...options }: (typeof DEVICES)[number]): object {
  return httpJsonAdapter.options.parse(options);
}

describe("a house of devices with HTTP", () => {
  test("shows all of them, and a charger that was stopped", async () => {
    const { home, twins, run } = await makeHouse();
    await home.world.clock.advance(10 * SECOND);
    const kinds = (["charger", "battery", "inverter", "meter"] as const).map(
      (kind) => run.engine.assets.list(kind).length,
    );
    expect(kinds).toEqual([1, 2, 2, 3]);
    const charger = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    const action = await home.world.clock.resolve(run.engine.actions.start(charger, STOP), 10 * SECOND);
    await home.world.clock.advance(10 * SECOND);
    expect(run.engine.actions.get("charger", action.id)?.state).toBe("CONFIRMED");
    expect(twins.goe.car.isCharging).toBe(false);
    await run.close();
    // What was stopped stays stopped.
    expect(twins.goe.car.isCharging).toBe(false);
  });

  test("one that hangs, and one that sends pages, are in nobody's way", async () => {
    const { home, twins, run } = await makeHouse();
    await home.world.clock.advance(10 * SECOND);
    twins.powerwall.fault = "hang";
    twins.fronius.fault = "html";
    const before = twins.meter.asked.length;
    await home.world.clock.advance(120 * SECOND);
    // Once a second, and who it is now and then.
    expect(twins.meter.asked.length - before).toBeGreaterThanOrEqual(119);
    const reachable = run.engine.assets.list("battery").map(({ asset }) => asset.isReachable);
    expect(reachable).toEqual([false, false]);
    twins.powerwall.fault = "none";
    twins.fronius.fault = "none";
    await home.world.clock.advance(180 * SECOND);
    expect(run.engine.assets.list("battery").map(({ asset }) => asset.isReachable)).toEqual([true, true]);
    expect(twins.powerwall.signIns).toBe(1);
    await run.close();
  });

  test("a gateway that is killed leaves the charger stopped and its memory alone", async () => {
    const { home, twins, run, begin } = await makeHouse();
    await home.world.clock.advance(10 * SECOND);
    const charger = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    await home.world.clock.resolve(run.engine.actions.start(charger, STOP), 10 * SECOND);
    await home.world.clock.advance(5 * SECOND);
    run.process.kill();
    home.disk.crash();
    await home.world.clock.advance(60 * SECOND);
    expect(twins.goe.force).toBe(1);
    const next = await begin();
    await home.world.clock.advance(60 * SECOND);
    expect([twins.goe.force, twins.goe.stored]).toEqual([1, 0]);
    expect(next.engine.assets.list("charger")).toHaveLength(1);
    await next.close();
  });

  test("takes no other charger with its address for the one that it knows", async () => {
    const { home, twins, run, begin } = await makeHouse();
    const { clock } = home.world;
    await clock.advance(10 * SECOND);
    await run.close();
    const again = await begin();
    await clock.advance(10 * SECOND);
    const charger = again.engine.assets.list("charger")[0]?.asset.id ?? "";
    expect(again.engine.assets.get("charger", charger)?.isReachable).toBe(true);
    twins.goe.lies.set("213456", "999111");
    await clock.advance(61 * SECOND);
    await clock.resolve(again.engine.actions.start(charger, STOP), 10 * SECOND);
    await clock.advance(30 * SECOND);
    expect(again.engine.assets.get("charger", charger)?.isReachable).toBe(false);
    expect(twins.goe.asked.filter((asked) => asked.includes("/api/set"))).toEqual([]);
    expect(again.engine.devices().find(({ id }) => id === "goe")?.lastError).toContain(
      "another device (serial 999111) answers at 192.168.1.41; expected serial 213456",
    );
    await again.close();
  });
});
