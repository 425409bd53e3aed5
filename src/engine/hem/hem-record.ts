import type { AssetTypes } from "../../domain/assets/asset.ts";
import { instant } from "../../domain/fields.ts";
import type { HemSystem, HouseFlows } from "../../domain/hem/hem-system.ts";
import type { HemKind } from "../../domain/hem/hem-views.ts";
import type { HemRecord } from "../../store/records/hem.ts";
import type { SystemLead } from "./hem-members.ts";

export type HemAsset = AssetTypes[HemKind];

/** The flows of a system whose energies are unknown. */
export const NO_FLOWS: HouseFlows = {
  generation: null,
  consumption: null,
  import: null,
  export: null,
  charge: null,
  discharge: null,
};

/** The vendor code of a system whose devices have different vendors. */
const MIXED_VENDOR = "HEMGATE";

export interface SystemParts {
  readonly record: HemRecord;
  /** Wall-clock ms. */
  readonly installedAtMs: number;
  /** The name of the location. */
  readonly name: string;
  /** The energy manager that names the system; `null` if it has none. */
  readonly lead: SystemLead | null;
  /** IANA time zone. */
  readonly zone: string;
  readonly assets: readonly { readonly asset: HemAsset }[];
  readonly today: HouseFlows;
  /** When `today` was calculated, as the API's date-time; `null` if it never was. */
  readonly summedAt: string | null;
  /** True if the system was just discovered: its event carries no measurements (rule S1.7). */
  readonly isNew: boolean;
}

/** Returns the system as the API shows it. It has coordinates only if one of its devices shares its location. */
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
