import type { DeviceProfile } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { createModbusAdapter, modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { summaryOf } from "../../../adapters/modbus/profile/profile-summary.ts";
import { eastronSdm630 } from "../../../adapters/modbus/profiles/eastron-sdm630.ts";
import { sungrowSh } from "../../../adapters/modbus/profiles/sungrow-sh.ts";
import { RunningModbus } from "../../../adapters/modbus/running-modbus.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { mistakeLine } from "../../../src/config/mistake.ts";
import { LoadError } from "../../../src/platform/lazy.ts";
import type { Adapter } from "../../../src/sdk/driver.ts";
import { adapterContext, calm } from "./bus/bus-world.ts";

const MINE: DeviceProfile = { ...eastronSdm630, id: "my-meter" };
const adapter = createModbusAdapter({
  profiles: [MINE],
  broken: [{ id: "my-other", problem: "my-other.yaml:3:1: points: missing" }],
});

function linesOf(device: string, known: Adapter): readonly string[] {
  const text = `devices:\n  - { id: one, adapter: modbus, ${device} }\n`;
  const result = loadConfig({ text, environment: {}, adapters: [known] });
  return result.ok ? [] : result.mistakes.map((each) => mistakeLine("gateway.yaml", each));
}

describe("a profile that is not built in", () => {
  test("is named like one that is", () => {
    expect(linesOf("host: a, profile: my-meter", adapter)).toEqual([]);
    expect(linesOf("host: a, profile: my-meter", modbusAdapter)).toEqual([expect.stringContaining('found "my-meter"')]);
  });

  test("that is broken harms only the devices that name it", async () => {
    expect(linesOf("host: a, profile: my-other, settings: { any: 1 }", adapter)).toEqual([]);
    await using running = adapter.start(adapterContext(new VirtualClock()));
    const options = adapter.options.parse({ host: "a", profile: "my-other" });
    await expect(running.connect("one", options, calm)).rejects.toMatchObject({
      kind: "rejected",
      message: "my-other.yaml:3:1: points: missing",
    });
  });
});

test("a Modbus profile that cannot be loaded is an error of the device that names it", async () => {
  const load = () => Promise.reject(new LoadError("the profile my-meter", new Error("the disk fails")));
  const profiles = [{ ...summaryOf(MINE), load }];
  const parse = (options: object) => adapter.options.parse(options);
  await using running = new RunningModbus(adapterContext(new VirtualClock()), { profiles, broken: [], parse });
  await expect(running.connect("one", parse({ host: "a", profile: "my-meter" }), calm)).rejects.toThrow(
    "the profile my-meter cannot be loaded: the disk fails; the installation is damaged: install hemgate again",
  );
});

describe("settings", () => {
  test.each([
    ["maxChargW: 500", /settings\.maxChargW: sungrow-sh has no such setting; it has maxChargeW, maxDischargeW/],
    ["maxChargeW: 1", /settings\.maxChargeW: 1 is not from \d+ to \d+ W \(.+\)/],
  ])("{ %s } is refused when the configuration is loaded", (settings, told) => {
    expect(linesOf(`host: a, profile: ${sungrowSh.id}, settings: { ${settings} }`, modbusAdapter)).toEqual([
      expect.stringMatching(told),
    ]);
  });

  test("of a device that describes itself there are none", () => {
    expect(linesOf("host: a, profile: sunspec, settings: { maxChargeW: 500 }", modbusAdapter)).toEqual([
      expect.stringContaining("settings.maxChargeW: sunspec has no such setting; it has none"),
    ]);
  });

  test("that fit are taken", () => {
    expect(linesOf(`host: a, profile: ${sungrowSh.id}, settings: { maxChargeW: 500 }`, modbusAdapter)).toEqual([]);
  });
});
