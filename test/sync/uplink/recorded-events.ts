/** Remembers what the owner of a connection is told, and takes care that nothing follows its end. */
import type { FrameHint, UplinkEnd, UplinkEvents } from "../../../src/sync/uplink/uplink.ts";

export interface Heard {
  readonly events: UplinkEvents;
  /** Frames as text. */
  readonly frames: string[];
  readonly drained: { count: number };
  readonly ends: UplinkEnd[];
}

export function heard(): Heard {
  const frames: string[] = [];
  const ends: UplinkEnd[] = [];
  const drained = { count: 0 };
  const isOpen = (what: string): void => {
    if (ends.length > 0) throw new Error(`${what} after closed`);
  };
  return {
    frames,
    ends,
    drained,
    events: {
      frame(frame) {
        isOpen("a frame");
        frames.push(new TextDecoder().decode(frame));
      },
      drained() {
        isOpen("drained");
        drained.count += 1;
      },
      closed(end) {
        isOpen("closed");
        ends.push(end);
      },
    },
  };
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const HELLO: FrameHint = { kind: "hello" };

export function batch(from: number, through: number, stream = "event"): FrameHint {
  return { kind: "batch", stream, epoch: "00000000000000aa", from, through };
}
