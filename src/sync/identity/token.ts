/** What an owner is given to enrol a gateway with: where to ask, and a secret that counts once. */
import { createHash } from "node:crypto";

const MAX_CHARACTERS = 1_000;
const SECRET = /^[\x21-\x7e]{8,500}$/;

export interface EnrolmentToken {
  /** Address of the service, with a slash at its end. */
  readonly service: string;
  readonly secret: string;
}

/** Reads `https://HOST/PATH#SECRET`. Throws a `RangeError` in words for whoever typed it, without the secret. */
export function parseToken(text: string): EnrolmentToken {
  const trimmed = text.trim();
  const url = trimmed.length > MAX_CHARACTERS ? null : URL.parse(trimmed);
  if (url === null)
    throw new RangeError("the token is not an address with a secret, such as https://cloud.example/#SECRET");
  if (url.protocol !== "https:") throw new RangeError("the token's address does not begin with https://");
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new RangeError("the token's address has more than a host and a path");
  }
  const secret = url.hash.slice(1);
  if (secret === "") throw new RangeError("the token has no secret after its #");
  if (!SECRET.test(secret)) {
    throw new RangeError("what follows the token's # is no secret of 8 to 500 characters; was all of it copied?");
  }
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return { service: `${url.origin}${path}`, secret };
}

/** By which the token is known again without being kept. */
export function tokenHash({ secret }: EnrolmentToken): string {
  return createHash("sha256").update(secret).digest("hex");
}
