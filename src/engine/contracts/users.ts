import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Write } from "../../store/records.ts";

/** A user as the gateway knows it: made by the first link session, or the owner of a configured device. */
export interface User {
  /** As the client chose it; 1 to 255 characters without `/`. */
  readonly id: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** True after its authorization was deleted: its data stay, nothing is told about it any more (rule I4.1). */
  readonly isDeauthorized: boolean;
}

/** A vendor's account, or local devices of one vendor, that a user linked for one type of asset. */
export interface LinkedVendor {
  readonly vendor: string;
  readonly vendorType: AssetKind;
  /** False when the credentials became invalid (rule I3.4). */
  readonly isValid: boolean;
}

/** What is taken away, and so from every table that holds data of it. */
export type Removal =
  /** Assets, for whatever reason: what is about them goes too (policies, schedules, overrides). */
  | { readonly kind: "assets"; readonly assetIds: ReadonlySet<string> }
  /** A user with all of its data. Its assets are told as `assets` in the same commit. */
  | { readonly kind: "user"; readonly userId: string }
  /** What a user signed in with: sessions and credentials go, its other data stay. */
  | { readonly kind: "authorization"; readonly userId: string };

/** A part that keeps data of users or assets. It adds to the one commit that forgets everything. */
export interface Forgetter {
  /** What the part forgets; it answers at once and changes nothing itself. */
  forget(removal: Removal): readonly Write[];
  /** The removal is on disk: what the part has in memory follows. It returns at once. */
  onForgotten?(removal: Removal): void;
}

export interface Users {
  get(id: string): User | null;
  /** Newest created first, then by id. */
  list(): readonly User[];
  /** Throws `not-found`, titled "User does not exist". */
  require(id: string): User;
  /** The user, made and stored when there was none. Throws `bad-request` for an id that cannot be one. */
  ensure(id: string): Promise<User>;
  linkedVendors(id: string): readonly LinkedVendor[];
}

/** Taking leave of users and of what they linked (rule I4.1). Each is one commit, after devices got their safe values. */
export interface UserRemovals {
  /** Forgets the user and all of its data. Configured devices of its are stopped and hidden until they are linked again. */
  remove(userId: string): Promise<void>;
  /** Forgets what the user signed in with; its data stay, and nothing is told about it until it links again. */
  deauthorize(userId: string): Promise<void>;
  /** Forgets a user's assets of a vendor, all or (not null) those of a type, and the vendor's data when none is left. */
  unlink(userId: string, vendor: string, vendorType: AssetKind | null): Promise<void>;
}
