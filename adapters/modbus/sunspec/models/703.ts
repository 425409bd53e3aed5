// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_703.json, Apache-2.0.
import { model, point } from "../model.ts";

/** Enter Service. */
export const model703 = model(703, [
  point("ES", 2, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
  point("ESVHi", 3, "uint16", { sf: "V_SF", unit: "Pct", isWritable: true }),
  point("ESVLo", 4, "uint16", { sf: "V_SF", unit: "Pct", isWritable: true }),
  point("ESHzHi", 5, "uint32", { sf: "Hz_SF", unit: "Hz", isWritable: true }),
  point("ESHzLo", 7, "uint32", { sf: "Hz_SF", unit: "Hz", isWritable: true }),
  point("ESDlyTms", 9, "uint32", { unit: "Secs", isWritable: true }),
  point("ESRndTms", 11, "uint32", { unit: "Secs", isWritable: true }),
  point("ESRmpTms", 13, "uint32", { unit: "Secs", isWritable: true }),
  point("ESDlyRemTms", 15, "uint32", { unit: "Secs" }),
  point("V_SF", 17, "sunssf"),
  point("Hz_SF", 18, "sunssf"),
]);
