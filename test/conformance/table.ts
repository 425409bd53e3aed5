/** All rows, in the order of the parts. */

import { AUTHENTICATION_ROWS } from "./parts/authentication.ts";
import { BATTERY_ROWS } from "./parts/batteries.ts";
import { CHARGER_ROWS } from "./parts/chargers.ts";
import { ERROR_ROWS } from "./parts/errors.ts";
import { HVAC_ROWS } from "./parts/hvacs.ts";
import { LIMIT_ROWS } from "./parts/limits.ts";
import { VERSION_ROWS } from "./parts/versions.ts";
import type { Row } from "./row.ts";

export const ROWS: readonly Row[] = [
  ...BATTERY_ROWS,
  ...HVAC_ROWS,
  ...CHARGER_ROWS,
  ...AUTHENTICATION_ROWS,
  ...ERROR_ROWS,
  ...LIMIT_ROWS,
  ...VERSION_ROWS,
];
