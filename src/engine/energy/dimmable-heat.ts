/** Heat pumps and coolers that the grid operator may dim (§ 14a EnWG), as the control cycle sees them. */
import type { Hvac } from "../../domain/assets/hvac.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { ChargerView, HeatPumpView } from "../../domain/energy/cycle/energy-snapshot.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Controlled } from "./controlled.ts";
import { assetIdOf, type EnergyDevice, freeControl } from "./energy-device.ts";
import { isRaisedNow, mayCommand, nameOf } from "./heat-pumps.ts";

/** An older power of a heat pump is not known any more; those that a cloud reads are minutes old. */
const POWER_SILENCE_MS = 10 * MINUTE_MS;

/** What the operator may dim, with the power of its connection, W, by device id. */
export type DimmableHeat = ReadonlyMap<string, number>;

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

/** What heat pumps draw by themselves, W. */
export function heatPumpsW(
  devices: readonly EnergyDevice[],
  chargers: readonly Controlled<ChargerView>[],
  dimmable: readonly Controlled<HeatPumpView>[],
): number {
  const counted = new Set(dimmable.map(({ view }) => view.id));
  for (const { kind, view } of chargers) {
    if (kind === "hvac" && (view.isHeater === true || view.isEnabled === true)) counted.add(view.id);
  }
  const ownW = dimmable.reduce((sum, { view }) => (view.isRaised ? sum : sum + view.drawnW), 0);
  return ownW + otherHeatPumpsW(devices, (id) => counted.has(id));
}
