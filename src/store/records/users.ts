import type { AssetKind } from "../../domain/assets/asset.ts";

/** A user, created by a link session or as the owner of a configured device. The key is the id. */
export interface UserRecord {
  readonly id: string;
  readonly createdAtMs: number;
  /** True after the authorization was deleted: the data stays but is not reported any more. Absent: false. */
  readonly isDeauthorized?: boolean;
}

/** Refused credentials of a user at a vendor. Absent: they are valid. The key is `userId/vendor`. */
export interface AuthorizationRecord {
  readonly userId: string;
  readonly vendor: string;
  readonly invalidSinceMs: number;
  /** The devices that refused them; when none is left, the credentials are valid again. */
  readonly refusedBy: readonly string[];
}

/**
 * Kinds of asset of a configured device that the user unlinked: they are hidden until they are linked again. The key is
 * the device's id.
 */
export interface UnlinkedRecord {
  readonly deviceId: string;
  readonly kinds: readonly AssetKind[];
}
