/** What of a batch goes out as one frame: nothing that the contract forbids, and no more than the transport carries. */
import type { Batch } from "../protocol/batch.ts";
import { toFrame, type Zstd } from "../protocol/frame.ts";
import { MAX_RANGES } from "../protocol/limits.ts";
import type { Refused } from "../protocol/meeting.ts";
import { ProtocolError } from "../protocol/messages.ts";
import { readBatch } from "../protocol/read-batch.ts";
import { smaller } from "./lane.ts";

export interface Sendable {
  readonly sent: Batch;
  readonly frame: Uint8Array;
  /** Records that no cloud service would take, with gaps in their place. */
  readonly withheld: readonly Refused[];
}

/** As much of a batch as fits. */
export async function sendable(batch: Batch, zstd: Zstd, maxFrameBytes: number): Promise<Sendable> {
  const { batch: allowed, refused } = readBatch(batch);
  let sent = allowed;
  for (;;) {
    const frame = await toFrame(sent, zstd).catch((error: unknown) => {
      if (error instanceof ProtocolError) return null;
      throw error;
    });
    const isFitting = frame !== null && frame.length <= maxFrameBytes && sent.gaps.length <= MAX_RANGES;
    if (frame !== null && (isFitting || sent.records.length === 0)) {
      const { through } = sent;
      return { sent, frame, withheld: refused.filter(({ from }) => from <= through) };
    }
    sent = smaller(sent);
  }
}
