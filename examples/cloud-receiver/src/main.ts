/** Runs one copy of the service until it is told to stop. */
import { once } from "node:events";
import { Configuration } from "./configuration.ts";
import { lineLog } from "./log.ts";
import { startService } from "./service.ts";

const log = lineLog((line) => void process.stdout.write(line));
const configuration = Configuration.parse(process.env);
const service = await startService(configuration, log);
log.info({ port: service.port }, "ready");
await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
await service[Symbol.asyncDispose]();
