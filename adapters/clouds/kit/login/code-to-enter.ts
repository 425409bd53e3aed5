import { z } from "hemgate/sdk";

/** Longer than people read off a page and type. */
const MAX_CODE = 64;

/** A code that people enter at the vendor: one line that they can see. */
export const CodeToEnter = z
  .string()
  .max(MAX_CODE)
  .regex(/^\P{C}+$/u);
