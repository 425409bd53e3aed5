/** What the energy manager shows over MQTT. Powers in kW; null is not known. */
import type { EnergyDeviceState } from "../domain/energy/energy-state.ts";
import { activeLimitView } from "../domain/energy/energy-views.ts";
import type { EnergyLimits, SiteConnections } from "../engine/contracts/energy.ts";
import type { EnergyManager } from "../engine/contracts/energy-manager.ts";
import type { HousePowers } from "../engine/contracts/hem.ts";
import type { Clock } from "../platform/ports/ports.ts";

const W_PER_KW = 1_000;

/** The services of the energy manager. */
export interface EnergyParts {
  readonly energy: Pick<EnergyManager, "state">;
  readonly energyLimits: Pick<EnergyLimits, "active" | "observe">;
  readonly siteConnections: Pick<SiteConnections, "current" | "observe">;
  readonly housePowers: Pick<HousePowers, "list">;
}

/** Returns the state of the house as a whole, and that of each device. They change only when something happens. */
export function energyStates(
  { energy, energyLimits, siteConnections, housePowers }: EnergyParts,
  clock: Pick<Clock, "nowMs" | "monotonicMs">,
): { readonly site: object; readonly devices: readonly EnergyDeviceState[] } {
  const { devices, isActive, hasLimits, batteryUse, alarms, ...flows } = energy.state();
  const limits = energyLimits.active();
  const { phases, fuseA, importKw, peakKw, exportKw } = siteConnections.current();
  const lowest = (direction: "import" | "export", contractKw: number | null): number | null => {
    const own = limits.filter((limit) => limit.direction === direction && limit.scope === "connection");
    const all = [...own.map(({ watts }) => watts / W_PER_KW), ...(contractKw === null ? [] : [contractKw])];
    return all.length === 0 ? null : Math.min(...all);
  };
  const now = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  const site = {
    isActive,
    hasLimits,
    gridKw: flows.grid.powerKw,
    houseKw: houseKw(housePowers),
    productionKw: flows.production.powerKw,
    batteryKw: flows.battery.powerKw,
    chargersKw: flows.chargers.powerKw,
    importLimitKw: lowest("import", importKw),
    feedInLimitKw: lowest("export", exportKw),
    limits: limits.map((limit) => activeLimitView(limit, now)),
    connection: { phases, fuseA, importKw, peakKw, feedInKw: exportKw },
    batteryUse,
    alarms,
  };
  return { site, devices };
}

/** The text of a device's state. The age of its power is left out: it would change all the time. */
export function deviceText({ flow, ...state }: EnergyDeviceState): string {
  return JSON.stringify({ ...state, mode: state.policy?.mode ?? null, powerKw: flow.powerKw });
}

/** What all houses use together; `null` if it is not known of one. */
function houseKw(housePowers: EnergyParts["housePowers"]): number | null {
  const loads = housePowers.list().map(({ loadW }) => loadW);
  const known = loads.filter((loadW) => loadW !== null);
  if (loads.length === 0 || known.length < loads.length) return null;
  return Math.round(known.reduce((sum, loadW) => sum + loadW, 0)) / W_PER_KW;
}
