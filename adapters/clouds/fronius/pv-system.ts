/** A PV system in Solar.web: inverters, and the meter and battery where it has them, as one device. */
import { type DeviceIdentity, HOUR_MS, type PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { parsed } from "../kit/device/parsed.ts";
import type { SiteFlow } from "../kit/device/site-flow.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { channelValue, flowOf, NO_SIGNS, type Signs } from "./flow.ts";
import { AggrData, type Devices, FlowData } from "./schemas.ts";

/** Totals are made of the day's energies. */
const TOTALS_MS = 6 * HOUR_MS;
/** Every channel is billed. */
const TOTALS = [
  "EnergyProductionTotal",
  "EnergyPurchased",
  "EnergyBattChargeGrid",
  "EnergyFeedIn",
  "EnergyBattDischargeGrid",
] as const;
type Total = (typeof TOTALS)[number];
const UTC_TIME = /Z$/i;

export interface PvSystemParts {
  readonly session: CloudSession;
  /** The address of the system's resources. */
  readonly url: string;
  readonly name: string | null;
  readonly devices: Devices;
  /** Time between two readings, ms. */
  readonly usualMs: number;
}

export class FroniusPvSystem implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly isEnergyManager = true;
  readonly points: readonly PointName[];
  readonly controls = [];
  readonly cost: Readonly<Record<string, number>>;
  readonly #session: CloudSession;
  readonly #url: string;
  readonly #hasBattery: boolean;
  #signs: Signs = NO_SIGNS;
  #isDark = false;

  constructor({ session, url, name, devices, usualMs }: PvSystemParts) {
    this.#session = session;
    this.#url = url;
    this.#hasBattery = hasDevice(devices, "battery");
    const [inverter, ...others] = devices.filter((one) => one?.deviceType?.toLowerCase() === "inverter");
    this.identity = {
      manufacturer: "Fronius",
      model: others.length === 0 ? (inverter?.deviceName ?? null) : null,
      serial: others.length === 0 ? (inverter?.serialnumber ?? null) : null,
      version: null,
      name,
    };
    this.points = pointsOf(hasDevice(devices, "smartmeter"), this.#hasBattery);
    this.cost = { requests: 1 + usualMs / TOTALS_MS };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const request = { method: "GET", url: `${this.#url}/flowdata`, query: { timezone: "zulu" } } as const;
    const { status, data } = parsed(FlowData, await this.#session.ask(request, signal), "flowdata");
    const isOnline = status?.isOnline === true;
    const { flow, known } = flowOf(isOnline ? (data?.channels ?? []) : [], this.#signs);
    this.#signs = known;
    this.#isDark = flow.pvW === 0;
    const readings = [...flowReadings(flow, data?.logDateTime ?? ""), ...(await this.#totals(signal))];
    return readings.filter(({ point }) => this.points.includes(point));
  }

  async write(point: string): Promise<void> {
    throw new CloudError("refused", `${point}: the Solar.web Query API takes no commands`);
  }

  tempo(): Tempo {
    return this.#isDark && !this.#hasBattery ? "idle" : "usual";
  }

  async #totals(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const query = { period: "total", channel: TOTALS.join(",") };
    const fetch = async (inner: AbortSignal) => {
      const answer = await this.#session.ask({ method: "GET", url: `${this.#url}/aggrdata`, query }, inner);
      return parsed(AggrData, answer, "aggrdata").data[0]?.channels ?? [];
    };
    const channels = (await extra(this.#session, `totals ${this.#url}`, TOTALS_MS, fetch, signal)) ?? [];
    const total = (name: Total) => channelValue(channels, name);
    // What a battery exchanges with the grid is counted apart.
    const withBattery = (own: Total, battery: Total) =>
      this.#hasBattery ? sum(total(own), total(battery)) : total(own);
    return [
      { point: "inverter.energy", value: total("EnergyProductionTotal") },
      { point: "meter.energyImport", value: withBattery("EnergyPurchased", "EnergyBattChargeGrid") },
      { point: "meter.energyExport", value: withBattery("EnergyFeedIn", "EnergyBattDischargeGrid") },
    ];
  }
}

function flowReadings(flow: SiteFlow, loggedAt: string): readonly CloudReading[] {
  const atMs = UTC_TIME.test(loggedAt) ? Date.parse(loggedAt) : Number.NaN;
  const at = Number.isNaN(atMs) ? {} : { measuredAtMs: atMs };
  return [
    { point: "inverter.power", value: flow.pvW, ...at },
    { point: "meter.power", value: flow.gridW, ...at },
    { point: "hem.load", value: flow.loadW, ...at },
    { point: "battery.power", value: flow.batteryW, ...at },
    { point: "battery.status", value: flow.batteryStatus, ...at },
    { point: "battery.soc", value: flow.soc, ...at },
  ];
}

export function hasDevice(devices: Devices, type: "battery" | "smartmeter"): boolean {
  return devices.some((one) => one?.deviceType?.toLowerCase().replaceAll(/[^a-z]/g, "") === type);
}

function pointsOf(hasMeter: boolean, hasBattery: boolean): readonly PointName[] {
  const points: PointName[] = ["inverter.power", "inverter.energy"];
  if (hasMeter) points.push("meter.power", "hem.load", "meter.energyImport", "meter.energyExport");
  if (hasBattery) points.push("battery.power", "battery.status", "battery.soc");
  return points;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
