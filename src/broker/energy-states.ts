/** What the energy manager shows over MQTT. Powers in kW; null is not known. */
import type { EnergyDeviceState } from "../domain/energy/energy-state.ts";
import { activeLimitView } from "../domain/energy/energy-views.ts";
import type { EnergyPlanView } from "../domain/energy/plan/plan-view.ts";
import type { EnergyLimits, SiteConnections } from "../engine/contracts/energy/energy.ts";
import type { EnergyManager } from "../engine/contracts/energy/energy-manager.ts";
import type { EnergyPlans } from "../engine/contracts/energy/energy-plans.ts";
import type { HousePowers } from "../engine/contracts/hem.ts";
import type { Clock } from "../platform/ports/ports.ts";

const W_PER_KW = 1_000;

/** The services of the energy manager. */
export interface EnergyParts {
  readonly energy: Pick<EnergyManager, "state" | "canHeat" | "policy">;
  readonly energyPlans: Pick<EnergyPlans, "view" | "priceNow">;
  readonly energyLimits: Pick<EnergyLimits, "active" | "observe">;
  readonly siteConnections: Pick<SiteConnections, "current" | "observe">;
  readonly housePowers: Pick<HousePowers, "list">;
}

/** A device that the energy manager takes settings for. */
export type SettableDevice = Pick<EnergyDeviceState, "id" | "deviceType" | "name">;

/**
 * Returns the state of the house as a whole, and that of each device. They change only when something happens. Of `settable`
 * devices that the energy manager does not see, such as a vehicle that is away, what is set is shown.
 */
export function energyStates(
  { energy, energyPlans, energyLimits, siteConnections, housePowers }: EnergyParts,
  clock: Pick<Clock, "nowMs" | "monotonicMs">,
  settable: readonly SettableDevice[],
): { readonly site: object; readonly devices: readonly ShownDevice[] } {
  const { devices, isActive, hasLimits, batteryUse, alarms, ...flows } = energy.state();
  const plan = energyPlans.view();
  const limits = energyLimits.active();
  const { phases, fuseA, importKw, peakKw, exportKw } = siteConnections.current();
  const lowest = (
    direction: "import" | "export",
    contractKw: number | null,
    scope: "connection" | "controllable" = "connection",
  ): number | null => {
    const own = limits.filter((limit) => limit.direction === direction && limit.scope === scope);
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
    controllableLimitKw: lowest("import", null, "controllable"),
    price: energyPlans.priceNow(),
    plan: { isPlanned: plan.isPlanned, ...nextOf(plan) },
    limits: limits.map((limit) => activeLimitView(limit, now)),
    connection: { phases, fuseA, importKw, peakKw, feedInKw: exportKw },
    batteryUse,
    alarms,
  };
  const seen = new Set(devices.map(({ id }) => id));
  const unseen = settable.filter(({ id }) => !seen.has(id)).map((device) => unseenState(device, energy));
  return { site, devices: [...devices, ...unseen].map((device) => ({ ...device, plan: planOf(plan, device.id) })) };
}

function unseenState(device: SettableDevice, energy: Pick<EnergyManager, "policy">): EnergyDeviceState {
  const policy = energy.policy(device.id);
  return {
    ...device,
    policy,
    inCharge: policy === null ? "device" : "energy",
    flow: { powerKw: null, ageSeconds: null },
    isControlled: false,
    canSwitchPhases: false,
    setpointKw: null,
    reason: null,
  };
}

/** What a plan does with a device first, in words, and from when to when. */
interface PlannedStep {
  readonly text: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** A device with what the plan does with it; `null` if it is not planned. */
type ShownDevice = EnergyDeviceState & { readonly plan: PlannedStep | null };

function planOf({ devices, leftOut }: EnergyPlanView, id: string): PlannedStep | null {
  const [reason] = devices.find((device) => device.id === id)?.reasons ?? [];
  const text = reason?.text ?? leftOut.find((each) => each.id === id)?.text;
  const [when] = reason?.when ?? [];
  return text === undefined ? null : { text, from: when?.from ?? null, to: when?.to ?? null };
}

/** What the plan does first of all, or why there is none. */
function nextOf(plan: EnergyPlanView): PlannedStep {
  const steps = plan.devices.flatMap(({ id }) => planOf(plan, id) ?? []);
  const dated = steps.flatMap((step) => (step.from === null ? [] : [{ step, fromMs: Date.parse(step.from) }]));
  const [next] = dated.toSorted((a, b) => a.fromMs - b.fromMs);
  return next?.step ?? steps[0] ?? { text: plan.whyNot?.text ?? "", from: null, to: null };
}

/** The text of a device's state. The age of its power is left out: it would change all the time. */
export function deviceText({ flow, ...state }: ShownDevice): string {
  return JSON.stringify({ ...state, mode: state.policy?.mode ?? null, powerKw: flow.powerKw });
}

/** What all houses use together; `null` if it is not known of one. */
function houseKw(housePowers: EnergyParts["housePowers"]): number | null {
  const loads = housePowers.list().map(({ loadW }) => loadW);
  const known = loads.filter((loadW) => loadW !== null);
  if (loads.length === 0 || known.length < loads.length) return null;
  return Math.round(known.reduce((sum, loadW) => sum + loadW, 0)) / W_PER_KW;
}
