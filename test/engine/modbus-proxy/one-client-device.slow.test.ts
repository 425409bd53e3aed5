/** An inverter that serves one client, the gateway that is this client, and two programs that reach it through the proxy. */
import { type ModbusImage, type ModbusReply, serveModbus } from "hemgate/testing";
import { expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { ModbusProxyConfig } from "../../../src/config/modbus-proxy-config.ts";
import { openModbusProxy } from "../../../src/engine/modbus-proxy/open-modbus-proxy.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import { makeHome } from "../home.ts";
import { connectProgram, type Program, reading, word } from "./proxy-client.ts";

const SECOND = 1_000;
const DONGLE = { host: "192.168.1.10", port: 502 };
const PROXY = { host: "192.168.1.2", port: 1502 };
const EVCC = "192.168.1.30";
const MAKER = "192.168.1.31";
const FORCIBLE = 47_100;
const RESERVE = "battery.control.dischargeCutoffSoc";

/** A dongle that takes its time, so that requests wait for each other. */
function slowly(image: ModbusImage, delayMs: number): ModbusImage {
  const later = (reply: ModbusReply): ModbusReply =>
    reply.kind === "values" || reply.kind === "exception" ? { ...reply, delayMs } : reply;
  return {
    readHolding: (...request) => later(image.readHolding(...request)),
    readInput: (...request) => later(image.readInput(...request)),
    writeHolding: (...request) => later(image.writeHolding(...request)),
  };
}

async function openHouse(seed = 1, delayMs = 0) {
  const home = makeHome(seed, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twin = await createTwin("huawei-sun2000-luna", { clock });
  const server = await serveModbus({ clock, net: net.host() }, slowly(twin, delayMs), DONGLE, { maxClients: 1 });
  const device = {
    id: "inverter",
    adapter: "modbus",
    ...DONGLE,
    profile: "huawei-sun2000-luna",
    confirmUnverified: true,
    settings: { maxChargeW: 5_000, maxDischargeW: 5_000 },
  };
  const run = await home.start({ devices: [device] });
  const modbusProxy = ModbusProxyConfig.parse({
    hosts: [PROXY.host],
    devices: [{ device: "inverter", unit: 1 }],
    clients: [{ address: EVCC, name: "evcc", mayWrite: ["inverter"] }, { address: MAKER }],
  });
  const proxy = (await openModbusProxy({ ...run.process.platform, config: { modbusProxy }, engine: run.engine }))!;
  await clock.advance(30 * SECOND);
  const program = (from: string): Promise<Program> => connectProgram(net.host(from), clock, PROXY);
  const battery = () => run.engine.assets.list("battery")[0]!.asset;
  const command = async (operationMode: "IMPORT_FOCUS" | "SELF_RELIANCE") => {
    const setting = { targetType: "battery", operationMode } as const;
    return await clock.resolve(run.engine.actions.start(battery().id, setting), 10 * SECOND);
  };
  return { home, clock, net, twin, server, run, proxy, program, battery, command };
}

test("two programs read what the device has, over the gateway's one connection, and no poll is late", async () => {
  const { clock, net, twin, server, run, proxy, program } = await openHouse();
  const status = () => run.engine.devices()[0]!;
  expect(status()).toMatchObject({ isReachable: true });
  const requestsBefore = twin.requests;
  await clock.advance(60 * SECOND);
  const alone = twin.requests - requestsBefore;

  const stranger = await connectProgram(net.host(MAKER), clock, DONGLE);
  await clock.advance(SECOND);
  expect(stranger.isClosed).toBe(true);

  const [evcc, maker] = [await program(EVCC), await program(MAKER)];
  const startMs = clock.monotonicMs();
  const requestsMid = twin.requests;
  let oldestMs = 0;
  while (clock.monotonicMs() - startMs < 60 * SECOND) {
    const ids = [evcc, maker].map((each) => [
      each.request(1, reading(3, 32_080, 2)),
      each.request(1, reading(3, 37_760, 1)),
      each.request(1, reading(3, 30_000, 15)),
    ]);
    for (const [index, each] of [evcc, maker].entries()) {
      for (const id of ids[index]!) expect((await each.answer(id))?.[0]).toBe(3);
    }
    const power = status().points.find(({ point }) => point === "meter.power");
    if (power !== undefined) oldestMs = Math.max(oldestMs, clock.nowMs() - power.atMs);
    await clock.advance(500);
  }
  expect(server.connections).toBe(1);
  expect(status()).toMatchObject({ isReachable: true, lastError: null });
  expect(oldestMs).toBeLessThan(5 * SECOND);
  // The model's name is not polled, so it is asked for; power and charge are in what was just read.
  expect((await evcc.ask(1, reading(3, 30_000, 15)))?.[1]).toBe(30);
  const { cached, read, failed, refused } = proxy.state().counts;
  expect({ failed, refused }).toEqual({ failed: 0, refused: 0 });
  expect(cached).toBeGreaterThan(3 * read);
  expect(twin.requests - requestsMid).toBeLessThan(2 * alone);
  await clock.resolve(Promise.resolve(proxy[Symbol.asyncDispose]()), SECOND);
  await run.close();
}, 60_000);

test("exceptions of the device, and registers that it does not have, reach the program as they are", async () => {
  const { run, proxy, program, clock } = await openHouse();
  const evcc = await program(EVCC);
  const missing = await evcc.ask(1, reading(3, 12_345, 2));
  expect(missing?.[0]).toBe(0x83);
  expect([2, 3]).toContain(missing?.[1]);
  expect(run.engine.devices()[0]).toMatchObject({ isReachable: true });
  await clock.resolve(Promise.resolve(proxy[Symbol.asyncDispose]()), SECOND);
  await run.close();
}, 60_000);

test("a program's write is refused while the gateway commands the battery, and passes after it let go", async () => {
  const { clock, twin, run, proxy, program, battery, command } = await openHouse();
  const evcc = await program(EVCC);
  const release = [6, ...word(FORCIBLE), ...word(0)];
  await command("IMPORT_FOCUS");
  await clock.advance(20 * SECOND);
  expect(battery().chargeState).toMatchObject({ chargeRate: 5 });
  expect(await evcc.ask(1, release)).toEqual([0x86, 6]);
  const [forced] = (await evcc.ask(1, reading(3, FORCIBLE, 1)))!.slice(3);
  expect(forced).toBe(1);
  const audit = run.engine.services.audit.list()[0];
  expect(audit).toMatchObject({
    who: { kind: "program", id: EVCC, name: "evcc" },
    outcome: "refused",
    path: "modbus unit 1 (inverter), function 6, holding register 47100 = 0: the gateway commands battery.mode of this device now",
  });

  await command("SELF_RELIANCE");
  await clock.advance(30 * SECOND);
  const writes = twin.writes.length;
  expect(await evcc.ask(1, [6, ...word(47_082), ...word(150)])).toEqual([6, ...word(47_082), ...word(150)]);
  expect(twin.writes.length).toBe(writes + 1);
  expect(run.engine.services.audit.list()[0]).toMatchObject({ outcome: "done" });
  // The gateway looks at once, though it reads this register once a minute, and fights nothing.
  await clock.advance(35 * SECOND);
  expect(battery().chargeState).toMatchObject({ dischargeLimit: 15 });
  expect(run.engine.devices()[0]?.takenOver).toEqual([]);
  expect(twin.writes.length).toBe(writes + 1);
  await clock.resolve(Promise.resolve(proxy[Symbol.asyncDispose]()), SECOND);
  await run.close();
}, 60_000);

test("no write of a program arrives after the first one of a command, whenever the command comes", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { home, clock, twin, run, proxy, program, battery } = await openHouse(seed, 150);
    const [evcc, maker] = [await program(EVCC), await program(MAKER)];
    const before = twin.writes.length;
    const commandAtMs = clock.monotonicMs() + SECOND + Math.floor(2 * SECOND * home.world.random.next());
    let isCommanded = false;
    for (let round = 0; round < 100; round++) {
      // A value that the gateway never writes.
      evcc.request(1, [6, ...word(47_082), ...word(200 + round)]);
      maker.request(1, reading(3, 30_000 + round, 1));
      await clock.advance(100);
      if (isCommanded || clock.monotonicMs() < commandAtMs) continue;
      isCommanded = true;
      const setting = { targetType: "battery", operationMode: "IMPORT_FOCUS" } as const;
      void run.engine.actions.start(battery().id, setting);
    }
    await clock.advance(10 * SECOND);
    const ids = twin.writes.slice(before).map(({ id }) => id);
    const firstOwn = ids.findIndex((id) => id !== RESERVE);
    expect(firstOwn, `seed ${seed}`).toBeGreaterThan(0);
    expect(ids.slice(firstOwn), `seed ${seed}`).not.toContain(RESERVE);
    await clock.resolve(Promise.resolve(proxy[Symbol.asyncDispose]()), SECOND);
    await run.close();
  }
}, 120_000);
