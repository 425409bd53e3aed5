import type { AssetKind } from "../../domain/asset.ts";

/** A user as the gateway knows it: made by the first link session, or the owner of a configured device. */
export interface User {
  /** As the client chose it; 1 to 255 characters without `/`. */
  readonly id: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** True after its authorization was deleted: its data stay, nothing is told about it any more (interface 4.1). */
  readonly isDeauthorized: boolean;
}

/** A vendor's account, or local devices of one vendor, that a user linked for one type of asset. */
export interface LinkedVendor {
  readonly vendor: string;
  readonly vendorType: AssetKind;
  /** False when the credentials became invalid (interface 3.4). */
  readonly isValid: boolean;
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
