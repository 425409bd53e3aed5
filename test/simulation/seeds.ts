/** Seeds whose run once broke an invariant. Each stays here for good, with what it found. */
export const SEEDS_THAT_FAILED: readonly { readonly seed: number; readonly found: string }[] = [];
