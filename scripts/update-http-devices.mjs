// Writes docs/http-devices.md from the profiles: `node --conditions=source scripts/update-http-devices.mjs`.
import { writeFileSync } from "node:fs";
import { httpDevicesText } from "./http-devices-text.ts";

writeFileSync(new URL("../docs/http-devices.md", import.meta.url), httpDevicesText());
