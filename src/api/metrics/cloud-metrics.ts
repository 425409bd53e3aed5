/** The figures of the link to the cloud service. What is not known has no sample. */
import { SECOND_MS } from "../../domain/duration.ts";
import type { CloudCounts, CloudFigures, CloudStreamFigures } from "../../engine/contracts/cloud-link.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { counter, gauge, type Metric, type Sample } from "./metrics-text.ts";

/** Of all counters of a session. */
const SINCE = "Counted since the session began: at 0 after a start of the gateway and after an enrolment.";

export function cloudMetrics(
  figures: CloudFigures,
  streams: readonly CloudStreamFigures[],
  clock: Pick<Clock, "nowMs" | "quality">,
): readonly Metric[] {
  const { isEnrolled, isConnected, isRefused, expiresAtMs, lastContactMs, counts } = figures;
  const instant = (name: string, help: string, ms: number | null): Metric => ({
    ...gauge(name, help, 0),
    samples: seconds(ms),
  });
  return [
    gauge("cloud_enrolled", "1 while the gateway has an identity at a cloud service.", Number(isEnrolled)),
    gauge("cloud_connected", "1 while it and the cloud service agree where they stand.", Number(isConnected)),
    gauge("cloud_refused", "1 while the cloud service does not take the gateway.", Number(isRefused)),
    instant("cloud_expiry_seconds", "When the gateway's credentials end, seconds since 1970.", expiresAtMs),
    instant("cloud_heard_seconds", "When the cloud service last said something, seconds since 1970.", lastContactMs),
    ...streamMetrics(streams, clock),
    ...ackMetrics(counts),
    ...goneMetrics(counts),
  ];
}

function streamMetrics(
  streams: readonly CloudStreamFigures[],
  clock: Pick<Clock, "nowMs" | "quality">,
): readonly Metric[] {
  const each = (figure: (stream: CloudStreamFigures) => number | null): readonly Sample[] =>
    streams.flatMap((stream) => {
      const value = figure(stream);
      return value === null ? [] : [{ labels: { stream: stream.stream }, value }];
    });
  return [
    {
      ...gauge("cloud_waiting_numbers", "Numbers that the cloud service has not acknowledged, by stream.", 0),
      samples: each(({ waiting }) => waiting),
    },
    {
      ...gauge("cloud_waiting_bytes", "What waits for the cloud service on disk, by stream.", 0),
      samples: each(({ bytes }) => bytes),
    },
    {
      ...gauge(
        "cloud_oldest_unacked_age_seconds",
        "Age of the oldest record that the cloud service has not acknowledged, by stream; 0: none waits.",
        0,
      ),
      samples: each((stream) => ageS(stream, clock)),
    },
    {
      ...gauge("cloud_epoch_info", "1 with the epoch in which the numbers of a stream run now.", 0),
      samples: streams.map(({ stream, epoch }) => ({ labels: { stream, epoch }, value: 1 })),
    },
  ];
}

/** Null: nobody can tell, such as while the clock is not set. */
function ageS({ waiting, oldestAtMs }: CloudStreamFigures, clock: Pick<Clock, "nowMs" | "quality">): number | null {
  if (waiting === 0) return 0;
  if (oldestAtMs === null || clock.quality() === "unset") return null;
  return Math.max(0, clock.nowMs() - oldestAtMs) / SECOND_MS;
}

function ackMetrics(counts: CloudCounts | null): readonly Metric[] {
  const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [{ value }]);
  return [
    {
      ...gauge("cloud_ack_latency_seconds", "From sending the batch that was acknowledged last until that.", 0),
      samples: seconds(counts?.acks.lastMs ?? null),
    },
    {
      ...counter("cloud_ack_seconds_total", `Seconds from sending batches until they were acknowledged. ${SINCE}`, 0),
      samples: seconds(counts?.acks.ms ?? null),
    },
    {
      ...counter(
        "cloud_acked_batches_total",
        `Batches in cloud_ack_seconds_total: their mean is its share. ${SINCE}`,
        0,
      ),
      samples: one(counts?.acks.batches),
    },
    {
      ...counter(
        "cloud_replays_total",
        `Times that a stream was sent again from where it was acknowledged. ${SINCE}`,
        0,
      ),
      samples: one(counts?.replays),
    },
  ];
}

function goneMetrics(counts: CloudCounts | null): readonly Metric[] {
  const gone = counts?.gone ?? [];
  return [
    {
      ...counter(
        "cloud_dropped_total",
        `Numbers that were reported to the cloud service as lost, once each: damaged, too-large, dropped for want of room, or lost with an earlier epoch. ${SINCE}`,
        0,
      ),
      samples: gone.map(({ stream, reason, numbers }) => ({ labels: { stream, reason }, value: numbers })),
    },
    {
      ...counter(
        "cloud_gap_seconds_total",
        `Seconds in cloud_dropped_total, which numbers of telemetry stand for: a quarter of an hour each. Numbers of events and states stand for none. ${SINCE}`,
        0,
      ),
      samples: gone
        .filter(({ seconds: each }) => each > 0)
        .map(({ stream, reason, seconds: value }) => ({ labels: { stream, reason }, value })),
    },
  ];
}

function seconds(ms: number | null): readonly Sample[] {
  return ms === null ? [] : [{ value: ms / SECOND_MS }];
}
