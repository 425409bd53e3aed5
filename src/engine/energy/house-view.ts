/** Builds the snapshot that the control cycle decides from. No I/O. */
import type { ActionOrigin } from "../../domain/actions/action.ts";
import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import { settingOf } from "../../domain/actions/desired-setting.ts";
import type { Battery } from "../../domain/assets/battery.ts";
import type { Charger } from "../../domain/assets/charger.ts";
import type { Vehicle } from "../../domain/assets/vehicle.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type {
  BatteryView,
  ChargeAsk,
  ChargerView,
  EnergySnapshot,
  HeatPumpView,
  InverterView,
} from "../../domain/energy/cycle/energy-snapshot.ts";
import { perPhase } from "../../domain/energy/cycle/grid-reading.ts";
import type { BatteryUseSettings } from "../../domain/energy/energy-policy.ts";
import { type PerPhase, PHASES, phasesOf, type SiteConnection } from "../../domain/energy/site/site-connection.ts";
import type { SurplusRule } from "../../domain/energy/surplus-rule.ts";
import type { OperationMode } from "../../points/points.ts";
import type { EnergyDeviceRecord } from "../../store/records/energy.ts";
import type { Controllers, SmartOverrides } from "../contracts/control.ts";
import type { EnergySources } from "../contracts/energy/energy-manager.ts";
import type { Actions, Assets } from "../contracts/engine.ts";
import type { PoweredSystem } from "../hem/house-power-service.ts";
import { CHARGER_CURRENTS, chargerCurrents, currentRange } from "./charger-currents.ts";
import { type Controlled, pointsOf } from "./controlled.ts";
import { circuitLoadsW, type DimmableHeat, dimmablePumpsOf, heatPumpsW } from "./dimmable-heat.ts";
import { assetIdOf, type EnergyDevice, freeControl, latestMs, settingNow } from "./energy-device.ts";
import { heatPumpsOf, plugLoad } from "./heat-pumps.ts";
import { circuitMeters, gridView, SILENT } from "./meter-view.ts";
import type { RatedPowers } from "./rated-powers.ts";

const QUARTER_MS = 15 * MINUTE_MS;

const UNKNOWN: PerPhase<number | null> = [null, null, null];

export interface HouseViewParts {
  readonly assets: Pick<Assets, "get">;
  readonly sources: EnergySources;
  readonly overrides: Pick<SmartOverrides, "active">;
  readonly latencyMs: (id: string) => number;
  readonly ratedPowers: RatedPowers;
  readonly batteryUse: () => BatteryUseSettings;
  /** When a charger starts and stops on surplus. */
  readonly surplusRuleOf: (assetId: string) => SurplusRule;
  /** The settings of a device for the energy manager; `null` if it has none. */
  readonly recordOf: (assetId: string) => EnergyDeviceRecord | null;
  /** Heat pumps and coolers that the grid operator may dim. */
  readonly dimmableHeat: DimmableHeat;
  /** The action of a target that is on its way; `null` if there is none. */
  readonly pendingOf: Actions["pendingOf"];
  /** The feature in charge of a target; `null` if none is. */
  readonly ownerOf: Controllers["inChargeOf"];
  /** True while what a planned device heats is as warm as it may be. */
  readonly isWarm: (assetId: string) => boolean;
  /** Systems with the roles of their devices, so that the same battery behind two devices counts once. */
  readonly systems: () => readonly PoweredSystem[];
  /** True if no place is set up, so that a vehicle cannot be elsewhere. */
  readonly hasNoPlaces: () => boolean;
}

export interface HouseView {
  readonly snapshot: EnergySnapshot;
  /** The device whose meter is at the grid; `null` if the one that is named is gone. */
  readonly meter: EnergyDevice | null;
  /** By asset id. */
  readonly controlled: ReadonlyMap<string, Controlled<ChargerView | HeatPumpView | BatteryView | InverterView>>;
}

/** The two clocks at the same moment, ms. */
interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Returns the house as it is now; `null` if it has no meter at the grid. */
export function viewHouse(parts: HouseViewParts, devices: readonly EnergyDevice[], now: Moment): HouseView | null {
  const nowMs = now.monotonicMs;
  const site = parts.sources.connection();
  const systems = parts.systems();
  const meter = gridMeter(systems, devices, site);
  // A meter that is named and gone is a silent one.
  if (meter === null && site.gridMeterId === null) return null;
  const own = devices.filter(({ settings }) => meter === null || settings.userId === meter.settings.userId);
  const chargers = own.flatMap((device) => [...chargersOf(parts, device, site), ...heatPumpsOf(parts, device, site)]);
  const heatPumps = dimmablePumpsOf(parts, own, { chargers, nowMs });
  const batteries = ofKind(systems, own, "battery").flatMap((device) => batteriesOf(parts, device));
  const inverters = ofKind(systems, own, "inverter").flatMap((device) => invertersOf(parts, device, nowMs));
  return {
    meter,
    snapshot: {
      nowMs,
      site,
      grid: meter === null ? SILENT : gridView(parts.sources, meter, site),
      ...((meter?.tellsEveryMs ?? 0) > 0 && { meterIntervalMs: meter?.tellsEveryMs ?? 0 }),
      circuits: circuitMeters(parts.sources, devices, site),
      chargers: chargers.map(({ view }) => view),
      batteries: batteries.map(({ view }) => view),
      inverters: inverters.map(({ view }) => view),
      heatPumps: heatPumps.map(({ view }) => view),
      heatPumpsW: heatPumpsW(own, { chargers, dimmable: heatPumps }),
      loadsW: circuitLoadsW(own, site, { chargers, dimmable: heatPumps }),
      limits: parts.sources.limits(),
      feedInStopsUntilMs: parts.sources.feedInStopsUntilMs(),
      batteryUse: parts.batteryUse(),
      quarterStartMs: nowMs - (now.wallMs % QUARTER_MS),
    },
    controlled: new Map([...heatPumps, ...chargers, ...batteries, ...inverters].map((each) => [each.view.id, each])),
  };
}

/** Returns the device whose meter is at the grid: the one that is named, else that of the energy system. */
export function gridMeter(
  systems: readonly PoweredSystem[],
  devices: readonly EnergyDevice[],
  { gridMeterId, meterUses }: SiteConnection,
): EnergyDevice | null {
  if (gridMeterId !== null) return devices.find((device) => assetIdOf(device, "meter") === gridMeterId) ?? null;
  for (const { devices: roles } of systems) {
    const [meter] = roles.filter(({ kind }) => kind === "meter").toSorted((a, b) => a.rank - b.rank);
    const device = devices.find(({ settings }) => settings.id === meter?.deviceId);
    if (device !== undefined) return device;
  }
  const isAtGrid = (id: string): boolean => meterUses?.has(id) !== true;
  return devices.find((device) => isAtGrid(device.settings.id) && assetIdOf(device, "meter") !== null) ?? null;
}

/** The devices of a kind that count in the system; all of them before there is one. */
function ofKind(
  systems: readonly PoweredSystem[],
  devices: readonly EnergyDevice[],
  kind: "battery" | "inverter",
): readonly EnergyDevice[] {
  const carriers = devices.filter((device) => assetIdOf(device, kind) !== null);
  const userId = devices[0]?.settings.userId;
  const roles = systems
    .filter((system) => system.userId === userId)
    .flatMap((system) => system.devices.filter((role) => role.kind === kind));
  const first = Math.min(...roles.map(({ rank }) => rank));
  const isSecond = (id: string): boolean => roles.some(({ deviceId, rank }) => deviceId === id && rank > first);
  return carriers.filter(({ settings }) => !isSecond(settings.id));
}

function chargersOf(
  parts: HouseViewParts,
  device: EnergyDevice,
  site: SiteConnection,
): readonly Controlled<ChargerView>[] {
  const chargerId = assetIdOf(device, "charger");
  const charger = chargerId === null ? null : parts.assets.get("charger", chargerId);
  if (charger !== null) return [{ kind: "charger", device, view: chargerView(parts, device, charger, site) }];
  const vehicleId = assetIdOf(device, "vehicle");
  const vehicle = vehicleId === null ? null : parts.assets.get("vehicle", vehicleId);
  if (vehicle === null || parts.recordOf(vehicle.id) === null || !isHere(parts, vehicle)) return [];
  return [{ kind: "vehicle", device, view: vehicleView(parts, device, vehicle, site) }];
}

/** A vehicle is controlled itself where no charger is known that does it. */
function isHere({ hasNoPlaces }: HouseViewParts, vehicle: Vehicle): boolean {
  if ((vehicle.chargeState.pluggedInChargerId ?? null) !== null) return false;
  return (vehicle.location.id ?? vehicle.locationId) !== null || hasNoPlaces();
}

function chargerView(parts: HouseViewParts, device: EnergyDevice, charger: Charger, site: SiteConnection): ChargerView {
  const { values } = device;
  const phases = phasesOf(charger.id, site);
  const own = chargerCurrents(device);
  const currentA = perPhase((phase) => {
    const at = phases.indexOf(PHASES[phase]);
    return at < 0 ? 0 : (own?.[at] ?? 0);
  });
  return {
    ...commonView(parts, device, { asset: charger, kind: "charger" }),
    phases,
    phasesNow: phasesNow(values["charger.phases"] ?? null),
    canSwitchPhases: maySwitchPhases(parts, device, charger) && phases.length === PHASES.length,
    onlyPhases: parts.recordOf(charger.id)?.phases ?? null,
    state: values["charger.state"] ?? "UNKNOWN",
    powerW: values["charger.power"] ?? null,
    currentA: own === null ? UNKNOWN : currentA,
    isFull: isCarFull(parts, charger),
    ...settingNow(device, "charger"),
    measuredAtMs: latestMs(device, ["charger.power", ...CHARGER_CURRENTS]) ?? device.measuredAtMs("charger.state"),
  };
}

function isCarFull({ assets }: HouseViewParts, { chargeState }: Charger): boolean {
  const vehicleId = chargeState.pluggedInVehicleId ?? null;
  return vehicleId !== null && assets.get("vehicle", vehicleId)?.chargeState.isFullyCharged === true;
}

/** `null`: it does not say, or decides by itself, so that it may use all of them. */
function phasesNow(phases: number | null): 1 | 3 | null {
  return phases === 1 || phases === 3 ? phases : null;
}

/** Only where the energy manager has a mode: what the owner has set stays otherwise. */
function maySwitchPhases({ recordOf }: HouseViewParts, device: EnergyDevice, { id, scopes }: Charger): boolean {
  const mayCommand = recordOf(id) !== null && scopes.includes(CONTROL_SCOPES.charger);
  return mayCommand && freeControl(device, "charger.phases") !== null;
}

function vehicleView(parts: HouseViewParts, device: EnergyDevice, vehicle: Vehicle, site: SiteConnection): ChargerView {
  const { values } = device;
  const state = values["vehicle.state"] ?? "UNKNOWN";
  return {
    ...commonView(parts, device, { asset: vehicle, kind: "vehicle" }),
    phases: phasesOf(vehicle.id, site),
    state: state === "PLUGGED_IN:COMPLETE" ? "PLUGGED_IN:STOPPED" : state,
    powerW: values["vehicle.power"] ?? null,
    currentA: UNKNOWN,
    isFull: state === "PLUGGED_IN:COMPLETE",
    ...settingNow(device, "vehicle"),
    measuredAtMs: device.measuredAtMs("vehicle.power") ?? device.measuredAtMs("vehicle.state"),
  };
}

type ChargeTarget =
  | { readonly kind: "charger"; readonly asset: Charger }
  | { readonly kind: "vehicle"; readonly asset: Vehicle };

function commonView(parts: HouseViewParts, device: EnergyDevice, { kind, asset }: ChargeTarget) {
  const record = parts.recordOf(asset.id);
  const mayCommand = asset.scopes.includes(CONTROL_SCOPES[kind]);
  const control = mayCommand ? freeControl(device, `${kind}.maxCurrent`) : null;
  const range = currentRange(control, record?.asked?.maxA ?? null);
  const switched = range === null ? plugLoad(record) : undefined;
  return {
    ...(switched === undefined ? {} : { switched }),
    id: asset.id,
    name: device.settings.name ?? nameOf(asset),
    ask: askOf(parts, device, { kind, id: asset.id, record }),
    priority: record?.priority ?? 50,
    range,
    canSwitch: mayCommand && freeControl(device, `${kind}.enabled`) !== null,
    gridShare: record?.gridShare ?? 0,
    surplusRule: parts.surplusRuleOf(asset.id),
    latencyMs: parts.latencyMs(asset.id),
  };
}

/** Who is in charge: a person, then a schedule or smart charging or the mode, then the device itself. */
function askOf(
  { overrides, sources, pendingOf, ownerOf }: HouseViewParts,
  { commands }: EnergyDevice,
  target: { readonly kind: "charger" | "vehicle"; readonly id: string; readonly record: EnergyDeviceRecord | null },
): ChargeAsk {
  const { kind, id, record } = target;
  if (overrides.active(id) !== null) return { by: "person", isOn: true, maxA: record?.asked?.maxA ?? null };
  if (record !== null) {
    const { asked, mode } = record;
    if (asked?.by === "device") return { by: "device" };
    if (asked !== null && asked.isOn !== null) return { by: "person", isOn: asked.isOn, maxA: asked.maxA };
    const plan = mode === "PLANNED" ? sources.plannedCharge(id) : null;
    return { by: "energy", mode, plannedW: plan?.powerW ?? null, plannedUntilMs: plan?.untilMs ?? null };
  }
  const pending = pendingAsk(pendingOf(id), commands.asked(`${kind}.enabled`).value !== false);
  if (pending !== null) return pending;
  const [enabled, current] = [commands.asked(`${kind}.enabled`), commands.asked(`${kind}.maxCurrent`)];
  const who = askerOf(enabled.by ?? current.by);
  if (who === null) return { by: "device" };
  const maxA = typeof current.value === "number" ? current.value : null;
  const owner = ownerOf(id);
  // A feature that takes over leaves what the one before it has set, if that is what it wants.
  const by = owner === "schedule" || owner === "smart-charging" ? owner : who;
  return { by, isOn: enabled.value !== false, maxA };
}

/** What an action asks for before the device knows of it. */
function pendingAsk(pending: ReturnType<Actions["pendingOf"]>, isOn: boolean): ChargeAsk | null {
  const by = askerOf(pending?.origin ?? null);
  if (pending === null || by === null) return null;
  const setting = settingOf(pending.action);
  if ("kind" in setting) return { by, isOn: setting.kind === "START", maxA: null };
  return "maxCurrent" in setting ? { by, isOn, maxA: setting.maxCurrent } : null;
}

function askerOf(origin: ActionOrigin | null): "person" | "schedule" | "smart-charging" | null {
  if (origin === "client" || origin === "smart-override") return "person";
  return origin === "schedule" || origin === "smart-charging" ? origin : null;
}

function batteriesOf(parts: HouseViewParts, device: EnergyDevice): readonly Controlled<BatteryView>[] {
  const { values, commands } = device;
  const id = assetIdOf(device, "battery");
  const battery: Battery | null = id === null ? null : parts.assets.get("battery", id);
  if (battery === null) return [];
  const mayCommand = battery.scopes.includes(CONTROL_SCOPES.battery);
  const asked = commands.asked("battery.mode");
  const listed = mayCommand ? (freeControl(device, "battery.mode")?.values ?? []) : [];
  // Where somebody else has one of its points, ours is let go.
  const isOurs = pointsOf("battery").every((point) => commands.regulated.fate(point) === "ours");
  const range = mayCommand && isOurs ? (freeControl(device, "battery.powerSetpoint")?.range ?? null) : null;
  const view: BatteryView = {
    id: battery.id,
    name: nameOf(battery),
    powerW: values["battery.power"] ?? null,
    soc: values["battery.soc"] ?? null,
    reserve: reserveOf(values["battery.reserve"] ?? null, parts.batteryUse()),
    mode: values["battery.mode"] ?? null,
    modes: listed.filter(isMode),
    maxChargeW: null,
    maxDischargeW: null,
    measuredAtMs: device.measuredAtMs("battery.power"),
    plannedMode: parts.sources.plannedMode(battery.id),
    plannedW: parts.sources.plannedPower(battery.id),
    ...(range === null ? {} : { power: { minW: range.min, maxW: range.max } }),
    isOthers: asked.by !== null,
    askedMode: isMode(asked.value) ? asked.value : null,
  };
  return [{ kind: "battery", device, view }];
}

/** The owner's floor goes before a reserve of the battery that is lower. */
function reserveOf(reserve: number | null, { minSoc }: BatteryUseSettings): number | null {
  return minSoc > 0 ? Math.max(minSoc, reserve ?? 0) : reserve;
}

function invertersOf(parts: HouseViewParts, device: EnergyDevice, nowMs: number): readonly Controlled<InverterView>[] {
  const id = assetIdOf(device, "inverter");
  const inverter = id === null ? null : parts.assets.get("inverter", id);
  if (inverter === null) return [];
  const powerW = device.values["inverter.power"] ?? null;
  const limitPct = device.values["inverter.powerLimit"] ?? null;
  // What it will have in a moment, after a crash, is narrowed before it is written.
  const returning = device.commands.regulated.returning("inverter.powerLimit");
  const own = device.commands.asked("inverter.powerLimit").value;
  const control = freeControl(device, "inverter.powerLimit");
  const leastPct = control?.range?.min ?? 0;
  const view: InverterView = {
    id: inverter.id,
    name: nameOf(inverter),
    powerW,
    limitPct: typeof returning === "number" ? returning : limitPct,
    ownPct: typeof own === "number" ? own : null,
    ratedW: parts.ratedPowers.update(inverter.id, powerW, limitPct, nowMs),
    isRatedKnown: parts.ratedPowers.isKnown(inverter.id),
    // An inverter without a reversion timer may take nothing but its full power, which lifts what somebody left.
    canLimit: control !== null && leastPct < 100,
    leastPct,
    measuredAtMs: device.measuredAtMs("inverter.power"),
  };
  return [{ kind: "inverter", device, view }];
}

function isMode(value: unknown): value is OperationMode {
  return typeof value === "string" && value !== "UNKNOWN";
}

/** What people call an asset: the name that it was given, or what it says of itself. */
export function nameOf({ information, id }: { readonly information: object; readonly id: string }): string {
  const named: { readonly displayName?: unknown; readonly siteName?: unknown; readonly model?: unknown } = information;
  const names = [named.displayName, named.siteName, named.model];
  return names.find((name): name is string => typeof name === "string" && name !== "") ?? id;
}
