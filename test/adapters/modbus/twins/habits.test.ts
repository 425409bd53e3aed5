/** Devices as they are on a wall: asleep at night, slow, with one connection to give, gone when nobody asks. */
import { expect, test } from "vitest";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import { outcome } from "../bus/bus-world.ts";
import { fillTwin } from "./fills.ts";
import { openBench } from "./twin-bench.ts";

const KNOWN_PROFILES = await allProfiles();

function profileNamed(name: string) {
  const found = KNOWN_PROFILES.find(({ id }) => id === name);
  if (found === undefined) throw new Error(`no profile ${name}`);
  return found;
}

const NIGHT_MS = 8 * 3_600_000;

test("an inverter that is deaf at night is unreachable, and tells again in the morning", async () => {
  await using bench = await openBench(profileNamed("sma-pv"), { isInert: true });
  fillTwin(bench.twin, 1);
  const evening = await bench.readAll();
  bench.twin.sleep("silent");
  expect(await outcome(bench.readAll())).toMatchObject({ kind: "unreachable" });
  await bench.world.clock.advance(NIGHT_MS);
  bench.twin.wake();
  expect(await bench.readAll()).toEqual(evening);
});

test("an inverter that has no values at night tells null, never what it had or the word for nothing", async () => {
  await using bench = await openBench(profileNamed("sma-pv"), { isInert: true });
  fillTwin(bench.twin, 1);
  expect((await bench.readAll()).get("inverter.power")).toEqual(expect.any(Number));
  bench.twin.sleep("no-values");
  expect((await bench.readAll()).get("inverter.power")).toBeNull();
});

test("a device that takes a second for each answer is read all the same", async () => {
  await using bench = await openBench(profileNamed("huawei-sun2000-luna"), { isInert: true, answerMs: 1_000 });
  fillTwin(bench.twin, 1);
  const readings = await bench.readAll();
  expect([...readings.values()].filter((value) => value === null)).toEqual([]);
});

test("a device that closes what is idle is read again without a failure", async () => {
  const profile = profileNamed("alfen-ng9xx");
  await using bench = await openBench(
    { ...profile, limits: { ...profile.limits, idleCloseMs: 60_000 } },
    { isInert: true },
  );
  const before = await bench.readAll();
  await bench.world.clock.advance(600_000);
  expect(await bench.readAll()).toEqual(before);
});

test("a device that is silent about a register that it lacks is read without it after some rounds", async () => {
  await using bench = await openBench(profileNamed("eastron-sdm630"), {
    isInert: true,
    outside: "silence",
    prepare: (twin) => twin.refuse("grid.frequency"),
  });
  fillTwin(bench.twin, 1);
  const rounds: unknown[] = [];
  for (let round = 0; round < 12; round += 1) rounds.push(await outcome(bench.readAll()));
  expect(rounds.at(-1)).toBeInstanceOf(Map);
  const readings = rounds.at(-1) as Awaited<ReturnType<typeof bench.readAll>>;
  expect(readings.get("meter.power")).toEqual(expect.any(Number));
  expect(readings.get("meter.frequency")).toBeNull();
});
