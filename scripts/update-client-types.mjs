// Writes the types of `hemgate/client` from the description that was agreed on:
// `npm ci --ignore-scripts --prefix test/openapi && node --conditions=source scripts/update-client-types.mjs`.
import { writeFileSync } from "node:fs";
import { CLIENT_TYPES_FILE, clientTypes } from "./client-types.ts";

writeFileSync(CLIENT_TYPES_FILE, await clientTypes());
