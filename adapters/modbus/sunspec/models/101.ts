// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_101.json, Apache-2.0.
import { model } from "../model.ts";
import { model103 } from "./103.ts";

/** Inverter (Single Phase): the same points as model 103. */
export const model101 = model(101, model103.points);
