// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_713.json, Apache-2.0.
import { model, point } from "../model.ts";

/** DER Storage Capacity. */
export const model713 = model(713, [
  point("WHRtg", 2, "uint16", { sf: "WH_SF", unit: "WH" }),
  point("WHAvail", 3, "uint16", { sf: "WH_SF", unit: "WH" }),
  point("SoC", 4, "uint16", { sf: "Pct_SF", unit: "Pct" }),
  point("SoH", 5, "uint16", { sf: "Pct_SF", unit: "Pct" }),
  point("Sta", 6, "enum16", { symbols: { 0: "OK", 1: "WARNING", 2: "ERROR" } }),
  point("WH_SF", 7, "sunssf"),
  point("Pct_SF", 8, "sunssf"),
]);
