/** Devices with several parts under one serial number, and placeholder serial numbers. */
import type { Sighting } from "hemgate/sdk";
import { expect, test } from "vitest";
import type { DeviceStatus } from "../../../src/engine/contracts/engine.ts";
import { foundView } from "../../../src/engine/discovery/discovery-view.ts";
import { SightingIndex } from "../../../src/engine/discovery/sighting-index.ts";

const SERIAL = "ACE0287582";

function socket(unit: number, changes: Partial<Sighting> = {}): Sighting {
  const profile = changes.profile ?? "alfen-ng9xx";
  const host = changes.address ?? "192.168.1.9";
  return {
    key: `${profile}:${changes.serial ?? SERIAL}:${unit}`,
    options: { host, port: 502, unit, profile },
    place: { host, port: 502 },
    manufacturer: "Alfen",
    model: null,
    serial: SERIAL,
    firmware: null,
    name: null,
    vendorTypes: ["charger"],
    vendors: ["ALFEN", "MODBUS"],
    profile,
    address: host,
    confidence: 0.9,
    proof: "answers",
    source: "modbus",
    ...changes,
  };
}

/** The first socket as a device of the gateway, at its earlier address. */
const LEFT = {
  status: {
    id: "left",
    adapter: "modbus",
    identity: { manufacturer: "Alfen", model: null, serial: SERIAL, version: null },
  } as DeviceStatus,
  options: { host: "192.168.1.5", profile: "alfen-ng9xx", unit: 1 },
};

function indexOf(...seen: readonly Sighting[]): SightingIndex {
  const index = new SightingIndex();
  index.beginSearch();
  for (const sighting of seen) index.add("modbus", sighting, { atMs: 1_000, isActive: true });
  return index;
}

test("Two sockets of one station are two devices, and only the one that the gateway has is known", () => {
  const found = indexOf(socket(1), socket(2)).all();
  expect(found.map((entry) => [entry.sighting.options?.["unit"], foundView(entry, [LEFT]).knownAs])).toEqual([
    [1, "left"],
    [2, null],
  ]);
});

test("A device found with another profile and unit is recognized by its serial number", () => {
  const [entry] = indexOf(socket(126, { profile: "sunspec" })).all();
  expect(entry && foundView(entry, [LEFT]).knownAs).toBe("left");
});

test("Two devices with a placeholder serial number stay separate and have no serial number", () => {
  const index = indexOf(
    socket(1, { key: "a", serial: "AA00000000" }),
    socket(1, { key: "b", serial: "AA00000000", address: "192.168.1.10" }),
  );
  expect(index.all().map(({ sighting, otherAddresses }) => [sighting.serial, otherAddresses])).toEqual([
    [null, []],
    [null, []],
  ]);
});

test("An announcement without a serial number and the answer from the same address are one device, with the serial number", () => {
  const announced = { key: "announced", serial: null, source: "mdns", confidence: 0.6 } as const;
  const seen = (...all: readonly Sighting[]) =>
    indexOf(...all)
      .all()
      .map(({ sighting }) => sighting.serial);
  expect(seen(socket(1, announced), socket(1))).toEqual([SERIAL]);
  expect(seen(socket(1, announced), socket(1, { address: "192.168.1.10" }))).toEqual([null, SERIAL]);
  expect(seen(socket(1, { ...announced, source: "modbus" }), socket(1))).toEqual([null, SERIAL]);
});

test("An announcement replaces a device's earlier answer only if it comes from another address", () => {
  const index = indexOf(socket(1));
  const listen = (sighting: Sighting, atMs: number): void => {
    index.beginSearch();
    index.add("modbus", sighting, { atMs, isActive: false });
  };
  listen(socket(1, { confidence: 0.5, proof: "announces itself", source: "mdns" }), 2_000);
  expect(index.all()).toMatchObject([{ sighting: { proof: "answers" }, seenAtMs: 2_000 }]);
  listen(socket(1, { confidence: 0.5, proof: "announces itself", source: "mdns", address: "192.168.1.10" }), 3_000);
  expect(index.all()).toMatchObject([{ sighting: { proof: "announces itself", address: "192.168.1.10" } }]);
});
