import type { InterventionKind } from "../intervention.ts";

/** The words of a remedy, for a brand or (null) for any. */
export type InterventionText = (brand: string | null) => { readonly title: string; readonly description: string };

/** Every remedy in one language. */
export type InterventionTexts = Readonly<Record<InterventionKind, InterventionText>>;

/** Markdown of paragraphs, with a blank line between them. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.join("\n\n");
}
