/** A gateway with its real adapters on this machine, and devices on the loopback address that an installer links. */
import { createModbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { eastronSdm630 } from "../../adapters/modbus/profiles/eastron-sdm630.ts";
import { smartMeterAdapter } from "../../adapters/smart-meter/smart-meter-adapter.ts";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../src/platform/node/node-net.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { serveModbus } from "../../src/testing/modbus-server.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { PLATED, platedImage } from "../adapters/modbus/discovery/plated-devices.ts";
import { SOME_MEASURED } from "../twins/smart-meters/measured.ts";
import { p1Telegram } from "../twins/smart-meters/p1-twin.ts";

const TELEGRAM_EVERY_MS = 500;

/** What an installer would choose from. One profile is the installer's own. */
export const INSTALLER_ADAPTERS: readonly Adapter[] = [
  createModbusAdapter({ profiles: [{ ...eastronSdm630, id: "my-meter", brand: "Zzz of mine" }], broken: [] }),
  smartMeterAdapter,
  speedwireAdapter,
] as unknown as readonly Adapter[];

export interface LoopbackDevices extends AsyncDisposable {
  readonly modbusPort: number;
  readonly p1Port: number;
}

/** A Modbus meter and a P1 port, each at a port of its own. */
export async function serveDevices(): Promise<LoopbackDevices> {
  const clock = nodeClock(() => "synced");
  const net = nodeNet(new TestLog());
  const meter = PLATED.find(({ profile }) => profile === "eastron-sdm630");
  if (meter === undefined) throw new Error("no such device");
  await using resources = new AsyncDisposableStack();
  const modbus = resources.use(
    await serveModbus({ clock, net }, await platedImage(meter, clock), { host: "127.0.0.1", port: 0 }),
  );
  const p1 = resources.use(
    await net.listen({ host: "127.0.0.1", port: 0 }, (stream) => {
      const telegram = Buffer.from(p1Telegram("dsmr5", SOME_MEASURED), "latin1");
      const timer = setInterval(() => stream.write(telegram), TELEGRAM_EVERY_MS);
      return { data: () => undefined, closed: () => clearInterval(timer) };
    }),
  );
  const held = resources.move();
  return {
    modbusPort: modbus.address.port,
    p1Port: p1.address.port,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
