/** All that speaks with the cloud service. */
import { Downlink, type DownlinkParts } from "./downlink.ts";
import type { SyncProgress } from "./progress.ts";
import { RemoteConfiguration } from "./remote-settings.ts";
import { CloudSession, type SessionParts } from "./session.ts";

export interface CloudOptions
  extends Omit<SessionParts, "command" | "configure" | "backlogPercent" | "store">,
    Pick<DownlinkParts, "api"> {
  readonly store: SessionParts["store"] & DownlinkParts["store"];
}

/** Disposing it ends the connection and the commands that did not run yet. */
export interface Cloud extends AsyncDisposable {
  /** True after both sides agreed where they stand. */
  readonly isConnected: boolean;
  /** How far the cloud service has been told. Rejects with a `StorageError`. */
  progress(): Promise<SyncProgress>;
}

export function createCloud({ api, ...options }: CloudOptions): Cloud {
  const configuration = new RemoteConfiguration(options);
  const downlink = new Downlink({ ...options, api, isFull: () => session.isFull });
  const session: CloudSession = new CloudSession({
    ...options,
    command: (command) => downlink.take(command),
    configure: (message) => void configuration.take(message),
    backlogPercent: () => configuration.settings.backlogPercent ?? null,
  });
  session.start();
  return {
    get isConnected() {
      return session.isConnected;
    },
    progress: () => session.progress(),
    async [Symbol.asyncDispose]() {
      await Promise.all([session[Symbol.asyncDispose](), downlink[Symbol.asyncDispose]()]);
    },
  };
}
