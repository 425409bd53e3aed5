/** Reads of a Modbus device that somebody waits for, through the engine. */
import { serveModbus } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { makeHome } from "../../engine/home.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ADDRESS = { host: "charger", port: 502 };

async function openHouse() {
  const home = makeHome(1, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twin = await createTwin("alfen-ng9xx", { clock });
  const server = await serveModbus({ clock, net: net.host() }, twin, ADDRESS);
  const devices = [{ id: "charger", adapter: "modbus", ...ADDRESS, profile: "alfen-ng9xx" }];
  const run = await home.start({ devices });
  await clock.advance(MINUTE);
  const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
  const timed = async () => {
    const startMs = clock.monotonicMs();
    const outcome = await clock.resolve(run.engine.readNow("charger", id), MINUTE);
    return { outcome, tookMs: clock.monotonicMs() - startMs };
  };
  return { clock, twin, server, run, id, timed };
}

describe("a read of a Modbus device that somebody waits for", () => {
  test("shows what the device says now", async () => {
    const { twin, run, id, timed } = await openHouse();
    twin.plug(true);
    expect((await timed()).outcome).toBeNull();
    expect(run.engine.assets.get("charger", id)?.chargeState.isPluggedIn).toBe(true);
    await run.close();
  });

  test("of a device that is silent is a timeout, within 20 s, at any time", async () => {
    const { clock, twin, run, timed } = await openHouse();
    twin.sleep("silent");
    for (let asked = 0; asked < 10; asked += 1) {
      const { outcome, tookMs } = await timed();
      expect(outcome).toBe("timeout");
      expect(tookMs).toBeLessThanOrEqual(20 * SECOND);
      await clock.advance(37 * SECOND);
    }
    await run.close();
  });

  test("of a device that takes no connection says that it is not available", async () => {
    const { clock, server, run, timed } = await openHouse();
    await server[Symbol.asyncDispose]();
    await clock.advance(MINUTE);
    expect((await timed()).outcome).toBe("unavailable");
    await run.close();
  });
});
