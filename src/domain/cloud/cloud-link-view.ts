/** The state of the link to the cloud service, as the API shows it. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";

const Count = z.int().min(0);

const STATES = ["NOT_ENROLLED", "ENROLLED", "CONNECTED", "REFUSED", "EXPIRED", "CLONED"] as const;

const Identity = z
  .object({
    gateway: z.string().meta({ description: "Name of this gateway at the cloud service." }),
    service: z.string().nullable().meta({
      description: "URL of the enrolment service that issued the identity; `null` if it comes from the configuration.",
    }),
    fingerprint: z.string().nullable().meta({
      description:
        "SHA-256 of the public key, hexadecimal; the cloud service shows the same one. `null` if the gateway signs in with a password, or before the key was read.",
    }),
    givenAt: NullableInstant.meta({
      description: "Time at which the identity was issued; `null` if it comes from the configuration.",
    }),
    expiresAt: NullableInstant.meta({
      description: "Time at which the identity expires; `null` if it is valid until it is revoked.",
    }),
    isRenewing: z.boolean().meta({
      description: "`true` if a renewed key was issued and the gateway has not yet connected with it.",
    }),
  })
  .meta({ id: "CloudIdentity", description: "Name and credentials of the gateway at the cloud service." });

const Way = z
  .object({
    uplink: z.string().meta({ description: "Transport: `mqtt` or `https`." }),
    servers: z.array(z.string()).meta({ description: "Addresses of the servers, tried one after the other." }),
    isInUse: z.boolean().meta({ description: "`true` if the gateway is connected by this transport." }),
    failedAt: NullableInstant.meta({
      description:
        "Time of the last failure; `null` if there was none in this run since the last successful connection.",
    }),
    failure: z.string().nullable().meta({
      description: "Why the last connection ended or could not be made, in English; `null` without a failure.",
    }),
  })
  .meta({ id: "CloudWay", description: "A transport to the cloud service." });

const Stream = z
  .object({
    stream: z.string().meta({ description: "`event`, `state` or `telemetry`." }),
    waiting: Count.meta({
      description:
        "Number of records that the cloud service has not acknowledged. Of states only the newest is sent, so fewer may be left to send.",
    }),
    oldestWaitingAt: NullableInstant.meta({
      description: "Time of the oldest record that is not acknowledged; `null` if there is none, or if not known.",
    }),
    recordsPerSecond: z.number().min(0).nullable().meta({
      description: "Records acknowledged per second in the last minutes; `null` if there were none.",
    }),
    remainingSeconds: Count.nullable().meta({
      description: "Time until all records of the stream are sent at that rate, s; `null` if it cannot be estimated.",
    }),
    sentThrough: Count.nullable().meta({
      description: "Number of the last record that was sent in this run; `null` if there was none.",
    }),
    sentAt: NullableInstant.meta({ description: "Time of the last sending in this run; `null` if there was none." }),
  })
  .meta({ id: "CloudStream", description: "Records of one kind that are sent to the cloud service in order." });

const AnsweredCommand = z
  .object({
    at: Instant.meta({ description: "Time at which the gateway answered." }),
    id: z.string().meta({ description: "Id of the command at the cloud service." }),
    outcome: z.string().meta({
      description:
        "`executed`: passed to the API. `expired`: it arrived too late. `refused`: it was not allowed. `interrupted`: the gateway stopped meanwhile.",
    }),
    status: z.int().nullable().meta({
      description: "HTTP status of the API's response; `null` if the command was not passed to the API.",
    }),
    detail: z.string().nullable().meta({ description: "Why the command was not executed, in English." }),
  })
  .meta({ id: "CloudCommand", description: "A command of the cloud service that the gateway answered." });

const ConfigurationOutcome = z
  .object({
    at: Instant.meta({ description: "Time of the result." }),
    revision: Count.meta({ description: "Revision number of the configuration." }),
    outcome: z.string().meta({
      description:
        "`applied`: in use. `refused`: the gateway does not accept it. `rolled-back`: it was tried and the gateway went back to the one before.",
    }),
    reason: z.string().nullable().meta({
      description:
        "Why it was rolled back: `not-connected`, `interrupted`, `broken-start`, `local-change` or `invalid`; `null` otherwise.",
    }),
    errors: z
      .array(
        z
          .object({
            path: z.string().meta({ description: "Path of the setting." }),
            problem: z.string().meta({ description: "What is wrong, in English." }),
            expected: z.string().nullable().meta({ description: "What would be valid; `null` if that is not clear." }),
          })
          .meta({ id: "CloudConfigurationError", description: "An invalid setting; its value is not shown." }),
      )
      .meta({ description: "The invalid settings." }),
  })
  .meta({ id: "CloudConfigurationOutcome", description: "Result of a configuration that the cloud service sent." });

const RemoteConfiguration = z
  .object({
    revision: Count.nullable().meta({
      description: "Revision in use; `null` if only the configuration file of the gateway is in use.",
    }),
    sections: z.array(z.string()).meta({
      description: "Sections of the configuration file that the revision replaces.",
    }),
    trialRevision: Count.nullable().meta({ description: "Revision that is being tried; `null` if none is." }),
    trialSince: NullableInstant.meta({ description: "Time at which the trial began; `null` if there is none." }),
    last: ConfigurationOutcome.nullable().meta({
      description: "Result of the latest configuration that the cloud service sent; `null` if it sent none.",
    }),
  })
  .meta({ id: "CloudConfiguration", description: "The part of the configuration that the cloud service set." });

const RefusedRecords = z
  .object({
    count: Count.meta({ description: "Number of refused records and of unreadable messages in this run." }),
    at: Instant.meta({ description: "Time of the last refusal." }),
    numbers: z
      .object({
        stream: z.string().meta({ description: "`event`, `state` or `telemetry`." }),
        from: Count.meta({ description: "Number of the first record." }),
        through: Count.meta({ description: "Number of the last record." }),
      })
      .meta({ id: "CloudNumbers", description: "Consecutive records of a stream, both ends included." })
      .nullable()
      .meta({
        description: "The records that were refused last; `null` if it was a message without records.",
      }),
    reason: z.string().meta({ description: "Why they were refused, in English." }),
  })
  .meta({ id: "CloudRefused", description: "Records that the cloud service refused." });

/** The link to the cloud service in the API. */
export const CloudLinkView = z
  .object({
    state: z.enum(STATES).meta({
      description:
        "`NOT_ENROLLED`: the gateway has no identity at a cloud service. `ENROLLED`: it has one and is not connected now. `CONNECTED`: it is connected. `REFUSED`: the cloud service does not accept the gateway. `EXPIRED`: its credentials are no longer valid. `CLONED`: another machine uses the same identity.",
    }),
    reason: z.string().nullable().meta({
      description: "Why the gateway is not connected, in English; `null` while it is connected.",
    }),
    remedy: z.string().nullable().meta({
      description: "What the owner can do about it, in English; `null` if nothing is needed.",
    }),
    identity: Identity.nullable().meta({ description: "`null` if the gateway is not enrolled." }),
    uplink: z.string().nullable().meta({
      description: "Transport of the present connection, `mqtt` or `https`; `null` if there is none.",
    }),
    ways: z.array(Way).meta({
      description: "Transports to the cloud service in the order of preference; one is used at a time.",
    }),
    lastContactAt: NullableInstant.meta({
      description: "Time of the last message from the cloud service in this run; `null` if there was none.",
    }),
    streams: z.array(Stream).meta({
      description: "Records that wait for the cloud service, by stream; empty while none are collected.",
    }),
    oldestWaitingAt: NullableInstant.meta({
      description: "Time of the oldest record that is not acknowledged; `null` if there is none, or if not known.",
    }),
    isFull: z.boolean().meta({
      description: "`true` if so many events wait that commands of the cloud service are refused.",
    }),
    recordsPerSecond: z.number().min(0).nullable().meta({
      description: "Records acknowledged per second in the last minutes; `null` if there were none.",
    }),
    remainingSeconds: Count.nullable().meta({
      description: "Time until all records are sent at that rate, s; `null` if it cannot be estimated.",
    }),
    replays: Count.meta({ description: "How often records were sent again." }),
    refused: RefusedRecords.nullable().meta({
      description:
        "Records that the cloud service refused because they break the protocol; all others are sent. `null` if there are none.",
    }),
    commands: z.array(AnsweredCommand).meta({
      description: "The latest commands of the cloud service, newest first, at most 20.",
    }),
    configuration: RemoteConfiguration.meta({
      description: "The part of the configuration that the cloud service set.",
    }),
    farewells: Count.meta({
      description: "Number of destroyed keys that the cloud service has not been informed of.",
    }),
  })
  .meta({ id: "CloudLink", description: "The link to the cloud service." });
export type CloudLinkView = z.infer<typeof CloudLinkView>;
