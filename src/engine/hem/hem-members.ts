import { kindsOf } from "../../domain/assets/asset-kinds.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import { type MeterUses, ONLY_PANELS } from "../../domain/energy/site/site-connection.ts";
import { byCoverage, HEM_KINDS, type HemKind, type Manager } from "../../domain/hem/hem-views.ts";
import { brandFor, systemVendorFor } from "../../domain/vendors/vendor.ts";
import type { PointName } from "../../points/points.ts";
import type { TellingDevice } from "../engine-part.ts";
import type { HemDevice } from "./hem-history.ts";

/** Vendor and name of the energy manager that gives a system its identity in the API. */
export interface SystemLead {
  readonly vendor: string;
  readonly name: string;
}

/** A device of a system, with the kinds of its visible assets. */
export interface Member {
  readonly device: TellingDevice;
  readonly kinds: readonly HemKind[];
  /** Wall-clock ms. */
  readonly knownSinceMs: number;
}

/** The points from which a direction of energy is known, by kind. */
const ENERGY_POINTS: Readonly<
  Record<HemDevice["kind"], { readonly in: readonly PointName[]; readonly out: readonly PointName[] }>
> = {
  battery: {
    in: ["battery.power", "battery.energyCharged"],
    out: ["battery.power", "battery.energyDischarged"],
  },
  inverter: { in: ["inverter.power", "inverter.energy"], out: [] },
  meter: { in: ["meter.power", "meter.energyImport"], out: ["meter.power", "meter.energyExport"] },
  hem: { in: ["hem.load"], out: [] },
};

/**
 * Returns each device's roles in the system. Energy managers rank before all other devices, in the order of `byStanding`. A
 * meter that is not at the connection is no meter of the system: one at the panels has the role of an inverter. Which
 * inverter it is behind nobody says, so beside inverters only a meter of other panels is added to them.
 */
export function viewsOf(members: readonly Member[], meterUses: MeterUses): readonly HemDevice[] {
  const managers = managersOf(members);
  const hasInverter = members.some(({ kinds }) => kinds.includes("inverter"));
  return members.flatMap(({ device: { settings, known }, kinds }) => {
    if (known === null) return [];
    const index = managers.findIndex(({ deviceId }) => deviceId === settings.id);
    const rank = index < 0 ? managers.length : index;
    const own: readonly HemDevice["kind"][] = index < 0 ? kinds : [...kinds, ...loadOf(known)];
    const use = meterUses.get(settings.id);
    return own.flatMap((kind): readonly HemDevice[] => {
      const measured = measuredOf(kind, known);
      const role = { kind, deviceId: settings.id, rank, measures: measured };
      if (kind !== "meter" || use === undefined) return [role];
      if (use === "inside" || (hasInverter && ONLY_PANELS.has(use))) return [];
      const [by, produces] = use.endsWith("-turned")
        ? (["turned-meter", measured.out] as const)
        : (["meter", measured.in] as const);
      return [{ ...role, kind: "inverter", by, measures: { in: produces, out: false } }];
    });
  });
}

function measuredOf(kind: HemDevice["kind"], { points }: KnownDevice): HemDevice["measures"] {
  const hasAny = (named: readonly PointName[]): boolean => named.some((point) => points.includes(point));
  return { in: hasAny(ENERGY_POINTS[kind].in), out: hasAny(ENERGY_POINTS[kind].out) };
}

/** Returns the first energy manager in the order of `byStanding`; `null` if the system has none. */
export function leadOf(members: readonly Member[]): SystemLead | null {
  const [first] = managersOf(members);
  const lead = members.find(({ device }) => device.settings.id === first?.deviceId)?.device;
  if (lead?.known == null) return null;
  const { identity, vendors } = lead.known;
  const vendor = systemVendorFor(vendors);
  const make = [brandFor(vendor, identity.manufacturer), identity.model].filter((part) => part !== null);
  return { vendor, name: lead.settings.name ?? identity.name ?? (make.length === 0 ? vendor : make.join(" ")) };
}

/** Returns the earliest installation date that the owner configured for a member, `YYYY-MM-DD`; `null` without one. */
export function installedOnOf(members: readonly Member[]): string | null {
  const days = members.flatMap(({ device }) => device.settings.installedOn ?? []);
  return days.sort()[0] ?? null;
}

/** Returns the energy managers of a system, the most trusted first. */
function managersOf(members: readonly Member[]): readonly Manager[] {
  return members
    .flatMap(({ device: { settings, known }, knownSinceMs }): readonly Manager[] => {
      if (known?.isEnergyManager !== true) return [];
      const kinds = kindsOf(known.points).filter((kind) => HEM_KINDS.some((one) => one === kind));
      return [{ deviceId: settings.id, sees: kinds.length + loadOf(known).length, knownSinceMs }];
    })
    .sort(byCoverage);
}

function loadOf({ points }: KnownDevice): readonly "hem"[] {
  return points.includes("hem.load") ? ["hem"] : [];
}
