/** What stations show of a vehicle, by the words that their makers have for it. */
import type { DeviceProfile, PointValue } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import { openBench } from "./twin-bench.ts";

const KNOWN_PROFILES = await allProfiles();

type State = "UNPLUGGED" | "PLUGGED_IN:STOPPED" | "PLUGGED_IN:CHARGING";

const STATES = ["unplugged", "stopped", "charging"] as const;
const MEANING: Readonly<Record<(typeof STATES)[number], State>> = {
  unplugged: "UNPLUGGED",
  stopped: "PLUGGED_IN:STOPPED",
  charging: "PLUGGED_IN:CHARGING",
};

function chargers(): readonly DeviceProfile[] {
  return KNOWN_PROFILES.filter(({ points, derived }) =>
    [...points.map(({ key }) => key), ...derived.map(({ point }) => point)].includes("charger.state"),
  );
}

/** Puts a station's state registers where its maker's list has them; false when the list has no words for it. */
function show(twin: RegisterTwin, state: (typeof STATES)[number]): boolean {
  const shown = twin.behaviour.plug?.[state];
  for (const [id, value] of Object.entries(shown ?? {})) twin.set(id, value);
  return shown !== undefined;
}

/** Stations whose lists name no states. */
const UNNAMED = ["abl-em4", "phoenix-em-cp", "phoenix-ev-eth-wallbe"];

describe.each(chargers().map((profile) => [profile.id, profile] as const))("%s", (id, profile) => {
  test("tells unplugged, stopped and charging apart", async () => {
    await using bench = await openBench(profile);
    const read: Record<string, PointValue | null> = {};
    const wanted: Record<string, PointValue | null> = {};
    for (const state of STATES) {
      // A station that was not stopped and does not charge yet is about to, in words of its own.
      const hasSwitch = bench.driver.controls.some(({ point }) => point === "charger.enabled");
      if (hasSwitch) await bench.write("charger.enabled", state !== "stopped");
      if (!show(bench.twin, state)) continue;
      wanted[state] = MEANING[state];
      read[state] = (await bench.readAll()).get("charger.state") ?? null;
    }
    expect(read).toEqual(wanted);
    expect(Object.keys(wanted).length > 0).toBe(!UNNAMED.includes(id));
  });
});
