import { plateNumber } from "./plate-field.ts";
import { crossChecked } from "./provenance.ts";

/** Eastron's later meters have their number where the protocol documents of all of them say. */
export const EASTRON_PLATE = {
  serial: plateNumber(0xfc00, "uint32", crossChecked("Eastron's Modbus protocol documents; nmakel/sdm_modbus")),
};
