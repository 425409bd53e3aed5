// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_705.json, Apache-2.0.
import { group, model, point } from "../model.ts";

/** DER Volt-Var. */
export const model705 = model(
  705,
  [
    point("Ena", 2, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
    point("AdptCrvReq", 3, "uint16", { isWritable: true }),
    point("AdptCrvRslt", 4, "enum16", { symbols: { 0: "IN_PROGRESS", 1: "COMPLETED", 2: "FAILED" } }),
    point("NPt", 5, "uint16"),
    point("NCrv", 6, "uint16"),
    point("RvrtTms", 7, "uint32", { unit: "Secs", isWritable: true }),
    point("RvrtRem", 9, "uint32", { unit: "Secs" }),
    point("RvrtCrv", 11, "uint16", { isWritable: true }),
    point("V_SF", 12, "sunssf"),
    point("DeptRef_SF", 13, "sunssf"),
    point("RspTms_SF", 14, "sunssf"),
  ],
  [
    group(
      "Crv",
      "NCrv",
      [
        point("ActPt", 0, "uint16", { isWritable: true }),
        point("DeptRef", 1, "enum16", {
          isWritable: true,
          symbols: { 0: "W_MAX_PCT", 1: "VAR_MAX_PCT", 2: "VAR_AVAL_PCT", 3: "VA_MAX_PCT" },
        }),
        point("Pri", 2, "enum16", { isWritable: true, symbols: { 0: "ACTIVE", 1: "REACTIVE", 2: "VENDOR" } }),
        point("VRef", 3, "uint16", { sf: "V_SF", unit: "VNomPct", isWritable: true }),
        point("VRefAuto", 4, "uint16", { sf: "V_SF", unit: "VNomPct" }),
        point("VRefAutoEna", 5, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
        point("VRefAutoTms", 6, "uint16", { unit: "Secs", isWritable: true }),
        point("RspTms", 7, "uint32", { sf: "RspTms_SF", unit: "Secs", isWritable: true }),
        point("ReadOnly", 9, "enum16", { symbols: { 0: "RW", 1: "R" } }),
      ],
      [
        group("Pt", "NPt", [
          point("V", 0, "uint16", { sf: "V_SF", unit: "VNomPct", isWritable: true }),
          point("Var", 1, "int16", { sf: "DeptRef_SF", unit: "DeptRef", isWritable: true }),
        ]),
      ],
    ),
  ],
);
