import type { Sighting } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import { expect, test } from "vitest";
import { speedwireAdapter } from "../../../adapters/speedwire/speedwire-adapter.ts";
import { SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { SpeedwireTwin } from "../../twins/smart-meters/speedwire-twin.ts";

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
  expect(process.resources.listeners).toBe(0);
});

test("people link a meter by the number on its plate, and find it on the link page", async () => {
  const world = new World({ seed: 5 });
  const { clock } = world;
  const process = world.boot("gateway", new MemoryDisk());
  const plate = { serial: 1_901_427_928, susyId: 349 };
  const twin = new SpeedwireTwin({
    clock,
    ...plate,
    everyMs: 1_000,
    measured: () => SOME_MEASURED,
    tellsFrequency: false,
  });
  twin.start(await world.udp.host("192.168.1.61").open({}, { datagram: () => undefined, closed: () => undefined }));
  const { linking, discovery } = speedwireAdapter.start(process.adapterContext());
  const signal = new AbortController().signal;
  const type = async (serial: string): Promise<unknown> => {
    const callback = { url: "http://gateway.local/link/return", state: "s" };
    const answer = { kind: "form", values: { serial } } as const;
    const turn = linking?.take({ vendorId: "speedwire", answer, memo: undefined, callback }, signal);
    return await clock.resolve(Promise.resolve(turn), 30_000);
  };
  const found = { key: "1901427928", model: "SMA Energy Meter 2", options: { serial: 1_901_427_928 } };
  expect(await type("1901427928")).toMatchObject({ kind: "found", devices: [found] });
  expect(await type("1901427929")).toEqual({ kind: "refused", why: "not-answering" });
  expect(await type("0x17")).toEqual({ kind: "refused", why: "not-answering" });
  const seen: Sighting[] = [];
  const scope = { isActive: true, hosts: [], services: () => [], missing: null };
  for (const vendorId of ["speedwire", "sma-pv"]) {
    const searching = discovery?.search({ ...scope, vendorId }, (one) => seen.push(one), signal);
    await clock.resolve(Promise.resolve(searching), 10_000);
  }
  expect(new Set(seen.map(({ link }) => link?.vendorId))).toEqual(new Set(["speedwire"]));
});
