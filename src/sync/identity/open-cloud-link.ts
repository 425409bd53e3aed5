/** The gateway's identity at a cloud service, kept and shown while the gateway runs. */
import type { CloudLink } from "../../engine/services/cloud-link.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import { type CloudLinkParts, OwnersCloudLink } from "./cloud-link.ts";
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
  /** Null while there is no session. */
  readonly session: CloudLinkParts["session"];
  /** Whether something is gathered without an identity, too. */
  readonly isConfigured: boolean;
  /** How everything is now, as entries of the journal. */
  snapshot(): readonly NewJournalEntry[];
}

export interface OpenedCloudLink extends AsyncDisposable {
  readonly identities: Identities;
  readonly link: CloudLink;
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
  const watch = identities.observe(() => {
    follow().catch((err: unknown) => log.warn({ err }, "what the cloud service is told could not be begun or ended"));
  });
  const care = new IdentityCare({ ...options, identities, service });
  return {
    identities,
    link: new OwnersCloudLink({ ...options, identities }),
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await care[Symbol.asyncDispose]();
    },
  };
}
