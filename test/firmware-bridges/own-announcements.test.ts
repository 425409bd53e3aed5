import { expect, test } from "vitest";
import { announcedIn } from "../../firmware-bridges/homeassistant/announcement.ts";

const SENSOR = { p: "sensor", dev_cla: "power", unit_of_meas: "kW", stat_t: "hemgate/meter/1", uniq_id: "power" };
const TOPIC = "homeassistant/device/hemgate_1/config";

function entities(message: object): number {
  return announcedIn({ topic: TOPIC, text: JSON.stringify(message), isRetained: true }, "homeassistant").length;
}

test("a gateway does not read what a gateway announces, itself included", () => {
  const device = { dev: { ids: "hemgate_1" }, cmps: { power: SENSOR } };
  expect(entities({ ...device, o: { name: "hemgate", sw: "0.1.0" } })).toBe(0);
  expect(entities({ ...device, origin: { name: "hemgate" } })).toBe(0);
  expect(entities({ ...device, o: { name: "OpenDTU" } })).toBe(1);
  expect(entities(device)).toBe(1);
});
