/** The panels and the battery of a house whose parts make one energy system; its meter has a P1 port. */
import { DiscoveryTwin } from "../twins/firmware/homeassistant.ts";
import type { Kind } from "./firmware-kinds.ts";
import type { HouseFlow } from "./house-flow.ts";

export const HOUSE_OWNER = "hal";
export const HOUSE_PARTS = { meter: "house-meter", inverter: "house-panels", battery: "house-battery" } as const;
/** How often the parts tell, s. */
const EVERY_S = 10;

const POWER = { p: "sensor", dev_cla: "power", unit_of_meas: "W", stat_t: "~/state" };
const ENERGY = { p: "sensor", dev_cla: "energy", unit_of_meas: "kWh", stat_t: "~/state" };

export function houseParts(house: HouseFlow): readonly Kind[] {
  return [panels(house), battery(house)];
}

function panels(house: HouseFlow): Kind {
  const stateNow = () => ({ power: house.pvW, energy: kwh(house.energiesWh.generation) });
  const twin = new DiscoveryTwin(
    "house_panels",
    {
      power: { ...POWER, uniq_id: "panels_power", val_tpl: "{{ value_json.power }}" },
      energy: { ...ENERGY, uniq_id: "panels_energy", val_tpl: "{{ value_json.energy }}" },
    },
    { state: stateNow() },
  );
  return {
    id: HOUSE_PARTS.inverter,
    owner: HOUSE_OWNER,
    twin,
    options: { bridge: "homeassistant", topic: "house_panels", role: "inverter", intervalSeconds: EVERY_S },
    everyS: EVERY_S,
    truth: () => ({ "inverter.power": twin.state["power"] as number, "inverter.energy": wh(twin.state["energy"]) }),
    move: (random, hour) => {
      house.turn(random, hour);
      twin.state = stateNow();
    },
  };
}

function battery(house: HouseFlow): Kind {
  const stateNow = () => ({
    power: house.batteryW,
    soc: house.soc,
    charged: kwh(house.energiesWh.charge),
    discharged: kwh(house.energiesWh.discharge),
  });
  const entity = (fields: object, name: string) => ({
    ...fields,
    uniq_id: `store_${name}`,
    val_tpl: `{{ value_json.${name} }}`,
  });
  const twin = new DiscoveryTwin(
    "house_battery",
    {
      power: entity(POWER, "power"),
      soc: entity({ ...POWER, dev_cla: "battery", unit_of_meas: "%" }, "soc"),
      charged: entity(ENERGY, "charged"),
      discharged: entity(ENERGY, "discharged"),
    },
    { state: stateNow() },
  );
  return {
    id: HOUSE_PARTS.battery,
    owner: HOUSE_OWNER,
    twin,
    options: { bridge: "homeassistant", topic: "house_battery", role: "battery", intervalSeconds: EVERY_S },
    everyS: EVERY_S,
    truth: () => ({
      "battery.power": twin.state["power"] as number,
      "battery.soc": twin.state["soc"] as number,
      "battery.energyCharged": wh(twin.state["charged"]),
      "battery.energyDischarged": wh(twin.state["discharged"]),
    }),
    move: (random, hour) => {
      house.turn(random, hour);
      twin.state = stateNow();
    },
  };
}

function kwh(energyWh: number): number {
  return Math.floor(energyWh) / 1_000;
}

function wh(energyKwh: unknown): number {
  return 1_000 * Number(energyKwh);
}
