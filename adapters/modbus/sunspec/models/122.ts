// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_122.json, Apache-2.0.
import { model, point } from "../model.ts";

/** Measurements_Status. */
export const model122 = model(122, [
  point("PVConn", 2, "bitfield16", { symbols: { 0: "CONNECTED", 1: "AVAILABLE", 2: "OPERATING", 3: "TEST" } }),
  point("StorConn", 3, "bitfield16", { symbols: { 0: "CONNECTED", 1: "AVAILABLE", 2: "OPERATING", 3: "TEST" } }),
  point("ECPConn", 4, "bitfield16", { symbols: { 0: "DISCONNECTED", 1: "CONNECTED" } }),
  point("ActWh", 5, "acc64", { unit: "Wh" }),
  point("ActVAh", 9, "acc64", { unit: "VAh" }),
  point("ActVArhQ1", 13, "acc64", { unit: "varh" }),
  point("ActVArhQ2", 17, "acc64", { unit: "varh" }),
  point("ActVArhQ3", 21, "acc64", { unit: "varh" }),
  point("ActVArhQ4", 25, "acc64", { unit: "varh" }),
  point("VArAval", 29, "int16", { sf: "VArAval_SF", unit: "var" }),
  point("VArAval_SF", 30, "sunssf"),
  point("WAval", 31, "uint16", { sf: "WAval_SF", unit: "var" }),
  point("WAval_SF", 32, "sunssf"),
  point("StSetLimMsk", 33, "bitfield32", {
    symbols: {
      0: "WMax",
      1: "VAMax",
      2: "VArAval",
      3: "VArMaxQ1",
      4: "VArMaxQ2",
      5: "VArMaxQ3",
      6: "VArMaxQ4",
      7: "PFMinQ1",
      8: "PFMinQ2",
      9: "PFMinQ3",
      10: "PFMinQ4",
    },
  }),
  point("StActCtl", 35, "bitfield32", {
    symbols: {
      0: "FixedW",
      1: "FixedVAR",
      2: "FixedPF",
      3: "Volt-VAr",
      4: "Freq-Watt-Param",
      5: "Freq-Watt-Curve",
      6: "Dyn-Reactive-Current",
      7: "LVRT",
      8: "HVRT",
      9: "Watt-PF",
      10: "Volt-Watt",
      12: "Scheduled",
      13: "LFRT",
      14: "HFRT",
    },
  }),
  point("TmSrc", 37, "string", { words: 4 }),
  point("Tms", 41, "uint32", { unit: "Secs" }),
  point("RtSt", 43, "bitfield16", {
    symbols: { 0: "LVRT_ACTIVE", 1: "HVRT_ACTIVE", 2: "LFRT_ACTIVE", 3: "HFRT_ACTIVE" },
  }),
  point("Ris", 44, "uint16", { sf: "Ris_SF", unit: "ohms" }),
  point("Ris_SF", 45, "sunssf"),
]);
