// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_214.json, Apache-2.0.
import { model } from "../model.ts";
import { model213 } from "./213.ts";

/** delta-connect three phase (abc) meter: the same points as model 213. */
export const model214 = model(214, model213.points);
