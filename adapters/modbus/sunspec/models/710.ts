// Facts (offsets, types, units, symbols) from the SunSpec Alliance's sunspec/models, json/model_710.json, Apache-2.0.
import { model } from "../model.ts";
import { model709 } from "./709.ts";

/** DER Trip HF: the same points as model 709. */
export const model710 = model(710, model709.points, model709.groups);
