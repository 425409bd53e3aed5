// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_1.json, Apache-2.0.
import { model, point } from "../model.ts";

/** Common. */
export const model1 = model(1, [
  point("Mn", 2, "string", { words: 16 }),
  point("Md", 18, "string", { words: 16 }),
  point("Opt", 34, "string", { words: 8 }),
  point("Vr", 42, "string", { words: 8 }),
  point("SN", 50, "string", { words: 16 }),
  point("DA", 66, "uint16", { isWritable: true }),
  point("Pad", 67, "pad"),
]);
