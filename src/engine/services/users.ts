import type { AssetKind } from "../../domain/asset.ts";
import type { Write } from "../../store/records.ts";

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

/** What is taken away from a user, and so from every table that holds data of it. */
export type Removal =
  /** The user with all of its data. */
  | { readonly kind: "user"; readonly userId: string; readonly assetIds: ReadonlySet<string> }
  /** What it signed in with: sessions and credentials go, its other data stay. */
  | { readonly kind: "authorization"; readonly userId: string }
  /** Assets, with what is about them: policies, schedules, overrides. */
  | { readonly kind: "assets"; readonly userId: string; readonly assetIds: ReadonlySet<string> };

/**
 * Contributes what a part forgets, to the one commit that forgets everything: it answers at once, changes nothing
 * itself, and hears by `onForgotten` when it is on disk.
 */
export interface Forgetter {
  forget(removal: Removal): readonly Write[];
  /** The removal is on disk: memory follows. */
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
  /** Parts register once, when the engine is made. Also told when assets leave for another reason than their user. */
  onRemoved(forgetter: Forgetter): void;
}
