/** Chargers' twins behind the real adapter and engine: a limit and a stop that are held side by side. */
import { serveModbus } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import type { Action, DesiredSetting } from "../../../src/domain/actions/action.ts";
import { type Home, makeHome, type Run } from "../../engine/home.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../../twins/registers/register-twin.ts";
import type { TwinId } from "../../twins/registers/twin-maps.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ADDRESS = { host: "charger", port: 502 };

const START: DesiredSetting = { targetType: "charger", kind: "START" };
const STOP: DesiredSetting = { targetType: "charger", kind: "STOP" };

function limit(maxCurrent: number): DesiredSetting {
  return { targetType: "charger", maxCurrent };
}

/** A gateway and a charger with a vehicle on it, charging. */
async function openHouse(twinId: TwinId, profile: string) {
  const home = makeHome(1, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twin = await createTwin(twinId, { clock });
  await serveModbus({ clock, net: net.host() }, twin, ADDRESS);
  twin.plug(true);
  const devices = [{ id: "charger", adapter: "modbus", ...ADDRESS, profile, confirmUnverified: true }];
  const run = await home.start({ devices });
  await clock.advance(10 * SECOND);
  return { home, twin, run, devices };
}

/** Commands, and says what became of it within half a minute. */
async function command(home: Home, { engine }: Run, setting: DesiredSetting): Promise<Action["state"] | undefined> {
  const id = engine.assets.list("charger")[0]?.asset.id ?? "";
  const { id: actionId } = await home.world.clock.resolve(engine.actions.start(id, setting), 10 * SECOND);
  await home.world.clock.advance(30 * SECOND);
  return engine.actions.get("charger", actionId)?.state;
}

/** How many of the seconds the charger let the vehicle charge. */
async function secondsAllowed(home: Home, twin: RegisterTwin, seconds: number): Promise<number> {
  let allowed = 0;
  for (let second = 0; second < seconds; second += 1) {
    await home.world.clock.advance(SECOND);
    if (twin.effect.charger?.isAllowed === true) allowed += 1;
  }
  return allowed;
}

const HOLDING = [
  ["alfen-ng9xx", "alfen-ng9xx"],
  ["heidelberg-ec", "heidelberg-ec"],
  ["keba-p30-p40", "keba-p30"],
  ["keba-p30-p40", "keba-p40"],
  ["mennekes-compact", "mennekes-compact"],
  ["webasto-next-tq", "webasto-next-tq"],
] as const;
const LASTING = [
  ["bender-cc-mennekes-ecu", "bender-cc-mennekes-ecu"],
  ["go-e-modbus", "go-e-modbus"],
  ["mennekes-hcc3", "mennekes-hcc3"],
  ["openwb-2-secondary", "openwb-2-secondary"],
] as const;

describe.each([...HOLDING, ...LASTING])("%s as %s", (twinId, profile) => {
  test("a stop outlasts the limits beside it, and a start takes the last of them up", async () => {
    const { home, twin, run } = await openHouse(twinId, profile);
    expect(await command(home, run, limit(10))).toBe("CONFIRMED");
    expect(twin.effect.charger).toMatchObject({ isAllowed: true, limitA: 10 });
    expect(await command(home, run, STOP)).toBe("CONFIRMED");
    expect(await secondsAllowed(home, twin, 90)).toBe(0);
    expect(await command(home, run, limit(8))).toBe("CONFIRMED");
    expect(await secondsAllowed(home, twin, 60)).toBe(0);
    expect(await command(home, run, START)).toBe("CONFIRMED");
    expect(twin.effect.charger).toMatchObject({ isAllowed: true, limitA: 8 });
    expect(await secondsAllowed(home, twin, 60)).toBe(60);
    expect(twin.effect.charger).toMatchObject({ isAllowed: true, limitA: 8 });
    await run.close();
  });

  test("a stop outlasts a gateway that dies and comes back", async () => {
    const { home, twin, run, devices } = await openHouse(twinId, profile);
    await command(home, run, limit(10));
    await command(home, run, STOP);
    run.process.kill();
    home.disk.crash();
    await home.world.clock.advance(4 * SECOND);
    const again = await home.start({ devices });
    expect(await secondsAllowed(home, twin, 60)).toBe(0);
    await again.close();
    expect(twin.effect.charger?.isAllowed).toBe(false);
  });
});

describe.each(HOLDING)("%s as %s, when the gateway dies", (twinId, profile) => {
  test("offers the least, or what its owner set, within its time", async () => {
    const { home, twin, run } = await openHouse(twinId, profile);
    expect(await command(home, run, limit(12))).toBe("CONFIRMED");
    run.process.kill();
    await home.world.clock.advance(MINUTE + SECOND);
    const ownLimit = twinId === "mennekes-compact" ? 16 : 6;
    expect(twin.effect.charger).toMatchObject({ isAllowed: true, limitA: ownLimit });
  });

  test("is stopped again by the gateway that comes back when its timer has ended the stop", async () => {
    const { home, twin, run, devices } = await openHouse(twinId, profile);
    expect(await command(home, run, STOP)).toBe("CONFIRMED");
    run.process.kill();
    home.disk.crash();
    await home.world.clock.advance(2 * MINUTE);
    const again = await home.start({ devices });
    await home.world.clock.advance(30 * SECOND);
    expect(await secondsAllowed(home, twin, 60)).toBe(0);
    await again.close();
  });
});

test.each([
  ["heidelberg-ec", "heidelberg-ec"],
  ["keba-p30-p40", "keba-p30"],
] as const)("%s as %s stays stopped when the gateway dies", async (twinId, profile) => {
  const { home, twin, run } = await openHouse(twinId, profile);
  expect(await command(home, run, limit(10))).toBe("CONFIRMED");
  expect(await command(home, run, STOP)).toBe("CONFIRMED");
  await home.world.clock.advance(2 * MINUTE);
  run.process.kill();
  expect(await secondsAllowed(home, twin, 120)).toBe(0);
});
