/** Rows of one part, with what they are about in front. */
import type { Row, Versions } from "./row.ts";

type Say = (statement: string, row: Omit<Row, "part" | "statement">) => Row;

export function says(part: string): Say {
  return (statement, row) => ({ part, statement, ...row });
}

/** Rows whose effects need a house each are asked where versions differ most: the newest and the oldest. */
export const FIRST_AND_LAST: Versions = ["2024-10-01", "2023-04-01"];
export const NEWEST: Versions = ["2024-10-01"];
