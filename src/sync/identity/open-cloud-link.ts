/** The gateway's identity at a cloud service, kept and shown while the gateway runs. */
import type { CloudLink } from "../../engine/contracts/cloud-link.ts";
import type { Files } from "../../platform/ports/files-port.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import { OwnersCloudLink } from "./cloud-link.ts";
import { CloudRunner, type CloudRunnerParts } from "./cloud-runner.ts";
import { type CloudProvision, ConfiguredAccounts } from "./configured-accounts.ts";
import { EnrolledAccounts } from "./enrolled-accounts.ts";
import { EnrolmentService } from "./enrolment-service.ts";
import { Identities } from "./identities.ts";
import { IdentityCare } from "./identity-care.ts";

export interface OpenCloudLinkOptions {
  readonly store: OpenedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Log;
  /** Such as `hemgate/0.1.0`. */
  readonly software: string;
  readonly files: Files;
  /** What the configuration says instead of an enrolment; null: it says nothing. */
  readonly provision: CloudProvision | null;
  /** How everything is now, as entries of the journal. */
  snapshot(): readonly NewJournalEntry[];
}

export interface OpenedCloudLink extends AsyncDisposable {
  readonly link: CloudLink;
  /** Talks to the cloud service from now on, whenever the gateway has a name there. The caller disposes it. */
  run(how: Pick<CloudRunnerParts, "open" | "start">): AsyncDisposable;
}

/**
 * What is gathered follows who the gateway is: it begins with an enrolment, or with a configuration that says it, and is
 * forgotten when the link is cut or the configuration says it no more. An enrolment rests beside such a configuration.
 */
export async function openCloudLink(options: OpenCloudLinkOptions): Promise<OpenedCloudLink> {
  const { store, log, provision, snapshot } = options;
  const service = new EnrolmentService(options);
  const identities = new Identities({ ...options, service });
  const configured = provision === null ? null : new ConfiguredAccounts({ ...options, provision });
  const accounts = configured ?? new EnrolledAccounts(identities);
  if (configured !== null && identities.current !== null) {
    const { gateway } = identities.current;
    log.warn({ gateway }, "the configuration says which cloud service there is; the enrolment is not used");
  }
  const follow = async (): Promise<void> => {
    const isWanted = accounts.place !== null;
    const isGathered = store.outbox.meta !== null;
    if (isWanted && !isGathered) await store.outbox.open(snapshot);
    else if (isGathered && !isWanted) await store.outbox.close();
  };
  await follow();
  let following = Promise.resolve();
  const watch = identities.observe(() => {
    following = following.then(follow).catch((err: unknown) => {
      log.warn({ err }, "what the cloud service is told could not be begun or ended");
    });
  });
  const care = new IdentityCare({ ...options, identities, service, isInUse: configured === null });
  let runner: CloudRunner | null = null;
  return {
    link: new OwnersCloudLink({ ...options, identities, configured, session: () => runner?.session ?? null }),
    run(how) {
      runner = new CloudRunner({ ...options, ...how, accounts, gathered: () => following });
      return runner;
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await care[Symbol.asyncDispose]();
    },
  };
}
