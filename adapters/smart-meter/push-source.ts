/** A line on which the meter speaks by itself. */
import { DeviceError, errorText } from "hemgate/sdk";
import { type LinePlace, type LineWorld, openPlace, placeName } from "./line-place.ts";
import type { LineSource } from "./line-source.ts";
import type { TelegramReader } from "./telegram.ts";

/** Within a telegram no meter pauses for longer. */
const MAX_GAP_MS = 5_000;
/** How often it is looked whether the line still says something. */
const LOOK_MS = 5_000;
/** At the highest speed this is half a minute of nothing but noise. */
const MAX_NOISE_BYTES = 400_000;

export interface PushParts {
  readonly world: LineWorld;
  readonly place: LinePlace;
  readonly makeReader: () => TelegramReader;
  /** A line that is silent for so long is reopened: the far end of a TCP connection may be gone unnoticed. */
  readonly silentMs: number;
}

export function pushSource({ world, place, makeReader, silentMs }: PushParts): LineSource {
  const name = placeName(place);
  return async (events, signal) => {
    const { clock } = world;
    const own = new AbortController();
    const reader = makeReader();
    let lastMs = clock.monotonicMs();
    let noiseBytes = 0;
    const data = (bytes: Uint8Array): void => {
      const nowMs = clock.monotonicMs();
      const isLate = nowMs - lastMs > MAX_GAP_MS;
      lastMs = nowMs;
      noiseBytes += bytes.length;
      events.received(bytes.length);
      if (isLate && reader.reset()) events.outcome({ kind: "dropped", why: "a telegram was cut off" });
      for (const outcome of reader.push(bytes)) {
        if (outcome.kind === "telegram") noiseBytes = 0;
        events.outcome(outcome);
      }
      if (noiseBytes > MAX_NOISE_BYTES) {
        own.abort(new DeviceError("malformed", `${name}: ${noiseBytes} bytes without a telegram`));
      }
    };
    const closed = (error: Error | null): void => {
      own.abort(
        new DeviceError("unreachable", `${name}: ${error === null ? "the far end closed the line" : errorText(error)}`),
      );
    };
    using _stream = await openPlace(world, place, { data, closed }, signal);
    const over = AbortSignal.any([signal, own.signal]);
    for (;;) {
      await clock.sleep(LOOK_MS, over);
      if (clock.monotonicMs() - lastMs > silentMs) {
        throw new DeviceError("unreachable", `${name}: silent for ${Math.round(silentMs / 1_000)} s`);
      }
    }
  };
}
