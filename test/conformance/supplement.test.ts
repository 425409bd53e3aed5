// Beside the interface's rows, so that both run at once.
import { checkRows } from "./check-rows.ts";
import { SUPPLEMENT_ROWS } from "./supplement-table.ts";

checkRows(SUPPLEMENT_ROWS);
