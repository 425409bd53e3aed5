// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_204.json, Apache-2.0.
import { model } from "../model.ts";
import { model203 } from "./203.ts";

/** delta-connect three phase (abc) meter: the same points as model 203. */
export const model204 = model(204, model203.points);
