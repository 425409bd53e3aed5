/** Answers of the API that are described in the domain already. */

export type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
export type { EnergyDeviceState, EnergyState } from "../../domain/energy/energy-state.ts";
export type { EnergyPlanView } from "../../domain/energy/plan/plan-view.ts";
export type { EnergySavings } from "../../domain/energy/plan/savings-view.ts";
export type { HemSystem } from "../../domain/hem/hem-system.ts";
export type { HttpsView } from "../../domain/https/https-view.ts";
export type { ModbusProxyState } from "../../domain/modbus-proxy/proxy-state.ts";
export type { VendorAccountView } from "../../domain/vendors/vendor-account-view.ts";

export interface Finding {
  readonly id: string;
  readonly check:
    | "sign"
    | "phase"
    | "role"
    | "scale"
    | "duplicate"
    | "frozen"
    | "range"
    | "balance"
    | "control"
    | "identity"
    | "storage"
    | "site"
    | "forecast"
    | "backup";
  readonly deviceId: string | null;
  readonly assetId: string | null;
  readonly measured: string;
  readonly fix: { readonly kind: "invert" | "scale" | "phases" | "hide" | "replace" } | null;
  readonly state: "OPEN" | "CONFIRMED" | "DISMISSED";
  readonly firstSeenAt: string;
}

export type Series =
  | {
      readonly isAvailable: true;
      readonly unit: string;
      readonly sampling: { readonly resolution: string };
      readonly data: readonly { readonly t: string; readonly v: number | null }[];
    }
  | { readonly isAvailable: false };

type SeriesName = "generation" | "consumption" | "import" | "export" | "charge" | "discharge" | "batteryLevel";

export interface HemStatistics {
  readonly timeseries: Readonly<Record<SeriesName, Series>>;
}

export interface HemYear {
  readonly months: readonly ({ readonly t: string } & Readonly<
    Record<Exclude<SeriesName, "batteryLevel">, number | null>
  >)[];
}
