import { expect, test } from "vitest";
import type { KnownAsset } from "../../src/ui/app/live/assets.ts";
import { type House, withDevices } from "../../src/ui/app/live/house.ts";

const BEFORE = "2026-06-10T14:00:00.000Z";
const LATER = "2026-06-10T14:40:00.000Z";

function houseOf(assets: readonly KnownAsset[]): House {
  return { isConnected: true, lastEventAt: 0, assets, power: null, systemId: null, clockOffsetMs: 0 };
}

function meter(change: Partial<KnownAsset> = {}): KnownAsset {
  return { id: "m", kind: "meter", vendor: "TEST", isReachable: true, lastSeen: BEFORE, ...change };
}

const deviceOf = (lastSeen: string | null, name: string | null = null) => ({
  ...{ deviceId: "meter-1", name, lastSeen, firmware: null },
  assets: [{ assetId: "m" }],
});

test("A device that answers without a change is as old as its last answer, and not as its last change", () => {
  const seenOf = (asset: KnownAsset, lastSeen: string | null) =>
    withDevices(houseOf([asset]), [deviceOf(lastSeen)]).assets[0]?.lastSeen;
  expect(seenOf(meter(), LATER)).toBe(LATER);
  expect(seenOf(meter({ lastSeen: LATER }), BEFORE)).toBe(LATER);
  expect(seenOf(meter(), null)).toBe(BEFORE);
  expect(seenOf(meter({ isReachable: false }), LATER)).toBe(BEFORE);
  expect(withDevices(houseOf([meter()]), []).assets).toEqual([meter()]);
});

test("The firmware of a device is shown at each of its assets", () => {
  const { assets } = withDevices(houseOf([meter()]), [{ ...deviceOf(LATER), firmware: "2.1.0" }]);
  expect(assets).toMatchObject([{ id: "m", firmware: "2.1.0", deviceId: "meter-1" }]);
});

test("What has no name of its own is called as its device, and the list is by name", () => {
  const other = meter({ id: "o", information: { displayName: "Attic" } });
  const { assets } = withDevices(houseOf([meter(), other]), [deviceOf(LATER, "Cellar")]);
  expect(assets.map(({ id, information }) => [id, information?.displayName])).toEqual([
    ["o", "Attic"],
    ["m", "Cellar"],
  ]);
});
