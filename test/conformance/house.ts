/** The house that the rows ask: one device of each kind, as a stranger finds it. */
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { batteryOptions, chargerOptions, followSwitch, makeHome } from "../engine/home.ts";

const SETTLE_MS = 5_000;

/** A user of the house, and the one whom the older versions' header names. */
export const OWNER = "home";

export async function openConformanceHouse(): Promise<RealHouse> {
  const home = makeHome();
  home.add("battery", batteryOptions());
  followSwitch(home.add("charger", chargerOptions()));
  home.add("hvac", {
    values: {
      "hvac.mode": "HEAT",
      "hvac.heatSetpoint": 20,
      "hvac.coolSetpoint": 25,
      "hvac.holdType": "SCHEDULED",
      "hvac.temperature": 19.5,
      "hvac.isActive": true,
      "hvac.power": 1_200,
    },
    controls: [
      { point: "hvac.mode", values: ["OFF", "AUTO", "COOL", "HEAT"], holdMs: null, safeDefault: "as-found" },
      { point: "hvac.heatSetpoint", range: { min: 5, max: 30 }, holdMs: null, safeDefault: "as-found" },
      { point: "hvac.coolSetpoint", range: { min: 15, max: 35 }, holdMs: null, safeDefault: "as-found" },
      { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], holdMs: null, safeDefault: "as-found" },
    ],
    identity: { manufacturer: "tado", model: "Smart", serial: "H-1" },
  });
  home.add("inverter", {
    values: { "inverter.power": 3_210, "inverter.energy": 1_234_000 },
    identity: { manufacturer: "SMA", model: "STP", serial: "I-1" },
    vendors: ["SMA", "SUNSPEC"],
  });
  home.add("meter", {
    values: { "meter.power": -450, "meter.energyImport": 5_000, "meter.energyExport": 9_000 },
    identity: { manufacturer: "SMA", model: "EM", serial: "M-1" },
  });
  home.add("vehicle", {
    values: {
      "vehicle.soc": 40,
      "vehicle.capacity": 60_000,
      "vehicle.chargeLimit": 80,
      "vehicle.range": 200,
      "vehicle.state": "PLUGGED_IN:STOPPED",
      "vehicle.power": 0,
      "vehicle.maxCurrent": 16,
      "vehicle.odometer": 12_345,
      "vehicle.enabled": false,
    },
    controls: [
      { point: "vehicle.enabled", values: [true, false], holdMs: null, safeDefault: "as-found" },
      { point: "vehicle.maxCurrent", range: { min: 6, max: 32 }, holdMs: null, safeDefault: "as-found" },
    ],
    identity: { manufacturer: "Tesla", model: "Model 3", serial: "5YJ3E1EA7KF000316" },
    vendors: ["TESLA"],
  });
  const house = await openRealHouse({ home });
  await house.pass(SETTLE_MS);
  return house;
}

const KINDS = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
};

/** The devices' ids as a client finds them, by kind, and the owner's. */
export async function idsOf(house: RealHouse): Promise<Record<string, string>> {
  const ids: Record<string, string> = { user: OWNER, unknown: "99999999-9999-4999-8999-999999999999" };
  for (const [kind, plural] of Object.entries(KINDS)) {
    const answer = await house.ask({ url: `/${plural}` });
    ids[kind] = answer.json<{ data: { id: string }[] }>().data[0]?.id ?? "";
  }
  return ids;
}
