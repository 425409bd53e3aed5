/** Recorded payloads of devices that publish over MQTT, or would, through the bridge that reads them. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BRIDGES } from "../../firmware-bridges/kit/bridges.ts";
import type { PointName, PointValue } from "../../src/points/points.ts";
import { compareCurrents } from "../adapters/current-faults.ts";
import { bridgeOptions, readInto } from "../firmware-bridges/intake.ts";
import { recordingAt } from "./recordings.ts";

const DEVICES = recordingAt("devices");

function fixture(path: string): string {
  return readFileSync(`${DEVICES}/${path}`, "utf8");
}

type Options = Parameters<typeof bridgeOptions>[0];

/** What a device tells after one payload on a topic. */
function told(
  bridge: string,
  topic: string,
  text: string,
  given: Options,
): Partial<Record<PointName, PointValue | null>> {
  const device = BRIDGES.find(({ name }) => name === bridge)?.open(bridgeOptions(given));
  if (device === undefined) throw new Error(`no bridge ${bridge}`);
  const read = readInto(device, [{ topic, text, isRetained: false }]);
  expect(compareCurrents(read).faults).toEqual([]);
  return read;
}

describe("a Tasmota's recorded status", () => {
  const asked = "stat/t/STATUS10";

  it("of two channels is the first one where a channel says so", () => {
    const text = fixture("mqtt/tasmota/status10_1.json");
    expect(told("tasmota", asked, text, { topic: "t", role: "charger", channel: 0 })).toMatchObject({
      "charger.power": 8.15,
      "charger.voltage.l1": 237,
      "charger.energy": 77,
    });
    expect(told("tasmota", asked, text, { topic: "t", role: "meter", channel: 1 })).toMatchObject({ "meter.power": 0 });
  });

  it("of a three-phase meter has all that its source asserts", () => {
    const text = fixture("mqtt/tasmota/status10_3.json");
    expect(told("tasmota", asked, text, { topic: "t", role: "meter" })).toEqual({
      "meter.power": -36,
      "meter.energyImport": 2_687_368.7,
      "meter.energyExport": 582_456.9,
      "meter.power.l1": 60,
      "meter.power.l2": -111,
      "meter.power.l3": 14,
      "meter.voltage.l1": 235.3,
      "meter.voltage.l2": 235.7,
      "meter.voltage.l3": 235.7,
      "meter.current.l1": 0.98,
      "meter.current.l2": 1.47,
      "meter.current.l3": 1.18,
      "meter.frequency": 49.9,
    });
  });

  it("in the announcement has the counters of the meter's own, in Wh", () => {
    const { sn } = JSON.parse(fixture("mqtt/tasmota/discovery_sensors.json"));
    expect(told("tasmota", "tele/t/SENSOR", JSON.stringify(sn), { topic: "t", role: "meter" })).toEqual({
      "meter.power": 0,
      "meter.voltage.l1": 234.31,
      "meter.current.l1": 0.039,
      "meter.frequency": 50,
      "meter.energyImport": 12_580,
      "meter.energyExport": 0,
    });
  });

  it("is there for every file of the folder", () => {
    expect(readdirSync(`${DEVICES}/mqtt/tasmota`).toSorted()).toEqual([
      "discovery_sensors.json",
      "expected.json",
      "status10_1.json",
      "status10_3.json",
    ]);
  });
});

describe("a Shelly's recorded status, as it would answer over MQTT", () => {
  const reply = "me/rpc";
  const answer = (result: unknown): string => JSON.stringify({ id: 1, src: "x", dst: "me", result });

  it("of a Pro 3EM is three phases and counters in Wh", () => {
    const { status } = JSON.parse(fixture("http/shelly/gen2_pro3em.json"));
    expect(told("shelly-gen2", reply, answer(status), { topic: "x", role: "meter", replyTopic: "me" })).toEqual({
      "meter.power": 558.965,
      "meter.power.l1": 375.5,
      "meter.power.l2": 170.8,
      "meter.power.l3": 12.7,
      "meter.voltage.l1": 229,
      "meter.voltage.l2": 229,
      "meter.voltage.l3": 229.2,
      "meter.current.l1": 2.392,
      "meter.current.l2": 1.037,
      "meter.current.l3": 0.428,
      "meter.frequency": 50,
      "meter.energyImport": 2_589_773.39,
      "meter.energyExport": 1_026.61,
    });
  });

  it("of a Plus 1PM is a relay with power and counter", () => {
    const { status } = JSON.parse(fixture("http/shelly/gen2_plus1pm.json"));
    expect(told("shelly-gen2", reply, answer(status), { topic: "x", role: "charger", replyTopic: "me" })).toEqual({
      "charger.power": 0,
      "charger.voltage.l1": 232.8,
      "charger.current.l1": 0,
      "charger.energy": 110.046,
      "charger.enabled": false,
      "charger.state": "PLUGGED_IN:STOPPED",
    });
  });
});
