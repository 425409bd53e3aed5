import type { Clock } from "../../platform/ports/ports.ts";
import { newest, type OutboxMeta } from "../../store/outbox/outbox-ledger.ts";
import { PROTOCOL_VERSION } from "../protocol/limits.ts";
import type { Hello } from "../protocol/meeting.ts";
import type { SyncSource } from "./source.ts";

interface HelloParts {
  readonly gateway: string;
  readonly software: string;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
}

/** Where all streams stand. `count`: of the hellos since the gateway started. */
export function helloOf(
  { gateway, software, clock }: HelloParts,
  meta: OutboxMeta,
  sources: readonly SyncSource[],
  count: number,
): Hello {
  const streams = sources.flatMap((source) => {
    const at = source.position();
    return at === null ? [] : [[source.stream, { epoch: at.epoch, acked: at.acked, next: at.next }] as const];
  });
  const earlier = sources.flatMap((source) => {
    return (source.earlier?.() ?? []).map(({ epoch, acked }) => ({ stream: source.stream, epoch, acked }));
  });
  return {
    v: PROTOCOL_VERSION,
    kind: "hello",
    meeting: `${newest(meta.boots).id}-${count}`,
    versions: [PROTOCOL_VERSION],
    gateway,
    software,
    boots: meta.boots.map(({ number, id }) => ({ number, id })),
    streams: Object.fromEntries(streams),
    earlier,
    clock: { atMs: clock.nowMs(), quality: clock.quality() },
  };
}
