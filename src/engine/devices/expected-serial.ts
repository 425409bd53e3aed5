/** Which device is expected at an address, by its serial number: another one there is neither read nor commanded. */
import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Finding } from "../../domain/checks/finding.ts";
import { measured } from "../../domain/checks/measured-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { OtherDeviceError } from "../../points/device-error.ts";
import type { Driver } from "../../sdk/driver.ts";
import { serialNumber } from "../../sdk/serial-number.ts";
import type { FindingRecord } from "../../store/records/checks.ts";
import type { Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { DEVICE_NOTES } from "../adapters/device-notes.ts";
import type { Note } from "../adapters/stored-notes.ts";
import { idOf, putFinding, removeFinding } from "../checks/finding-records.ts";
import type { DeviceSettings } from "./device-settings.ts";

const NAME = "expected-serial";
const ADAPTER = "engine";
const MAX_SOURCE = 2_000;

/** What is noted: the serial number, and where in the device it stood. */
interface Expected {
  readonly serial: string;
  readonly source: string;
}

export interface ExpectedSerialOptions {
  readonly settings: Pick<DeviceSettings, "id" | "userId">;
  readonly store: Pick<Store, "commit" | "get" | "all">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Log;
  /** The device's address, for people. */
  readonly place: string;
  /** The serial number that the device reported at the last connection; `null` if it reported none. */
  lastReported(): string | null;
  /** What the device is shown as; null before it was ever shown. */
  kind(): AssetKind | null;
}

/**
 * Compares the serial number that a device reports with the expected one. A number is expected after two connections with
 * the same number, so that one wrong read does not lock the device out. A number that comes from another place in the
 * device, as after a corrected profile, is not compared; a missing one neither.
 */
export class ExpectedSerial {
  readonly #options: ExpectedSerialOptions;

  constructor(options: ExpectedSerialOptions) {
    this.#options = options;
  }

  /** The driver, if it speaks to the expected device. Else it is closed, and the answer is an `OtherDeviceError`. */
  async admit(driver: Driver): Promise<Driver> {
    const source = sourceOf(driver);
    const reported = serialNumber(driver.identity.serial);
    if (source === null || reported === null) return driver;
    const expected = this.of(driver);
    if (expected !== null && expected !== reported) {
      await driver[Symbol.asyncDispose]();
      throw this.#refusal({ serial: reported, source }, expected);
    }
    if (expected === null && this.#options.lastReported() === reported) {
      this.#commit([noteOf(this.#options.settings.id, { serial: reported, source })]);
    }
    this.#commit(findingsOf(this.#options.store, this.#options.settings.id).map(removeFinding));
    return driver;
  }

  /** The serial number that is expected of the driver's device; null when none is. */
  of(driver: Pick<Driver, "serialSource">): string | null {
    const { store, settings } = this.#options;
    const expected = expectedOf(DEVICE_NOTES.get(store, keyOf(settings.id)));
    return expected !== null && expected.source === sourceOf(driver) ? expected.serial : null;
  }

  #refusal(found: Expected, expected: string): OtherDeviceError {
    const { settings, store, clock, place } = this.#options;
    const error = new OtherDeviceError(expected, found.serial, place);
    const assetKind = this.#options.kind();
    if (assetKind === null) return error;
    const finding: Finding = {
      check: "identity",
      deviceId: settings.id,
      assetKind,
      against: null,
      ...measured("otherDevice", { place, found: found.serial, expected }),
      fix: { kind: "replace", deviceId: settings.id, serial: found.serial, source: found.source },
    };
    const id = idOf(finding);
    const stale = findingsOf(store, settings.id).filter((record) => record.id !== id);
    const { userId } = settings;
    const isKnown = store.get("finding", id) !== null;
    const record = { id, userId, finding, firstSeenAtMs: clock.nowMs(), state: "OPEN" } as const;
    this.#commit([...stale.map(removeFinding), ...(isKnown ? [] : [putFinding(record)])]);
    return error;
  }

  /** A disk that refuses keeps no device from working: the next connection tries again. */
  #commit(writes: readonly Write[]): void {
    if (writes.length === 0) return;
    const { store, log } = this.#options;
    store.commit(writes, []).catch((err: unknown) => log.warn({ err }, "expected serial number not stored yet"));
  }
}

/** From now on a device with this serial number is expected in the old one's place, and nothing is held on it. */
export function replaceDevice(
  store: Pick<Store, "all">,
  { deviceId, ...found }: Expected & { readonly deviceId: string },
): readonly Write[] {
  return [noteOf(deviceId, found), ...findingsOf(store, deviceId).map(removeFinding)];
}

/** From now on any device is the right one: somebody linked it again. */
export function expectAny(store: Pick<Store, "get" | "all">, deviceId: string): readonly Write[] {
  const isNoted = DEVICE_NOTES.get(store, keyOf(deviceId)) !== null;
  const removals = findingsOf(store, deviceId).map(removeFinding);
  return isNoted ? [DEVICE_NOTES.remove(keyOf(deviceId)), ...removals] : removals;
}

function keyOf(deviceId: string): Omit<Note, "text"> {
  return { adapter: ADAPTER, subject: deviceId, name: NAME };
}

function noteOf(deviceId: string, expected: Expected): Write {
  return DEVICE_NOTES.put({ ...keyOf(deviceId), text: JSON.stringify([expected.serial, expected.source]) });
}

function expectedOf(note: Note | null): Expected | null {
  if (note === null || note.adapter !== ADAPTER) return null;
  try {
    const [serial, source]: unknown[] = JSON.parse(note.text);
    return typeof serial === "string" && typeof source === "string" ? { serial, source } : null;
  } catch {
    return null;
  }
}

function sourceOf({ serialSource }: Pick<Driver, "serialSource">): string | null {
  return serialSource === undefined ? null : serialSource.slice(0, MAX_SOURCE);
}

function findingsOf(store: Pick<Store, "all">, deviceId: string): readonly FindingRecord[] {
  return store.all("finding").filter(({ finding }) => finding.check === "identity" && finding.deviceId === deviceId);
}
