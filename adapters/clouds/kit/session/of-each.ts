import { isLasting } from "./cloud-error.ts";

/** What several of an account's things give, one after the other. */
export interface OfEach<Found> {
  readonly found: readonly Found[];
  /** False: some of them the vendor does not tell of. */
  readonly isWhole: boolean;
}

/** One thing that the vendor says no to never costs the others. Rejects with its word when it says so to all of them. */
export async function ofEach<Item, Found>(
  items: Iterable<Item>,
  look: (item: Item) => Promise<Found>,
): Promise<OfEach<Found>> {
  const found: Found[] = [];
  let refusal: unknown = null;
  for (const item of items) {
    try {
      found.push(await look(item));
    } catch (error) {
      if (!isLasting(error)) throw error;
      refusal ??= error;
    }
  }
  if (found.length === 0 && refusal !== null) throw refusal;
  return { found, isWhole: refusal === null };
}
