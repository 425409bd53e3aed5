/** Makes the parts of the engine beside the devices, in the order in which they need each other. */
import type { ControllerRegistry } from "./controllers.ts";
import type { EnginePart, PartContext } from "./engine-part.ts";
import type { Services } from "./services/services.ts";

export interface MadeServices {
  readonly services: Services;
  /** What works by itself. */
  readonly parts: readonly EnginePart[];
}

export function createServices(_context: PartContext, controllers: ControllerRegistry): MadeServices {
  return { services: { controllers }, parts: [] };
}
