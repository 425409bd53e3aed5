/** The houses that the rows ask: one with a device of each kind, as a stranger finds it, and an empty sandbox. */
import { simulatedAdapter } from "../../adapters/simulated/device/simulated-adapter.ts";
import { createClient, pinClient } from "../../src/api/clients/clients.ts";
import { sandboxVendors } from "../../src/cli/sandbox/sandbox-vendors.ts";
import type { Config } from "../../src/config/config.ts";
import { SCOPES } from "../../src/domain/users/scope.ts";
import { getToken } from "../api/support/api-house.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome } from "../engine/home.ts";
import { followCarSwitch } from "../engine/smart/cars.ts";
import { Receiver } from "../sync/webhook-world.ts";

const SETTLE_MS = 5_000;

/** A user of the house, and the one whom the older versions' header names. */
export const OWNER = "home";

/** Another user, who has a meter. */
const NEIGHBOUR = "neighbour";

/** Where the house stands, as its devices tell. */
const PLACE = { latitude: 52.5, longitude: 13.4 };

/** As `Row.house` has them. */
export type HouseKind =
  | "home"
  | "sandbox"
  | "operator"
  | "readOnly"
  | "unlocated"
  | "bare"
  | "limited"
  | "renamed"
  | "pinned";

export interface ConformanceHouse extends RealHouse {
  /** At `https://hooks.example/in`. */
  readonly receiver: Receiver;
  /** A valid token of a second client, which is made when it is first asked for. */
  guestToken(): Promise<string>;
}

export async function openConformanceHouse(kind: HouseKind = "home"): Promise<ConformanceHouse> {
  const house = await HOUSES[kind]();
  const receiver = new Receiver();
  house.home.world.web.serve("hooks.example", "93.184.216.34", receiver.serve);
  await house.pass(SETTLE_MS);
  let guest: Promise<string> | null = null;
  const guestToken = (): Promise<string> => {
    guest ??= tokenOfGuest(house);
    return guest;
  };
  return { ...house, receiver, guestToken, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

async function tokenOfGuest({ api, home, run }: RealHouse): Promise<string> {
  const { clock, random } = run.process.platform;
  const made = async (): Promise<string> =>
    getToken(api, await createClient({ store: run.store, clock, random }, "guest"));
  return await home.world.clock.resolve(made(), 20_000);
}

function openSandbox(): Promise<RealHouse> {
  const sandbox = { isEnabled: true };
  const home = makeHome(1, { adapters: [simulatedAdapter(sandboxVendors())], sandbox });
  return openRealHouse({ home, config: { sandbox } });
}

function openHome({ config = {}, scopes, maySetLimits }: HomeChange = {}): Promise<RealHouse> {
  const home = makeHome();
  addDevices(home);
  const devices = Object.keys(home.devices).map((id) => ({
    id,
    adapter: "fake",
    owner: id === "neighbourMeter" ? NEIGHBOUR : OWNER,
    ...(scopes !== undefined && { scopes }),
  }));
  const changed: Home = { ...home, start: (change) => home.start({ ...change, devices }) };
  return openRealHouse({ home: changed, config, ...(maySetLimits && { maySetLimits }) });
}

/** Devices that report nothing but that they are there. */
function openBare(): Promise<RealHouse> {
  const home = makeHome();
  for (const [kind, point] of Object.entries(BARE_POINTS))
    home.add(kind, { pollMs: POLL_MS, values: { [point]: null } });
  return openRealHouse({ home });
}

const BARE_POINTS = {
  battery: "battery.soc",
  charger: "charger.state",
  hvac: "hvac.temperature",
  inverter: "inverter.power",
  meter: "meter.power",
  vehicle: "vehicle.soc",
} as const;

interface HomeChange {
  readonly config?: object;
  readonly maySetLimits?: true;
  readonly scopes?: NonNullable<Config["devices"][number]["scopes"]>;
}

const HOUSES: Readonly<Record<HouseKind, () => Promise<RealHouse>>> = {
  home: () => openHome(),
  sandbox: openSandbox,
  operator: () => openHome({ maySetLimits: true }),
  readOnly: () =>
    openHome({
      scopes: [
        "battery:read:data",
        "charger:read:data",
        "hvac:read:data",
        "inverter:read:data",
        "meter:read:data",
        "vehicle:read:data",
      ],
    }),
  unlocated: () =>
    openHome({
      scopes: Object.values(SCOPES)
        .flat()
        .filter((scope) => !scope.endsWith(":read:location")),
    }),
  bare: openBare,
  // Without the generous limits that houses of tests have.
  limited: () => openHome({ config: { http: {} } }),
  pinned: async () => {
    const house = await openHome();
    const { clock } = house.home.world;
    await clock.resolve(pinClient(house.run, house.client.id, "2024-01-01"), 10_000);
    return house;
  },
  renamed: () => openHome({ config: { compat: { namePrefix: "Acme" }, webhooks: { allowInsecureLan: true } } }),
};

/** How often devices are read, ms. The time that rows let pass costs as many reads. */
const POLL_MS = 2_000;

export function addDevices(house: Home): void {
  const home: Pick<Home, "add"> = { add: (id, options) => house.add(id, { pollMs: POLL_MS, ...options }) };
  const battery = batteryOptions();
  home.add("battery", { ...battery, values: { ...battery.values, ...at("battery") } });
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
    values: { "inverter.power": 3_210, "inverter.energy": 1_234_000, ...at("inverter") },
    identity: { manufacturer: "SMA", model: "STP", serial: "I-1" },
    vendors: ["SMA", "SUNSPEC"],
  });
  home.add("meter", {
    values: { "meter.power": -450, "meter.energyImport": 5_000, "meter.energyExport": 9_000, ...at("meter") },
    identity: { manufacturer: "SMA", model: "EM", serial: "M-1" },
  });
  const vehicle = home.add("vehicle", {
    values: {
      ...at("vehicle"),
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
  followCarSwitch(vehicle);
  home.add("neighbourMeter", {
    values: { "meter.power": 800 },
    identity: { manufacturer: "Huawei", model: "DTSU", serial: "M-2" },
    vendors: ["HUAWEI"],
  });
}

/** The points that tell where a device stands. */
function at(kind: "battery" | "inverter" | "meter" | "vehicle"): Record<string, number> {
  return { [`${kind}.latitude`]: PLACE.latitude, [`${kind}.longitude`]: PLACE.longitude };
}

const KINDS = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
};

/** The devices' ids as a client finds them, by kind, and the users'. */
export async function idsOf(house: RealHouse): Promise<Record<string, string>> {
  const ids: Record<string, string> = {
    user: OWNER,
    neighbour: NEIGHBOUR,
    unknown: "99999999-9999-4999-8999-999999999999",
  };
  for (const [kind, plural] of Object.entries(KINDS)) {
    const { data } = (await house.ask({ url: `/${plural}` })).json<{ data: { id: string; userId: string }[] }>();
    ids[kind] = data.find(({ userId }) => userId === OWNER)?.id ?? "";
    const other = data.find(({ userId }) => userId === NEIGHBOUR);
    if (other !== undefined) ids[`neighbour${kind.charAt(0).toUpperCase()}${kind.slice(1)}`] = other.id;
  }
  return ids;
}
