import type { DeviceProfile } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { ablEm4 } from "../../../adapters/modbus/profiles/abl-em4.ts";
import { ablEmh1 } from "../../../adapters/modbus/profiles/abl-emh1.ts";
import { benderCcMennekesEcu } from "../../../adapters/modbus/profiles/bender-cc-mennekes-ecu.ts";
import { mennekesHcc3 } from "../../../adapters/modbus/profiles/mennekes-hcc3.ts";
import { calm } from "./bus/bus-world.ts";
import { FakeUnit } from "./fake-unit.ts";
import { profileDriver, readAll } from "./profile-driver.ts";

interface Case {
  readonly profile: DeviceProfile;
  /** The register that shows the current, and what it has at 0, 8 and 16 A. */
  readonly limit: number;
  readonly raw: readonly [stopped: number, eight: number, sixteen: number];
  readonly written?: number;
}

const CASES: readonly Case[] = [
  { profile: benderCcMennekesEcu, limit: 1_000, raw: [0, 8, 16] },
  { profile: mennekesHcc3, limit: 1_024, raw: [0, 8, 16] },
  { profile: ablEm4, limit: 12_338, raw: [0, 80, 160] },
  { profile: ablEmh1, limit: 18, raw: [1_000, 133, 267], written: 20 },
];

describe.each(CASES)("$profile.id, whose current has one register", ({ profile, limit, raw, written = limit }) => {
  async function charger(shown: number) {
    const [unit, clock] = [new FakeUnit(), new VirtualClock()];
    unit.set("holding", limit, shown);
    const driver = await profileDriver(profile, unit, { confirmUnverified: true }, clock);
    await readAll(driver);
    return { unit, clock, driver };
  }

  test("a limit does not stop what somebody else has started after a stop of ours", async () => {
    const { unit, clock, driver } = await charger(raw[2]);
    await driver.write("charger.enabled", false, calm);
    await clock.advance(20_000);
    unit.set("holding", limit, raw[2]);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 8, calm);
    expect(unit.writes.at(-1)?.slice(0, 2)).toEqual([written, [raw[1]]]);
  });

  test("a limit does not start what somebody else has stopped after a start of ours", async () => {
    const { unit, clock, driver } = await charger(raw[2]);
    await driver.write("charger.enabled", true, calm);
    await clock.advance(20_000);
    unit.set("holding", limit, raw[0]);
    await readAll(driver);
    await driver.write("charger.maxCurrent", 8, calm);
    expect(unit.writes.at(-1)?.slice(0, 2)).toEqual([written, [raw[0]]]);
  });
});
