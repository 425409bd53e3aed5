/**
 * What the vendor code of a manufacturer may be, as model 1 spells it: "FOX ESS" gives FOXESS, then FOX. The API shows
 * the first that it knows. Whole words count, so that Smappee is not taken for SMA.
 */
export function vendorNames(manufacturer: string | null): readonly string[] {
  const words = (manufacturer ?? "")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "");
  const [first, second] = words;
  if (first === undefined) return [];
  return second === undefined ? [first] : [first + second, first];
}
