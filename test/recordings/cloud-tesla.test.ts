/** Answers that the Tesla API's documentation shows, read through the connector. */
import { expect, test } from "vitest";
import type { CloudDevice } from "../../adapters/clouds/kit/connector.ts";
import { tesla } from "../../adapters/clouds/tesla/tesla.ts";
import { read } from "../adapters/clouds/values-of.ts";
import { recorded, recordedSession } from "./recorded-cloud.ts";

const SIGNAL = new AbortController().signal;
const REGION = { response: { region: "na", fleet_api_base_url: "https://fleet-api.prd.na.vn.cloud.tesla.com" } };
const SITE = "/api/1/energy_sites/2252147638651575";
const VIN = "5YJSA11111111111";

async function deviceAt(bodies: Readonly<Record<string, unknown>>): Promise<CloudDevice> {
  const session = recordedSession(tesla, { "/api/1/users/region": REGION, ...bodies });
  const [listing] = await tesla.list(session, SIGNAL);
  return await tesla.open(session, listing!.key, SIGNAL);
}

function vehicleBodies(data: unknown): Readonly<Record<string, unknown>> {
  return {
    "/api/1/products": { response: [{ vin: VIN, display_name: "Nikola 2.0", state: "online" }] },
    [`/api/1/vehicles/${VIN}`]: { response: { state: "online" } },
    [`/api/1/vehicles/${VIN}/vehicle_data`]: data,
  };
}

test("a site of panels is listed and read as an inverter with its meter", async () => {
  const device = await deviceAt({
    "/api/1/products": recorded("tesla", "products_products_response.json"),
    [`${SITE}/site_info`]: recorded("tesla", "state_site_info_response_for_solar_panel.json"),
    [`${SITE}/live_status`]: recorded("tesla", "state_site_status_response_for_solar_panel.json"),
  });
  expect(device.identity.name).toBe("My House");
  expect(device.controls).toEqual([]);
  expect(await read(device)).toMatchObject({
    "inverter.power": 7_700,
    "inverter.latitude": expect.closeTo(32.5345, 4),
    "meter.power": null,
    "hem.load": null,
  });
});

test("a car that charges is read with its own times", async () => {
  const device = await deviceAt(vehicleBodies(recorded("tesla", "data_vehicle_data_response.json")));
  expect(await read(device)).toMatchObject({
    "vehicle.soc": 59,
    "vehicle.chargeLimit": 90,
    "vehicle.range": expect.closeTo(241.27, 2),
    "vehicle.state": "PLUGGED_IN:CHARGING",
    "vehicle.power": 9_720,
    "vehicle.timeToFull": 165,
    "vehicle.enabled": true,
    "vehicle.maxCurrent": 40,
    "vehicle.latitude": 33.111111,
    "vehicle.longitude": -88.111111,
    "vehicle.odometer": expect.any(Number),
  });
  const soc = (await device.read(SIGNAL)).find(({ point }) => point === "vehicle.soc");
  expect(soc?.measuredAtMs).toBe(1_607_623_897_515);
  // Whether it wants signatures was not recorded: its commands wait for the owner's word.
  expect(device.controls.map(({ confidence }) => confidence)).toEqual(["unverified", "unverified"]);
});

test("a car that is full is complete", async () => {
  const { response } = Object(recorded("tesla", "chargestate_charge_state_response.json"));
  const device = await deviceAt(vehicleBodies({ response: { charge_state: response } }));
  expect(await read(device)).toMatchObject({
    "vehicle.soc": 90,
    "vehicle.state": "PLUGGED_IN:COMPLETE",
    "vehicle.power": 0,
    "vehicle.timeToFull": null,
    "vehicle.odometer": null,
  });
});
