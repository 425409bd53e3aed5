import type { DeviceProfile } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";
import { FakeUnit } from "./fake-unit.ts";
import { profileDriver } from "./profile-driver.ts";
import { settingsOf } from "./twins/twin-bench.ts";

const KNOWN_PROFILES = await allProfiles();

const FORCED = ["IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"];
const BATTERIES = KNOWN_PROFILES.filter(({ controls }) => controls.some(({ point }) => point === "battery.mode"));

function hasTimer({ controls }: DeviceProfile): boolean {
  return controls.some(({ point, hold }) => point === "battery.mode" && hold !== undefined);
}

async function modeOf(profile: DeviceProfile, choices: { confirmUnverified: boolean; confirmNoFailsafe: boolean }) {
  // A refusal is an answer, too.
  const driver = await profileDriver(profile, new FakeUnit(), { ...choices, settings: settingsOf(profile) });
  const mode = driver.controls.find(({ point }) => point === "battery.mode");
  return { mode, isTold: driver.unconfirmed.includes("battery.mode") };
}

describe.each(BATTERIES.map((profile) => [profile.id, profile] as const))("%s", (_id, profile) => {
  const written = profile.controls.find(({ point }) => point === "battery.mode")?.write;
  const known = written !== undefined && "cases" in written ? written.cases.map(({ value }) => value) : [];

  test("forces the battery only where its own timer ends that, until the owner takes it on", async () => {
    const { mode, isTold } = await modeOf(profile, { confirmUnverified: true, confirmNoFailsafe: false });
    const isTimed = mode !== undefined && mode.holdMs !== null;
    expect(isTimed).toBe(hasTimer(profile));
    expect(isTold).toBe(!isTimed);
    expect(mode?.values).toEqual(isTimed ? known : known.filter((value) => !FORCED.includes(String(value))));
    expect(mode?.values).toContain("SELF_RELIANCE");
  });

  test("with both confirmed it takes all that it knows", async () => {
    const { mode, isTold } = await modeOf(profile, { confirmUnverified: true, confirmNoFailsafe: true });
    expect([mode?.values, isTold]).toEqual([known, false]);
  });
});

test("there are batteries of both kinds", () => {
  const timed = BATTERIES.filter(hasTimer);
  expect(timed.length).toBeGreaterThan(5);
  expect(BATTERIES.length - timed.length).toBeGreaterThan(5);
});
