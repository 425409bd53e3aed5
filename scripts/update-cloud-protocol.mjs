// Writes the contract's documents from the Zod schemas: `node --conditions=source scripts/update-cloud-protocol.mjs`.
import { writeFileSync } from "node:fs";
import { cloudProtocolAsyncApi, cloudProtocolSchema } from "./cloud-protocol-documents.ts";

const write = (name, document) =>
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
write("cloud-protocol.schema.json", cloudProtocolSchema());
write("cloud-protocol.asyncapi.json", cloudProtocolAsyncApi());
