/** Answers of thermostats' clouds as they were recorded, read through the connectors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ecobee } from "../../adapters/clouds/ecobee/ecobee.ts";
import type { CloudConnector } from "../../adapters/clouds/kit/connector.ts";
import { myuplink } from "../../adapters/clouds/myuplink/myuplink.ts";
import { tado } from "../../adapters/clouds/tado/tado.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { fakeSession } from "../adapters/clouds/fake-session.ts";
import { read } from "../adapters/clouds/values-of.ts";
import { CloudTwin, jsonAnswer } from "../twins/clouds/cloud-twin.ts";
import { recordingAt } from "./recordings.ts";

const FOLDER = recordingAt("devices/cloud");
const { signal } = new AbortController();

function recording(file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
}

/** A cloud that answers what was recorded, by path. */
class Recorded extends CloudTwin {
  readonly hosts = [];
  readonly #routes: Readonly<Record<string, unknown>>;

  constructor(routes: Readonly<Record<string, unknown>>) {
    super(new VirtualClock());
    this.#routes = routes;
  }

  protected override answer({ url }: { readonly url: URL }): SimWebAnswer {
    const body = this.#routes[url.pathname];
    return body === undefined ? { status: 404, body: "{}" } : jsonAnswer(body);
  }
}

function sessionAt(connector: CloudConnector, routes: Readonly<Record<string, unknown>>) {
  const grant = { access: "a", refresh: null, expiresAtMs: null };
  return fakeSession({ connector, twin: new Recorded(routes), grant });
}

describe("tado", () => {
  const HOME = "/api/v2/homes/1";
  const heating = { type: "HEATING", temperatures: { celsius: { min: 5, max: 25, step: 0.5 } } };
  const temperatures = { celsius: { min: 16, max: 30, step: 1 } };
  const cooling = { type: "AIR_CONDITIONING", COOL: { temperatures, fanSpeeds: ["AUTO"] } };

  async function zone(id: number, type: string, states: unknown) {
    const session = sessionAt(tado, {
      [`${HOME}/zones`]: [{ id, name: "Zone", type, devices: recording("tado/devices.json") }],
      [`${HOME}/zones/${id}/capabilities`]: type === "HEATING" ? heating : cooling,
      [`${HOME}/zoneStates`]: states,
    });
    return await read(await tado.open(session, `1/zone/${id}`, signal));
  }

  test.each([
    [1, { "hvac.mode": "HEAT", "hvac.heatSetpoint": 17, "hvac.temperature": 17.98, "hvac.isActive": false }],
    [2, { "hvac.mode": "HEAT", "hvac.heatSetpoint": 15, "hvac.temperature": 14.89, "hvac.isActive": true }],
    [4, { "hvac.mode": "OFF", "hvac.heatSetpoint": null }],
  ])("zone %i of all zones' states", async (id, values) => {
    const readings = await zone(id, "HEATING", recording("tado/zone_states_heating_power.json"));
    expect(readings).toMatchObject({ ...values, "hvac.holdType": "PERMANENT" });
  });

  test("a zone on its schedule", async () => {
    const state = recording("tado/zone_state_tadov2.heating.auto_mode.json");
    expect(await zone(1, "HEATING", { zoneStates: { 1: state } })).toEqual({
      "hvac.mode": "HEAT",
      "hvac.holdType": "SCHEDULED",
      "hvac.heatSetpoint": 20,
      "hvac.temperature": 20.65,
      "hvac.isActive": false,
    });
  });

  test("an air conditioner that is held until the next block", async () => {
    const state = recording("tado/zone_state_smartac3.cool_mode.json");
    expect(await zone(1, "AIR_CONDITIONING", { zoneStates: { 1: state } })).toEqual({
      "hvac.mode": "COOL",
      "hvac.holdType": null,
      "hvac.heatSetpoint": null,
      "hvac.coolSetpoint": 17.78,
      "hvac.temperature": 24.76,
      "hvac.isActive": true,
    });
  });
});

test("ecobee: thermostats, one of them with a number for its id", async () => {
  const session = sessionAt(ecobee, {
    "/1/thermostatSummary": { revisionList: ["8675309:ecobee:true:1:1:1:1", "8675308:ecobee2:true:1:1:1:1"] },
    "/1/thermostat": recording("ecobee/thermostats.json"),
  });
  expect((await ecobee.list(session, signal)).map(({ key }) => key)).toEqual(["8675309", "8675308"]);
  const heatPump = await ecobee.open(session, "8675308", signal);
  expect(heatPump.identity).toMatchObject({ category: "HEAT_PUMP", model: "athenaSmart" });
  expect(await read(heatPump)).toEqual({
    "hvac.mode": "AUTO",
    "hvac.holdType": null,
    "hvac.heatSetpoint": 4.444,
    "hvac.coolSetpoint": -6.667,
    "hvac.temperature": -1.111,
    "hvac.isActive": false,
  });
});

test("myUplink: a system's heat pump", async () => {
  const session = sessionAt(myuplink, { "/v2/systems/me": recording("myuplink/systems.json") });
  const key = "batman-r-1234-20240201-123456-aa-bb-cc-dd-ee-ff";
  expect(await myuplink.list(session, signal)).toEqual([
    { key, types: ["hvac"], name: "Gotham City", model: "F730 CU 3x400V", detail: "123456" },
  ]);
});
