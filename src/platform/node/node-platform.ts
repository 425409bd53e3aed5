import type { Platform } from "../ports/ports.ts";
import { clockQuality } from "./clock-quality.ts";
import { nodeBackupFiles } from "./files/node-backup-files.ts";
import { nodeDisk } from "./files/node-disk.ts";
import { builtDescriptions, nodePageFiles } from "./files/node-page-files.ts";
import { readTextFile } from "./files/text-file.ts";
import { nodeHttp } from "./http/node-http.ts";
import { nodeHttpStreams } from "./http/node-http-streams.ts";
import { nodeWebSockets } from "./http/node-websocket.ts";
import { LogRing } from "./log-ring.ts";
import { nodeMqtt } from "./mqtt/node-mqtt.ts";
import { nodeMqtt5 } from "./mqtt/node-mqtt5.ts";
import { nodeClock } from "./node-clock.ts";
import { nodeCron } from "./node-cron.ts";
import { type NodeLogOptions, nodeLog } from "./node-log.ts";
import { nodeMailer } from "./node-mail.ts";
import { nodeMdns } from "./node-mdns.ts";
import { nodeNet } from "./node-net.ts";
import { nodeOptimizer } from "./node-optimizer.ts";
import { nodeRandom } from "./node-random.ts";
import { nodeSerial } from "./node-serial.ts";
import { nodeUdp } from "./node-udp.ts";
import { packageFacts } from "./package-root.ts";
import { updateRequestsOf } from "./updates/node-update-requests.ts";

export interface NodePlatformOptions {
  /** Where the databases are kept; made when it is missing. */
  readonly stateFolder: string;
  /** Path of the configuration, which goes into backups. Absent: it is not a file. */
  readonly configFile?: string | undefined;
  readonly logLevel: NodeLogOptions["level"];
  /** Whether people read the log as it is written. */
  readonly isPretty: boolean;
  /** File descriptor of the log; default 1, standard output. */
  readonly fd?: number;
}

/** The machine: its clock, chance, network, disk and log. Opens nothing until it is asked to. */
export function nodePlatform({ stateFolder, configFile, logLevel, ...more }: NodePlatformOptions): Platform {
  const clock = nodeClock(clockQuality());
  const recentLog = new LogRing(clock, logLevel);
  const log = recentLog.around(nodeLog({ level: logLevel, ...more }));
  return {
    clock,
    cron: nodeCron(clock),
    random: nodeRandom,
    net: nodeNet(log),
    serial: nodeSerial,
    udp: nodeUdp,
    mdns: nodeMdns(log),
    http: nodeHttp(),
    httpStreams: nodeHttpStreams(),
    webSockets: nodeWebSockets({ clock }),
    mqtt: nodeMqtt({ clock, random: nodeRandom, log }),
    mqtt5: nodeMqtt5({ clock }),
    disk: nodeDisk({ stateFolder }),
    files: { read: readTextFile },
    backups: nodeBackupFiles({ stateFolder, configFile }),
    updates: updateRequestsOf(packageFacts().root, stateFolder),
    mailer: nodeMailer,
    optimizer: nodeOptimizer({ clock }),
    page: nodePageFiles,
    descriptions: builtDescriptions(),
    recentLog,
    log,
    async openBroker(settings, access, retained) {
      // Loaded on demand: aedes costs memory and start time, and most homes run without MQTT.
      const { openAedesBroker } = await import("../../broker/embedded/open-broker.ts");
      return await openAedesBroker(settings, { clock, log, access, retained });
    },
  };
}
