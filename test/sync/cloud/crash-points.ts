/** The moments at which a power cut hurts most, each by its name. */
import type { BatchMoment } from "../../../src/testing/memory-disk.ts";
import type { BatchOperation } from "../../../src/testing/watched-database.ts";
import { type Box, GATEWAY } from "./sync-world.ts";

export const CRASH_POINTS = [
  "before the batch",
  "after the batch",
  "after publish",
  "after the cloud's commit",
  "after the acknowledgement",
  "before the deletion",
  "after the deletion",
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

const EVENT_ROW = /^outbox!event!/;
const LIMIT_MS = 3 * 60_000;

/** Cuts the box's power when it comes to the point, as it tells something. True: it came to it within some minutes. */
export async function cutPowerAt(point: CrashPoint, box: Box, tell: () => Promise<unknown>): Promise<boolean> {
  let isCut = false;
  const cut = (): void => {
    if (isCut) return;
    isCut = true;
    box.kill();
  };
  const disarm = arm(point, box, cut);
  try {
    await tell();
    await box.world.clock.runUntil(() => isCut, LIMIT_MS);
    // What is acknowledged is deleted along with what is written next.
    if (!isCut && point.endsWith("the deletion")) await tell();
  } finally {
    disarm();
  }
  return isCut;
}

function arm(point: CrashPoint, { world, disk }: Box, cut: () => void): () => void {
  const { net, twin } = world;
  const { onEffect } = twin;
  if (point === "after publish") {
    net.onSent = (hint) => {
      if (hint.kind === "batch" && hint.stream === "event") cut();
    };
  } else if (point === "after the cloud's commit") {
    twin.onEffect = (...effect) => {
      onEffect(...effect);
      cut();
    };
  } else if (point === "after the acknowledgement") {
    const known = twin.memory(GATEWAY).effects.length;
    net.onTaken = (message) => {
      const isOfNew = twin.memory(GATEWAY).effects.length > known;
      if (message.kind === "ack" && message.stream === "event" && isOfNew) cut();
    };
  } else {
    disk.onBatch = (moment, operations) => {
      if (isAt(point, moment, operations)) cut();
    };
  }
  return () => {
    net.onSent = () => undefined;
    net.onTaken = () => undefined;
    disk.onBatch = () => undefined;
    twin.onEffect = onEffect;
  };
}

function isAt(point: CrashPoint, moment: BatchMoment, operations: readonly BatchOperation[]): boolean {
  const isTelling = operations.some(({ type, key }) => type === "put" && EVENT_ROW.test(key));
  const isDeleting = operations.some(({ type, key }) => type === "del" && EVENT_ROW.test(key));
  const isMeant = point.endsWith("the batch") ? isTelling : isDeleting;
  return isMeant && point.startsWith(moment);
}
