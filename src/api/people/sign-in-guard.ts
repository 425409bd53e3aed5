/** Slows down guessing of passwords and codes of people, by address and by account. */
import type { FastifyReply } from "fastify";
import { HOUR_MS, SECOND_MS } from "../../domain/duration.ts";
import { problem } from "../../domain/problem.ts";
import type { Attempt } from "../../engine/contracts/people.ts";
import { networkOf } from "../../platform/network/network-of.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { createFailedAttempts, Failures } from "../clients/failed-attempts.ts";

/**
 * Of one account within an hour, from all addresses where its password was not right since the start: passwords of people
 * can be guessed in thousands, not in millions, of tries.
 */
const MAX_FAILURES_OF_ACCOUNT = 100;
const MAX_KNOWN_PLACES = 1_000;

export interface SignInGuard {
  /**
   * An attempt from an address, with the secret of an account; `null`: with a code, whose account nobody knows yet.
   * Throws `too-many-requests` if too many failed lately.
   */
  attempt(reply: FastifyReply, address: string, account: string | null): Attempt;
}

export function createSignInGuard({ clock, log }: { readonly clock: Clock; readonly log: Log }): SignInGuard {
  const attempts = createFailedAttempts(clock);
  const ofAccount = new Failures(clock, MAX_FAILURES_OF_ACCOUNT, HOUR_MS);
  const known = new Set<string>();
  return {
    attempt(reply, address, account) {
      const tried = { address, clientId: account === null ? "code" : `account ${account}` };
      const place = `${networkOf(address)} ${account}`;
      const refuse = (): void => {
        const isHeldUp = account !== null && !known.has(place);
        const waitMs = Math.max(attempts.waitMs(tried), isHeldUp ? ofAccount.waitMs(account) : 0);
        if (waitMs === 0) return;
        const seconds = Math.ceil(waitMs / SECOND_MS);
        reply.header("retry-after", String(seconds));
        throw problem("too-many-requests", `Too many attempts failed; the next one is possible in ${seconds} s.`);
      };
      refuse();
      return {
        isAhead: attempts.isClean(address),
        // Asked again: others may have failed while this one waited.
        before: refuse,
        failed() {
          const isFull = [attempts.note(tried), account !== null && ofAccount.note(account)];
          if (isFull.includes(true)) log.warn({ address }, "too many failed attempts to sign in");
        },
        succeeded() {
          if (account === null) return;
          known.delete(place);
          known.add(place);
          for (const oldest of known) {
            if (known.size <= MAX_KNOWN_PLACES) break;
            known.delete(oldest);
          }
        },
      };
    },
  };
}
