// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_120.json, Apache-2.0.
import { model, point } from "../model.ts";

/** Nameplate. */
export const model120 = model(120, [
  point("DERTyp", 2, "enum16", { symbols: { 4: "PV", 82: "PV_STOR" } }),
  point("WRtg", 3, "uint16", { sf: "WRtg_SF", unit: "W" }),
  point("WRtg_SF", 4, "sunssf"),
  point("VARtg", 5, "uint16", { sf: "VARtg_SF", unit: "VA" }),
  point("VARtg_SF", 6, "sunssf"),
  point("VArRtgQ1", 7, "int16", { sf: "VArRtg_SF", unit: "var" }),
  point("VArRtgQ2", 8, "int16", { sf: "VArRtg_SF", unit: "var" }),
  point("VArRtgQ3", 9, "int16", { sf: "VArRtg_SF", unit: "var" }),
  point("VArRtgQ4", 10, "int16", { sf: "VArRtg_SF", unit: "var" }),
  point("VArRtg_SF", 11, "sunssf"),
  point("ARtg", 12, "uint16", { sf: "ARtg_SF", unit: "A" }),
  point("ARtg_SF", 13, "sunssf"),
  point("PFRtgQ1", 14, "int16", { sf: "PFRtg_SF", unit: "cos()" }),
  point("PFRtgQ2", 15, "int16", { sf: "PFRtg_SF", unit: "cos()" }),
  point("PFRtgQ3", 16, "int16", { sf: "PFRtg_SF", unit: "cos()" }),
  point("PFRtgQ4", 17, "int16", { sf: "PFRtg_SF", unit: "cos()" }),
  point("PFRtg_SF", 18, "sunssf"),
  point("WHRtg", 19, "uint16", { sf: "WHRtg_SF", unit: "Wh" }),
  point("WHRtg_SF", 20, "sunssf"),
  point("AhrRtg", 21, "uint16", { sf: "AhrRtg_SF", unit: "AH" }),
  point("AhrRtg_SF", 22, "sunssf"),
  point("MaxChaRte", 23, "uint16", { sf: "MaxChaRte_SF", unit: "W" }),
  point("MaxChaRte_SF", 24, "sunssf"),
  point("MaxDisChaRte", 25, "uint16", { sf: "MaxDisChaRte_SF", unit: "W" }),
  point("MaxDisChaRte_SF", 26, "sunssf"),
  point("Pad", 27, "pad"),
]);
