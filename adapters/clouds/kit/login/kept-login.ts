import { z } from "hemgate/sdk";
import type { KeyValueStore } from "../session/key-value-store.ts";

const NAME = "login";

const KeptGrant = z.object({
  access: z.string(),
  refresh: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  extra: z.record(z.string(), z.string()).exactOptional(),
});

const KeptLogin = z.object({
  grant: KeptGrant,
  /** What was typed, where the login is done with it again. */
  form: z.record(z.string(), z.string()).nullable(),
  /** The refresh token before the last renewal. */
  previous: z.string().nullable(),
  /** Wall-clock ms at which the vendor refused the login, and what it refused; null: it is good as far as we know. */
  refused: z.object({ atMs: z.number(), what: z.enum(["grant", "form"]) }).nullable(),
});

/** What is on disk of an account's login; a secret as a whole. */
export type KeptLogin = z.infer<typeof KeptLogin>;

/** What signing in gives. */
export type Login = Pick<KeptLogin, "grant" | "form">;

/** A login that was just done, in place of the one before: its refresh token is tried where the new one is no good. */
export function freshLogin({ grant, form }: Login, before: KeptLogin | null): KeptLogin {
  return { grant, form, previous: before?.grant.refresh ?? null, refused: null };
}

/** Null: nobody signed in, or what is there is not readable. */
export function loginIn(store: Pick<KeyValueStore, "get">): KeptLogin | null {
  const text = store.get(NAME);
  if (text === null) return null;
  try {
    return KeptLogin.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Resolved: it is on disk, in place of the one before. */
export async function keepLogin(store: KeyValueStore, login: KeptLogin): Promise<void> {
  await store.put(NAME, JSON.stringify(login));
}
