// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_708.json, Apache-2.0.
import { model } from "../model.ts";
import { model707 } from "./707.ts";

/** DER Trip HV: the same points as model 707. */
export const model708 = model(708, model707.points, model707.groups);
