/** All that speaks with the cloud service. */
import type { CloudCounts, CloudProgress } from "../../engine/contracts/cloud-link.ts";
import type { Random } from "../../platform/ports/ports.ts";
import { Downlink, type DownlinkParts } from "./downlink.ts";
import { type ConfigurationTaker, fixedLayer, RemoteConfiguration } from "./remote-configuration.ts";
import { CloudSession, type SessionParts } from "./session.ts";
import { TelemetryStream, type TelemetryStreamParts } from "./telemetry-stream.ts";

export interface CloudOptions
  extends Omit<
      SessionParts,
      "command" | "configure" | "met" | "standing" | "backlogPercent" | "sources" | "store" | "random"
    >,
    Pick<DownlinkParts, "api">,
    Pick<TelemetryStreamParts, "devices"> {
  readonly store: SessionParts["store"] & DownlinkParts["store"] & TelemetryStreamParts["store"];
  readonly random: Pick<Random, "next" | "secretBytes">;
  /** Bytes of telemetry that may wait, by estimate; with more, the oldest is thinned, then left out. */
  readonly maxTelemetryBytes?: number;
  /** What takes the cloud service's configuration. Absent: how the gateway tells is set, and nothing else. */
  readonly configuration?: ConfigurationTaker;
}

/** Disposing it ends the connection and the commands that did not run yet. */
export interface Cloud extends AsyncDisposable {
  /** True after both sides agreed where they stand. */
  readonly isConnected: boolean;
  /** What was counted since it was made. */
  readonly counts: CloudCounts;
  /** How far the cloud service has been told. */
  progress(): Promise<CloudProgress>;
}

/** A month of 20 devices, about. */
const MAX_TELEMETRY_BYTES = 512 * 1024 * 1024;

export function createCloud({ api, maxTelemetryBytes = MAX_TELEMETRY_BYTES, ...options }: CloudOptions): Cloud {
  const configuration = options.configuration ?? settingsAlone(options);
  const downlink = new Downlink({ ...options, api, isFull: () => session.isFull });
  const mode = () => configuration.settings.telemetry;
  const telemetry = new TelemetryStream({ ...options, maxBytes: maxTelemetryBytes, mode });
  const session: CloudSession = new CloudSession({
    ...options,
    command: (command) => downlink.take(command),
    configure: (message) => void configuration.take(message),
    met: () => configuration.met(),
    standing: () => configuration.standing,
    sources: [telemetry],
    backlogPercent: () => configuration.settings.backlogPercent ?? null,
  });
  session.start();
  return {
    get isConnected() {
      return session.isConnected;
    },
    get counts() {
      return session.counts;
    },
    progress: () => session.progress(),
    async [Symbol.asyncDispose]() {
      await Promise.all([session[Symbol.asyncDispose](), downlink[Symbol.asyncDispose]()]);
    },
  };
}

/** For a gateway whose parts nobody starts anew. */
function settingsAlone(options: Pick<CloudOptions, "store" | "clock" | "random" | "log">): ConfigurationTaker {
  const unused = { trialMs: 0, begun: null, restart: () => undefined };
  return new RemoteConfiguration({ ...options, ...unused, layer: fixedLayer({}) });
}
