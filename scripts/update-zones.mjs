// Writes the picture of the zones in docs/architecture.md: `node --conditions=source scripts/update-zones.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { withZones } from "./zones-text.ts";

const page = new URL("../docs/architecture.md", import.meta.url);
writeFileSync(page, withZones(readFileSync(page, "utf8")));
