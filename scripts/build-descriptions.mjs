// Makes dist/descriptions/: the API's description in each version, of a house and of a sandbox:
// `node --conditions=source scripts/build-descriptions.mjs`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SERVED_VERSIONS } from "../src/api/versions/served-versions.ts";
import { ADAPTERS } from "../src/cli/adapters.ts";
import { configSchema } from "../src/config/config.ts";
import { createGateway } from "../src/gateway.ts";
import { nodePlatform } from "../src/platform/node/node-platform.ts";

const target = join(import.meta.dirname, "../dist/descriptions");
mkdirSync(target, { recursive: true });
for (const kind of ["house", "sandbox"]) {
  const stateFolder = mkdtempSync(join(tmpdir(), "hemgate-descriptions-"));
  const platform = nodePlatform({ stateFolder, logLevel: "error", isPretty: false, fd: 2 });
  const config = configSchema(ADAPTERS).parse({ sandbox: { isEnabled: kind === "sandbox" } });
  const gateway = await createGateway({ platform, config, adapters: ADAPTERS, listen: false });
  for (const { date } of SERVED_VERSIONS) {
    const url = `/openapi.json?version=${date}`;
    const { statusCode, rawPayload } = await gateway.api.inject({ url });
    if (statusCode !== 200) throw new Error(`GET ${url} answered ${statusCode}`);
    writeFileSync(join(target, `${kind}-${date}.json.gz`), gzipSync(rawPayload, { level: 9 }));
  }
  await gateway[Symbol.asyncDispose]();
  rmSync(stateFolder, { recursive: true });
}
process.exit();
