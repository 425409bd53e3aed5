// Apart from the other rows, so that all files run at once.
import { checkRows } from "./check-rows.ts";
import { INTERFACE_ROWS, isOfEndpoints } from "./table.ts";

checkRows(INTERFACE_ROWS.filter(isOfEndpoints));
