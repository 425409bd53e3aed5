import { z } from "zod";
import type { Adapter } from "../../src/sdk/driver.ts";

function neverStarted(): never {
  throw new Error("this adapter exists for its options only");
}

/** Two adapters with options of different shapes; they are never started. */
export const FAKE_ADAPTERS: readonly Adapter[] = [
  {
    name: "modbus",
    options: z.object({
      host: z.string().min(1).meta({ description: "Host name or address." }),
      port: z.int().min(1).max(65_535).default(502),
      unit: z.int().min(0).max(255),
      profile: z.enum(["sunspec", "sdm630", "keba-p30"]),
    }),
    start: neverStarted,
  },
  { name: "p1", options: z.object({ path: z.string() }), start: neverStarted },
];
