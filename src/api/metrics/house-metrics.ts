/** The figures of the house: powers, energy, state of charge, prices and the plan. What is not known has no sample. */
import { SECOND_MS } from "../../domain/duration.ts";
import { ENERGY_KINDS, ENERGY_POINTS, type EnergyKind } from "../../domain/statistics/statistics-hour.ts";
import type { DeviceStatus } from "../../engine/contracts/engine.ts";
import type { Services } from "../../engine/contracts/services.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { gauge, type Metric, type Sample } from "./metrics-text.ts";

const W_PER_KW = 1_000;
/** Counters that begin again with each session are no counters of a device. */
const SESSION = /Session$/;

export interface HouseMetricsParts {
  readonly devices: readonly DeviceStatus[];
  readonly services: Pick<Services, "housePowers" | "energyPlans">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
}

export function houseMetrics({ devices, services, clock }: HouseMetricsParts): readonly Metric[] {
  const nowMs = clock.quality() === "unset" ? null : clock.nowMs();
  return [
    of(
      "device_reachable",
      "1 while a device answers.",
      devices.map(({ id, isReachable }) => at({ device: id }, Number(isReachable))),
    ),
    of(
      "device_age_seconds",
      "Seconds since a device last answered.",
      devices.flatMap(({ id, lastSeenMs }) =>
        lastSeenMs === null || nowMs === null ? [] : [at({ device: id }, Math.max(0, nowMs - lastSeenMs) / SECOND_MS)],
      ),
    ),
    of(
      "device_power_watts",
      "Power of a device that answers, by kind: positive into it, on import of a meter, on production of an inverter.",
      devices
        .filter(({ isReachable }) => isReachable)
        .flatMap((device) => samplesOf(device, (kind) => ENERGY_POINTS[kind].power)),
    ),
    of(
      "device_charge_percent",
      "State of charge of a battery or vehicle that answers, %.",
      devices
        .filter(({ isReachable }) => isReachable)
        .flatMap((device) => samplesOf(device, (kind) => ENERGY_POINTS[kind].level)),
    ),
    {
      ...of(
        "device_energy_watt_hours_total",
        "Counter of a device since its installation, by kind and direction, Wh.",
        [
          ...devices.flatMap((device) => countersOf(device, "in")),
          ...devices.flatMap((device) => countersOf(device, "out")),
        ],
      ),
      type: "counter",
    },
    ...powerMetrics(services),
    ...planMetrics(services, nowMs),
  ];
}

function powerMetrics({ housePowers }: HouseMetricsParts["services"]): readonly Metric[] {
  const samples = housePowers
    .list()
    .flatMap(({ hemSystemId: system, gridW, generationW, batteryW, loadW }) =>
      Object.entries({ grid: gridW, production: generationW, battery: batteryW, load: loadW }).flatMap(
        ([flow, watts]) => (watts === null ? [] : [at({ system, flow }, watts)]),
      ),
    );
  return [
    of(
      "house_power_watts",
      "Power of a house by flow: grid is positive on import, battery while it charges; load has charging vehicles in it.",
      samples,
    ),
  ];
}

function planMetrics({ energyPlans }: HouseMetricsParts["services"], nowMs: number | null): readonly Metric[] {
  const { importPrice, exportPrice, currency } = energyPlans.priceNow();
  const { isPlanned, madeAt, slots, devices } = energyPlans.view();
  const slot =
    nowMs === null ? -1 : slots.findIndex(({ from, to }) => Date.parse(from) <= nowMs && nowMs < Date.parse(to));
  const prices = Object.entries({ import: importPrice, export: exportPrice }).flatMap(([direction, price]) =>
    price === null ? [] : [at({ direction, currency }, price)],
  );
  const planned = devices.flatMap(({ id, deviceType, power }): readonly Sample[] => {
    const kW = power[slot];
    return kW === undefined ? [] : [at({ asset: id, kind: deviceType }, kW * W_PER_KW)];
  });
  return [
    of("price_per_kwh", "What a kWh costs (import) or brings (export) now.", prices),
    of("plan_active", "1 while there is a plan that is acted on.", [at({}, Number(isPlanned))]),
    of(
      "plan_age_seconds",
      "Seconds since the plan was made.",
      madeAt === null || nowMs === null ? [] : [at({}, Math.max(0, nowMs - Date.parse(madeAt)) / SECOND_MS)],
    ),
    of("plan_power_watts", "What a device is planned to take now; negative: to give.", planned),
  ];
}

function samplesOf({ id, points }: DeviceStatus, pointOf: (kind: EnergyKind) => string | null): readonly Sample[] {
  return ENERGY_KINDS.flatMap((kind) => {
    const value = points.find(({ point }) => point === pointOf(kind))?.value;
    return typeof value === "number" ? [at({ device: id, kind }, value)] : [];
  });
}

function countersOf({ id, points }: DeviceStatus, direction: "in" | "out"): readonly Sample[] {
  return ENERGY_KINDS.flatMap((kind) => {
    const { countersIn, countersOut } = ENERGY_POINTS[kind];
    const [counter] = (direction === "in" ? countersIn : countersOut).filter((point) => !SESSION.test(point));
    const value = points.find(({ point }) => point === counter)?.value;
    return typeof value === "number" ? [at({ device: id, kind, direction }, value)] : [];
  });
}

function at(labels: Readonly<Record<string, string>>, value: number): Sample {
  return { labels, value };
}

function of(name: string, help: string, samples: readonly Sample[]): Metric {
  return { ...gauge(name, help, 0), samples };
}
