// Writes config/gateway.schema.json from the Zod schema: `node --conditions=source scripts/update-config-schema.mjs`.
import { writeFileSync } from "node:fs";
import { ADAPTERS } from "../src/cli/adapters.ts";
import { configJsonSchema } from "../src/config/json-schema.ts";

const file = new URL("../config/gateway.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configJsonSchema(ADAPTERS), null, 2)}\n`);
