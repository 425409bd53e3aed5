import type { Platform } from "../ports.ts";
import { clockQuality } from "./clock-quality.ts";
import { nodeClock } from "./node-clock.ts";
import { nodeDisk } from "./node-disk.ts";
import { nodeHttp } from "./node-http.ts";
import { type NodeLogOptions, nodeLog } from "./node-log.ts";
import { nodeNet } from "./node-net.ts";
import { nodeRandom } from "./node-random.ts";

export interface NodePlatformOptions {
  /** Where the databases are kept; made when it is missing. */
  readonly stateFolder: string;
  readonly logLevel: NodeLogOptions["level"];
  /** Whether people read the log as it is written. */
  readonly isPretty: boolean;
  /** File descriptor of the log; default 1, standard output. */
  readonly fd?: number;
}

/** The machine: its clock, chance, network, disk and log. Opens nothing until it is asked to. */
export function nodePlatform({ stateFolder, logLevel, ...more }: NodePlatformOptions): Platform {
  const log = nodeLog({ level: logLevel, ...more });
  return {
    clock: nodeClock(clockQuality()),
    random: nodeRandom,
    net: nodeNet(log),
    http: nodeHttp(),
    disk: nodeDisk({ stateFolder }),
    log,
    async openBroker(settings, access) {
      // Loaded on demand: aedes costs memory and start time, and most homes run without MQTT.
      const { openAedesBroker } = await import("../../broker/aedes.ts");
      return await openAedesBroker(settings, access, log);
    },
  };
}
