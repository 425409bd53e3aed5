import { HOUR_MS, z } from "hemgate/sdk";
import type { CloudSession } from "../connector.ts";
import { CloudError } from "./cloud-error.ts";

const FRESH_MS = HOUR_MS;
const KEPT_MS = 24 * FRESH_MS;

/** What an account has many of, such as chargers or sites: asked for once an hour at most, or once a day. */
export interface AccountList<Entry> {
  /** Whose account, and one of them, as messages call it: "the Easee account has no such charger any more". */
  readonly brand: string;
  readonly one: string;
  keyOf(entry: Entry): string;
  /** Where requests are counted by the day or month: what of it is kept on disk. Absent: it is asked for again. */
  readonly entry?: z.ZodType<Entry>;
  fetch(session: CloudSession, signal: AbortSignal): Promise<readonly Entry[]>;
}

/** All that the account has. */
export function entriesOf<Entry>(
  session: CloudSession,
  list: AccountList<Entry>,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const key = keyOf(list);
  const fetch = async (inner: AbortSignal) => [...(await list.fetch(session, inner))];
  const { entry } = list;
  if (entry === undefined) return session.shared(key, FRESH_MS, fetch, signal);
  return session.seldom({ key, freshMs: KEPT_MS, schema: z.array(entry), ask: fetch }, signal);
}

/** The one with a key. Rejects as `refused` when the account has it no more. */
export async function entryOf<Entry>(
  session: CloudSession,
  list: AccountList<Entry>,
  key: string,
  signal: AbortSignal,
): Promise<Entry> {
  const found = (await entriesOf(session, list, signal)).find((entry) => list.keyOf(entry) === key);
  if (found !== undefined) return found;
  outdateLacking(session, keyOf(list));
  throw new CloudError("refused", `the ${list.brand} account has no such ${list.one} any more`);
}

/** A list that lacks what is looked for may be wrong for a moment: it is asked for again, once an hour. */
export function outdateLacking(session: Pick<CloudSession, "clock" | "sharedTickMs" | "outdate">, key: string): void {
  const tickMs = session.sharedTickMs(key);
  if (tickMs !== null && session.clock.monotonicMs() - tickMs > FRESH_MS) session.outdate(key);
}

function keyOf({ one }: Pick<AccountList<unknown>, "one">): string {
  return `list of ${one}s`;
}
