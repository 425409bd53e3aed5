// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_212.json, Apache-2.0.
import { model } from "../model.ts";
import { model213 } from "./213.ts";

/** split single phase (ABN) meter: the same points as model 213. */
export const model212 = model(212, model213.points);
