// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_709.json, Apache-2.0.
import { group, model, point } from "../model.ts";

/** DER Trip LF. */
export const model709 = model(
  709,
  [
    point("Ena", 2, "enum16", { isWritable: true, symbols: { 0: "DISABLED", 1: "ENABLED" } }),
    point("AdptCrvReq", 3, "uint16", { isWritable: true }),
    point("AdptCrvRslt", 4, "enum16", { symbols: { 0: "IN_PROGRESS", 1: "COMPLETED", 2: "FAILED" } }),
    point("NPt", 5, "uint16"),
    point("NCrvSet", 6, "uint16"),
    point("Hz_SF", 7, "sunssf"),
    point("Tms_SF", 8, "sunssf"),
  ],
  [
    group(
      "Crv",
      "NCrvSet",
      [point("ReadOnly", 0, "enum16", { symbols: { 0: "RW", 1: "R" } })],
      [
        group(
          "MustTrip",
          1,
          [point("ActPt", 0, "uint16", { isWritable: true })],
          [
            group("Pt", "NPt", [
              point("Hz", 0, "uint32", { sf: "Hz_SF", unit: "Hz", isWritable: true }),
              point("Tms", 2, "uint32", { sf: "Tms_SF", unit: "Secs", isWritable: true }),
            ]),
          ],
        ),
        group(
          "MayTrip",
          1,
          [point("ActPt", 0, "uint16", { isWritable: true })],
          [
            group("Pt", "NPt", [
              point("Hz", 0, "uint32", { sf: "Hz_SF", unit: "Hz", isWritable: true }),
              point("Tms", 2, "uint32", { sf: "Tms_SF", unit: "Secs", isWritable: true }),
            ]),
          ],
        ),
        group(
          "MomCess",
          1,
          [point("ActPt", 0, "uint16", { isWritable: true })],
          [
            group("Pt", "NPt", [
              point("Hz", 0, "uint32", { sf: "Hz_SF", unit: "Hz", isWritable: true }),
              point("Tms", 2, "uint32", { sf: "Tms_SF", unit: "Secs", isWritable: true }),
            ]),
          ],
        ),
      ],
    ),
  ],
);
