/** The limit of the feed-in: a power, or a share of the panels' peak power as the rules of some countries have it. */
import { percent } from "../format.ts";

/** What the settings of the connection say about it; one of them at most. */
export interface FeedIn {
  readonly feedInKw?: number;
  /** 0.6 is 60 %. */
  readonly feedInShare?: number;
  readonly feedInPreset?: "60%" | "70%";
}

const SHARES = ["feedInShare", "feedInPreset"] as const;

/** Returns the name of the setting that limits the feed-in to a share; `null` if none does. */
export function shareSetting(connection: FeedIn): (typeof SHARES)[number] | null {
  return SHARES.find((name) => connection[name] !== undefined) ?? null;
}

/** Returns the share of the panels' peak power that may be fed in, such as `60 %`; `null` if the limit is no share. */
export function shareText({ feedInShare, feedInPreset }: FeedIn, locale: string): string | null {
  if (feedInPreset !== undefined) return percent(Number.parseInt(feedInPreset, 10), locale);
  return feedInShare === undefined ? null : percent(Math.round(feedInShare * 1_000) / 10, locale);
}

/** A power in the place of a share removes the share: there is one limit at most. */
export function replacingShare(
  body: Readonly<Record<string, number | null>>,
  connection: FeedIn,
): Readonly<Record<string, number | null>> {
  const share = shareSetting(connection);
  return share === null || typeof body["feedInKw"] !== "number" ? body : { ...body, [share]: null };
}
