// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_112.json, Apache-2.0.
import { model } from "../model.ts";
import { model113 } from "./113.ts";

/** Inverter (Split Phase) FLOAT: the same points as model 113. */
export const model112 = model(112, model113.points);
