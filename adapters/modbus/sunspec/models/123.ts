// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_123.json, Apache-2.0.
import { model, point } from "../model.ts";

/** Immediate Controls. */
export const model123 = model(123, [
  point("Conn_WinTms", 2, "uint16", { unit: "Secs", isWritable: true }),
  point("Conn_RvrtTms", 3, "uint16", { unit: "Secs", isWritable: true }),
  point("Conn", 4, "enum16", { isWritable: true, symbols: { 0: "DISCONNECT", 1: "CONNECT" } }),
  point("WMaxLimPct", 5, "uint16", { sf: "WMaxLimPct_SF", unit: "% WMax", isWritable: true }),
  point("WMaxLimPct_WinTms", 6, "uint16", { unit: "Secs", isWritable: true }),
  point("WMaxLimPct_RvrtTms", 7, "uint16", { unit: "Secs", isWritable: true }),
  point("WMaxLimPct_RmpTms", 8, "uint16", { unit: "Secs", isWritable: true }),
  point("WMaxLim_Ena", 9, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
  point("OutPFSet", 10, "int16", { sf: "OutPFSet_SF", unit: "cos()", isWritable: true }),
  point("OutPFSet_WinTms", 11, "uint16", { unit: "Secs", isWritable: true }),
  point("OutPFSet_RvrtTms", 12, "uint16", { unit: "Secs", isWritable: true }),
  point("OutPFSet_RmpTms", 13, "uint16", { unit: "Secs", isWritable: true }),
  point("OutPFSet_Ena", 14, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
  point("VArWMaxPct", 15, "int16", { sf: "VArPct_SF", unit: "% WMax", isWritable: true }),
  point("VArMaxPct", 16, "int16", { sf: "VArPct_SF", unit: "% VArMax", isWritable: true }),
  point("VArAvalPct", 17, "int16", { sf: "VArPct_SF", unit: "% VArAval", isWritable: true }),
  point("VArPct_WinTms", 18, "uint16", { unit: "Secs", isWritable: true }),
  point("VArPct_RvrtTms", 19, "uint16", { unit: "Secs", isWritable: true }),
  point("VArPct_RmpTms", 20, "uint16", { unit: "Secs", isWritable: true }),
  point("VArPct_Mod", 21, "enum16", { isWritable: true, symbols: { 0: "NONE", 1: "WMax", 2: "VArMax", 3: "VArAval" } }),
  point("VArPct_Ena", 22, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
  point("WMaxLimPct_SF", 23, "sunssf"),
  point("OutPFSet_SF", 24, "sunssf"),
  point("VArPct_SF", 25, "sunssf"),
]);
