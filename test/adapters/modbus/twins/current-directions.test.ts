/** Every Modbus profile with currents, beside the twin of its device: no current is against its power. */
import type { DeviceProfile, PointName } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import { compareCurrents, undirected } from "../../current-faults.ts";
import { fillTwin } from "./fills.ts";
import { openBench } from "./twin-bench.ts";
import { twinOf } from "./twin-of.ts";

const KNOWN_PROFILES = await allProfiles();

/** Devices whose registers carry a sign of their own beside a power of the whole only. */
const SIGNED_BY_THE_DEVICE = ["alpha-ess-smile", "deye-3p", "saj-h2", "sma-data-manager"];
/** Its meter is a SunSpec model, which no table fills. */
const SUNSPEC = "solaredge-storedge";

function pointsOf({ points, derived }: DeviceProfile): readonly PointName[] {
  return [...points.map(({ key }) => key as PointName), ...derived.map(({ point }) => point)];
}

const PROFILES = KNOWN_PROFILES.filter((profile) => pointsOf(profile).some((point) => point.includes(".current.l")));

describe.each(PROFILES.map((profile) => [profile.id, profile] as const))("%s", (id, profile) => {
  test.skipIf(twinOf(profile) === null)("has its currents in the direction of its powers", async () => {
    await using bench = await openBench(profile, { isInert: true });
    const faults: string[] = [];
    let compared = 0;
    for (const fill of [1, 2, 3, 4, "zero"] as const) {
      fillTwin(bench.twin, fill);
      const told = compareCurrents(Object.fromEntries(await bench.readAll()));
      faults.push(...told.faults);
      compared += told.compared;
    }
    expect(faults).toEqual([]);
    expect(compared > 0).toBe(![...SIGNED_BY_THE_DEVICE, SUNSPEC].includes(id));
  });

  test("has a power for each current, or a sign in its own registers", () => {
    const open = undirected(pointsOf(profile));
    expect(open.length > 0).toBe(SIGNED_BY_THE_DEVICE.includes(id));
    const types = profile.points.filter(({ key }) => open.some((point) => point === key)).map(({ type }) => type);
    expect(types.filter((type) => !type.startsWith("int"))).toEqual([]);
  });
});
