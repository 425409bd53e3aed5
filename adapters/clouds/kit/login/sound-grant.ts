import type { Grant } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";

/** Longer than the tokens of any vendor, characters: with the refresh token before it, a grant fits into a note. */
const MAX_ACCESS = 6_000;
const MAX_REFRESH = 3_000;
const MAX_EXTRA = 1_500;
/** What may stand in a header. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]+$/;

/**
 * A grant as it can be kept and sent. Throws a `CloudError("malformed")` for one that cannot: taken for a login, it would
 * take the place of one that is good.
 */
export function soundGrant(grant: Grant, vendor: string): Grant {
  const { access, refresh, expiresAtMs, extra = {} } = grant;
  const isSound =
    access.length <= MAX_ACCESS &&
    SENDABLE.test(access) &&
    (refresh === null || refresh.length <= MAX_REFRESH) &&
    JSON.stringify(extra).length <= MAX_EXTRA;
  if (!isSound) throw new CloudError("malformed", `${vendor}: the login gave a token that cannot be used`);
  return expiresAtMs === null || Number.isFinite(expiresAtMs) ? grant : { ...grant, expiresAtMs: null };
}
