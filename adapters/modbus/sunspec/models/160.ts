// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_160.json, Apache-2.0.
import { group, model, point } from "../model.ts";

/** Multiple MPPT Inverter Extension Model. */
export const model160 = model(
  160,
  [
    point("DCA_SF", 2, "sunssf"),
    point("DCV_SF", 3, "sunssf"),
    point("DCW_SF", 4, "sunssf"),
    point("DCWH_SF", 5, "sunssf"),
    point("Evt", 6, "bitfield32", {
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
    point("N", 8, "count"),
    point("TmsPer", 9, "uint16"),
  ],
  [
    group("module", "N", [
      point("ID", 0, "uint16"),
      point("IDStr", 1, "string", { words: 8 }),
      point("DCA", 9, "uint16", { sf: "DCA_SF", unit: "A" }),
      point("DCV", 10, "uint16", { sf: "DCV_SF", unit: "V" }),
      point("DCW", 11, "uint16", { sf: "DCW_SF", unit: "W" }),
      point("DCWH", 12, "acc32", { sf: "DCWH_SF", unit: "Wh" }),
      point("Tms", 14, "uint32", { unit: "Secs" }),
      point("Tmp", 16, "int16", { unit: "C" }),
      point("DCSt", 17, "enum16", {
        symbols: {
          1: "OFF",
          2: "SLEEPING",
          3: "STARTING",
          4: "MPPT",
          5: "THROTTLED",
          6: "SHUTTING_DOWN",
          7: "FAULT",
          8: "STANDBY",
          9: "TEST",
        },
      }),
      point("DCEvt", 18, "bitfield32", {
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
