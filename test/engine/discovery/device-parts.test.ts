/** One serial number may be that of several parts of a device, and a placeholder is that of nobody. */
import type { Sighting } from "hemgate/sdk";
import { expect, test } from "vitest";
import type { DeviceStatus } from "../../../src/engine/contracts/engine.ts";
import { foundView } from "../../../src/engine/discovery/discovery-view.ts";
import { SightingBook } from "../../../src/engine/discovery/sighting-book.ts";

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

/** The gateway runs the first socket, where it used to be. */
const LEFT = {
  status: {
    id: "left",
    adapter: "modbus",
    identity: { manufacturer: "Alfen", model: null, serial: SERIAL, version: null },
  } as DeviceStatus,
  options: { host: "192.168.1.5", profile: "alfen-ng9xx", unit: 1 },
};

function bookOf(...seen: readonly Sighting[]): SightingBook {
  const book = new SightingBook();
  book.turnPage();
  for (const sighting of seen) book.add("modbus", sighting, { atMs: 1_000, isActive: true });
  return book;
}

test("two sockets of one station are two devices, and the one that runs is not the other", () => {
  const found = bookOf(socket(1), socket(2)).all();
  expect(found.map((entry) => [entry.sighting.options?.["unit"], foundView(entry, [LEFT]).knownAs])).toEqual([
    [1, "left"],
    [2, null],
  ]);
});

test("the same device by another profile and unit is known by its number", () => {
  const [entry] = bookOf(socket(126, { profile: "sunspec" })).all();
  expect(entry && foundView(entry, [LEFT]).knownAs).toBe("left");
});

test("two devices with a placeholder for a number stay two, and tell none", () => {
  const book = bookOf(
    socket(1, { key: "a", serial: "AA00000000" }),
    socket(1, { key: "b", serial: "AA00000000", address: "192.168.1.10" }),
  );
  expect(book.all().map(({ sighting, otherAddresses }) => [sighting.serial, otherAddresses])).toEqual([
    [null, []],
    [null, []],
  ]);
});

test("what only announces itself does not take the place of its answer, unless it is somewhere else now", () => {
  const book = bookOf(socket(1));
  const listen = (sighting: Sighting, atMs: number): void => {
    book.turnPage();
    book.add("modbus", sighting, { atMs, isActive: false });
  };
  listen(socket(1, { confidence: 0.5, proof: "announces itself", source: "mdns" }), 2_000);
  expect(book.all()).toMatchObject([{ sighting: { proof: "answers" }, seenAtMs: 2_000 }]);
  listen(socket(1, { confidence: 0.5, proof: "announces itself", source: "mdns", address: "192.168.1.10" }), 3_000);
  expect(book.all()).toMatchObject([{ sighting: { proof: "announces itself", address: "192.168.1.10" } }]);
});
