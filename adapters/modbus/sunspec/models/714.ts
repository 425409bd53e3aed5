// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_714.json, Apache-2.0.
import { group, model, point } from "../model.ts";

/** DER DC Measurement. */
export const model714 = model(
  714,
  [
    point("PrtAlrms", 2, "bitfield32"),
    point("NPrt", 4, "uint16"),
    point("DCA", 5, "int16", { sf: "DCA_SF", unit: "A" }),
    point("DCW", 6, "int16", { sf: "DCW_SF", unit: "W" }),
    point("DCWhInj", 7, "uint64", { sf: "DCWH_SF", unit: "Wh" }),
    point("DCWhAbs", 11, "uint64", { sf: "DCWH_SF", unit: "Wh" }),
    point("DCA_SF", 15, "sunssf"),
    point("DCV_SF", 16, "sunssf"),
    point("DCW_SF", 17, "sunssf"),
    point("DCWH_SF", 18, "sunssf"),
    point("Tmp_SF", 19, "sunssf"),
  ],
  [
    group("Prt", "NPrt", [
      point("PrtTyp", 0, "enum16", {
        symbols: { 0: "PV", 1: "ESS", 2: "EV", 3: "INJ", 4: "ABS", 5: "BIDIR", 6: "DC_DC" },
      }),
      point("ID", 1, "uint16"),
      point("IDStr", 2, "string", { words: 8 }),
      point("DCA", 10, "int16", { sf: "DCA_SF", unit: "A" }),
      point("DCV", 11, "uint16", { sf: "DCV_SF", unit: "V" }),
      point("DCW", 12, "int16", { sf: "DCW_SF", unit: "W" }),
      point("DCWhInj", 13, "uint64", { sf: "DCWH_SF", unit: "Wh" }),
      point("DCWhAbs", 17, "uint64", { sf: "DCWH_SF", unit: "Wh" }),
      point("Tmp", 21, "int16", { sf: "Tmp_SF", unit: "C" }),
      point("DCSta", 22, "enum16", { symbols: { 0: "OFF", 1: "ON", 2: "WARNING", 3: "ERROR" } }),
      point("DCAlrm", 23, "bitfield32", {
        symbols: {
          0: "GROUND_FAULT",
          1: "INPUT_OVER_VOLTAGE",
          3: "DC_DISCONNECT",
          5: "CABINET_OPEN",
          6: "MANUAL_SHUTDOWN",
          7: "OVER_TEMP",
          12: "BLOWN_FUSE",
          13: "UNDER_TEMP",
          14: "MEMORY_LOSS",
          15: "ARC_DETECTION",
          20: "TEST_FAILED",
          21: "INPUT_UNDER_VOLTAGE",
          22: "INPUT_OVER_CURRENT",
        },
      }),
    ]),
  ],
);
