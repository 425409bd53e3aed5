/** What the engine offers beside devices and actions; each part adds its own. */
import type { Controllers } from "./control.ts";

export interface Services {
  readonly controllers: Controllers;
}
