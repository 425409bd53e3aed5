/** The link to the cloud service as its owner is shown it. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";

const Count = z.int().min(0);

const STATES = ["NOT_ENROLLED", "ENROLLED", "CONNECTED", "REFUSED", "EXPIRED", "CLONED"] as const;

const Identity = z
  .object({
    gateway: z.string().meta({ description: "Name of this gateway at the cloud service." }),
    service: z.string().nullable().meta({ description: "Address that gave it; null: it stands in the configuration." }),
    fingerprint: z.string().nullable().meta({
      description:
        "SHA-256 of the public key, hex; the service shows the same. Null: there is a password, or it was not read yet.",
    }),
    givenAt: NullableInstant.meta({ description: "Null: it stands in the configuration." }),
    expiresAt: NullableInstant.meta({ description: "Null: it holds until it is revoked." }),
    isRenewing: z.boolean().meta({ description: "True: another key was given, and did not work yet." }),
  })
  .meta({ id: "CloudIdentity" });

const Way = z
  .object({
    uplink: z.string().meta({ description: "`mqtt` or `https`." }),
    servers: z.array(z.string()).meta({ description: "Tried in turn." }),
    isInUse: z.boolean(),
    failedAt: NullableInstant.meta({ description: "Null: it did not fail since it was used last, in this run." }),
    failure: z.string().nullable().meta({
      description: "How the last connection by it ended or did not come about, in English.",
    }),
  })
  .meta({ id: "CloudWay" });

const Stream = z
  .object({
    stream: z.string().meta({ description: "`event`, `state` or `telemetry`." }),
    waiting: Count.meta({
      description: "Numbers that are not acknowledged. Of states most may be superseded by now, and are not sent.",
    }),
    oldestWaitingAt: NullableInstant.meta({
      description: "From when the oldest record is that waits; null: none does, or it is not known now.",
    }),
    recordsPerSecond: z.number().min(0).nullable().meta({
      description: "Numbers acknowledged in the last minutes; null: none.",
    }),
    remainingSeconds: Count.nullable().meta({
      description: "Until what waits of this stream is told, at that rate; null: nobody can tell.",
    }),
    sentThrough: Count.nullable().meta({ description: "The last number sent in this run; null: none." }),
    sentAt: NullableInstant.meta({ description: "When; null: nothing in this run." }),
  })
  .meta({ id: "CloudStream" });

const AnsweredCommand = z
  .object({
    at: Instant,
    id: z.string(),
    outcome: z.string().meta({ description: "`executed`, `expired`, `refused` or `interrupted`." }),
    status: z.int().nullable().meta({ description: "HTTP status that the API answered; null when it was not asked." }),
    detail: z.string().nullable(),
  })
  .meta({ id: "CloudCommand" });

const ConfigurationOutcome = z
  .object({
    at: Instant,
    revision: Count,
    outcome: z.string().meta({ description: "`applied`, `refused` or `rolled-back`." }),
    reason: z.string().nullable().meta({
      description:
        "Why it was rolled back: `not-connected`, `interrupted`, `broken-start`, `local-change` or `invalid`.",
    }),
    errors: z
      .array(
        z
          .object({ path: z.string(), problem: z.string(), expected: z.string().nullable() })
          .meta({ id: "CloudConfigurationError" }),
      )
      .meta({ description: "What is wrong with it, without values." }),
  })
  .meta({ id: "CloudConfigurationOutcome" });

const RemoteConfiguration = z
  .object({
    revision: Count.nullable().meta({
      description: "In use, or back in use after a trial; null: the house's file alone.",
    }),
    sections: z.array(z.string()).meta({ description: "Of the file, that it stands in place of now." }),
    trialRevision: Count.nullable().meta({ description: "Being tried; null: none." }),
    trialSince: NullableInstant,
    last: ConfigurationOutcome.nullable().meta({ description: "What became of the last one; null: there was none." }),
  })
  .meta({ id: "CloudConfiguration" });

const RefusedRecords = z
  .object({
    count: Count.meta({ description: "Records, and messages that could not be read, in this run." }),
    at: Instant.meta({ description: "When the last one was refused." }),
    numbers: z
      .object({ stream: z.string(), from: Count, through: Count })
      .meta({ id: "CloudNumbers" })
      .nullable()
      .meta({ description: "Which records of which stream, both ends included; null: a message that is none." }),
    reason: z.string().meta({ description: "What is wrong with it, in English." }),
  })
  .meta({ id: "CloudRefused" });

export const CloudLinkView = z
  .object({
    state: z.enum(STATES).meta({
      description:
        "`ENROLLED`: not connected now. `REFUSED`: the service does not take this gateway. `EXPIRED`: its credentials ended. `CLONED`: another box speaks in its name.",
    }),
    reason: z.string().nullable().meta({ description: "Why it is not connected, in English; null while it is." }),
    remedy: z.string().nullable().meta({ description: "What the owner can do about it, in English." }),
    identity: Identity.nullable(),
    uplink: z.string().nullable().meta({ description: "How it is connected, `mqtt` or `https`." }),
    ways: z
      .array(Way)
      .meta({ description: "To the cloud service, in the order of preference; one is used at a time." }),
    lastContactAt: NullableInstant.meta({ description: "Last word of the cloud service in this run." }),
    streams: z.array(Stream).meta({ description: "What is gathered for it; empty while nothing is." }),
    oldestWaitingAt: NullableInstant.meta({ description: "From when the oldest record is that waits." }),
    isFull: z.boolean().meta({ description: "True: so many events wait that its commands are refused." }),
    recordsPerSecond: z.number().min(0).nullable().meta({ description: "Acknowledged in the last minutes." }),
    remainingSeconds: Count.nullable().meta({ description: "Until all that waits is told, at that rate." }),
    replays: Count.meta({ description: "Times that something was sent again." }),
    refused: RefusedRecords.nullable().meta({
      description: "What the service does not take, as it breaks the contract; all else goes on. Null: nothing.",
    }),
    commands: z.array(AnsweredCommand).meta({ description: "Its latest commands, newest first, 20 at most." }),
    configuration: RemoteConfiguration.meta({ description: "What it set of the gateway's configuration." }),
    farewells: Count.meta({ description: "Keys that were destroyed, and the service was not told yet." }),
  })
  .meta({ id: "CloudLink" });
export type CloudLinkView = z.infer<typeof CloudLinkView>;
