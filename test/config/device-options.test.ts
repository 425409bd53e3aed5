/** What is wrong with a device's options is said where the configuration is checked, not when the device connects. */
import { expect, test } from "vitest";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { mistakeLine } from "../../src/config/mistake.ts";

const BROKER = { url: "mqtt://broker.example" };

function mistakesOf(device: object, rest: object = {}): readonly string[] {
  const text = JSON.stringify({ ...rest, devices: [{ id: "d", ...device }] });
  const result = loadConfig({ text, environment: {}, adapters: ADAPTERS });
  return result.ok ? [] : result.mistakes.map((mistake) => mistakeLine("g", mistake).replace(/^g:\d+:\d+: /, ""));
}

function mqtt(bridge: string, options: object): object {
  return { adapter: "mqtt", bridge, topic: "plug", broker: BROKER, ...options };
}

test.each([
  [
    "an unknown setting of a Modbus profile",
    { adapter: "modbus", profile: "deye-3p", host: "a", settings: { maxChargA: 1 } },
    /^devices\[0\]\.settings\.maxChargA: deye-3p has no such setting; it has .*; did you mean "maxChargeA"\?$/,
  ],
  [
    "an unknown setting of an HTTP profile",
    { adapter: "http-json", profile: "shelly-gen2-em", host: "a", settings: { chanel: 1 } },
    /^devices\[0\]\.settings\.chanel: shelly-gen2-em has no such setting; it has channel; did you mean "channel"\?$/,
  ],
  [
    "an unknown setting of a bridge",
    mqtt("victron-gx", { settings: { maxChrgeW: 1 } }),
    /^devices\[0\]\.settings\.maxChrgeW: victron-gx has no such setting; it has .*; did you mean "maxChargeW"\?$/,
  ],
  [
    "a setting of a bridge that reads none",
    mqtt("tasmota", { role: "meter", settings: { ratedW: 1 } }),
    /^devices\[0\]\.settings\.ratedW: tasmota has no such setting; it has none$/,
  ],
  [
    "a setting out of its range",
    { adapter: "modbus", profile: "deye-3p", host: "a", settings: { maxChargeA: 9_999 } },
    /^devices\[0\]\.settings\.maxChargeA: 9999 is not from 1 to 500 A \(.*\)$/,
  ],
  [
    "an MQTT device without the role that its bridge needs",
    mqtt("tasmota", {}),
    /^devices\[0\]: tasmota: role is missing; say what it measures: meter, inverter, battery, charger, hvac$/,
  ],
  [
    "an MQTT device with a role that its bridge does not have",
    mqtt("evcc", { role: "battery" }),
    /^devices\[0\]: evcc: role battery is not one of meter, charger$/,
  ],
  [
    "an MQTT device without the channel that its bridge needs",
    mqtt("evcc", { role: "charger" }),
    /^devices\[0\]: evcc: channel is missing; it is the number of the loadpoint, from 1 on$/,
  ],
  [
    "a point in a unit that does not measure it",
    mqtt("tasmota", { role: "meter", points: { "meter.power": "/x V" } }),
    /^devices\[0\]: tasmota: points: V does not measure meter\.power$/,
  ],
  [
    "the URL of a broker that is none",
    mqtt("tasmota", { role: "meter", broker: { url: "http://broker.example" } }),
    /^devices\[0\]\.broker\.url: wrong value; expected text \(mqtt:\/\/host:port or mqtts:\/\/host:port\), found/,
  ],
  [
    "an HTTP device without the credential that it needs",
    { adapter: "http-json", profile: "sonnen-v2", host: "a" },
    /^devices\[0\]\.token: missing; a device of sonnen-v2 needs it$/,
  ],
  [
    "a control that the device does not have",
    { adapter: "modbus", profile: "keba-p30", host: "a", confirmUnverified: ["charger.colour"] },
    /^devices\[0\]\.confirmUnverified\[0\]: "charger\.colour" is no control of keba-p30; possible are /,
  ],
])("%s is a mistake of the configuration", (_what, device, line) => {
  expect(mistakesOf(device)).toEqual([expect.stringMatching(line)]);
});

test("an MQTT device needs a broker: its own, or the gateway's", () => {
  const device = { adapter: "mqtt", bridge: "tasmota", topic: "plug", role: "meter" };
  expect(mistakesOf(device)).toEqual(["devices[0]: no MQTT broker: add the section mqtt, or broker to this device"]);
  expect(mistakesOf(device, { mqtt: {} })).toEqual([]);
  expect(mistakesOf({ ...device, broker: BROKER })).toEqual([]);
});
