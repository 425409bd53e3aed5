/** What the engine offers beside devices and actions; each part adds its own. */
import type { Controllers, SmartOverrides } from "./control.ts";
import type { Locations } from "./places.ts";
import type { Authorizations } from "./authorizations.ts";
import type { Fleet } from "./fleet.ts";
import type { Users } from "./users.ts";

export interface Services {
  readonly authorizations: Authorizations;
  readonly fleet: Fleet;
  readonly users: Users;
  readonly controllers: Controllers;
  readonly smartOverrides: SmartOverrides;
  readonly locations: Locations;
}
