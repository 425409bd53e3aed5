// Writes the indexes of what is loaded when a device uses it: `node --conditions=source scripts/update-summaries.mjs`.
import { writeFileSync } from "node:fs";
import { INDEXES } from "./summaries-text.ts";

for (const { path, text } of INDEXES) writeFileSync(new URL(path, new URL("../", import.meta.url)), await text());
