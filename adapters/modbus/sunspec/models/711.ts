// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_711.json, Apache-2.0.
import { group, model, point } from "../model.ts";

/** DER Frequency Droop. */
export const model711 = model(
  711,
  [
    point("Ena", 2, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
    point("AdptCtlReq", 3, "uint16", { isWritable: true }),
    point("AdptCtlRslt", 4, "enum16", { symbols: { 0: "IN_PROGRESS", 1: "COMPLETED", 2: "FAILED" } }),
    point("NCtl", 5, "uint16"),
    point("RvrtTms", 6, "uint32", { unit: "Secs", isWritable: true }),
    point("RvrtRem", 8, "uint32", { unit: "Secs" }),
    point("RvrtCtl", 10, "uint16", { isWritable: true }),
    point("Db_SF", 11, "sunssf"),
    point("K_SF", 12, "sunssf"),
    point("RspTms_SF", 13, "sunssf"),
  ],
  [
    group("Ctl", "NCtl", [
      point("DbOf", 0, "uint32", { sf: "Db_SF", unit: "Hz", isWritable: true }),
      point("DbUf", 2, "uint32", { sf: "Db_SF", unit: "Hz", isWritable: true }),
      point("KOf", 4, "uint16", { sf: "K_SF", isWritable: true }),
      point("KUf", 5, "uint16", { sf: "K_SF", isWritable: true }),
      point("RspTms", 6, "uint32", { sf: "RspTms_SF", unit: "Secs", isWritable: true }),
      point("PMin", 8, "int16", { unit: "Pct", isWritable: true }),
      point("ReadOnly", 9, "enum16", { symbols: { 0: "RW", 1: "R" } }),
    ]),
  ],
);
