import type { AssetKind } from "../../domain/asset.ts";

/** The records whose shape may differ between versions. */
export type RecordName =
  | AssetKind
  | "action"
  | "hem-system"
  | "intervention"
  | "location"
  | "schedule"
  | "schedule-status"
  | "smart-charging-plan"
  | "smart-charging-policy"
  | "smart-charging-status"
  | "smart-override"
  | "user"
  | "webhook";

/**
 * One dated version of the API (interface 9). The newest is the model; an older one is a pure mapping of the newest's
 * records, so routes and services know one shape only.
 */
export interface ApiVersion {
  readonly date: string;
  /** From 2023-08-01 a request that names a user in a header fails; before, the header chose the user. */
  readonly refusesUserHeader: boolean;
  /** Maps a checked record of the newest version to this version's shape. */
  down(name: RecordName, record: object): object;
}
