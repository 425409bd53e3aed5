/** Messages of GX devices, read through the bridge that listens, against what their source asserts of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { victronGx } from "../../firmware-bridges/victron-gx/victron-gx.ts";
import type { PointName } from "../../src/points/points.ts";
import { bridgeOptions, readInto } from "../firmware-bridges/intake.ts";
import { recordingAt } from "./recordings.ts";

const FOLDER = recordingAt("devices/mqtt/victron");
const PORTAL = "123";

interface Recording {
  readonly test: string;
  readonly messages: readonly (readonly [topic: string, payload: string])[];
  readonly asserts: readonly string[];
}

const recordings: readonly Recording[] = JSON.parse(readFileSync(join(FOLDER, "messages.json"), "utf8"));

/** What each recording that a bridge has a point for is expected to show after all of its messages, in our units. */
const SHOWN: Readonly<Record<string, Readonly<Partial<Record<PointName, number | null>>>>> = {
  test_number_message: { "charger.maxCurrent": 100 },
  test_read_only_creates_plain_metrics: { "charger.maxCurrent": 100 },
  test_null_message: { "charger.maxCurrent": null },
  test_min_max_dependencies: { "charger.maxCurrent": 22 },
  test_same_message_events_auto: { "meter.power.l1": 104 },
  test_same_message_events_auto_power_none: { "meter.power.l1": 102 },
  test_new_metric: { "battery.power": 120 },
  test_new_metric_duplicate_formula_messages: { "battery.power": 120 },
};

function read(name: string, role: "charger" | "meter" | null): ReturnType<typeof readInto> {
  const recording = recordings.find(({ test }) => test === name);
  const device = victronGx.open(bridgeOptions({ topic: PORTAL, role }));
  const messages = (recording?.messages ?? []).map(([topic, text]) => ({ topic, text, isRetained: false }));
  return readInto(device, messages);
}

describe("a recorded GX", () => {
  it.each(Object.entries(SHOWN))("%s", (name, shown) => {
    const [point = ""] = Object.keys(shown);
    const role = point.startsWith("charger") ? "charger" : point.startsWith("meter") ? "meter" : null;
    expect(read(name, role)).toEqual(shown);
  });

  it("writes as the source's library does", () => {
    const recording = recordings.find(({ test }) => test === "test_number_message");
    const device = victronGx.open(bridgeOptions({ topic: PORTAL, role: "charger", channel: 170 }));
    expect(() => device.command("charger.maxCurrent", 16)).toThrow("it is not on the bus");
    const messages = (recording?.messages ?? []).map(([topic, text]) => ({ topic, text, isRetained: false }));
    readInto(device, messages);
    expect(recording?.asserts.join(" ")).toContain("W/123/evcharger/170/SetCurrent");
    expect(device.command("charger.maxCurrent", 16).messages.at(-1)?.topic).toBe("W/123/evcharger/170/SetCurrent");
    const text = device.command("charger.maxCurrent", 16).messages.at(-1)?.text ?? "";
    expect(JSON.parse(text)).toEqual({ value: 16 });
  });

  it("passes over what no point stands for, in every recording and for every role", () => {
    expect(recordings.length).toBeGreaterThan(50);
    for (const { test, messages } of recordings) {
      for (const role of ["charger", "meter", "inverter", "battery", null] as const) {
        const device = victronGx.open(bridgeOptions({ topic: PORTAL, role }));
        const heard = messages.map(([topic, text]) => ({ topic, text, isRetained: false }));
        const values = Object.values(readInto(device, heard));
        expect([test, values.every((value) => value === null || ["number", "string"].includes(typeof value))]).toEqual([
          test,
          true,
        ]);
      }
    }
  });
});
