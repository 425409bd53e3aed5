import type { Asker } from "../../../engine/contracts/people.ts";
import { type Caller, hasScope, requireScope } from "../../clients/callers.ts";

const SCOPE = "people:manage";

/** Who asks about people. Throws `forbidden` for a client without the scope; an account has at least itself. */
export function askerOf(caller: Caller): Asker {
  if (caller.session === null) requireScope(caller, SCOPE);
  return { accountId: caller.session?.account.id ?? null, isManager: hasScope(caller, SCOPE) };
}

/** Throws `forbidden` for who may not manage people. */
export function requireManager(caller: Caller): void {
  requireScope(caller, SCOPE);
}

/** Throws `forbidden` for who may not see how the gateway is set up. */
export function requireInstaller(caller: Caller): void {
  if (caller.session?.rights.includes("install") !== true) requireScope(caller, SCOPE);
}
