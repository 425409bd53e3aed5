import type { AssetKind } from "../../domain/assets/asset.ts";

/** A user, as first seen: by a link session, or as the owner of a configured device. Key: its id. */
export interface UserRecord {
  readonly id: string;
  readonly createdAtMs: number;
  /** True after the authorization was deleted: the data stay, nothing is told about them. Absent: false. */
  readonly isDeauthorized?: boolean;
}

/** Credentials of a user at a vendor that were refused. Absent: they are valid. Key: `userId/vendor`. */
export interface AuthorizationRecord {
  readonly userId: string;
  readonly vendor: string;
  readonly invalidSinceMs: number;
  /** The devices that refused them; once none is left they are valid again. */
  readonly refusedBy: readonly string[];
}

/** Kinds of asset of a configured device that the user unlinked: not shown until they are linked again. Key: deviceId. */
export interface UnlinkedRecord {
  readonly deviceId: string;
  readonly kinds: readonly AssetKind[];
}
