import { type DeviceProfile, formulaKeys, POINT_UNITS, type PointName, type PointValue } from "hemgate/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import { TWIN_IDS } from "../../../twins/registers/twin-maps.ts";
import { type Candidate, candidatesFor } from "./attribution.ts";
import { type Fill, fillTwin } from "./fills.ts";
import { openBench, type TwinBench } from "./twin-bench.ts";
import { twinOf } from "./twin-of.ts";

const KNOWN_PROFILES = await allProfiles();

const RANDOM_FILLS: readonly Fill[] = Array.from({ length: 8 }, (_unused, index) => 100 + index);
/** Of the ends of a type some are words for "no value" that a table does not name: null is right there too. */
const ENDS: readonly Fill[] = ["zero", "least", "most"];

/** What a SolarEdge inverter tells by SunSpec, which has tests of its own. */
const SUNSPEC_PART: readonly PointName[] = [
  "inverter.power",
  "inverter.energy",
  ...(["power", "voltage", "current"] as const).flatMap((quantity) =>
    (["l1", "l2", "l3"] as const).map((phase) => `meter.${quantity}.${phase}` as const),
  ),
  "meter.power",
  "meter.frequency",
  "meter.energyImport",
  "meter.energyExport",
];

const ABL_BLOCKS: readonly PointName[] = [
  "charger.power",
  "charger.maxCurrent",
  "charger.current.l1",
  "charger.current.l2",
  "charger.current.l3",
];

/** Points that are none of one table's facts, with the reason. */
const NOT_FACTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ABL_BLOCKS.map((point) => [`abl-emh1 ${point}`, "stands in blocks whose words the table gives no meaning"]),
  ),
  "abl-em4 charger.energy": "the table names no unit; the profile counts 10 Wh, as OpenEMS does",
  "goodwe-et meter.frequency": "36014 is in no driver's list but marcelblijleven/goodwe",
  "goodwe-et battery.power": "the second battery at 35264 is in no table",
  "foxess-h3 battery.powerSetpoint": "what was written last is shown, and the register only while it is in force",
  "foxess-h3-pro battery.powerSetpoint": "what was written last is shown, and the register only while it is in force",
  "openwb-2-secondary charger.maxCurrent": "10171 is only written; what was written last is shown",
  "openwb-2-secondary-2 charger.maxCurrent": "10171 is only written; what was written last is shown",
  ...Object.fromEntries(
    SUNSPEC_PART.map((point) => [`solaredge-storedge ${point}`, "stands in the SunSpec models of the same unit"]),
  ),
};

type Readings = ReadonlyMap<PointName, PointValue | null>;

/** The points that carry a number from registers; states have tests of their own. */
function numbersOf(profile: DeviceProfile): readonly PointName[] {
  const read = profile.points.flatMap(({ key, states }) => (states === undefined ? [key] : []));
  const derived = profile.derived.filter(({ value }) => formulaKeys(value).length > 0).map(({ point }) => point);
  const names = Object.keys(POINT_UNITS) as PointName[];
  const isNumber = (name: PointName): boolean => POINT_UNITS[name] !== "";
  return names.filter((name) => isNumber(name) && (read.some((key) => key === name) || derived.includes(name)));
}

function isNear(value: PointValue | null | undefined, wanted: number | null, tolerance: number): boolean {
  if (wanted === null || typeof value !== "number") return value === wanted;
  return Math.abs(value - wanted) <= tolerance;
}

async function readFilled(bench: TwinBench, fill: Fill): Promise<Readings> {
  fillTwin(bench.twin, fill);
  return await bench.readAll();
}

/** What is still possible after every fill, by point; failures tell what was read instead. */
async function attribute(profile: DeviceProfile, bench: TwinBench) {
  const points = numbersOf(profile).filter((point) => !(`${profile.id} ${point}` in NOT_FACTS));
  const possible = new Map(points.map((point) => [point, candidatesFor(point, bench.twin)]));
  const wrong = points
    .filter((point) => possible.get(point)?.length === 0)
    .map((point) => `${profile.id}: nothing in the table is a ${point}`);
  for (const fill of [...RANDOM_FILLS, ...ENDS]) {
    const readings = await readFilled(bench, fill);
    for (const [point, candidates] of possible) {
      if (candidates.length === 0) continue;
      const value = readings.get(point) ?? null;
      const isRight = (each: Candidate): boolean => isNear(value, each.value(bench.twin), each.tolerance(bench.twin));
      if (ENDS.includes(fill)) {
        // At an end the device may say "no value" in a word that the table lacks, and another register take over.
        const others = candidatesFor(point, bench.twin);
        if (value !== null && !others.some(isRight)) wrong.push(mismatch(profile, point, value, others, bench.twin));
        continue;
      }
      const left = candidates.filter(isRight);
      if (left.length === 0) wrong.push(mismatch(profile, point, value, candidates, bench.twin));
      possible.set(point, left);
    }
  }
  return { possible, wrong };
}

function mismatch(
  { id }: DeviceProfile,
  point: PointName,
  read: PointValue | null,
  candidates: readonly Candidate[],
  twin: RegisterTwin,
): string {
  const written = candidates.map(
    (each) => `${each.value(twin)} in ${each.of.map((fact) => `${fact} (${twin.value(fact)})`).join(" + ")}`,
  );
  return `${id}: ${point} reads ${read}, wrote ${written.join(" or ")}`;
}

/** Points that do not follow from what is left when some registers say nothing or are refused. */
function unfounded(
  readings: Readings,
  possible: ReadonlyMap<PointName, readonly Candidate[]>,
  twin: RegisterTwin,
  isGone: (id: string) => boolean,
): readonly string[] {
  return [...possible].flatMap(([point, candidates]) => {
    const value = readings.get(point) ?? null;
    const isWhole = (each: Candidate): boolean => !each.of.some(isGone);
    const isOneOf = (many: readonly Candidate[]): boolean =>
      many.some((each) => isWhole(each) && isNear(value, each.value(twin), each.tolerance(twin)));
    const isLeft = (each: Candidate): boolean =>
      value === null || isNear(value, each.valueOfKnown(twin, isGone), each.tolerance(twin));
    // Where a register is gone another one of the same meaning may stand in for it.
    const isRight =
      isOneOf(candidates) ||
      (!candidates.every(isWhole) && (candidates.some(isLeft) || isOneOf(candidatesFor(point, twin))));
    return isRight || candidates.length === 0 ? [] : [`${point} reads ${value}`];
  });
}

/** The whole message: a table of differences would cut it short. */
function nothingIsWrong(problems: readonly string[]): void {
  if (problems.length > 0) expect.fail(problems.join("\n"));
}

test("every table has a profile", () => {
  const used = KNOWN_PROFILES.map((profile) => twinOf(profile)?.id);
  expect(TWIN_IDS.filter((id) => !used.includes(id))).toEqual([]);
});

test("every profile has a twin", () => {
  expect(KNOWN_PROFILES.filter((profile) => twinOf(profile) === null).map(({ id }) => id)).toEqual([]);
});

describe.each(KNOWN_PROFILES.filter((profile) => twinOf(profile) !== null).map((each) => [each.id, each] as const))(
  "%s",
  (_id, profile) => {
    let possible: ReadonlyMap<PointName, readonly Candidate[]> = new Map();
    let facts: readonly string[] = [];
    let wrongAtFirst: readonly string[] = [];

    beforeAll(async () => {
      await using bench = await openBench(profile, { isInert: true });
      const { possible: left, wrong } = await attribute(profile, bench);
      possible = left;
      wrongAtFirst = wrong;
      facts = [...new Set([...possible.values()].flat().flatMap(({ of }) => of))];
    });

    test("reads what its twin holds: at random, zero, least and most", () => {
      nothingIsWrong(wrongAtFirst);
    });

    test("reads null where the twin says nothing, and the others as before", async () => {
      await using bench = await openBench(profile, { isInert: true });
      const wrong: string[] = [];
      for (const gone of facts) {
        fillTwin(bench.twin, 100);
        if (!bench.twin.setNothing(gone)) continue;
        const readings = await bench.readAll();
        const found = unfounded(readings, possible, bench.twin, (id) => id === gone);
        wrong.push(...found.map((each) => `${profile.id}: with nothing in ${gone}, ${each}`));
      }
      nothingIsWrong(wrong);
    });

    test.each([0, 1])(
      "reads null where every other register is refused (%i), and the others as before",
      async (odd) => {
        await using whole = await openBench(profile, { isInert: true });
        const { possible } = await attribute(profile, whole);
        const facts = [...new Set([...possible.values()].flat().flatMap(({ of }) => of))];
        const refused = new Set(facts.filter((_fact, index) => index % 2 === odd));
        await using bench = await openBench(profile, {
          isInert: true,
          prepare(twin) {
            fillTwin(twin, 100);
            for (const id of refused) twin.refuse(id);
          },
        });
        // The first reading finds out which registers are refused; nothing is invented in it either.
        for (let round = 0; round < 2; round += 1) {
          // A part whose registers are all refused is not shown.
          const shown = new Map([...possible].filter(([point]) => bench.driver.points.includes(point)));
          const wrong = unfounded(await bench.readAll(), shown, bench.twin, (id) => refused.has(id));
          nothingIsWrong(wrong.map((each) => `${profile.id}: ${each}`));
        }
      },
    );
  },
);
