/** Opens the link to the cloud service: identity, account and session. */
import type { CloudLink } from "../../engine/contracts/cloud-link.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Files } from "../../platform/ports/files-port.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import { OwnersCloudLink } from "./cloud-link.ts";
import { CloudRunner, type CloudRunnerParts } from "./cloud-runner.ts";
import { type CloudProvision, ConfiguredAccounts } from "./configured-accounts.ts";
import { EnrolledAccounts } from "./enrolled-accounts.ts";
import { EnrolmentService } from "./enrolment-service.ts";
import { Identities } from "./identities.ts";
import { IdentityMaintenance } from "./identity-maintenance.ts";

export interface OpenCloudLinkOptions {
  readonly store: OpenedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Log;
  /** Such as `hemgate/0.1.0`. */
  readonly software: string;
  readonly files: Files;
  /** The account of the configuration; `null` if the configuration has none. */
  readonly provision: CloudProvision | null;
  /** Returns the current state of everything, as journal entries. */
  snapshot(): readonly NewJournalEntry[];
}

/** The open link. Disposing it stops the maintenance of the identity. */
export interface OpenedCloudLink extends AsyncDisposable {
  readonly link: CloudLink;
  /** Starts sessions with the cloud service whenever the gateway has an account. The caller disposes it. */
  run(how: Pick<CloudRunnerParts, "open" | "start">): AsyncDisposable;
}

/**
 * Opens the cloud link. The outbox follows the account: it is opened by an enrolment or a configured account, and
 * deleted when the link is cut or the account is removed from the configuration. A configured account takes precedence
 * over an enrolment, which stays unused.
 */
export async function openCloudLink(options: OpenCloudLinkOptions): Promise<OpenedCloudLink> {
  const { store, log, provision, snapshot } = options;
  const service = new EnrolmentService(options);
  const identities = new Identities({ ...options, service });
  const configured = provision === null ? null : new ConfiguredAccounts({ ...options, provision });
  const accounts = configured ?? new EnrolledAccounts(identities);
  if (configured !== null && identities.current !== null) {
    const { gateway } = identities.current;
    log.warn({ gateway }, "the configuration sets a cloud account; the enrolment is not used");
  }
  const follow = async (): Promise<void> => {
    const isRegistered = accounts.registration !== null;
    const isCollecting = store.outbox.meta !== null;
    if (isRegistered && !isCollecting) await store.outbox.open(snapshot);
    else if (isCollecting && !isRegistered) await store.outbox.close();
  };
  await follow();
  const mutex = new KeyedMutex({ maxWaiting: null });
  const watch = identities.observe(() => {
    mutex.run("outbox", follow).catch((err: unknown) => {
      log.warn({ err }, "cannot open or close the outbox of the cloud service");
    });
  });
  const maintenance = new IdentityMaintenance({ ...options, identities, service, isInUse: configured === null });
  let runner: CloudRunner | null = null;
  return {
    link: new OwnersCloudLink({ ...options, identities, configured, session: () => runner?.session ?? null }),
    run(how) {
      runner = new CloudRunner({ ...options, ...how, accounts, whenCollecting: () => mutex.settled() });
      return runner;
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await maintenance[Symbol.asyncDispose]();
    },
  };
}
