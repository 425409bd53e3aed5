/** Creates everything that communicates with the cloud service. */
import type { CloudCounts, CloudProgress } from "../../engine/contracts/cloud-link.ts";
import type { Random } from "../../platform/ports/ports.ts";
import { CloudCommands, type CloudCommandsParts } from "./cloud-commands.ts";
import { type ConfigurationReceiver, fixedLayer, RemoteConfiguration } from "./remote-configuration.ts";
import { CloudSession, type SessionParts } from "./session.ts";
import { TelemetryStream, type TelemetryStreamParts } from "./telemetry-stream.ts";

export interface CloudOptions
  extends Omit<
      SessionParts,
      "command" | "configure" | "agreed" | "configurationStatus" | "backlogPercent" | "sources" | "store" | "random"
    >,
    Pick<CloudCommandsParts, "api">,
    Pick<TelemetryStreamParts, "devices"> {
  readonly store: SessionParts["store"] & CloudCommandsParts["store"] & TelemetryStreamParts["store"];
  readonly random: Pick<Random, "next" | "secretBytes">;
  /**
   * Bytes of telemetry that may wait, estimated. Beyond it the oldest quarter-hours are sent as means, then not at all.
   */
  readonly maxTelemetryBytes?: number;
  /** Applies the remote configuration. Absent: only the settings of the sync are applied. */
  readonly configuration?: ConfigurationReceiver;
}

/**
 * The running communication with a cloud service. Disposing it ends the connection and cancels commands that did not
 * run yet.
 */
export interface Cloud extends AsyncDisposable {
  /** True after the handshake. */
  readonly isConnected: boolean;
  /** Counters since the creation. */
  readonly counts: CloudCounts;
  /** Returns how much was sent and acknowledged, per stream. */
  progress(): Promise<CloudProgress>;
}

/** About a month of 20 devices. */
const MAX_TELEMETRY_BYTES = 512 * 1024 * 1024;

/** Starts to communicate with a cloud service. The caller disposes the result. */
export function createCloud({ api, maxTelemetryBytes = MAX_TELEMETRY_BYTES, ...options }: CloudOptions): Cloud {
  const configuration = options.configuration ?? settingsOnly(options);
  const commands = new CloudCommands({ ...options, api, isFull: () => session.isFull });
  const mode = () => configuration.settings.telemetry;
  const telemetry = new TelemetryStream({ ...options, maxBytes: maxTelemetryBytes, mode });
  const session: CloudSession = new CloudSession({
    ...options,
    command: (command) => commands.receive(command),
    configure: (message) => void configuration.receive(message),
    agreed: () => configuration.agreed(),
    configurationStatus: () => configuration.status,
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
      await Promise.all([session[Symbol.asyncDispose](), commands[Symbol.asyncDispose]()]);
    },
  };
}

/**
 * Returns a receiver for a gateway that cannot be restarted: it applies the settings of the sync and refuses sections.
 */
function settingsOnly(options: Pick<CloudOptions, "store" | "clock" | "random" | "log">): ConfigurationReceiver {
  const unused = { trialMs: 0, begun: null, restart: () => undefined };
  return new RemoteConfiguration({ ...options, ...unused, layer: fixedLayer({}) });
}
