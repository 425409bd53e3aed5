import type { InterventionKind } from "../intervention.ts";

/** Returns the texts of an intervention for a brand, or for all brands if it is `null`. */
export type InterventionText = (brand: string | null) => { readonly title: string; readonly description: string };

/** The texts of all interventions in one language. */
export type InterventionTexts = Readonly<Record<InterventionKind, InterventionText>>;

/** Joins Markdown paragraphs with a blank line between them. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.join("\n\n");
}
