import { once } from "node:events";
import { configSchema, createGateway } from "hemgate";
import { ADAPTERS } from "hemgate/adapters";
import { nodePlatform } from "hemgate/node";

const [stateFolder = "./state", port = "8080"] = process.argv.slice(2);
const platform = nodePlatform({ stateFolder, logLevel: "warn", isPretty: process.stderr.isTTY, fd: 2 });
const config = configSchema(ADAPTERS).parse({ http: { host: "127.0.0.1", port: Number(port) }, devices: [] });
await using gateway = await createGateway({ platform, config, adapters: ADAPTERS });
console.log(`The API is at ${gateway.address}, with ${gateway.engine.devices().length} devices; Ctrl-C stops it.`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
