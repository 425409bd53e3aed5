import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Write } from "../../store/records.ts";

/** A user: created by the first link session, or the owner of a configured device. */
export interface User {
  /** Chosen by the client; 1 to 255 characters without `/`. */
  readonly id: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** True after the authorization was deleted: the data stay, but no events are published (rule I4.1). */
  readonly isDeauthorized: boolean;
}

/** A vendor whose account or local devices a user linked, for one kind of asset. */
export interface LinkedVendor {
  readonly vendor: string;
  readonly vendorType: AssetKind;
  /** False if the vendor refuses the credentials (rule I3.4). */
  readonly isValid: boolean;
}

/** What is removed, from all tables with data about it. */
export type Removal =
  /** Assets, with all data about them, such as policies and schedules. */
  | { readonly kind: "assets"; readonly assetIds: ReadonlySet<string> }
  /** A user with all data. The assets of the user are removed as `assets` in the same commit. */
  | { readonly kind: "user"; readonly userId: string }
  /** The authorization of a user: link sessions and credentials are removed, other data stay. */
  | { readonly kind: "authorization"; readonly userId: string };

/** Removes the data of a feature about users or assets, in the one commit of the removal. */
export interface Forgetter {
  /** Returns the writes that remove the data. It must return at once and change nothing itself. */
  forget(removal: Removal): readonly Write[];
  /** Removes the data from memory after the commit. It must return at once. */
  onForgotten?(removal: Removal): void;
}

/** The users of the gateway. */
export interface Users {
  get(id: string): User | null;
  /** Returns all users; newest created first, then by id. */
  list(): readonly User[];
  /** Returns the user. Throws `not-found`, titled "User does not exist". */
  require(id: string): User;
  /** Returns the user, and creates it if unknown. Throws `bad-request` for an invalid id. */
  ensure(id: string): Promise<User>;
  linkedVendors(id: string): readonly LinkedVendor[];
}

/** Removes users and what they linked (rule I4.1). Each removal is one commit, after devices got their safe values. */
export interface UserRemovals {
  /** Removes a user with all data. The user's configured devices are stopped and hidden until they are linked again. */
  remove(userId: string): Promise<void>;
  /** Removes a user's credentials. The data stay, but no events are published until the user links again. */
  deauthorize(userId: string): Promise<void>;
  /** Removes a user's assets of a vendor, of one kind unless `null`, and the vendor's data with the last of them. */
  unlink(userId: string, vendor: string, vendorType: AssetKind | null): Promise<void>;
}
