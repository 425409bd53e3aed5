import { kindsOf } from "../../domain/assets/asset-kinds.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import { byStanding, HEM_KINDS, type HemKind, type Manager } from "../../domain/hem/hem-views.ts";
import { brandFor, systemVendorFor } from "../../domain/vendors/vendor.ts";
import type { PointName } from "../../points/points.ts";
import type { TellingDevice } from "../engine-part.ts";
import type { HemDevice } from "./hem-history.ts";

/** Whose system it is, as the API shows it. */
export interface SystemLead {
  readonly vendor: string;
  readonly name: string;
}

/** A device at a system's place, with those of its kinds that are shown. */
export interface Member {
  readonly device: TellingDevice;
  readonly kinds: readonly HemKind[];
  /** Wall-clock ms. */
  readonly knownSinceMs: number;
}

/** The points that tell a direction of energy, by kind. */
const TELLING: Readonly<
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

/** What the members see of the house. Energy managers are believed before all others, the one of most standing first. */
export function viewsOf(members: readonly Member[]): readonly HemDevice[] {
  const managers = managersOf(members);
  return members.flatMap(({ device: { settings, known }, kinds }) => {
    if (known === null) return [];
    const index = managers.findIndex(({ deviceId }) => deviceId === settings.id);
    const rank = index < 0 ? managers.length : index;
    const own: readonly HemDevice["kind"][] = index < 0 ? kinds : [...kinds, ...loadOf(known)];
    return own.map((kind): HemDevice => {
      const tells = (points: readonly PointName[]): boolean => points.some((point) => known.points.includes(point));
      const measures = { in: tells(TELLING[kind].in), out: tells(TELLING[kind].out) };
      return { kind, deviceId: settings.id, rank, measures };
    });
  });
}

/** The energy manager of most standing; null when there is none. */
export function leadOf(members: readonly Member[]): SystemLead | null {
  const [first] = managersOf(members);
  const lead = members.find(({ device }) => device.settings.id === first?.deviceId)?.device;
  if (lead?.known == null) return null;
  const { identity, vendors } = lead.known;
  const vendor = systemVendorFor(vendors);
  const make = [brandFor(vendor, identity.manufacturer), identity.model].filter((part) => part !== null);
  return { vendor, name: lead.settings.name ?? identity.name ?? (make.length === 0 ? vendor : make.join(" ")) };
}

/** The earliest day of installation that the owner configured for one of the members, YYYY-MM-DD; `null` if for none. */
export function installedOnOf(members: readonly Member[]): string | null {
  const days = members.flatMap(({ device }) => device.settings.installedOn ?? []);
  return days.sort()[0] ?? null;
}

/** The energy managers among them, in the order in which they are believed. */
function managersOf(members: readonly Member[]): readonly Manager[] {
  return members
    .flatMap(({ device: { settings, known }, knownSinceMs }): readonly Manager[] => {
      if (known?.isEnergyManager !== true) return [];
      const kinds = kindsOf(known.points).filter((kind) => HEM_KINDS.some((one) => one === kind));
      return [{ deviceId: settings.id, sees: kinds.length + loadOf(known).length, knownSinceMs }];
    })
    .sort(byStanding);
}

function loadOf({ points }: KnownDevice): readonly "hem"[] {
  return points.includes("hem.load") ? ["hem"] : [];
}
