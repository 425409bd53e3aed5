// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_124.json, Apache-2.0.
import { model, point } from "../model.ts";

/** Storage. */
export const model124 = model(124, [
  point("WChaMax", 2, "uint16", { sf: "WChaMax_SF", unit: "W", isWritable: true }),
  point("WChaGra", 3, "uint16", { sf: "WChaDisChaGra_SF", unit: "% WChaMax/sec", isWritable: true }),
  point("WDisChaGra", 4, "uint16", { sf: "WChaDisChaGra_SF", unit: "% WChaMax/sec", isWritable: true }),
  point("StorCtl_Mod", 5, "bitfield16", { isWritable: true, symbols: { 0: "CHARGE", 1: "DISCHARGE" } }),
  point("VAChaMax", 6, "uint16", { sf: "VAChaMax_SF", unit: "VA", isWritable: true }),
  point("MinRsvPct", 7, "uint16", { sf: "MinRsvPct_SF", unit: "% WChaMax", isWritable: true }),
  point("ChaState", 8, "uint16", { sf: "ChaState_SF", unit: "% AhrRtg" }),
  point("StorAval", 9, "uint16", { sf: "StorAval_SF", unit: "AH" }),
  point("InBatV", 10, "uint16", { sf: "InBatV_SF", unit: "V" }),
  point("ChaSt", 11, "enum16", {
    symbols: { 1: "OFF", 2: "EMPTY", 3: "DISCHARGING", 4: "CHARGING", 5: "FULL", 6: "HOLDING", 7: "TESTING" },
  }),
  point("OutWRte", 12, "int16", { sf: "InOutWRte_SF", unit: "% WDisChaMax", isWritable: true }),
  point("InWRte", 13, "int16", { sf: "InOutWRte_SF", unit: "% WChaMax", isWritable: true }),
  point("InOutWRte_WinTms", 14, "uint16", { unit: "Secs", isWritable: true }),
  point("InOutWRte_RvrtTms", 15, "uint16", { unit: "Secs", isWritable: true }),
  point("InOutWRte_RmpTms", 16, "uint16", { unit: "Secs", isWritable: true }),
  point("ChaGriSet", 17, "enum16", { isWritable: true, symbols: { 0: "PV", 1: "GRID" } }),
  point("WChaMax_SF", 18, "sunssf"),
  point("WChaDisChaGra_SF", 19, "sunssf"),
  point("VAChaMax_SF", 20, "sunssf"),
  point("MinRsvPct_SF", 21, "sunssf"),
  point("ChaState_SF", 22, "sunssf"),
  point("StorAval_SF", 23, "sunssf"),
  point("InBatV_SF", 24, "sunssf"),
  point("InOutWRte_SF", 25, "sunssf"),
]);
