import type { HttpAuth } from "../http-profile.ts";
import type { Credentials } from "./session.ts";

/** Returns the credential that a profile needs and that is missing; `null` if none is. */
export function missingCredential(
  auth: HttpAuth,
  { password, token }: Pick<Credentials, "password" | "token">,
): "password" | "token" | null {
  if (auth.kind === "none" || auth.kind === "query" || ("isOptional" in auth && auth.isOptional)) return null;
  if (auth.kind === "token") return token === null ? "token" : null;
  return password === null ? "password" : null;
}
