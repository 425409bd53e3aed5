import type { ApiVersion } from "./version.ts";

/** The newest version: its records are the model itself. */
export const VERSION_2024_10_01: ApiVersion = {
  date: "2024-10-01",
  refusesUserHeader: true,
  down: (_name, record) => record,
};
