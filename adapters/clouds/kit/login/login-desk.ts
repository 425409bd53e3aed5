import type { Clock, LinkOutcome, Random } from "hemgate/sdk";
import type { App, Ask, CloudLogin, Grant } from "../connector.ts";
import type { CloudErrorKind } from "../session/cloud-error.ts";

/** A login of one kind. */
export type LoginOf<Kind extends CloudLogin["kind"]> = Extract<CloudLogin, { readonly kind: Kind }>;

/** What was typed into a login's form, by the names of its fields. */
export type Form = Readonly<Record<string, string>>;

/** Where logins are done. */
export interface LoginDesk {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly random: Pick<Random, "secretBytes">;
  readonly app: App;
  /** Rejects for an answer that is no success. */
  readonly ask: Ask;
  /** Answers whatever the status is below 500: OAuth says in the body what a 400 means. */
  readonly askAnyway: Ask;
}

/** While a code is awaited: the vendor may not have heard, or wants us to ask less often. The code is still good. */
export const PASSING: readonly CloudErrorKind[] = ["timeout", "unavailable", "rate-limited", "no-budget"];

/** What a step of a sign-in came to: another step, or a grant. */
export type SignInResult =
  | Exclude<LinkOutcome, { readonly kind: "found" }>
  | {
      readonly kind: "signed-in";
      readonly grant: Grant;
      /** What the login is done with again; null: nothing that was typed is kept. */
      readonly form: Form | null;
      /** What the person calls the account; null where nothing of the kind was typed. */
      readonly person: string | null;
    };
