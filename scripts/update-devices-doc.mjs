// Writes docs/devices.md from profiles, bridges and tests: `node --conditions=source scripts/update-devices-doc.mjs`.
import { writeFileSync } from "node:fs";
import { devicesText } from "./devices-text.ts";

writeFileSync(new URL("../docs/devices.md", import.meta.url), await devicesText());
