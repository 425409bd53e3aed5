/** What the engine offers beside devices and actions; each part adds its own. */
import type { Controllers, SmartOverrides } from "./control.ts";

export interface Services {
  readonly controllers: Controllers;
  readonly smartOverrides: SmartOverrides;
}
