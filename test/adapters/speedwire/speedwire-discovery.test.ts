import type { Sighting } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import { expect, test } from "vitest";
import { speedwireAdapter } from "../../../adapters/speedwire/speedwire-adapter.ts";
import { SOME_MEASURED } from "../../../src/testing/smart-meters/measured.ts";
import { SpeedwireTwin } from "../../../src/testing/smart-meters/speedwire-twin.ts";

test("the meters of SMA's group are told by their serial numbers", async () => {
  const world = new World({ seed: 5 });
  const { clock } = world;
  const process = world.boot("gateway", new MemoryDisk());
  const meters = [
    { host: "192.168.1.61", serial: 1_901_427_928, susyId: 349 },
    { host: "192.168.1.62", serial: 3_004_111_222, susyId: 372 },
  ];
  for (const { host, ...plate } of meters) {
    const twin = new SpeedwireTwin({
      clock,
      ...plate,
      everyMs: 1_000,
      measured: () => SOME_MEASURED,
      tellsFrequency: false,
    });
    twin.start(await world.udp.host(host).open({}, { datagram: () => undefined, closed: () => undefined }));
  }
  const { discovery } = speedwireAdapter.start(process.adapterContext());
  const seen = new Map<string, Sighting>();
  const scope = { isActive: false, hosts: [], services: () => [], missing: null, vendorId: null };
  const searching = discovery?.search(scope, (one) => seen.set(one.key, one), new AbortController().signal);
  await clock.resolve(Promise.resolve(searching), 10_000);
  expect([...seen.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))).toMatchObject([
    { serial: "1901427928", model: "Energy Meter 2", address: "192.168.1.61", source: "multicast" },
    { serial: "3004111222", model: "Sunny Home Manager 2.0", address: "192.168.1.62" },
  ]);
  expect(speedwireAdapter.options.parse([...seen.values()][0]?.options)).toMatchObject({ serial: expect.any(Number) });
  expect(process.held.listeners).toBe(0);
});
