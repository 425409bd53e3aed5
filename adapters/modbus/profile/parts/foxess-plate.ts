import { plateText } from "./plate-field.ts";
import { singleSource } from "./provenance.ts";

/** Where the inverter is read over its network port; its RS-485 port has no such register. */
export const FOX_PLATE = { model: plateText(30_000, 16, singleSource("nathanmarlor/foxess_modbus")) };
export const NO_SERIAL = "No source found: what follows the model (30000) are versions (nathanmarlor/foxess_modbus)";
