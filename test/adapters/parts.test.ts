import { isTrue, onceKnown, onceNotZero, type PartRules, PresentParts, partKeys, partsOf } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { KNOWN_HTTP_PROFILES } from "../../adapters/http-json/known-http-profiles.ts";
import { allProfiles } from "../../adapters/modbus/profile/known-profiles.ts";
import { countedExpect } from "../counted-expect.ts";
import type { RegisterTwin } from "../twins/registers/register-twin.ts";
import { calm } from "./modbus/bus/bus-world.ts";
import { openBench } from "./modbus/twins/twin-bench.ts";

const KNOWN_PROFILES = await allProfiles();

interface Described {
  readonly id: string;
  readonly parts?: PartRules;
  readonly points: readonly { readonly key: string }[];
  readonly derived: readonly { readonly point: string }[];
}

function ownParts({ points, derived }: Described) {
  return partsOf([...points.map(({ key }) => key), ...derived.map(({ point }) => point)]);
}

/** Registers as a device without the part holds them: its word for "no value", else 0. */
function empty(twin: RegisterTwin, addresses: readonly (number | undefined)[]): void {
  for (const { id, address, type } of twin.registers) {
    if (!addresses.includes(address) || twin.setNothing(id)) continue;
    if (type.startsWith("float")) twin.set(id, 0);
    else twin.setRaw(id, 0n);
  }
}

const ALL: readonly Described[] = [...KNOWN_PROFILES, ...KNOWN_HTTP_PROFILES];

test("every profile with several parts says of each whether it is always there, or how it is recognized", () => {
  const several = ALL.filter((profile) => ownParts(profile).length > 1);
  expect(several.length).toBeGreaterThan(30);
  const expectSource = countedExpect();
  for (const profile of several) {
    expect([profile.id, Object.keys(profile.parts ?? {}).toSorted()]).toEqual([profile.id, ownParts(profile)]);
    for (const rule of Object.values(profile.parts ?? {})) {
      if (rule !== "always") expectSource([profile.id, rule.source, rule.shown]).not.toContain("");
    }
  }
  expectSource.wasCalled();
});

test("every hybrid inverter may lack its battery", () => {
  // These have it by what they are.
  const withBattery = ["victron-vebus", "tesla-powerwall", "sonnen-v1", "sonnen-v2"];
  const batteries = ALL.filter((profile) => ownParts(profile).length > 1 && ownParts(profile).includes("battery"));
  const always = batteries.filter(({ parts }) => parts?.battery === "always").map(({ id }) => id);
  expect(always.toSorted()).toEqual(withBattery.toSorted());
});

describe.each(
  KNOWN_PROFILES.filter(({ parts = {} }) => partKeys(parts).length > 0).map(
    (profile) => [profile.id, profile] as const,
  ),
)("%s", (_id, profile) => {
  const lacking = Object.entries(profile.parts ?? {}).flatMap(([part, rule]) => (rule === "always" ? [] : [part]));
  const shown = (points: readonly string[]) =>
    lacking.filter((part) => points.some((point) => point.startsWith(`${part}.`)));

  test("shows no part, and no control of it, that the device lacks, and shows it once it is there", async () => {
    const addresses = partKeys(profile.parts ?? {}).map(
      (key) => profile.points.find((each) => key === each.key || key === `raw.${each.key}`)?.address,
    );
    await using bench = await openBench(profile, {
      isInert: true,
      prepare(twin) {
        empty(twin, addresses);
      },
    });
    const { driver, twin, world } = bench;
    expect(shown(driver.points)).toEqual([]);
    expect(shown(driver.controls.map(({ point }) => point))).toEqual([]);
    expect(shown([...(await bench.readAll()).keys()])).toEqual([]);
    const found = twin.registers.filter(({ address }) => addresses.includes(address));
    for (const { id, type } of found) type.startsWith("float") ? twin.set(id, 1) : twin.setRaw(id, 1n);
    await world.clock.advance(61_000);
    await world.clock.resolve(driver.read("due", calm), 120_000);
    // What stands in SunSpec's models is in no table.
    const known = profile.id === "solaredge-storedge" ? ["battery"] : lacking;
    expect(shown(driver.points).toSorted()).toEqual(known.toSorted());
    expect([...(await bench.readAll()).keys()].some((point) => point.startsWith(`${known[0]}.`))).toBe(true);
    const kept = profile.controls.filter(({ point }) => shown(driver.points).some((part) => point.startsWith(part)));
    const offered = driver.controls.map(({ point }) => point);
    for (const { point } of kept) expect(offered).toContain(point);
    empty(twin, addresses);
    await world.clock.advance(61_000);
    await world.clock.resolve(driver.read("due", calm), 120_000);
    expect(shown(driver.points).toSorted()).toEqual(known.toSorted());
  });
});

describe("a part", () => {
  const RULES: PartRules = { inverter: "always", battery: onceNotZero(["battery.soc"]) };
  const look = (parts: PresentParts, soc: number | null): boolean => {
    parts.look({ value: () => soc });
    return parts.has("battery.power");
  };

  test("appears when its condition holds, and stays when it does no more", () => {
    const parts = new PresentParts(RULES, new Set());
    expect([look(parts, 0), look(parts, null), look(parts, 40), look(parts, null), look(parts, 0)]).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(parts.has("inverter.power")).toBe(true);
  });

  test("that an earlier connection found is there while it is silent, and gone when the device says so", () => {
    const known = new Set(["battery"] as const);
    expect(look(new PresentParts(RULES, known), null)).toBe(true);
    expect(look(new PresentParts(RULES, known), 0)).toBe(false);
    expect(look(new PresentParts(RULES, known), null)).toBe(false);
  });

  test("whose key has no value is neither there nor not", () => {
    for (const rule of [onceNotZero(["a"]), onceKnown(["a"])]) {
      expect(isTrue(rule.when, { value: () => null })).toBe(null);
      expect(isTrue(rule.when, { value: () => -3 })).toBe(true);
    }
    expect(isTrue(onceKnown(["a"]).when, { value: () => 0 })).toBe(true);
    expect(isTrue(onceNotZero(["a"]).when, { value: () => 0 })).toBe(false);
  });
});
