import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";
import { mistakeLine } from "../../../src/config/mistake.ts";
import { loadProfile } from "../../../src/config/profile/load-profile.ts";
import { profileProblems } from "../../../src/config/profile/profile-problems.ts";
import { ProfileSchema } from "../../../src/config/profile/profile-schema.ts";

const KNOWN_PROFILES = await allProfiles();

const METER = `id: my-meter
brand: Mine
model: M1
transports:
  - { kind: tcp, unit: 1 }
points:
  - { key: meter.power, table: holding, address: "0x0010", type: int32 }
`;

function linesOf(text: string): readonly string[] {
  const result = loadProfile(text);
  return result.ok ? [] : result.mistakes.map((each) => mistakeLine("my-meter.yaml", each));
}

describe.each(KNOWN_PROFILES.map((profile) => [profile.id, profile] as const))("%s", (_id, profile) => {
  test("fits the schema as it is, and nothing in it contradicts itself", () => {
    expect(ProfileSchema.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
    expect(profileProblems(profile)).toEqual([]);
  });

  test("written as YAML or JSON it is read as it was, but for its writes, which have to be confirmed", () => {
    for (const text of [stringify(profile), JSON.stringify(profile)]) {
      const read = loadProfile(text);
      expect(read).toMatchObject({ ok: true, profile: { id: profile.id, points: profile.points } });
      if (!read.ok) continue;
      expect(JSON.stringify(read.profile.controls)).not.toContain("cross-checked");
    }
  });
});

test("what a file leaves out is filled in, and a hexadecimal is a number", () => {
  expect(loadProfile(METER)).toEqual({
    ok: true,
    profile: {
      id: "my-meter",
      brand: "Mine",
      model: "M1",
      vendors: ["MODBUS"],
      transports: [{ kind: "tcp", port: 502, unit: 1 }],
      limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
      points: [
        {
          key: "meter.power",
          table: "holding",
          address: 16,
          type: "int32",
          poll: "normal",
          confidence: "unverified",
          source: "the owner's own file",
        },
      ],
      derived: [],
      controls: [],
    },
  });
});

test("sentinels of 64 bits stay exact", () => {
  const text = METER.replace("type: int32", 'type: uint64, sentinels: [5, "0xFFFF", "0xFFFFFFFFFFFFFFFF"]');
  expect(loadProfile(text)).toMatchObject({
    profile: { points: [{ sentinels: [5, 65_535, 0xffff_ffff_ffff_ffffn] }] },
  });
});

const POINT = "  - { key: meter.power, table: holding, address: 1, type: int32 }";
function withDerived(formula: string): string {
  return `${METER}derived:\n  - { point: meter.energyImport, value: ${formula} }\n`;
}
function withControl(control: string): string {
  return `${METER}settings:\n  maxW: { unit: W, meaning: most, min: 0, max: 100 }\ncontrols:\n  - ${control}\n`;
}
const STEP = "{ address: 1, code: 6, fields: [{ type: uint16, value: 1 }] }";

describe("a mistake is told with its place, what would be right, and what was probably meant", () => {
  const cases: readonly (readonly [name: string, text: string, told: readonly string[]])[] = [
    [
      "a misspelled key",
      METER.replace("address:", "adress:"),
      [
        "my-meter.yaml:7:5: points[0].address: missing; expected a number, or text",
        'my-meter.yaml:7:41: points[0].adress: unknown key; expected one of key, table, address, type, words, wordOrder, byteOrder, scale, scaleFrom, sentinels, poll, states, confidence, source; did you mean "address"?',
      ],
    ],
    [
      "a misspelled type",
      METER.replace("int32", "in32"),
      [
        'my-meter.yaml:7:66: points[0].type: wrong value; expected one of uint16, int16, uint32, int32, uint64, int64, float32, float64, string, found "in32"; did you mean "int32"?',
      ],
    ],
    [
      "a point that is none",
      METER.replace("meter.power", "meter.pwer"),
      [expect.stringMatching(/points\[0\]\.key: wrong value.*did you mean "meter.power"\?$/)],
    ],
    [
      "an address beyond the table",
      METER.replace('"0x0010"', "70000"),
      ["my-meter.yaml:7:50: points[0].address: wrong value; expected at most 65535, found 70000"],
    ],
    [
      "an address that is no number",
      METER.replace('"0x0010"', '"ten"'),
      [expect.stringContaining("points[0].address: wrong value; expected a number, or text that fits")],
    ],
    [
      "two points of one key",
      `${METER}${POINT}\n`,
      ["my-meter.yaml:8:12: points[1].key: another point has this key already"],
    ],
    [
      "a file without points",
      METER.replace(/points:[\s\S]*/, ""),
      ["my-meter.yaml:1:1: points: missing; expected a list"],
    ],
    ["a transport of no kind", METER.replace("kind: tcp", "kind: tpc"), [expect.stringContaining("transports[0]")]],
    [
      "no map",
      "- 1\n",
      [
        "my-meter.yaml:1:1: this is no device profile; expected a map with keys such as id, brand, model, transports, points",
      ],
    ],
    ["no YAML", "id: [", [expect.stringMatching(/^my-meter\.yaml:1:\d+: not YAML: /)]],
    [
      "a formula of no kind",
      withDerived("{ summ: [{ of: meter.power }, 1] }"),
      [
        'my-meter.yaml:9:41: derived[0].value: no formula is called "summ"; expected one of of, wish, setting, lastWrite, sum, sumKnown, minus, times, quotient, least, greatest, absolute, round, floor, first, lookup, when; did you mean "sum"?',
      ],
    ],
    [
      "a formula within a formula",
      withDerived("{ sum: [{ of: meter.power }, { minus: [1] }] }"),
      [expect.stringContaining("derived[0].value.sum[1].minus: ")],
    ],
    [
      "a condition of no kind",
      withDerived("{ when: { of: 1, atLest: 2 }, gives: 1, otherwise: null }"),
      [expect.stringMatching(/derived\[0\]\.value\.when: no condition is called "atLest".*did you mean "atLeast"\?$/)],
    ],
    [
      "a formula over what is not read",
      withDerived("{ of: meter.powr }"),
      [
        'my-meter.yaml:9:41: derived[0].value: it is made from meter.powr, which is not read; did you mean "meter.power"?',
      ],
    ],
    [
      "text where a number belongs",
      withDerived("{ when: { of: { of: meter.power }, atLeast: 1 }, gives: high, otherwise: 0 }"),
      ["my-meter.yaml:9:41: derived[0].value: meter.energyImport is a number"],
    ],
    [
      "a state that there is not",
      METER.replace("meter.power", "battery.status").replace(
        "type: int32",
        "type: uint16, states: { values: { 1: CHARGNG } }",
      ),
      [expect.stringContaining("points[0].states.values.1: battery.status is one of CHARGING, DISCHARGING, IDLE")],
    ],
    [
      "a setting that is not there",
      withControl(
        `{ point: inverter.powerLimit, range: { min: 0, max: 100 }, safeDefault: 100, write: { steps: [{ address: 1, code: 6, fields: [{ type: uint16, value: { setting: maxV } }] }] } }`,
      ),
      [
        expect.stringMatching(
          /controls\[0\]\.write\.steps\[0\]\.fields\[0\]\.value: there is no setting maxV; did you mean "maxW"\?$/,
        ),
      ],
    ],
    [
      "a mode without cases",
      withControl(`{ point: battery.mode, safeDefault: SELF_RELIANCE, write: { steps: [${STEP}] } }`),
      [expect.stringContaining("controls[0].write: battery.mode is a state and needs cases")],
    ],
    [
      "a number without a range",
      withControl(`{ point: charger.maxCurrent, safeDefault: as-found, write: { steps: [${STEP}] } }`),
      [expect.stringContaining("controls[0]: charger.maxCurrent is a number and needs a range")],
    ],
    [
      "more than one register with function 6",
      withControl(
        `{ point: battery.mode, safeDefault: IDLE, write: { cases: [{ value: IDLE, steps: [{ address: 1, code: 6, fields: [{ type: uint32, value: 1 }] }] }] } }`,
      ),
      [expect.stringContaining("steps[0].code: function 6 writes one register; take 16 for more")],
    ],
    [
      "writes of no kind",
      withControl(`{ point: battery.mode, safeDefault: IDLE, write: [${STEP}] }`),
      [expect.stringContaining("controls[0].write: writes are a map with steps, or with cases")],
    ],
  ];
  test.each(cases)("%s", (_name, text, told) => {
    expect(linesOf(text)).toEqual(told);
  });
});
