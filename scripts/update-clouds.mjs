// Writes docs/clouds.md from the connectors: `node --conditions=source scripts/update-clouds.mjs`.
import { writeFileSync } from "node:fs";
import { cloudsText } from "./clouds-text.ts";

writeFileSync(new URL("../docs/clouds.md", import.meta.url), await cloudsText());
