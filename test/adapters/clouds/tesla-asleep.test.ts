import { describe, expect, test } from "vitest";
import { TEST_KEYS } from "./fake-session.ts";
import { makeTeslaHome, makeVehicle, SIGNAL } from "./tesla-houses.ts";
import { VIN } from "./tesla-signed-home.ts";

describe("commands to a sleeping vehicle", () => {
  async function asleep(changes: Partial<Parameters<typeof makeVehicle>[0]> = {}) {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ chargingState: "Stopped", ...changes })] });
    home.twin.car(VIN).pair(TEST_KEYS.publicKey);
    const device = await home.open();
    await device.read(SIGNAL);
    const [car] = home.twin.vehicles;
    car!.power = "asleep";
    const start = () => device.write("vehicle.enabled", true, SIGNAL);
    const wakes = () => home.twin.asked.filter(({ url }) => url.pathname.endsWith("/wake_up")).length;
    return { ...home, car: car!, start, wakes };
  }

  test.each([
    ["plain", {}],
    ["signed", { isSigned: true }],
  ])("wake it, and are taken once it is awake: %s", async (_what, changes) => {
    const { clock, car, start, wakes } = await asleep(changes);
    await expect(start()).rejects.toMatchObject({ kind: "asleep", message: "vehicle: it is being woken" });
    await clock.advance(10_000);
    await expect(start()).rejects.toMatchObject({ kind: "asleep" });
    await clock.advance(15_000);
    await start();
    expect(car).toMatchObject({ power: "online", chargingState: "Charging" });
    expect(wakes()).toBe(1);
  });

  test("wake it again after two minutes only", async () => {
    const { twin, clock, car, start, wakes } = await asleep();
    twin.wake = () => undefined;
    for (let passed = 0; passed <= 150; passed += 10) {
      await start().catch(() => undefined);
      await clock.advance(10_000);
    }
    expect(wakes()).toBe(2);
    expect(car).toMatchObject({ power: "asleep", chargingState: "Stopped" });
  });

  test("wake none that is out of reach of its network", async () => {
    const { car, start, wakes } = await asleep();
    car.power = "offline";
    await expect(start()).rejects.toMatchObject({
      kind: "asleep",
      message: "vehicle: it is out of reach of its network",
    });
    expect(wakes()).toBe(0);
  });

  test("say why it is not woken", async () => {
    const { twin, clock, start, wakes } = await asleep();
    twin.lacksCommandScope = true;
    for (let tries = 0; tries < 2; tries += 1) {
      const error = await start().catch((cause: unknown) => cause);
      expect(error).toMatchObject({ kind: "asleep" });
      expect(String(error)).toContain("vehicle: it sleeps, and is not woken: POST ");
      await clock.advance(10_000);
    }
    expect(wakes()).toBe(1);
  });

  test("wait no longer than a command may for Tesla's word on waking it", async () => {
    const { session, clock, start } = await asleep();
    const { ask } = session;
    Object.assign(session, {
      ask: async (...call: Parameters<typeof ask>) => {
        if (call[0].url.endsWith("/wake_up")) await clock.sleep(60_000, call[1]);
        return await ask(...call);
      },
    });
    const began = start().catch((error: unknown) => error);
    await clock.advance(6_000);
    expect(await began).toMatchObject({ kind: "asleep", message: "vehicle: it is being woken" });
  });
});
