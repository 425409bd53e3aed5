// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_202.json, Apache-2.0.
import { model } from "../model.ts";
import { model203 } from "./203.ts";

/** split single phase (ABN) meter: the same points as model 203. */
export const model202 = model(202, model203.points);
