// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_712.json, Apache-2.0.
import { group, model, point } from "../model.ts";

/** DER Watt-Var. */
export const model712 = model(
  712,
  [
    point("Ena", 2, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
    point("AdptCrvReq", 3, "uint16", { isWritable: true }),
    point("AdptCrvRslt", 4, "enum16", { symbols: { 0: "IN_PROGRESS", 1: "COMPLETED", 2: "FAILED" } }),
    point("NPt", 5, "uint16"),
    point("NCrv", 6, "uint16"),
    point("RvrtTms", 7, "uint32", { unit: "Secs", isWritable: true }),
    point("RvrtRem", 9, "uint32", { unit: "Secs" }),
    point("RvrtCrv", 11, "uint16", { isWritable: true }),
    point("W_SF", 12, "sunssf"),
    point("DeptRef_SF", 13, "sunssf"),
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
        point("Pri", 2, "enum16", { isWritable: true, symbols: { 0: "ACTIVE", 1: "REACTIVE" } }),
        point("ReadOnly", 3, "enum16", { symbols: { 0: "RW", 1: "R" } }),
      ],
      [
        group("Pt", "NPt", [
          point("W", 0, "int16", { sf: "W_SF", unit: "WMaxPct", isWritable: true }),
          point("Var", 1, "int16", { sf: "DeptRef_SF", unit: "VarPct", isWritable: true }),
        ]),
      ],
    ),
  ],
);
