/** Makes the connection that the control cycle uses from the settings. Pure. */
import type { AssetKind } from "../../assets/asset.ts";
import type { Circuit, MeterUses, SiteConnection } from "./site-connection.ts";
import { PHASES } from "./site-connection.ts";
import { type CircuitSettings, FEED_IN_PRESETS, type SiteSettings } from "./site-settings.ts";

export interface SiteAsset {
  readonly id: string;
  readonly kind: AssetKind;
}

/** What the settings name, as the gateway knows it. */
export interface SiteLookup {
  /** The assets of a device; empty while they are unknown. */
  assetsOf(deviceId: string): readonly SiteAsset[];
  /** Peak power of the panels as the forecast has it, kW; `null` if it has none. */
  readonly panelsKw: number | null;
}

/** Kinds that draw or give power behind a fuse. A device that is only a meter, such as a plug, counts by its meter. */
const LOADS: ReadonlySet<AssetKind> = new Set(["battery", "charger", "hvac", "inverter"]);

export function resolveSite(settings: SiteSettings, lookup: SiteLookup): SiteConnection {
  const { phases = 3, circuits = [], phasesOf = {}, unmetered = [] } = settings;
  return {
    phases,
    fuseA: settings.fuseA ?? null,
    importKw: settings.importKw ?? null,
    peakKw: settings.peakKw ?? null,
    exportKw: feedInKw(settings, lookup.panelsKw),
    gridMeterId: meterOf(settings.gridMeter, lookup),
    meterUses: meterUsesOf(settings, lookup),
    circuits: circuits.map((circuit) => circuitOf(circuit, lookup)),
    phasesOf: new Map(
      Object.entries(phasesOf).flatMap(([deviceId, list]) =>
        lookup.assetsOf(deviceId).map(({ id }) => [id, list] as const),
      ),
    ),
    unmetered: unmetered.map(({ name, circuit, phases: own, maxA }) => ({
      name,
      circuitId: circuit ?? null,
      phases: own ?? (phases === 1 ? ["L1"] : PHASES),
      maxA,
    })),
  };
}

/** Returns the feed-in limit, kW; `null` if there is no limit, 0 if the peak power that it is a share of is unknown. */
export function feedInKw(settings: SiteSettings, panelsKw: number | null): number | null {
  if (settings.feedInKw !== undefined) return settings.feedInKw;
  const share = settings.feedInPreset === undefined ? settings.feedInShare : FEED_IN_PRESETS[settings.feedInPreset];
  return share === undefined ? null : share * (settings.panelsKw ?? panelsKw ?? 0);
}

/** Returns true if nothing limits what the house imports. */
export function hasNoImportLimit({ fuseA, importKw }: Pick<SiteConnection, "fuseA" | "importKw">): boolean {
  return fuseA === null && importKw === null;
}

function circuitOf(circuit: CircuitSettings, lookup: SiteLookup): Circuit {
  return {
    id: circuit.id,
    name: circuit.name ?? circuit.id,
    parentId: circuit.parent ?? null,
    fuseA: circuit.fuseA ?? null,
    maxKw: circuit.maxKw ?? null,
    meterId: meterOf(circuit.meter, lookup),
    memberIds: (circuit.members ?? []).flatMap((deviceId) => membersOf(lookup.assetsOf(deviceId))),
  };
}

function meterOf(deviceId: string | undefined, { assetsOf }: SiteLookup): string | null {
  if (deviceId === undefined) return null;
  return assetsOf(deviceId).find(({ kind }) => kind === "meter")?.id ?? null;
}

/** What is behind a fuse inside the house is not at the connection, even if nobody says so. */
function meterUsesOf({ gridMeter, meters = {}, circuits = [] }: SiteSettings, { assetsOf }: SiteLookup): MeterUses {
  const behind = circuits.flatMap(({ meter, members = [] }) => [
    ...(meter === undefined ? [] : [meter]),
    ...members.filter((id) => assetsOf(id).every(({ kind }) => kind === "meter")),
  ]);
  const uses: MeterUses = new Map([...behind.map((id) => [id, "inside"] as const), ...Object.entries(meters)]);
  return new Map([...uses].filter(([id]) => id !== gridMeter));
}

function membersOf(assets: readonly SiteAsset[]): readonly string[] {
  const loads = assets.filter(({ kind }) => LOADS.has(kind));
  return (loads.length > 0 ? loads : assets.filter(({ kind }) => kind === "meter")).map(({ id }) => id);
}
