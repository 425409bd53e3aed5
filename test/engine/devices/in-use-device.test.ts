/** A device whose only connection another program holds: its status says so, and no longer when the program is gone. */
import { serveModbus } from "hemgate/testing";
import { expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import { makeHome } from "../home.ts";

const MINUTE = 60_000;
const METER = { host: "192.168.1.10", port: 502 };

test("A meter that serves another program is said to be in use, until it answers or its host is gone", async () => {
  const home = makeHome(1, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twin = await createTwin("eastron-sdm630", { clock });
  const serve = () => serveModbus({ clock, net: net.host() }, twin, METER, { maxClients: 1 });
  let server = await serve();
  const run = await home.start({ devices: [{ id: "meter", adapter: "modbus", ...METER, profile: "eastron-sdm630" }] });
  const status = () => run.engine.devices()[0];
  await clock.advance(MINUTE);
  expect(status()).toMatchObject({ isReachable: true, mayBeInUse: false });

  // The meter restarts, and the other program is faster.
  await server[Symbol.asyncDispose]();
  await clock.advance(MINUTE);
  expect(status()).toMatchObject({ isReachable: false, mayBeInUse: true });
  server = await serve();
  const other = await clock.resolve(
    net
      .host("192.168.1.30")
      .connect(METER, { data: () => undefined, closed: () => undefined }, new AbortController().signal),
    MINUTE,
  );
  await clock.advance(3 * MINUTE);
  expect(status()).toMatchObject({ isReachable: false, mayBeInUse: true, lastError: expect.any(String) });

  other[Symbol.dispose]();
  await clock.advance(3 * MINUTE);
  expect(status()).toMatchObject({ isReachable: true, mayBeInUse: false });

  await server[Symbol.asyncDispose]();
  net.faults.begin({ kind: "unreachable", host: METER.host, share: 1 });
  await clock.advance(3 * MINUTE);
  expect(status()).toMatchObject({ isReachable: false, mayBeInUse: false });
  await run.close();
});
