import { hash } from "node:crypto";
import type { CloudListing, Grant } from "../connector.ts";

/** Enough that two accounts of a house never meet. */
const DIGITS = 24;

/**
 * Which account a login is of, the same at each sign-in: by the vendor's own id of the user (`extra.user`), else by what
 * the person calls it, else by the first of its devices. A hash, so that no record names a person.
 */
export function accountIdOf(
  vendor: string,
  login: { readonly grant: Grant; readonly person: string | null },
  listings: readonly Pick<CloudListing, "key">[],
): string {
  const { grant, person } = login;
  const [first = ""] = listings.map(({ key }) => key).toSorted();
  const known = grant.extra?.["user"] ?? person ?? first;
  return `${vendor}-${hash("sha256", `${vendor}\n${known}`).slice(0, DIGITS)}`;
}
