/** A vehicle's has the length of a real one's, and its maker's part says what it is. */
export function serialOf({ id, kind }: { readonly id: string; readonly kind: string }): string {
  const text = id.replaceAll("-", "").toUpperCase();
  return kind === "vehicle" ? `SIM${text.slice(0, 14)}` : `SIM-${text.slice(0, 8)}`;
}
