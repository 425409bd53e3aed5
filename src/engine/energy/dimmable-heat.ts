/** Heat pumps and coolers that the grid operator may dim (§ 14a EnWG), as the control cycle sees them. */
import type { Hvac } from "../../domain/assets/hvac.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { ChargerView, HeatPumpView } from "../../domain/energy/cycle/energy-snapshot.ts";
import type { SiteConnection } from "../../domain/energy/site/site-connection.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Controlled } from "./controlled.ts";
import { assetIdOf, type EnergyDevice, freeControl } from "./energy-device.ts";
import { isRaisedNow, mayCommand, nameOf } from "./heat-pumps.ts";

/** An older power of a heat pump is not known any more; those that a cloud reads are minutes old. */
const POWER_SILENCE_MS = 10 * MINUTE_MS;

/** What the operator may dim, with the power of its connection, W, by device id. */
export type DimmableHeat = ReadonlyMap<string, number>;

interface HeatViews {
  readonly chargers: readonly Controlled<ChargerView>[];
  readonly dimmable: readonly Controlled<HeatPumpView>[];
}

interface DimmableParts {
  readonly assets: Pick<Assets, "get">;
  readonly dimmableHeat: DimmableHeat;
}

/** A heat pump that the operator may dim, by its asset. `isLoad`: the energy manager has a mode for it. */
function dimmablePump(
  device: EnergyDevice,
  now: {
    readonly hvac: Hvac;
    readonly ratedW: number;
    readonly isLoad: boolean;
    readonly nowMs: number;
  },
): HeatPumpView {
  const { hvac, ratedW, isLoad, nowMs } = now;
  const { values } = device;
  const measuredAtMs = device.measuredAtMs("hvac.power");
  const isRecent = measuredAtMs !== null && nowMs - measuredAtMs <= POWER_SILENCE_MS;
  const powerW = isRecent ? (values["hvac.power"] ?? null) : null;
  const isOff = values["hvac.mode"] === "OFF" || values["hvac.isActive"] === false;
  return {
    id: hvac.id,
    name: nameOf(hvac),
    powerW,
    drawnW: Math.max(0, powerW ?? (isOff ? 0 : ratedW)),
    ratedW,
    isBlocked: values["hvac.mode"] === "OFF",
    isRaised: isLoad && isRaisedNow(device),
    canBlock: mayCommand(hvac) && (freeControl(device, "hvac.mode")?.values?.includes("OFF") ?? false),
    measuredAtMs,
  };
}

/** What heat pumps draw that are neither loads of the control cycle nor dimmable, W. */
function otherHeatPumpsW(devices: readonly EnergyDevice[], isCounted: (assetId: string) => boolean): number {
  return devices.reduce((sum, device) => {
    const id = assetIdOf(device, "hvac");
    return id === null || isCounted(id) ? sum : sum + Math.max(0, device.values["hvac.power"] ?? 0);
  }, 0);
}

/** Named by the owner as controllable, so that limits apply to them without a mode. */
export function dimmablePumpsOf(
  { assets, dimmableHeat }: DimmableParts,
  devices: readonly EnergyDevice[],
  { chargers, nowMs }: { readonly chargers: readonly Controlled<ChargerView>[]; readonly nowMs: number },
): readonly Controlled<HeatPumpView>[] {
  return devices.flatMap((device) => {
    const [ratedW, id] = [dimmableHeat.get(device.settings.id), assetIdOf(device, "hvac")];
    const hvac = id === null ? null : assets.get("hvac", id);
    if (ratedW === undefined || hvac === null) return [];
    const isLoad = chargers.some(({ view }) => view.id === hvac.id);
    return [{ kind: "hvac", device, view: dimmablePump(device, { hvac, ratedW, isLoad, nowMs }) }];
  });
}

/** The heat pumps and heaters that count as chargers. */
function asChargers(chargers: readonly Controlled<ChargerView>[]): ReadonlySet<string> {
  const counted = chargers.filter(
    ({ kind, view }) => kind === "hvac" && (view.isHeater === true || view.isEnabled === true),
  );
  return new Set(counted.map(({ view }) => view.id));
}

/** What is in a circuit beside chargers, batteries and inverters, W by asset id: heat pumps, and meters inside the house. */
export function circuitLoadsW(
  devices: readonly EnergyDevice[],
  { meterUses }: SiteConnection,
  { chargers, dimmable }: HeatViews,
): ReadonlyMap<string, number> {
  const counted = asChargers(chargers);
  const drawnW = new Map(dimmable.map(({ view }) => [view.id, view.drawnW]));
  const loads = new Map<string, number>();
  for (const device of devices) {
    const { values, settings } = device;
    const [hvacId, meterId] = [assetIdOf(device, "hvac"), assetIdOf(device, "meter")];
    if (hvacId !== null && !counted.has(hvacId)) loads.set(hvacId, drawnW.get(hvacId) ?? values["hvac.power"] ?? 0);
    if (meterId !== null && meterUses?.get(settings.id) === "inside") loads.set(meterId, values["meter.power"] ?? 0);
  }
  return new Map([...loads].map(([id, watts]) => [id, Math.max(0, watts)]));
}

/** What heat pumps draw by themselves, W. */
export function heatPumpsW(devices: readonly EnergyDevice[], { chargers, dimmable }: HeatViews): number {
  const counted = new Set([...dimmable.map(({ view }) => view.id), ...asChargers(chargers)]);
  const ownW = dimmable.reduce((sum, { view }) => (view.isRaised ? sum : sum + view.drawnW), 0);
  return ownW + otherHeatPumpsW(devices, (id) => counted.has(id));
}
