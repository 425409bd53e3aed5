/** The plates of the twins: every profile reads its device's, and does without one. */
import type { DeviceProfile, PlateField } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { allProfiles } from "../../../../adapters/modbus/profile/known-profiles.ts";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import { isTwinNumber, type TwinRegister, twinWords } from "../../../twins/registers/twin-register.ts";
import { openBench } from "./twin-bench.ts";

const KNOWN_PROFILES = await allProfiles();

const FIELDS = ["manufacturer", "model", "serial", "version"] as const;
type FieldName = (typeof FIELDS)[number];

const FUNCTIONS: Readonly<Record<string, number>> = { holding: 3, input: 4 };

function fieldsOf({ identity = {} }: DeviceProfile): readonly (readonly [FieldName, PlateField])[] {
  return FIELDS.flatMap((name) => {
    const field = identity[name];
    return field === undefined ? [] : [[name, field] as const];
  });
}

/** The register that the maker's list has at the field's address. */
function registerOf(twin: RegisterTwin, { table, address }: PlateField): TwinRegister {
  const found = twin.registers.filter((each) => each.function === FUNCTIONS[table] && each.address === address);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`the twin has ${found.length} registers at ${address}`);
  return only;
}

/** Something that only this register says, as long as it may be: a text with letters, or a number of eight digits. */
function sampleOf(register: TwinRegister, index: number): string | number {
  const words = twinWords(register);
  if (isTwinNumber(register)) return words === 1 ? 40_123 + index : 19_123_456 + index;
  return `${"KEMPQ"[index]}7${"XA3B5C9D2E8F1G4H6J0L"}`.slice(0, 2 * words);
}

/** Firmware as four characters stands in what the list takes for a number. */
function writeSample(twin: RegisterTwin, field: PlateField, index: number): string {
  const register = registerOf(twin, field);
  if (field.type === "string" && isTwinNumber(register)) {
    twin.setRaw(register.id, BigInt(`0x${Buffer.from("4.50").toString("hex")}`));
    return "4.50";
  }
  const sample = sampleOf(register, index);
  twin.set(register.id, sample);
  return String(sample);
}

const PROFILES = KNOWN_PROFILES.map((profile) => [profile.id, profile] as const);

describe.each(PROFILES.filter(([, profile]) => fieldsOf(profile).length > 0))("%s", (_id, profile) => {
  const fields = fieldsOf(profile);

  test("reads its plate from the registers of its list", async () => {
    const expected: Partial<Record<FieldName, string>> = {};
    await using bench = await openBench(profile, {
      prepare(twin) {
        for (const [index, [name, field]] of fields.entries()) expected[name] = writeSample(twin, field, index);
      },
    });
    expect(bench.driver.identity).toMatchObject(expected);
  });

  test("runs without its plate, where the device refuses it", async () => {
    await using bench = await openBench(profile, {
      prepare(twin) {
        for (const [, field] of fields) {
          const isPoint = profile.points.some(({ address }) => address === field.address);
          if (!isPoint) twin.refuse(registerOf(twin, field).id);
        }
      },
    });
    expect(bench.driver.identity).toMatchObject({ serial: null, version: null });
  });
});

describe.each(PROFILES)("%s", (_id, profile) => {
  test("tells no serial number while its registers hold nothing", async () => {
    await using bench = await openBench(profile, {
      isInert: true,
      prepare(twin) {
        for (const [, field] of fieldsOf(profile)) twin.setRaw(registerOf(twin, field).id, 0n);
      },
    });
    expect(bench.driver.identity.serial).toBeNull();
  });
});
