import type { AssetTypes } from "../../domain/assets/asset.ts";
import { instant } from "../../domain/fields.ts";
import type { HemSystem, HouseFlows } from "../../domain/hem/hem-system.ts";
import type { HemKind } from "../../domain/hem/hem-views.ts";
import type { HemRecord } from "../../store/records/hem.ts";
import type { SystemLead } from "./hem-members.ts";

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
  /** Wall-clock ms. */
  readonly installedAtMs: number;
  /** The name of the place. */
  readonly name: string;
  /** The energy manager whose system it is; null: the gateway's own. */
  readonly lead: SystemLead | null;
  /** IANA. */
  readonly zone: string;
  readonly assets: readonly { readonly asset: HemAsset }[];
  readonly today: HouseFlows;
  /** When `today` was summed, an instant of the API. */
  readonly summedAt: string | null;
  /** As just found nothing is told but who it is (rule S1.7). */
  readonly isNew: boolean;
}

/** The system as the API shows it. Its place is shown when one of its devices lets its own be read. */
export function makeSystem({
  record,
  installedAtMs,
  name,
  lead,
  zone,
  assets,
  today,
  summedAt,
  isNew,
}: SystemParts): HemSystem {
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
      vendor: lead?.vendor ?? (vendors.size === 1 ? vendor : MIXED_VENDOR),
      name: lead?.name ?? name,
      installationDate: instant(installedAtMs),
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
