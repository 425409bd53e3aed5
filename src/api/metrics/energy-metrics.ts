/** The figures of the energy manager. What is not known has no sample. */
import { SECOND_MS } from "../../domain/duration.ts";
import { EnergyMode } from "../../domain/energy/energy-mode.ts";
import { ALARM_CODES, isLimit } from "../../domain/energy/energy-state.ts";
import type { Services } from "../../engine/contracts/services.ts";
import { counter, gauge, type Metric, type Sample } from "./metrics-text.ts";

const W_PER_KW = 1_000;

export type EnergyMetricsParts = Pick<Services, "energy" | "energyLimits" | "siteConnections">;

export function energyMetrics(parts: EnergyMetricsParts): readonly Metric[] {
  const state = parts.energy.state();
  return [
    gauge("energy_active", "1 while a mode or a limit of the site is set.", Number(state.isActive)),
    flowMetric(state),
    ...limitMetrics(parts),
    {
      ...gauge("energy_devices", "Devices that the energy manager sees, by the mode that is set for them.", 0),
      samples: [...EnergyMode.options, null].map((mode) => ({
        labels: { mode: mode ?? "none" },
        value: state.devices.filter(({ policy }) => (policy?.mode ?? null) === mode).length,
      })),
    },
    gauge(
      "energy_limited_devices",
      "Devices about which a limit of the site or of the grid operator decides now.",
      state.devices.filter(({ reason }) => reason !== null && isLimit(reason.code)).length,
    ),
    {
      ...gauge("energy_alarms", "Alarms that are on, by their code.", 0),
      samples: ALARM_CODES.map((code) => ({
        labels: { code },
        value: state.alarms.filter((alarm) => alarm.code === code).length,
      })),
    },
    ...cycleMetrics(parts),
  ];
}

function flowMetric(state: ReturnType<EnergyMetricsParts["energy"]["state"]>): Metric {
  const flows = ["grid", "production", "battery", "chargers"] as const;
  return {
    ...gauge(
      "energy_power_watts",
      "Power by flow, as the energy manager sees it: grid is positive on import, battery while charging.",
      0,
    ),
    samples: flows.flatMap((flow) => sampleOf({ flow }, state[flow].powerKw)),
  };
}

/** What may flow: by the contract, and by the lowest limit of the grid operator. */
function limitMetrics({ energyLimits, siteConnections }: EnergyMetricsParts): readonly Metric[] {
  const { fuseA, importKw, exportKw } = siteConnections.current();
  const active = energyLimits.active().map(({ direction, scope, watts }): Sample => {
    return { labels: { direction, scope, by: "operator" }, value: watts };
  });
  const contract = { scope: "connection", by: "contract" };
  return [
    {
      ...gauge("energy_fuse_amperes", "Main fuse, A per phase.", 0),
      samples: fuseA === null ? [] : [{ value: fuseA }],
    },
    {
      ...gauge("energy_limit_watts", "Highest power that is allowed now, by direction and by who limits it.", 0),
      samples: [
        ...sampleOf({ direction: "import", ...contract }, importKw),
        ...sampleOf({ direction: "export", ...contract }, exportKw),
        ...active,
      ],
    },
  ];
}

function cycleMetrics({ energy }: EnergyMetricsParts): readonly Metric[] {
  const { cycles, failures, switchings, totalMs, lastMs } = energy.figures();
  return [
    counter("energy_switchings_total", "Times that the energy manager switched charging on or off.", switchings),
    counter("energy_cycles_total", "Control cycles that decided.", cycles),
    counter("energy_cycle_failures_total", "Control cycles that failed.", failures),
    counter("energy_cycle_seconds_total", "Seconds that control cycles took.", totalMs / SECOND_MS),
    {
      ...gauge("energy_cycle_seconds", "Seconds that the last control cycle took.", 0),
      samples: lastMs === null ? [] : [{ value: lastMs / SECOND_MS }],
    },
  ];
}

function sampleOf(labels: Readonly<Record<string, string>>, kW: number | null): readonly Sample[] {
  return kW === null ? [] : [{ labels, value: kW * W_PER_KW }];
}
