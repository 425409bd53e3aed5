import { HOUR_MS, type LinkableType, MINUTE_MS, type OperationMode, type PointName } from "hemgate/sdk";
import type { CloudDevice, CloudReading, Tempo } from "../kit/connector.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { costOf, type Fleet, KEPT_MS, PRICE } from "./fleet.ts";
import { LiveStatus, SiteInfo, type SiteProduct } from "./schemas.ts";
import { modeControl, modeOf, stepsTo } from "./site-mode.ts";

const INFO_FRESH_MS = HOUR_MS;
/** After a command: Tesla shows a change of mode 10 to 60 s later. */
const INFO_FRESH_ACTIVE_MS = 30_000;
const ACTIVE_MS = 5 * MINUTE_MS;
/** One reading, and a look at the settings every hour of readings at the usual pace. */
const READ_PRICE = PRICE.data * 1.1;

/** The kinds of asset that a site's parts make. */
export function siteTypes({ components }: Pick<SiteProduct, "components">): readonly LinkableType[] {
  const { battery, solar, grid } = components;
  return [
    ...(battery === true ? (["battery"] as const) : []),
    ...(solar === true ? (["inverter"] as const) : []),
    ...(grid === true && measuresHouse(components) ? (["meter"] as const) : []),
  ];
}

/** Panels alone know nothing of the house; a Powerwall's gateway always does. */
function measuresHouse({ battery, load_meter: loadMeter }: SiteProduct["components"]): boolean {
  return battery === true || loadMeter === true;
}

/** Connects an energy site: Powerwall, panels and the meter at the grid as one device. */
export async function openSite(fleet: Fleet, id: string, signal: AbortSignal): Promise<CloudDevice> {
  const ask = (inner: AbortSignal) => siteInfo(fleet, id, INFO_FRESH_MS, inner);
  const question = { key: `parts of ${id}`, freshMs: KEPT_MS, schema: SiteInfo, ask };
  return new Site(fleet, id, await fleet.session.seldom(question, signal));
}

function siteInfo(fleet: Fleet, id: string, freshMs: number, signal: AbortSignal): Promise<SiteInfo> {
  const path = `/api/1/energy_sites/${id}/site_info`;
  return fleet.session.shared(
    infoKey(id),
    freshMs,
    (inner) => fleet.get(SiteInfo, { path, subject: id }, inner),
    signal,
  );
}

function infoKey(id: string): string {
  return `site-info ${id}`;
}

class Site implements CloudDevice {
  readonly identity: CloudDevice["identity"];
  readonly isEnergyManager: boolean;
  readonly points: readonly PointName[];
  readonly controls: CloudDevice["controls"];
  readonly cost = costOf(READ_PRICE);
  readonly #fleet: Fleet;
  readonly #id: string;
  /** What the battery may export by the owner's own wish, before a command changed it. */
  #ruleBefore: string | null = null;
  #activeUntilMs = Number.NEGATIVE_INFINITY;

  constructor(fleet: Fleet, id: string, info: SiteInfo) {
    this.#fleet = fleet;
    this.#id = id;
    const [gateway] = info.components.gateways;
    this.identity = {
      manufacturer: "Tesla",
      model: gateway?.part_name ?? (info.components.battery === true ? "Powerwall" : "Solar"),
      serial: gateway?.serial_number ?? id,
      version: info.version,
      name: info.site_name,
    };
    const types = siteTypes(info);
    this.isEnergyManager = measuresHouse(info.components);
    this.points = pointsOf(info, types, this.isEnergyManager);
    const control = modeControl(info);
    this.controls = control === null ? [] : [control];
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const path = `/api/1/energy_sites/${this.#id}/live_status`;
    const live = await this.#fleet.get(LiveStatus.nullable().catch(null), { path, subject: this.#id }, signal);
    // A site that is not connected to Tesla is answered for with an empty text, or with nothing.
    if (live === null) throw new CloudError("asleep", `GET ${path}: the site is not connected to Tesla`);
    const info = await this.#info(signal);
    const readings = [...liveReadings(live, info), ...infoReadings(info)];
    return readings.filter(({ point }) => this.points.includes(point));
  }

  async write(point: string, value: unknown, signal: AbortSignal): Promise<void> {
    const control = this.controls.find((one) => one.point === point);
    const mode = control?.values?.find((one): one is OperationMode => one === value);
    if (mode === undefined) throw new CloudError("refused", `energy site: ${point} takes no ${String(value)}`);
    this.#fleet.session.outdate(infoKey(this.#id));
    const info = await this.#info(signal);
    const steps = stepsTo(mode, info, this.#ruleBefore);
    if (mode === "EXPORT_FOCUS") this.#ruleBefore ??= info.components.customer_preferred_export_rule;
    try {
      for (const { path, json } of steps) {
        await this.#fleet.command(`/api/1/energy_sites/${this.#id}/${path}`, json, this.#id, signal);
      }
      if (mode !== "EXPORT_FOCUS") this.#ruleBefore = null;
    } finally {
      this.#fleet.session.outdate(infoKey(this.#id));
      this.#activeUntilMs = this.#fleet.session.clock.monotonicMs() + ACTIVE_MS;
    }
  }

  tempo(): Tempo {
    return this.#fleet.session.clock.monotonicMs() < this.#activeUntilMs ? "active" : "usual";
  }

  #info(signal: AbortSignal): Promise<SiteInfo> {
    const freshMs = this.tempo() === "active" ? INFO_FRESH_ACTIVE_MS : INFO_FRESH_MS;
    return siteInfo(this.#fleet, this.#id, freshMs, signal);
  }
}

function pointsOf(info: SiteInfo, types: readonly LinkableType[], isEnergyManager: boolean): readonly PointName[] {
  const points: PointName[] = [];
  if (types.includes("battery"))
    points.push("battery.power", "battery.soc", "battery.capacity", "battery.reserve", "battery.mode");
  if (types.includes("inverter")) points.push("inverter.power");
  if (types.includes("meter")) points.push("meter.power");
  if (isEnergyManager) points.push("hem.load");
  if (info.geolocation?.latitude != null && info.geolocation.longitude != null)
    for (const type of ["battery", "inverter", "meter"] as const)
      if (types.includes(type)) points.push(`${type}.latitude`, `${type}.longitude`);
  return points;
}

function liveReadings(live: LiveStatus, { nameplate_energy }: SiteInfo): readonly CloudReading[] {
  const at = Date.parse(live.timestamp ?? "");
  const measured = Number.isFinite(at) ? { measuredAtMs: at } : {};
  return [
    // Tesla counts what leaves the battery as positive.
    { point: "battery.power", value: live.battery_power === null ? null : 0 - live.battery_power, ...measured },
    { point: "battery.soc", value: live.percentage_charged, ...measured },
    // Many sites leave the measured energy out, or tell 0: their plates say what they hold.
    { point: "battery.capacity", value: live.total_pack_energy || nameplate_energy || null, ...measured },
    { point: "inverter.power", value: live.solar_power, ...measured },
    { point: "meter.power", value: live.grid_power, ...measured },
    { point: "hem.load", value: live.load_power, ...measured },
  ];
}

function infoReadings(info: SiteInfo): readonly CloudReading[] {
  const { latitude = null, longitude = null } = info.geolocation ?? {};
  return [
    { point: "battery.reserve", value: info.backup_reserve_percent },
    { point: "battery.mode", value: modeOf(info) },
    ...(["battery", "inverter", "meter"] as const).flatMap((part): readonly CloudReading[] => [
      { point: `${part}.latitude`, value: latitude },
      { point: `${part}.longitude`, value: longitude },
    ]),
  ];
}
