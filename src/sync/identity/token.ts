/** The token with which an owner enrols a gateway: the service's address and a secret that is valid once. */
import { createHash } from "node:crypto";

const MAX_CHARACTERS = 1_000;
const SECRET = /^[\x21-\x7e]{8,500}$/;

export interface EnrolmentToken {
  /** Address of the service, with a slash at its end. */
  readonly service: string;
  readonly secret: string;
}

/**
 * Parses `https://HOST/PATH#SECRET`. Throws a `RangeError` with a text for the person who typed it; the text does not
 * contain the secret.
 */
export function parseToken(text: string): EnrolmentToken {
  const trimmed = text.trim();
  const url = trimmed.length > MAX_CHARACTERS ? null : URL.parse(trimmed);
  if (url === null)
    throw new RangeError("the token is not an address with a secret, such as https://cloud.example/#SECRET");
  if (url.protocol !== "https:") throw new RangeError("the token's address does not begin with https://");
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new RangeError("the token's address may have only a host and a path");
  }
  const secret = url.hash.slice(1);
  if (secret === "") throw new RangeError("the token has no secret after its #");
  if (!SECRET.test(secret)) {
    throw new RangeError(
      "the part after the token's # is not a secret of 8 to 500 characters; check that all of it was copied",
    );
  }
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return { service: `${url.origin}${path}`, secret };
}

/** Returns a hash that identifies the token without storing it. */
export function tokenHash({ secret }: EnrolmentToken): string {
  return createHash("sha256").update(secret).digest("hex");
}
