/** What owners of Modbus devices are asked when they link them. */
import type { FoundDevice, LinkField } from "hemgate/sdk";
import { withheldControls } from "hemgate/sdk";
import { MemoryDisk, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { controlTerms } from "../../../adapters/modbus/driver/control-terms.ts";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";
import { SETTING_WORDS } from "../../../adapters/modbus/profile/setting-words.ts";
import { ablEm4 } from "../../../adapters/modbus/profiles/abl-em4.ts";
import { FakeUnit } from "./fake-unit.ts";
import { profileDriver } from "./profile-driver.ts";
import { chain, common, imageOf, inverter103, storage124 } from "./sunspec/images.ts";

const KNOWN_PROFILES = await allProfiles();

const HOST = "10.0.0.7";
const calm = new AbortController().signal;

function device(profile: string): FoundDevice {
  const options = { host: HOST, port: 502, unit: 1, profile };
  return { key: "k", vendorTypes: ["battery"], name: null, model: null, detail: null, options };
}

function setupOf() {
  const adapter = modbusAdapter.start(new World({ seed: 1 }).boot("gateway", new MemoryDisk()).adapterContext());
  const { setup } = adapter.linking ?? {};
  if (setup === undefined) throw new TypeError("the adapter asks nothing");
  return setup;
}

async function asked(profile: string, known: FoundDevice["options"] | null = null): Promise<readonly LinkField[]> {
  const fields = await setupOf().fields(device(profile), known, calm);
  if (fields === "later") throw new TypeError("a device in the house can be asked at once");
  return fields;
}

describe("the owner of a Modbus device", () => {
  test("is asked nothing where there is nothing to decide", async () => {
    expect(await asked("eastron-sdm630")).toEqual([]);
  });

  test("is asked for the profile's settings with their defaults", async () => {
    const fields = await asked("deye-3p");
    const settings = KNOWN_PROFILES.find(({ id }) => id === "deye-3p")?.settings ?? {};
    const numbers = fields.flatMap((field) => (field.kind === "number" ? [field] : []));
    expect(numbers.map(({ name, unit, min, max, initial }) => [name, unit, min, max, initial])).toEqual(
      Object.entries(settings).map(([name, { unit, min, max, default: usual }]) => [
        `settings.${name}`,
        unit,
        min,
        max,
        String(usual),
      ]),
    );
    expect(numbers.length).toBeGreaterThan(3);
  });

  test("sees each control that waits, with its source, at a box without a tick", async () => {
    const [box, ...more] = await asked("webasto-next-tq");
    const details = [{ point: "charger.enabled", values: [true, false], confidence: "single-source", isTimer: false }];
    expect(box).toMatchObject({ name: "confirmUnverified", kind: "confirm", isOptional: true, details });
    expect(box?.initial).toBeUndefined();
    expect(more).toEqual([]);
  });

  test("sees a timer that would begin to count", async () => {
    const boxes = await asked("keba-p30");
    const timer = { values: null, confidence: "unverified", isTimer: true };
    const details = [
      { ...timer, point: "charger.maxCurrent" },
      { ...timer, point: "charger.enabled" },
    ];
    expect(boxes).toMatchObject([
      { name: "settings.phaseSwitch", min: 1, max: 1 },
      { name: "confirmUnverified", details },
    ]);
  });

  test.each([
    ["with a timer for its battery's modes, for those that wait", {}, ["EXPORT_FOCUS", "IDLE"]],
    ["without one, for nothing", { 15: 0xffff }, null],
  ])("is asked by a SunSpec device %s", async (_what, words, values) => {
    const world = new World({ seed: 1 });
    const registers = chain(40_000, [common("Fronius", "GEN24", "SN-8"), inverter103(), storage124(words)]);
    await serveModbus({ clock: world.clock, net: world.net.host() }, imageOf(registers), { host: HOST, port: 502 });
    const adapter = modbusAdapter.start(world.boot("gateway", new MemoryDisk()).adapterContext());
    const asking = adapter.linking?.setup?.fields(device("sunspec"), null, calm);
    const fields = await world.clock.resolve(Promise.resolve(asking), 60_000);
    const details = [{ point: "battery.mode", values, confidence: "derived" }];
    expect(fields).toMatchObject(values === null ? [] : [{ name: "confirmUnverified", details }]);
    expect(fields).toHaveLength(values === null ? 0 : 1);
  });

  test("finds what was decided before where the device is linked already", async () => {
    const known = { settings: { maxChargeA: 25 }, confirmUnverified: true };
    const fields = await asked("deye-3p", known);
    expect(fields.find(({ name }) => name === "settings.maxChargeA")?.initial).toBe("25");
    expect(fields.find(({ name }) => name === "confirmUnverified")?.initial).toBe("battery.mode");
    expect(fields.find(({ name }) => name === "confirmNoFailsafe")?.initial).toBeUndefined();
  });

  test.each([
    [["charger.enabled"], "charger.enabled"],
    [["charger.enabled", "charger.maxCurrent"], "charger.maxCurrent charger.enabled"],
    [["battery.mode"], undefined],
    [[], undefined],
  ])("finds a tick at each of the controls %j that were confirmed one by one", async (confirmUnverified, initial) => {
    const fields = await asked("keba-p30", { confirmUnverified });
    expect(fields.find(({ name }) => name === "confirmUnverified")?.initial).toBe(initial);
  });

  test("answers for one control, and the other stays off", async () => {
    const fields = await asked(ablEm4.id);
    expect(fields).toMatchObject([
      { isPerControl: true, details: [{ point: "charger.maxCurrent" }, { point: "charger.enabled" }] },
    ]);
    const turn = await setupOf().apply(device(ablEm4.id), { confirmUnverified: "charger.enabled" }, calm);
    const { confirmUnverified } = modbusAdapter.options.parse(turn.kind === "ready" ? turn.device.options : {});
    expect(confirmUnverified).toEqual(["charger.enabled"]);
    const offered = await profileDriver(ablEm4, new FakeUnit(), { confirmUnverified });
    expect(offered).toMatchObject({ controls: [{ point: "charger.enabled" }], unconfirmed: ["charger.maxCurrent"] });
    const all = await profileDriver(ablEm4, new FakeUnit(), { confirmUnverified: true });
    expect(all).toMatchObject({ controls: [{ point: "charger.maxCurrent" }, { point: "charger.enabled" }] });
  });

  test.each([
    [
      "keba-p30",
      ["charger.current"],
      '"charger.current" is no control of keba-p30; possible are charger.maxCurrent, charger.enabled, charger.phases',
    ],
    [
      "sunspec",
      ["charger.enabled"],
      '"charger.enabled" is no control of sunspec; possible are battery.mode, inverter.powerLimit',
    ],
    ["eastron-sdm630", ["meter.power"], '"meter.power" is no control of eastron-sdm630; it has none'],
    ["keba-p30", ["charger.maxCurrent"], null],
    ["keba-p30", [], null],
    ["eastron-sdm630", true, null],
  ])("of %s may name %j in the configuration", (profile, confirmUnverified, message) => {
    const options = modbusAdapter.options.parse({ host: HOST, profile, confirmUnverified });
    const expected = message === null ? null : { path: ["confirmUnverified", 0], message };
    expect(modbusAdapter.check?.(options)).toEqual(expected);
  });

  test("decides with answers that become options of the configuration", async () => {
    const values = { "settings.maxChargeA": "30", confirmUnverified: "", confirmNoFailsafe: "yes" };
    const turn = await setupOf().apply(device("deye-3p"), values, calm);
    expect(turn).toEqual({
      kind: "ready",
      device: {
        ...device("deye-3p"),
        options: { ...device("deye-3p").options, settings: { maxChargeA: 30 }, confirmNoFailsafe: true },
      },
    });
    const options = modbusAdapter.options.parse(turn.kind === "ready" ? turn.device.options : {});
    expect(modbusAdapter.check?.(options)).toBe(null);
    expect(options).toMatchObject({ confirmUnverified: false, confirmNoFailsafe: true });
  });
});

test.each(KNOWN_PROFILES.map((profile) => [profile.id, profile] as const))(
  "what waits of %s is what the configuration turns on",
  (_id, profile) => {
    const told = withheldControls(profile.controls);
    const set = Object.entries(profile.settings ?? {}).map(([name, { max, default: usual = max }]) => [name, usual]);
    for (const { control, values } of controlTerms(profile, Object.fromEntries(set))) {
      for (const { value, needs } of values) {
        const isIn = (details: typeof told.unverified): boolean =>
          details.some(
            (each) =>
              !each.isTimer &&
              each.point === control.point &&
              (each.values === null || (value !== null && each.values.includes(value))),
          );
        const found = [
          ...(isIn(told.unverified) ? ["confirmUnverified"] : []),
          ...(isIn(told.noFailsafe) ? ["confirmNoFailsafe"] : []),
        ];
        expect([control.point, value, found]).toEqual([control.point, value, needs]);
      }
    }
  },
);

test("every setting has words in German", () => {
  const meanings = KNOWN_PROFILES.flatMap(({ settings = {} }) => Object.values(settings).map(({ meaning }) => meaning));
  expect(Object.keys(SETTING_WORDS).toSorted()).toEqual([...new Set(meanings)].toSorted());
});
