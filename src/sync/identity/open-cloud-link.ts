/** The gateway's identity at a cloud service, kept and shown while the gateway runs. */
import type { CloudLink } from "../../engine/services/cloud-link.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import { OwnersCloudLink } from "./cloud-link.ts";
import { CloudRunner, type CloudRunnerParts } from "./cloud-runner.ts";
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
  /** Whether something is gathered without an identity, too. */
  readonly isConfigured: boolean;
  /** How everything is now, as entries of the journal. */
  snapshot(): readonly NewJournalEntry[];
}

export interface OpenedCloudLink extends AsyncDisposable {
  readonly link: CloudLink;
  /** Talks to the cloud service from now on, whenever the gateway has a name there. The caller disposes it. */
  run(how: Pick<CloudRunnerParts, "open" | "start">): AsyncDisposable;
}

/** What is gathered follows the identity: it begins with an enrolment and is forgotten when the link is cut. */
export async function openCloudLink(options: OpenCloudLinkOptions): Promise<OpenedCloudLink> {
  const { store, log, isConfigured, snapshot } = options;
  const service = new EnrolmentService(options);
  const identities = new Identities({ ...options, service });
  const follow = async (): Promise<void> => {
    const isWanted = isConfigured || identities.current !== null;
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
  const care = new IdentityCare({ ...options, identities, service });
  let runner: CloudRunner | null = null;
  return {
    link: new OwnersCloudLink({ ...options, identities, session: () => runner?.session ?? null }),
    run(how) {
      const accounts = new EnrolledAccounts(identities);
      runner = new CloudRunner({ ...options, ...how, accounts, gathered: () => following });
      return runner;
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await care[Symbol.asyncDispose]();
    },
  };
}
