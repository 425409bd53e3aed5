/** Answers recorded from SolarEdge's monitoring API, read through the connector. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { solaredge } from "../../adapters/clouds/solaredge/solaredge.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { fakeSession } from "../adapters/clouds/fake-session.ts";
import { CloudTwin, jsonAnswer } from "../twins/clouds/cloud-twin.ts";
import { recordingAt } from "./recordings.ts";

const FOLDER = recordingAt("devices/cloud/solaredge");
const FILES = new Map([
  ["details", "details.json"],
  ["inventory", "inventory.json"],
  ["overview", "overview.json"],
  ["storageData", "storage_data.json"],
]);
const { signal } = new AbortController();

class Recorded extends CloudTwin {
  override readonly hosts = ["monitoringapi.solaredge.com"];
  picture = "power_flow.json";
  zone: string | null = null;

  protected override answer({ url }: { readonly url: URL }): SimWebAnswer {
    if (url.pathname === "/sites/list")
      return jsonAnswer({ sites: { count: 1, site: [{ id: 1, name: "Test Site" }] } });
    const resource = url.pathname.split("/").at(-1) ?? "";
    const body = JSON.parse(readFileSync(join(FOLDER, FILES.get(resource) ?? this.picture), "utf8"));
    if (resource === "details" && this.zone !== null) body.details.location = { timeZone: this.zone };
    return jsonAnswer(body);
  }
}

async function read({ picture, zone }: { readonly picture: string; readonly zone: string | null }) {
  const clock = new VirtualClock({ startMs: Date.UTC(2025, 0, 1, 11, 5) });
  const twin = Object.assign(new Recorded(clock), { picture, zone });
  const grant = { access: "key", refresh: null, expiresAtMs: null };
  const device = await solaredge.open(fakeSession({ connector: solaredge, twin, grant, clock }), "1", signal);
  return { device, readings: await device.read(signal) };
}

test("a site with a battery that charges, in watts", async () => {
  const { device, readings } = await read({ picture: "power_flow.json", zone: "Europe/Berlin" });
  // Three inverters of one model: no serial number is the site's.
  expect(device.identity).toMatchObject({ name: "Test Site", model: "I1", serial: null });
  const at = { measuredAtMs: Date.UTC(2025, 0, 1, 11) };
  const counted = { measuredAtMs: Date.UTC(2025, 0, 1, 2) };
  expect(readings).toEqual([
    { point: "meter.power", value: 250 },
    { point: "hem.load", value: 1_500 },
    { point: "battery.power", value: 250 },
    { point: "battery.soc", value: 75 },
    { point: "battery.status", value: "CHARGING" },
    { point: "inverter.power", value: 1_500 },
    { point: "inverter.energy", value: 100_000, ...at },
    { point: "battery.capacity", value: 9_700 },
    { point: "battery.energyCharged", value: 0, ...counted },
    { point: "battery.energyDischarged", value: 0, ...counted },
  ]);
});

test("a site without a battery that exports, in kilowatts, and one whose zone is not told", async () => {
  const { readings } = await read({ picture: "siteCurrentPowerFlow_docs.json", zone: null });
  const values = Object.fromEntries(readings.map(({ point, value }) => [point, value]));
  expect(values).toMatchObject({ "meter.power": -1_420, "hem.load": 330, "inverter.power": 1_750 });
  expect(readings.filter(({ measuredAtMs }) => measuredAtMs !== undefined)).toEqual([]);
});
