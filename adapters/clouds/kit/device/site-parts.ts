/** Sites with panels, whose other parts are found out one by one before they are shown. */
import type { LinkableType } from "hemgate/sdk";
import { unlessLasting } from "../session/cloud-error.ts";

/** What a site with panels has besides. */
export interface SiteParts {
  readonly hasMeter: boolean;
  readonly hasBattery: boolean;
}

export function siteTypes({ hasMeter, hasBattery }: SiteParts): readonly LinkableType[] {
  return ["inverter", ...(hasMeter ? (["meter"] as const) : []), ...(hasBattery ? (["battery"] as const) : [])];
}

/**
 * Looks up the first `most` sites one after the other; null for one that the vendor does not tell of, and for the rest: an
 * installer's account shows hundreds, and each costs a request.
 */
export async function lookedUp<Site, Found>(
  sites: readonly Site[],
  most: number,
  lookUp: (site: Site) => Promise<Found | null>,
): Promise<readonly { readonly site: Site; readonly found: Found | null }[]> {
  const looked: { readonly site: Site; readonly found: Found | null }[] = [];
  for (const [index, site] of sites.entries()) {
    looked.push({ site, found: index < most ? await unlessLasting(lookUp(site)) : null });
  }
  return looked;
}
