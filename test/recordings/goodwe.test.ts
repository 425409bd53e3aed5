/** Frames recorded from GoodWe inverters, read through the driver that polls, against what their source expects. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PointName } from "hemgate/sdk";
import { afterAll, describe, expect, test } from "vitest";
import { goodweEt } from "../../adapters/modbus/profiles/goodwe-et.ts";
import { compareCurrents } from "../adapters/current-faults.ts";
import { FakeUnit } from "../adapters/modbus/fake-unit.ts";
import { profileDriver, readAll } from "../adapters/modbus/profile-driver.ts";
import { countedExpect } from "../counted-expect.ts";
import { recordingAt } from "./recordings.ts";

const FOLDER = recordingAt("devices/modbus/goodwe");
/** The first register of each request that was recorded; the names are those of the source's requests. */
const FIRST_REGISTER: Readonly<Record<string, number>> = {
  "self._READ_DEVICE_VERSION_INFO": 35_000,
  "self._READ_RUNNING_DATA": 35_100,
  "self._READ_METER_DATA": 36_000,
  "self._READ_METER_DATA_EXTENDED": 36_000,
  "self._READ_BATTERY_INFO": 37_000,
};
/** Values that the three devices are expected to show together, for points of our profile. */
const LEAST_COMPARED = 40;

interface Device {
  readonly mock_responses: Readonly<Record<string, string>>;
  readonly sensors: Readonly<Record<string, Readonly<Record<string, { readonly value: unknown }>>>>;
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const devices: Readonly<Record<string, Device>> = JSON.parse(readFileSync(join(FOLDER, "et_expected.json"), "utf8"));

/** A unit that holds what the frames hold: two marker bytes, unit, function, byte count, registers, CRC. */
function unitOf(device: Device): FakeUnit {
  const unit = new FakeUnit();
  for (const [request, file] of Object.entries(device.mock_responses)) {
    const first = FIRST_REGISTER[request];
    if (first === undefined) continue;
    const frame = Buffer.from(readFileSync(join(FOLDER, "et", file), "utf8").trim(), "hex");
    expect([frame.readUInt16BE(0), frame[2], frame[3]]).toEqual([0xaa55, 0xf7, 3]);
    const registers = Array.from({ length: frame[4]! / 2 }, (_, index) => frame.readUInt16BE(5 + 2 * index));
    unit.set("holding", first, ...registers);
  }
  return unit;
}

/** What our point shows for a sensor of the source. GoodWe counts export and discharge as positive; energy is in kWh. */
const SENSORS: readonly [sensor: string, point: PointName, shown: (value: number) => unknown][] = [
  ["ppv", "inverter.power", same],
  ["e_total", "inverter.energy", wattHours],
  ["battery_mode", "battery.status", (mode) => [null, "IDLE", "DISCHARGING", "CHARGING", "IDLE", "IDLE"][mode]],
  ["battery_soc", "battery.soc", same],
  ["meter_freq", "meter.frequency", same],
  ["meter_e_total_exp", "meter.energyExport", wattHours],
  ["meter_e_total_imp", "meter.energyImport", wattHours],
  ["meter_active_power1", "meter.power.l1", flipped],
  ["meter_active_power2", "meter.power.l2", flipped],
  ["meter_active_power3", "meter.power.l3", flipped],
  ["meter_active_power_total", "meter.power", flipped],
  ["meter_voltage1", "meter.voltage.l1", same],
  ["meter_voltage2", "meter.voltage.l2", same],
  ["meter_voltage3", "meter.voltage.l3", same],
  ["meter_current1", "meter.current.l1", same],
  ["meter_current2", "meter.current.l2", same],
  ["meter_current3", "meter.current.l3", same],
  ["pbattery1", "battery.power", flipped],
];

function same(value: number): number {
  return value;
}
function flipped(value: number): number {
  return -value + 0;
}
function wattHours(kwh: number): number {
  return Math.round(kwh * 1_000);
}

let compared = 0;
const expectNone = countedExpect("a sensor that a device does not have");

describe.each(Object.entries(devices))("%s", (_name, device) => {
  test("every sensor that the profile maps reads as its source expects", async () => {
    const driver = await profileDriver(goodweEt, unitOf(device));
    const read = await readAll(driver);
    expect(compareCurrents(read).faults).toEqual([]);
    const expected = Object.assign({}, ...Object.values(device.sensors));
    for (const [sensor, point, shown] of SENSORS) {
      const value = expected[sensor]?.value;
      if (typeof value !== "number") {
        expectNone(read[point], `${point} of a device without ${sensor}`).toBeNull();
        continue;
      }
      const told = read[point];
      const isEnergy = point.includes("energy");
      expect(isEnergy && typeof told === "number" ? Math.round(told) : told, sensor).toBe(shown(value));
      compared += 1;
    }
  });

  test("the device's name and serial number are those its source expects", async () => {
    const driver = await profileDriver(goodweEt, unitOf(device));
    const expected = Object.assign({}, ...Object.values(device.attributes));
    expect(driver.identity.serial).toBe(expected.serial_number);
    expect(driver.identity.model).toBe(expected.model_name === "" ? "ET" : expected.model_name);
    compared += 2;
  });
});

afterAll(() => {
  console.log(`${compared} values of ${Object.keys(devices).length} recorded GoodWe inverters compared`);
  expect(compared).toBeGreaterThanOrEqual(LEAST_COMPARED);
  expectNone.wasCalled();
});
