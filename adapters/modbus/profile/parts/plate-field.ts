import type { PlateField, Provenance, RegisterType } from "hemgate/sdk";

type Where = Omit<Partial<PlateField>, keyof Provenance | "address" | "type" | "words">;

/** A text of a device's plate, in holding registers where nothing else is said. */
export function plateText(address: number, words: number, known: Provenance, where: Where = {}): PlateField {
  return { table: "holding", address, type: "string", words, ...known, ...where };
}

/** A number of a device's plate, in holding registers where nothing else is said. */
export function plateNumber(
  address: number,
  type: Exclude<RegisterType, "string">,
  known: Provenance,
  where: Where = {},
): PlateField {
  return { table: "holding", address, type, ...known, ...where };
}
