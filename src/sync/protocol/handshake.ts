/** The messages of the handshake, and the acknowledgements and refusals that follow it. */

import { z } from "zod";
import { DAY_MS } from "../../domain/duration.ts";
import { AtMs, Boot, Epoch, GatewayId, Range, Ranges, Reason, Seq, StreamKey, Through, Version } from "./fields.ts";
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  MAX_BOOTS,
  MAX_EARLIER,
  MAX_MESSAGE_BYTES,
  MAX_STREAMS,
  MAX_WINDOW,
} from "./limits.ts";

const Position = z
  .looseObject({
    epoch: Epoch,
    acked: Through.meta({ description: "The last number that is acknowledged, as far as the gateway knows." }),
    next: Seq.meta({ description: "Number of the next record." }),
  })
  .meta({ description: "Position of a stream at the gateway." });

const Applied = z
  .looseObject({
    epoch: Epoch,
    applied: Through.meta({ description: "All numbers up to this one are committed." }),
  })
  .meta({ description: "Position of a stream at the cloud service, in the hello's epoch; 0 for another epoch." });

const Earlier = z.looseObject({
  stream: StreamKey,
  epoch: Epoch,
  acked: Through.meta({ description: "The last number that the cloud service acknowledged." }),
});

const EarlierApplied = z.looseObject({
  stream: StreamKey,
  epoch: Epoch,
  applied: Through.meta({ description: "All numbers up to this one are committed; 0 for an unknown epoch." }),
});

const HandshakeId = z.string().min(1).max(100).meta({
  description: "Id of the hello. The welcome repeats it, so that a late answer to another hello is recognised.",
});

/** The gateway's first message on each connection, and again after it started a new epoch. */
export const Hello = z.looseObject({
  v: Version,
  kind: z.literal("hello"),
  meeting: HandshakeId,
  versions: z
    .array(z.int().min(1))
    .min(1)
    .max(16)
    .meta({ description: "Protocol versions that the gateway supports." }),
  gateway: GatewayId,
  software: z.string().max(100).meta({ description: "Such as `hemgate/0.1.0`." }),
  boots: z.array(Boot).min(1).max(MAX_BOOTS).meta({
    description: "The gateway's starts, ascending: from the one that was welcomed last to the current one.",
  }),
  streams: z
    .record(StreamKey, Position)
    .refine((streams) => Object.keys(streams).length <= MAX_STREAMS, { error: `more than ${MAX_STREAMS} streams` }),
  earlier: z.array(Earlier).max(MAX_EARLIER).optional().meta({
    description: "Epochs before those in `streams`, so that a restored cloud service can report what it lost of them.",
  }),
  clock: z.looseObject({ atMs: AtMs, quality: z.string().max(20) }),
  configuration: z
    .looseObject({
      revision: z
        .int()
        .min(1)
        .nullable()
        .meta({ description: "The revision in use; null: only the gateway's own file." }),
      seen: z
        .int()
        .min(0)
        .meta({ description: "The last received revision; the cloud service sends only a newer one." }),
      isOnTrial: z
        .boolean()
        .meta({ description: "True during a trial: the welcome of this hello confirms the configuration." }),
      digest: z.string().max(100).meta({ description: "Changes with any change of the configuration in use." }),
    })
    .optional()
    .meta({ description: "The configuration in use." }),
});
export type Hello = z.infer<typeof Hello>;

/** The answer to a hello. The gateway sends nothing else before it. */
export const Welcome = z.looseObject({
  v: Version,
  kind: z.literal("welcome"),
  gateway: GatewayId,
  meeting: HandshakeId,
  version: z.int().min(1).meta({ description: "The protocol version of the following messages." }),
  isFork: z.boolean().meta({
    description:
      "True if the epoch is known but the start that was welcomed last is not in the hello: the gateway was restored from an older disk, or there are two of it. It has to start a new epoch and send another hello.",
  }),
  knownBoot: Boot.nullable().meta({ description: "The newest start in the hello that was welcomed before." }),
  streams: z
    .record(StreamKey, Applied)
    .meta({ description: "The streams that the cloud service receives; the gateway keeps the records of any other." }),
  earlier: z.array(EarlierApplied).max(MAX_EARLIER).optional().meta({
    description:
      "What is committed of the hello's `earlier`. If it is less than the hello says, the gateway reports the difference as a gap or sends it again.",
  }),
  window: z.int().min(1).max(MAX_WINDOW).meta({ description: "Maximum number of unacknowledged batches." }),
  maxBatchBytes: z.int().min(4_096).max(MAX_MESSAGE_BYTES).default(MAX_BATCH_BYTES),
  atMs: AtMs.meta({ description: "The cloud service's clock. It does not set the gateway's clock." }),
});
export type Welcome = z.infer<typeof Welcome>;

const Refused = Range.extend({ reason: Reason });
/** Numbers whose records the cloud service refuses, and why. */
export type Refused = z.infer<typeof Refused>;

/** Acknowledges numbers. Sent only after the cloud service has committed them. */
export const Ack = z.looseObject({
  v: Version,
  kind: z.literal("ack"),
  stream: StreamKey,
  epoch: Epoch,
  through: Through.meta({ description: "All numbers up to here are committed." }),
  missing: Ranges.meta({ description: "Numbers after `through` that are missing although later ones have arrived." }),
  refused: z.array(Refused).max(MAX_BATCH_RECORDS).optional().meta({
    description:
      "Numbers up to `through` whose records break this protocol: they are refused for good and must not be sent again. Absent: none.",
  }),
});
export type Ack = z.infer<typeof Ack>;

/** Refuses a message that cannot be read, so that its numbers are unknown too. Sending it again does not help. */
export const Refusal = z.looseObject({
  v: Version,
  kind: z.literal("refusal"),
  of: z
    .string()
    .max(100)
    .nullable()
    .meta({ description: "Kind of the message; null: the kind cannot be read either." }),
  reason: Reason,
});
export type Refusal = z.infer<typeof Refusal>;

/** Requests numbers again, for example after an audit. Deleted numbers are answered with a gap. */
export const GapRequest = z.looseObject({
  v: Version,
  kind: z.literal("gap-request"),
  stream: StreamKey,
  epoch: Epoch,
  ranges: Ranges,
});
export type GapRequest = z.infer<typeof GapRequest>;

/** Announces that the cloud service ends the connection. An unknown reason is read as `busy`. */
export const Goodbye = z.looseObject({
  v: Version,
  kind: z.literal("goodbye"),
  reason: z.enum(["busy", "taken-over", "quota", "not-enrolled", "version"]).catch("busy").meta({
    description:
      "`taken-over`: the gateway has a newer connection. `not-enrolled`: no gateway of that name is enrolled. `version`: no common protocol version.",
  }),
  retryAfterMs: z.int().min(0).max(DAY_MS).meta({ description: "Time before the next connection, ms." }),
});
export type Goodbye = z.infer<typeof Goodbye>;
