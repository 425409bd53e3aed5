/** Records on their way to a cloud service. */
import { z } from "zod";
import { AtMs, Boot, Epoch, isShallow, Range, Seq, StreamKey, Through, TOO_DEEP, Version } from "./fields.ts";
import { MAX_BATCH_RECORDS, MAX_DEPTH, MAX_RANGES } from "./limits.ts";

/** How far a record's instant can be trusted. A quality that is not known is read as `unset`. */
const QUALITIES = ["synced", "restored", "redated", "unset"] as const;

/** Why numbers will never come. A reason that is not known is one all the same. */
const GAP_REASONS = ["damaged", "too-large", "acknowledged", "dropped", "malformed"] as const;

const EarlierPlace = z.looseObject({ epoch: Epoch, seq: Seq });

export const SyncRecord = z
  .looseObject({
    seq: Seq,
    boot: z.int().min(0).meta({ description: "Number of the start in which it was written." }),
    monotonicMs: z.number().meta({
      description: "The same moment by a clock that never steps, ms. Orders and spaces the records of one boot only.",
    }),
    atMs: AtMs.meta({ description: "When it was, by the wall clock, ms since 1970; see `quality`." }),
    quality: z.enum(QUALITIES).catch("unset").meta({
      description:
        "`synced`: the clock was set by a time source. `restored`: set from the disk. `redated`: corrected since. `unset`: not to be trusted.",
    }),
    event: z.string().min(1).max(200).meta({ description: "What happened, such as `user:meter:updated`." }),
    entity: z.string().max(300).nullable().meta({
      description: "What the record is the state of, such as `meter/3f…`; null in the event stream.",
    }),
    payload: z.unknown().meta({
      description:
        "As a webhook's event of that name carries it. In the state stream an event that ends in `:deleted` says that the entity is gone.",
    }),
    was: z.array(EarlierPlace).max(64).optional().meta({
      description:
        "In the event stream only: places that it had in epochs before. It may have arrived under them: if one of the stream with the same boot, monotonicMs, event and payload was applied, this is it.",
    }),
  })
  .refine((record) => isShallow(record), { error: TOO_DEEP })
  .meta({ description: `At most ${MAX_DEPTH} objects and arrays are within each other, the record among them.` });
export type SyncRecord = z.infer<typeof SyncRecord>;

const Gap = Range.extend({
  reason: z.enum(GAP_REASONS).catch("dropped").meta({
    description:
      "`damaged`: the disk lost it. `too-large`: more than a message holds. `acknowledged`: it was acknowledged before, and deleted. `dropped`: too old for the room there is. `malformed`: the record breaks a limit of this contract.",
  }),
  fromMs: AtMs.optional().meta({ description: "The first instant that is missing, where it is known." }),
  throughMs: AtMs.optional().meta({ description: "The instant at which the hole ends, where it is known." }),
}).meta({ description: "Numbers that will never come." });
export type Gap = z.infer<typeof Gap>;

/** Name of the event that tells of numbers that are gone for good. */
export const LOSS_EVENT = "system:outbox:gap";

/** Payload of the event that tells of numbers that are gone for good, in this epoch or in ones before. */
export const Losses = z
  .looseObject({
    gaps: z.array(Range.extend({ epoch: Epoch, stream: StreamKey })).max(MAX_RANGES),
  })
  .meta({ description: `Payload of \`${LOSS_EVENT}\`.` });

/**
 * Covers every number from `from` to `through`. In the event stream each of them is a record or in a gap;
 * in the state stream a number without either was superseded by a later one of its entity, in the telemetry stream there
 * was nothing to measure in that quarter of an hour.
 */
export const Batch = z.looseObject({
  v: Version,
  kind: z.literal("batch"),
  bootId: Boot.shape.id.meta({ description: "Id of the start that sends it: the last of its hello's `boots`." }),
  stream: StreamKey,
  epoch: Epoch,
  from: Seq,
  through: Through.meta({ description: "The last number that it covers." }),
  historical: z.boolean().meta({ description: "True when it tells of a time before this connection." }),
  records: z.array(SyncRecord).max(MAX_BATCH_RECORDS).meta({ description: "By number, ascending." }),
  gaps: z.array(Gap).max(MAX_RANGES).meta({ description: "By number, ascending; they and records do not overlap." }),
});
export type Batch = z.infer<typeof Batch>;

const DeviceColumns = z.looseObject({
  deviceId: z.string().max(100),
  offsetsMs: z.array(z.int()).max(100_000).meta({ description: "When each row was, ms after `fromMs`." }),
  points: z
    .record(z.string().max(100), z.array(z.union([z.number(), z.string(), z.boolean(), z.null()])).max(100_000))
    .meta({
      description: "A point's values, one a row; null: not known. Units and signs are those of the points, such as W.",
    }),
});

/** Payload of a record of the telemetry stream: what devices measured in a quarter of an hour, column by column. */
export const TelemetryPayload = z
  .looseObject({
    fromMs: AtMs.meta({ description: "When the quarter began, ms since 1970. One of the same quarter replaces it." }),
    resolution: z.enum(["full", "quarter-hour"]).catch("full").meta({
      description: "`full`: as it was read. `quarter-hour`: one row of means; of what is no number, the last value.",
    }),
    devices: z.array(DeviceColumns).max(1_000).meta({ description: "Those that measured something." }),
  })
  .meta({ description: "The payload of a telemetry record." });
export type TelemetryPayload = z.infer<typeof TelemetryPayload>;
