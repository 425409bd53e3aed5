import type { AssetTypes } from "../../domain/asset.ts";
import { instant } from "../../domain/fields.ts";
import type { HemSystem, HouseFlows } from "../../domain/hem-system.ts";
import type { PointName } from "../../sdk/points.ts";
import type { HemRecord } from "../../store/records/hem.ts";
import type { AssetRecord } from "../../store/records.ts";
import type { HemDevice, HemKind } from "./hem-history.ts";

export type HemAsset = AssetTypes[HemKind];

/** Nothing is known of the energies. */
export const NO_FLOWS: HouseFlows = {
  generation: null,
  consumption: null,
  import: null,
  export: null,
  charge: null,
  discharge: null,
};

/** The vendor of a system whose devices are of several. */
const MIXED_VENDOR = "HEMGATE";

export interface SystemParts {
  readonly record: HemRecord;
  readonly name: string;
  /** IANA. */
  readonly zone: string;
  readonly assets: readonly { readonly asset: HemAsset }[];
  readonly today: HouseFlows;
  /** When `today` was summed, an instant of the API. */
  readonly summedAt: string | null;
  /** As just found nothing is told but who it is (supplement 1.7). */
  readonly isNew: boolean;
}

/** The system as the API shows it. Its place is shown when one of its devices lets its own be read. */
export function makeSystem({ record, name, zone, assets, today, summedAt, isNew }: SystemParts): HemSystem {
  const vendors = new Set(assets.map(({ asset }) => asset.vendor));
  const [vendor = MIXED_VENDOR] = vendors;
  const placed = assets.find(({ asset }) => asset.location.latitude !== null)?.asset.location;
  const seen = assets.map(({ asset }) => asset.lastSeen).sort();
  const { generation, consumption, charge, discharge } = today;
  return {
    id: record.id,
    userId: record.userId,
    locationId: record.locationId,
    information: {
      vendor: vendors.size === 1 ? vendor : MIXED_VENDOR,
      name,
      installationDate: instant(record.createdAtMs),
      latitude: placed?.latitude ?? null,
      longitude: placed?.longitude ?? null,
      address: null,
      timezone: zone,
      lastUpdated: instant(record.changedAtMs),
    },
    status: {
      lastSeen: isNew ? null : (seen.at(-1) ?? null),
      energy: {
        today: {
          generation,
          consumption,
          charge,
          discharge,
          import: today.import,
          export: today.export,
          unit: "kWh",
          lastUpdated: summedAt,
        },
      },
    },
  };
}

/** The points that tell a direction of energy, by kind. */
const TELLING: Readonly<Record<HemKind, { readonly in: readonly PointName[]; readonly out: readonly PointName[] }>> = {
  battery: { in: ["battery.power"], out: ["battery.power"] },
  inverter: { in: ["inverter.power", "inverter.energy"], out: [] },
  meter: { in: ["meter.power", "meter.energyImport"], out: ["meter.power", "meter.energyExport"] },
};

/** Where the energy of an asset is kept, and which directions its device can tell. */
export function deviceOf(kind: HemKind, { deviceId, device }: AssetRecord): HemDevice {
  const tells = (points: readonly PointName[]): boolean => points.some((point) => device?.points.includes(point));
  return { kind, deviceId, measures: { in: tells(TELLING[kind].in), out: tells(TELLING[kind].out) } };
}
