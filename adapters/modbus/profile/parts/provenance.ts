/** How sure a profile is of what it says, in a word. */
import type { Provenance } from "hemgate/sdk";

export function crossChecked(source: string): Provenance {
  return { confidence: "cross-checked", source };
}

export function vendorList(source: string): Provenance {
  return { confidence: "vendor-list", source };
}

export function singleSource(source: string): Provenance {
  return { confidence: "single-source", source };
}

/** Put together from what the registers mean; no driver in use is known to write them so. */
export function derivedFrom(source: string): Provenance {
  return { confidence: "derived", source };
}
