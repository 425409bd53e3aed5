/** Rule S11.1: chargers and vehicles that belong together. */
import { CHARGER_AT_HOME } from "../given.ts";
import type { Ask, Happening, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const row = says("S11.1");

const PLUG_IN: readonly Happening[] = [
  { device: "charger", show: { "charger.state": "PLUGGED_IN:CHARGING", "charger.power": 7_000 } },
  { device: "vehicle", show: { "vehicle.state": "PLUGGED_IN:CHARGING", "vehicle.power": 7_000 }, after: 600 },
];
const UNPLUG: readonly Happening[] = [
  { device: "charger", show: { "charger.state": "UNPLUGGED", "charger.power": 0 } },
  { device: "vehicle", show: { "vehicle.state": "UNPLUGGED", "vehicle.power": 0 }, after: 900 },
];
const PAIRED: readonly (Ask | Happening)[] = [...CHARGER_AT_HOME, ...UNPLUG, ...PLUG_IN];

export const PAIRING_ROWS: readonly Row[] = [
  row("A charger shows the vehicle that was plugged in with it and charges alike", {
    versions: NEWEST,
    given: PAIRED,
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { chargeState: { pluggedInVehicleId: "{vehicle}" } } },
  }),
  row("A vehicle shows the charger that it was found to hang on", {
    versions: NEWEST,
    given: PAIRED,
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargeState: { pluggedInChargerId: "{charger}" } } },
  }),
  row("A pair that is known to be apart shows null", {
    versions: NEWEST,
    given: [...PAIRED, ...UNPLUG],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargeState: { pluggedInChargerId: null } } },
    afterwards: [
      {
        ask: "GET /chargers/{charger}",
        expect: { status: 200, body: { chargeState: { pluggedInVehicleId: null } } },
      },
    ],
  }),
  row("A charger shows no vehicle that was plugged in at another time", {
    versions: NEWEST,
    given: [...CHARGER_AT_HOME, ...UNPLUG, { ...PLUG_IN[0], device: "charger", after: 180 }, ...PLUG_IN.slice(1)],
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, lacks: ["chargeState.pluggedInVehicleId"] },
  }),
];
