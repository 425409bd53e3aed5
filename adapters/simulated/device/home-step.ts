/** One step of a made-up home: what flows, and what that leaves behind. Pure; powers in kW, energies in kWh. */
import { HOUR_MS, type SimulatedDevice, type SimulatedSupply } from "hemgate/sdk";
import { householdLoad } from "../household-load.ts";
import { seedFor } from "../noise.ts";
import { clearSkyWPerKw } from "../sun.ts";
import { batteryAfter, batteryPower } from "./battery-model.ts";
import { chargedCharger, chargerDraw } from "./charger-model.ts";
import { hvacAfter, hvacFlow } from "./hvac-model.ts";
import { chargedVehicle, vehicleDraw } from "./vehicle-model.ts";

/** Where a home is that does not say it: the middle of Germany. */
const SOMEWHERE = { latitude: 51.2, longitude: 10.4 } as const;
const ROOF = { tilt: 35, azimuth: 180 } as const;
/** What an overcast sky takes away. */
const CLOUD_SHARE = 0.8;

/** What flows at one moment, kW; into the device, but out of an inverter, and from the grid at a meter. */
export type Flows = ReadonlyMap<string, number>;

type Of<Kind extends SimulatedDevice["kind"]> = Extract<SimulatedDevice, { readonly kind: Kind }>;

/** The devices of one home at one instant. */
export interface HomeMoment {
  readonly devices: readonly SimulatedDevice[];
  readonly atMs: number;
  /** What chargers that are not made up offer, by the vehicle on them. */
  readonly supplies: Supplies;
}

export type Supplies = ReadonlyMap<string, SimulatedSupply>;

/** What flows in a home now. */
export function flowsIn({ devices, atMs, supplies }: HomeMoment): Flows {
  const flows = new Map<string, number>();
  for (const device of devices) {
    if (device.kind === "inverter") flows.set(device.id, production(device, atMs));
    if (device.kind === "vehicle") flows.set(device.id, vehicleDraw(device, supplyOf(device, devices, supplies)));
    if (device.kind === "hvac") flows.set(device.id, hvacFlow(device, atMs).power);
  }
  for (const device of devices) {
    if (device.kind === "charger") flows.set(device.id, chargerFlow(device, devices, flows));
  }
  const household = householdPower(devices, atMs);
  const demand =
    household + sum(devices, flows, ["charger", "hvac"]) + sum(devices.filter(isOffCharger), flows, ["vehicle"]);
  let surplus = sum(devices, flows, ["inverter"]) - demand;
  for (const device of devices) {
    if (device.kind !== "battery") continue;
    const power = batteryPower(device, surplus, localHour(placeOf(devices), atMs));
    flows.set(device.id, power);
    surplus -= power;
  }
  for (const device of devices) if (device.kind === "meter") flows.set(device.id, -surplus);
  return flows;
}

/** The home after the flows went on for a while. */
export function homeAfter(
  { devices, atMs }: Pick<HomeMoment, "devices" | "atMs">,
  flows: Flows,
  stepMs: number,
): readonly SimulatedDevice[] {
  const hours = stepMs / HOUR_MS;
  const asOfMs = atMs + stepMs;
  return devices.map((device): SimulatedDevice => {
    const power = flows.get(device.id) ?? 0;
    switch (device.kind) {
      case "vehicle":
        return { ...device, asOfMs, state: chargedVehicle(device.state, power, hours) };
      case "charger":
        return { ...device, asOfMs, state: chargedCharger(device.state, power, hours) };
      case "hvac":
        return { ...device, asOfMs, state: hvacAfter(device, atMs, hours) };
      case "battery":
        return { ...device, asOfMs, state: batteryAfter(device.state, power, hours) };
      case "inverter":
        return { ...device, asOfMs, state: produced(device.state, power * hours) };
      case "meter":
        return { ...device, asOfMs, state: metered(device.state, power * hours) };
      default:
        return device satisfies never;
    }
  });
}

/** The charger that a vehicle hangs on; null for an unknown one. */
function chargerOf(vehicle: Of<"vehicle">, devices: readonly SimulatedDevice[]): Of<"charger"> | null {
  const { isPluggedIn, pluggedInChargerId } = vehicle.state;
  if (!isPluggedIn || pluggedInChargerId === null) return null;
  const charger = devices.find(({ id }) => id === pluggedInChargerId);
  return charger?.kind === "charger" ? charger : null;
}

/** What a vehicle is offered; null: all that it takes. */
export function supplyOf(
  vehicle: Of<"vehicle">,
  devices: readonly SimulatedDevice[],
  supplies: Supplies,
): SimulatedSupply | null {
  if (vehicle.state.pluggedInChargerId === null) return supplies.get(vehicle.id) ?? null;
  return chargerOf(vehicle, devices)?.state ?? null;
}

/** The vehicle on a charger; null when none of the home is. */
export function vehicleOn(charger: Of<"charger">, devices: readonly SimulatedDevice[]): Of<"vehicle"> | null {
  for (const device of devices) {
    if (device.kind !== "vehicle" || !device.state.isPluggedIn) continue;
    if (device.state.pluggedInChargerId === charger.id) return device;
  }
  return null;
}

function chargerFlow(charger: Of<"charger">, devices: readonly SimulatedDevice[], flows: Flows): number {
  const vehicle = vehicleOn(charger, devices);
  return vehicle === null ? chargerDraw(charger.state) : (flows.get(vehicle.id) ?? 0);
}

/** A vehicle whose draw no charger of the home shows already, and that may hang on a socket here. */
function isOffCharger(device: SimulatedDevice): boolean {
  return device.kind === "vehicle" && device.state.pluggedInChargerId === null;
}

function production({ state, location }: Of<"inverter">, atMs: number): number {
  const clear = (clearSkyWPerKw(atMs, location ?? SOMEWHERE, ROOF) / 1_000) * state.maxPower;
  return Math.min(state.maxPower, clear * (1 - CLOUD_SHARE * state.cloudCover));
}

function householdPower(devices: readonly SimulatedDevice[], atMs: number): number {
  const [first] = devices;
  const said = devices.flatMap((device) => (device.kind === "meter" ? [device.state.householdPower] : []));
  const [known] = said.filter((power) => power !== null);
  if (known !== undefined) return known;
  const offsetMs = (placeOf(devices).longitude / 15) * HOUR_MS;
  return householdLoad(seedFor(0, first?.home ?? ""), offsetMs)(atMs) / 1_000;
}

function placeOf(devices: readonly SimulatedDevice[]): { readonly latitude: number; readonly longitude: number } {
  return devices.find(({ kind, location }) => kind !== "vehicle" && location !== null)?.location ?? SOMEWHERE;
}

/** Hours since midnight by the sun. */
function localHour({ longitude }: { readonly longitude: number }, atMs: number): number {
  const hours = atMs / HOUR_MS + longitude / 15;
  return ((hours % 24) + 24) % 24;
}

function sum(devices: readonly SimulatedDevice[], flows: Flows, kinds: readonly SimulatedDevice["kind"][]): number {
  let total = 0;
  for (const { id, kind } of devices) if (kinds.includes(kind)) total += flows.get(id) ?? 0;
  return total;
}

function produced(state: Of<"inverter">["state"], energy: number): Of<"inverter">["state"] {
  return { ...state, totalProduction: state.totalProduction + energy };
}

function metered(state: Of<"meter">["state"], energy: number): Of<"meter">["state"] {
  return energy >= 0
    ? { ...state, energyImport: state.energyImport + energy }
    : { ...state, energyExport: state.energyExport - energy };
}
