/** What the page reads of devices. The OpenAPI document of the gateway describes all of it. */
export type AssetKind = "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";

export interface Asset {
  readonly id: string;
  readonly userId?: string;
  readonly vendor: string;
  readonly isReachable: boolean;
  readonly lastSeen: string;
  readonly hemSystemId?: string | null;
  /** Of chargers and heating. */
  readonly locationId?: string | null;
  readonly information?: {
    readonly displayName?: string | null;
    readonly siteName?: string | null;
    readonly brand?: string;
    readonly model?: string;
    readonly serialNumber?: string;
    readonly sn?: string;
    readonly id?: string;
    readonly vin?: string | null;
    readonly category?: string;
  };
  readonly chargeState?: {
    readonly status?: string;
    readonly batteryLevel?: number | null;
    readonly batteryCapacity?: number | null;
    readonly chargeRate?: number | null;
    readonly dischargeLimit?: number | null;
    readonly chargeLimit?: number | null;
    readonly isPluggedIn?: boolean | null;
    readonly isCharging?: boolean | null;
    readonly maxCurrent?: number | null;
    readonly lastUpdated?: string | null;
  };
  readonly config?: { readonly operationMode?: string | null; readonly lastUpdated?: string | null };
  readonly productionState?: {
    readonly productionRate?: number | null;
    readonly totalLifetimeProduction?: number | null;
    readonly lastUpdated?: string | null;
  };
  readonly energyState?: { readonly power?: number | null; readonly lastUpdated?: string | null };
  readonly consumptionRate?: number | null;
  readonly thermostatState?: {
    readonly mode?: string | null;
    readonly heatSetpoint?: number | null;
    readonly coolSetpoint?: number | null;
    readonly holdType?: string | null;
    readonly lastUpdated?: string | null;
  };
  readonly temperatureState?: { readonly currentTemperature?: number | null; readonly lastUpdated?: string | null };
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

export interface KnownAsset extends Asset {
  readonly kind: AssetKind;
  /** Of its device; absent before that is known. */
  readonly firmware?: string | null;
  readonly deviceId?: string;
}

/** kW, from the event `user:hem-system:power`; `null` while it cannot be known. */
export interface HousePower {
  readonly load: number | null;
  /** Positive is import. */
  readonly grid: number | null;
  readonly generation: number | null;
  /** Positive is charging. */
  readonly battery: number | null;
  readonly lastUpdated: string;
}

const PLURALS: Readonly<Record<AssetKind, string>> = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
};

/** The path of a device in the API. */
export function assetPath({ kind, id }: Pick<KnownAsset, "kind" | "id">): string {
  return `/${PLURALS[kind]}/${encodeURIComponent(id)}`;
}

/** Maker and model, as far as the device tells them; the API says `Unknown` where it does not. */
export function madeBy({ information }: Asset): string {
  const { brand, model } = information ?? {};
  return [brand, model].filter((part) => part !== undefined && part !== "" && part !== "Unknown").join(" ");
}

/** What people call the device. */
export function nameOf(asset: Asset): string {
  const { displayName, siteName } = asset.information ?? {};
  return displayName || siteName || madeBy(asset) || asset.vendor;
}

/** Power of a device as its card shows it, kW: what a battery or charger takes, what an inverter gives. */
export function powerOf({
  kind,
  chargeState,
  productionState,
  energyState,
  consumptionRate,
}: KnownAsset): number | null {
  switch (kind) {
    case "inverter":
      return productionState?.productionRate ?? null;
    case "meter":
      return energyState?.power ?? null;
    case "hvac":
      return consumptionRate ?? null;
    case "battery":
      return chargeState?.chargeRate ?? null;
    default:
      // The rate of what does not charge is null.
      return chargeState?.isCharging === false ? 0 : (chargeState?.chargeRate ?? null);
  }
}

/** Time of the newest reading, ms since 1970; `null` if the device was never read. */
export function readAt({ chargeState, productionState, energyState, thermostatState, lastSeen }: Asset): number | null {
  const parts = [chargeState, productionState, energyState, thermostatState];
  const times = [...parts.map((part) => part?.lastUpdated), lastSeen].flatMap((text) => {
    const ms = text === undefined || text === null ? Number.NaN : Date.parse(text);
    return Number.isNaN(ms) ? [] : [ms];
  });
  return times.length === 0 ? null : Math.max(...times);
}

/** True if the gateway may do this with the device. */
export function isCapable({ capabilities }: Asset, name: string): boolean {
  const capability = capabilities?.[name];
  return (
    typeof capability === "object" && capability !== null && "isCapable" in capability && capability.isCapable === true
  );
}
