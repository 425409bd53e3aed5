import { describe, expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { batteryOptions, chargerOptions, followSwitch } from "../engine/home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const LIMIT_MS = 60 * SECOND;

function makeHouse(more: object = {}) {
  const world = new World({ seed: 7 });
  const disk = new MemoryDisk();
  const battery = new FakeDevice({ ...batteryOptions(), clock: world.clock });
  const charger = new FakeDevice({ ...chargerOptions(), clock: world.clock });
  followSwitch(charger);
  const adapters = [fakeAdapter({ battery, charger })];
  const devices = ["battery", "charger"].map((id) => ({ id, adapter: "fake" }));
  const config = configSchema(adapters).parse({ ...more, devices });
  const start = async () => {
    const process = world.boot("gateway", disk);
    const opening = createGateway({ platform: process.platform, config, adapters, listen: false });
    return { process, gateway: await world.clock.resolve(opening, LIMIT_MS) };
  };
  const close = async (gateway: Gateway) => {
    const before = world.clock.monotonicMs();
    await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
    return world.clock.monotonicMs() - before;
  };
  return { world, disk, battery, charger, start, close };
}

async function tokenOf(gateway: Gateway, world: World): Promise<string> {
  const { id, secret } = await world.clock.resolve(gateway.createClient("test"), LIMIT_MS);
  const answer = await world.clock.resolve(
    Promise.resolve(
      gateway.api.inject({
        method: "POST",
        url: "/oauth2/token",
        headers: {
          authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        payload: "grant_type=client_credentials",
      }),
    ),
    LIMIT_MS,
  );
  return answer.json().access_token;
}

describe("the gateway", () => {
  test("answers with every device dead, and is ready", async () => {
    const house = makeHouse();
    house.battery.isUp = false;
    house.charger.hangsOn = "connect";
    const { gateway } = await house.start();
    const ready = gateway.api.inject({ url: "/health/ready" });
    expect((await house.world.clock.resolve(Promise.resolve(ready), LIMIT_MS)).statusCode).toBe(204);
    expect(await house.close(gateway)).toBeLessThan(5 * SECOND);
  });

  test("removes old history at the time of day that storage.housekeeping names, in the time zone of the house", async () => {
    const house = makeHouse({ site: { timezone: "Europe/Berlin" }, storage: { housekeeping: "17 2 * * *" } });
    const { clock } = house.world;
    const { gateway } = await house.start();
    await clock.advance(15 * MINUTE);
    const yesterdayMs = clock.nowMs() - DAY;
    gateway.store.record({
      deviceId: "meter",
      atMs: clock.nowMs() - 402 * DAY,
      values: [{ point: "meter.power", value: 1 }],
    });
    const old = () => clock.resolve(gateway.store.history("meter", 0, yesterdayMs), LIMIT_MS);
    // It is 02:15 in Berlin.
    expect(await old()).toHaveLength(1);
    await clock.advance(3 * MINUTE);
    expect(await old()).toHaveLength(0);
    await house.close(gateway);
  });

  test("carries a command from the API to the device and confirms it by reading", async () => {
    const house = makeHouse();
    const { gateway } = await house.start();
    await house.world.clock.advance(3 * SECOND);
    const token = await tokenOf(gateway, house.world);
    const id = gateway.engine.assets.list("charger")[0]?.asset.id;
    const call = (method: "GET" | "POST", url: string, payload?: object) =>
      house.world.clock.resolve(
        Promise.resolve(
          gateway.api.inject({
            method,
            url,
            headers: { authorization: `Bearer ${token}` },
            ...(payload === undefined ? {} : { payload }),
          }),
        ),
        LIMIT_MS,
      );
    const started = await call("POST", `/chargers/${id}/charging`, { action: "START" });
    expect(started.json()).toMatchObject({ state: "PENDING", kind: "START", completedAt: null });
    expect(house.charger.written("charger.enabled")).toEqual([]);
    await house.world.clock.advance(3 * SECOND);
    expect((await call("GET", `/chargers/actions/${started.json().id}`)).json().state).toBe("CONFIRMED");
    expect((await call("GET", `/chargers/${id}`)).json().chargeState).toMatchObject({
      isCharging: true,
      chargeRate: 7.4,
    });
    expect((await call("POST", `/chargers/${id}/charging`, { action: "START" })).json()).toMatchObject({
      detail: "already charging",
    });
    await house.close(gateway);
  });

  test("leaves each device at its safe default, and holds nothing of the world, after a close", async () => {
    const house = makeHouse();
    const { gateway, process } = await house.start();
    await house.world.clock.advance(3 * SECOND);
    const id = gateway.engine.assets.list("battery")[0]?.asset.id ?? "";
    const starting = gateway.engine.actions.start(id, { targetType: "battery", operationMode: "IMPORT_FOCUS" });
    await house.world.clock.resolve(starting, LIMIT_MS);
    await house.world.clock.advance(5 * SECOND);
    expect(house.battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
    expect(await house.close(gateway)).toBeLessThan(SECOND);
    expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
    expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
    await gateway[Symbol.asyncDispose]();
  });

  test.each(["connect", "read", "write", "close"] as const)("closes in time when devices hang on %s", async (call) => {
    const house = makeHouse();
    const { gateway } = await house.start();
    await house.world.clock.advance(3 * SECOND);
    const id = gateway.engine.assets.list("battery")[0]?.asset.id ?? "";
    const starting = gateway.engine.actions.start(id, { targetType: "battery", operationMode: "IMPORT_FOCUS" });
    await house.world.clock.resolve(starting, LIMIT_MS);
    await house.world.clock.advance(5 * SECOND);
    house.battery.hangsOn = call;
    house.charger.hangsOn = call;
    await house.world.clock.advance(2 * SECOND);
    expect(await house.close(gateway)).toBeLessThan(4_500);
  });

  test("a configuration that names an unknown adapter is refused and leaves nothing open", async () => {
    const house = makeHouse();
    const process = house.world.boot("gateway", house.disk);
    const adapters = [fakeAdapter({})];
    const config = { ...configSchema(adapters).parse({}), devices: [{ id: "x", adapter: "nope" }] };
    const opening = createGateway({ platform: process.platform, config, adapters, listen: false });
    await expect(house.world.clock.resolve(opening, LIMIT_MS)).rejects.toThrow("device x: there is no adapter nope");
    expect(process.resources.timers).toBe(0);
  });
});
