import { type ModelDefinition, modelsOf } from "./model.ts";
import { MODEL_TABLE } from "./models/model-table.ts";

/** Every model that can be read by name. A model that is not here is walked over. */
export const MODEL_DEFINITIONS: ReadonlyMap<number, ModelDefinition> = new Map(
  modelsOf(MODEL_TABLE).map((definition) => [definition.id, definition]),
);
