// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_102.json, Apache-2.0.
import { model } from "../model.ts";
import { model103 } from "./103.ts";

/** Inverter (Split-Phase): the same points as model 103. */
export const model102 = model(102, model103.points);
