// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_211.json, Apache-2.0.
import { model } from "../model.ts";
import { model213 } from "./213.ts";

/** single phase (AN or AB) meter: the same points as model 213. */
export const model211 = model(211, model213.points);
