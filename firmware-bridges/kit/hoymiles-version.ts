/** The firmware of a Hoymiles inverter as it is written, from its number: 10012 is 1.00.12. Null: not a version, or not read yet. */
export function hoymilesVersion(text: string): string | null {
  const number = Number(text);
  if (!Number.isInteger(number) || number <= 0) return null;
  const two = (part: number): string => String(part % 100).padStart(2, "0");
  return `${Math.floor(number / 10_000)}.${two(Math.floor(number / 100))}.${two(number)}`;
}
