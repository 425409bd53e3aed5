/** Registers of any content under every Modbus profile, and files that people would have for profiles. */
import { DeviceError, type DeviceProfile, type ProfilePoint, registerWords } from "hemgate/sdk";
import type { SeededRandom } from "hemgate/testing";
import { expect } from "vitest";
import { ModbusException } from "../../adapters/modbus/bus/modbus-exception.ts";
import type { ModbusUnit } from "../../adapters/modbus/driver/register-point.ts";
import { allProfiles } from "../../adapters/modbus/profile/known-profiles.ts";
import { isPointName } from "../../adapters/modbus/profile/point-name.ts";
import { loadProfile } from "../../src/config/profile/load-profile.ts";
import { calm } from "../adapters/modbus/bus/bus-world.ts";
import { profileDriver } from "../adapters/modbus/profile-driver.ts";
import { countedExpect } from "../counted-expect.ts";
import { campaign, type Step } from "./campaign.ts";
import { spoiledJson, spoiledText } from "./mutate.ts";

const KNOWN_PROFILES = await allProfiles();

/** Below it a float of 32 bits has few digits left. */
const SMALLEST = 1e-37;
const EDGES = [0, 1, 0x7fff, 0x8000, 0xffff, 0x7fc0, 0x7f80, 0xff80] as const;

/** Registers of any content, some refused, some asked in vain; they stay as they were made. */
class AnyUnit implements ModbusUnit {
  readonly #random: SeededRandom;
  readonly #held = new Map<string, number>();
  readonly #faults: number;
  readonly #step: Step;

  constructor(step: Step) {
    this.#random = step.random;
    this.#step = step;
    this.#faults = step.random.pick([0, 0, 0.05, 0.3]);
  }

  word(table: string, address: number): number {
    const key = `${table} ${address}`;
    const known = this.#held.get(key);
    if (known !== undefined) return known;
    const isBit = table === "coil" || table === "discrete";
    const fresh = this.#random.isChance(0.4) ? this.#random.pick([...EDGES]) : this.#random.below(65_536);
    this.#held.set(key, isBit ? fresh & 1 : fresh);
    return this.#held.get(key) ?? 0;
  }

  async read(table: string, address: number, count: number): Promise<Uint16Array> {
    if (this.#random.isChance(this.#faults)) {
      if (this.#random.isChance(0.5)) throw new DeviceError("unreachable", "no answer");
      throw new ModbusException(this.#random.pick([1, 2, 3, 4, 6, 10, 11]), "refused");
    }
    const words = Uint16Array.from({ length: count }, (_, at) => this.word(table, address + at));
    this.#step.sent(`${table} ${address}: ${[...words].map((word) => word.toString(16)).join(" ")}`);
    return words;
  }

  async write(): Promise<void> {}
}

/** What registers mean, by the letter of the profile; not the product's decoder. Null: no value. */
function meant(point: ProfilePoint, unit: AnyUnit): number | null | undefined {
  const { table, address, type, wordOrder, scale = 1, sentinels = [] } = point;
  const words = Array.from({ length: registerWords(point) }, (_, at) => unit.word(table, address + at));
  if (wordOrder === "little") words.reverse();
  const bytes = Buffer.from(words.map((word) => word.toString(16).padStart(4, "0")).join(""), "hex");
  const bits = BigInt(8 * bytes.length);
  const unsigned = BigInt(`0x${bytes.toString("hex")}`);
  if (type === "float32" || type === "float64") {
    const value = type === "float32" ? bytes.readFloatBE() : bytes.readDoubleBE();
    return !Number.isFinite(value) || sentinels.map(Number).includes(value) ? null : value * scale;
  }
  if (type === "string") return undefined;
  if (sentinels.some((each) => BigInt.asUintN(Number(bits), BigInt(each)) === unsigned)) return null;
  return Number(type.startsWith("int") ? BigInt.asIntN(Number(bits), unsigned) : unsigned) * scale;
}

const expectFailure = countedExpect("a read that fails");
const expectFinite = countedExpect("a number that is read");
const expectPlain = countedExpect("another value that is read");
const expectKnown = countedExpect("a number of registers alone");
const OF_DEVICES = [expectFailure, expectFinite, expectPlain, expectKnown];

async function checkDevice(profile: DeviceProfile, step: Step): Promise<void> {
  const unit = new AnyUnit(step);
  const settings = Object.fromEntries(
    Object.entries(profile.settings ?? {}).map(([name, { min, max }]) => [name, step.random.between(min, max)]),
  );
  try {
    await using driver = await profileDriver(profile, unit, { confirmUnverified: true, settings });
    for (let turn = 0; turn < 3; turn += 1) {
      const readings = await driver.read("all", calm).catch((error: unknown) => error);
      if (!Array.isArray(readings)) {
        expectFailure(readings).toBeInstanceOf(DeviceError);
        continue;
      }
      for (const { point, value } of readings) checkReading(profile, point, value, unit);
    }
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
  }
}

function checkReading(profile: DeviceProfile, point: string, value: unknown, unit: AnyUnit): void {
  if (typeof value === "number") expectFinite(value, point).toSatisfy(Number.isFinite);
  else
    expectPlain(["boolean", "string"].includes(typeof value) || value === null, `${point} is ${typeof value}`).toBe(
      true,
    );
  const [direct] = profile.points.filter(({ key }) => key === point);
  if (direct === undefined || direct.states !== undefined || direct.scaleFrom !== undefined || value === null) return;
  const right = meant(direct, unit);
  if (right === undefined) return;
  expectKnown(right, `${profile.id} ${point}: ${value} of what is no value`).not.toBeNull();
  expect(Math.abs(Number(value) - Number(right)), `${profile.id} ${point}: ${value}, not ${right}`).toBeLessThanOrEqual(
    SMALLEST + Math.abs(Number(right)) * 1e-6,
  );
}

campaign("registers of any content under a Modbus profile", { share: 0.08, counted: OF_DEVICES }, async (step) => {
  const profile = KNOWN_PROFILES[step.random.below(KNOWN_PROFILES.length)];
  if (profile === undefined) return;
  step.sent(profile.id);
  await checkDevice(profile, step);
});

/** Profiles as files; those with numbers that JSON does not have are left out. */
const FILES: readonly [string, ...string[]] = [
  "{}",
  ...KNOWN_PROFILES.flatMap((profile) => {
    try {
      return [JSON.stringify(profile, null, 1)];
    } catch {
      return [];
    }
  }),
];

const expectProblem = countedExpect("a file with a mistake");

campaign("profile files", { share: 0.06, counted: [expectProblem, ...OF_DEVICES] }, async (step) => {
  const { random } = step;
  const file = random.pick(FILES);
  const text = random.isChance(0.5)
    ? spoiledText(file, random)
    : JSON.stringify(spoiledJson(JSON.parse(file), random, 0.004));
  step.sent(text);
  const result = loadProfile(text);
  if (!result.ok) {
    expect(result.mistakes.length).toBeGreaterThan(0);
    for (const { problem } of result.mistakes) expectProblem(problem).not.toBe("");
    return;
  }
  for (const { key } of result.profile.points) expect(isPointName(key) || key.startsWith("raw.")).toBe(true);
  await checkDevice(result.profile, step);
});
