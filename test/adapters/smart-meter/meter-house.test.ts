/** A house with a meter of each protocol, behind the engine: from the line to the asset. */
import { expect, it } from "vitest";
import { smartMeterAdapter } from "../../../adapters/smart-meter/smart-meter-adapter.ts";
import { speedwireAdapter } from "../../../adapters/speedwire/speedwire-adapter.ts";
import type { Config } from "../../../src/config/config.ts";
import { makeHome } from "../../engine/home.ts";
import { IecTwin } from "../../twins/smart-meters/iec-twin.ts";
import { type Measured, SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { p1Telegram } from "../../twins/smart-meters/p1-twin.ts";
import { smlFile } from "../../twins/smart-meters/sml-twin.ts";
import { SpeedwireTwin } from "../../twins/smart-meters/speedwire-twin.ts";
import { TalkingMeter } from "../../twins/smart-meters/talking-meter.ts";

const MINUTE = 60_000;
const P1 = { host: "192.168.1.70", port: 2_001 };
const SML = { host: "192.168.1.70", port: 2_002 };
const nobody = { datagram: () => undefined, closed: () => undefined };

const drawing = (powerW: number): Measured => ({ ...SOME_MEASURED, powerW: [powerW, 0, 0] });

it("a house reads a meter of each protocol, loses one alone, and has it back", async () => {
  const home = makeHome(4, { adapters: [smartMeterAdapter, speedwireAdapter] });
  const { world } = home;
  const parts = { clock: world.clock, random: world.random.fork("meters"), everyMs: 3_000 };
  const p1 = new TalkingMeter({ ...parts, telegram: () => Buffer.from(p1Telegram("dsmr5", drawing(100)), "latin1") });
  const sml = new TalkingMeter({ ...parts, telegram: () => smlFile(drawing(-200)) });
  const iec = new IecTwin({ clock: world.clock, identification: "LGZ5METER", lines: () => ["16.7.0(0.300*kW)"] });
  const wire = new SpeedwireTwin({ ...parts, serial: 7, susyId: 372, measured: () => drawing(400) });
  await world.net.host().listen(P1, (stream) => p1.line(stream));
  await world.net.host().listen(SML, (stream) => sml.line(stream));
  world.serial.plug("/dev/iec", iec.line);
  const sending = wire.start(await world.udp.host("192.168.1.71").open({}, nobody));

  const meter = (id: string, options: object) => ({
    id,
    adapter: "smart-meter",
    ...smartMeterAdapter.options.parse(options),
  });
  const devices = [
    meter("p1", { protocol: "p1", ...P1 }),
    meter("sml", { protocol: "sml", ...SML }),
    meter("iec", { protocol: "iec62056-21", serialPort: "/dev/iec" }),
    { id: "wire", adapter: "speedwire", ...speedwireAdapter.options.parse({}) },
  ] as unknown as Config["devices"];
  const run = await home.start({ devices });
  const reachable = () =>
    run.engine
      .devices()
      .filter(({ isReachable }) => isReachable)
      .map(({ id }) => id)
      .toSorted();
  const powers = () =>
    run.engine.assets
      .list("meter")
      .map(({ asset }) => asset.energyState.power)
      .toSorted();

  await world.clock.advance(MINUTE);
  expect(reachable()).toEqual(["iec", "p1", "sml", "wire"]);
  expect(powers()).toEqual([-0.2, 0.1, 0.3, 0.4]);

  p1.fault = "wrong-checksum";
  iec.fault = "silent";
  await world.clock.advance(3 * MINUTE);
  expect(reachable()).toEqual(["sml", "wire"]);

  p1.fault = "none";
  iec.fault = "none";
  await world.clock.advance(2 * MINUTE);
  expect(reachable()).toEqual(["iec", "p1", "sml", "wire"]);
  await run.close();
  sending[Symbol.dispose]();
  await world.clock.advance(10);
  expect(run.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
