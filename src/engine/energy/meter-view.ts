/** What meters show, by the phases of the site. */
import { NOMINAL_V } from "../../domain/energy/cycle/cycle-timing.ts";
import type { MeterView } from "../../domain/energy/cycle/energy-snapshot.ts";
import { perPhase } from "../../domain/energy/cycle/grid-reading.ts";
import { type PerPhase, PHASES, type Phase, type SiteConnection } from "../../domain/energy/site/site-connection.ts";
import type { EnergySources } from "../contracts/energy/energy-manager.ts";
import { assetIdOf, type EnergyDevice } from "./energy-device.ts";

/** Below this voltage, V, the nominal one is assumed. */
const LEAST_V = 100;

const METER_POINTS = {
  current: ["meter.current.l1", "meter.current.l2", "meter.current.l3"],
  power: ["meter.power.l1", "meter.power.l2", "meter.power.l3"],
  voltage: ["meter.voltage.l1", "meter.voltage.l2", "meter.voltage.l3"],
} as const;
export const SILENT: MeterView = { powerW: null, currentA: [null, null, null], measuredAtMs: null };

export function circuitMeters(
  sources: Pick<EnergySources, "isReversed">,
  devices: readonly EnergyDevice[],
  site: SiteConnection,
): ReadonlyMap<string, MeterView> {
  return new Map(
    site.circuits.flatMap(({ id, meterId }) => {
      const device = devices.find((each) => meterId !== null && assetIdOf(each, "meter") === meterId);
      if (device === undefined) return [];
      const view = turned(meterView(device, site), site.phasesOf.get(meterId ?? "") ?? null);
      // One that is there and says nothing lets nothing rise.
      const isReversed = sources.isReversed(device.settings.id);
      return [[id, isReversed ? { ...SILENT, measuredAtMs: view.measuredAtMs } : view] as const];
    }),
  );
}

/** The currents by the phases of the site, of a meter whose own phases are connected to these. */
function turned(view: MeterView, phases: readonly Phase[] | null): MeterView {
  if (phases === null) return view;
  const { powerW, currentA: own } = view;
  const isBlind = phases.length === 1 && own[0] === null && powerW !== null;
  const currentA = perPhase((phase) => {
    const at = phases.indexOf(PHASES[phase]);
    if (at < 0) return 0;
    return isBlind ? powerW / NOMINAL_V : (own[at] ?? null);
  });
  return { ...view, currentA };
}

/** Shown as it is, and decided from only while nothing doubts its direction. */
export function gridView(
  sources: Pick<EnergySources, "isReversed">,
  device: EnergyDevice,
  site: SiteConnection,
): MeterView {
  const view = meterView(device, site);
  return sources.isReversed(device.settings.id) ? { ...view, isReversed: true } : view;
}

function meterView(device: EnergyDevice, site: SiteConnection): MeterView {
  const powerW = device.values["meter.power"] ?? null;
  const currents = perPhase((phase) => meterCurrent(device, phase));
  const isBlind = currents.every((current) => current === null);
  const currentA: PerPhase<number | null> =
    site.phases === 1 && isBlind && powerW !== null ? [powerW / NOMINAL_V, null, null] : currents;
  return { powerW, currentA, measuredAtMs: device.measuredAtMs("meter.power") };
}

function meterCurrent({ values }: EnergyDevice, phase: 0 | 1 | 2): number | null {
  const currentA = values[METER_POINTS.current[phase]] ?? null;
  if (currentA !== null) return currentA;
  const powerW = values[METER_POINTS.power[phase]] ?? null;
  const volts = values[METER_POINTS.voltage[phase]] ?? NOMINAL_V;
  return powerW === null ? null : powerW / (volts >= LEAST_V ? volts : NOMINAL_V);
}
