/** Heat pumps' twins behind the real adapter and engine: what clients can ask of SG Ready. */
import { serveModbus } from "hemgate/testing";
import { expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import type { DesiredSetting, HvacTarget } from "../../../src/domain/actions/action.ts";
import { makeHome } from "../../engine/home.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import type { TwinId } from "../../twins/registers/twin-maps.ts";

const SECOND = 1_000;
const ADDRESS = { host: "heat-pump", port: 502 };
const BLOCK: HvacTarget = { holdType: "PERMANENT", mode: "OFF" };
const BY_ITSELF: HvacTarget = { holdType: "SCHEDULED" };

async function openHouse(id: TwinId) {
  const home = makeHome(1, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twin = await createTwin(id, { clock });
  await serveModbus({ clock, net: net.host() }, twin, ADDRESS);
  const device = { id: "pump", adapter: "modbus", ...ADDRESS, profile: id, confirmUnverified: true };
  const run = await home.start({ devices: [device] });
  await clock.advance(10 * SECOND);
  const hvac = () => run.engine.assets.list("hvac")[0]?.asset;
  const command = async (target: HvacTarget) => {
    const setting: DesiredSetting = { targetType: "hvac", target };
    const action = await clock.resolve(run.engine.actions.start(hvac()?.id ?? "", setting), 10 * SECOND);
    await clock.advance(30 * SECOND);
    return run.engine.actions.get("hvac", action.id)?.state;
  };
  return { home, twin, run, hvac, command };
}

test.each([
  "daikin-homehub",
  "glen-dimplex",
  "idm-navigator",
  "luxtronik-shi",
  "nibe-s",
  "stiebel-wpm",
  "weishaupt-wpm",
] as const)("%s can be blocked, and given back to itself", async (id) => {
  const { twin, run, hvac, command } = await openHouse(id);
  expect(hvac()).toMatchObject({
    isReachable: true,
    capabilities: { capableHoldTypes: ["PERMANENT", "SCHEDULED"], setFollowSchedule: { isCapable: true } },
  });
  expect(await command(BLOCK)).toBe("CONFIRMED");
  expect(twin.effect.hvac).toBe("blocked");
  expect(hvac()?.thermostatState).toMatchObject({ mode: "OFF", holdType: "PERMANENT" });
  expect(await command(BY_ITSELF)).toBe("CONFIRMED");
  expect(twin.effect.hvac).toBe("own-programme");
  expect(hvac()?.thermostatState.holdType).toBe("SCHEDULED");
  await run.close();
});

test("a stop of the gateway takes a block back", async () => {
  const { twin, run, command } = await openHouse("nibe-s");
  expect(await command(BLOCK)).toBe("CONFIRMED");
  await run.close();
  expect(twin.effect.hvac).toBe("own-programme");
});
