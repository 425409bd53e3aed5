/** A line on which the meter has to be asked. */
import { DeviceError, MINUTE_MS, TimeoutError, within } from "hemgate/sdk";
import { type LinePlace, type LineWorld, openPlace, placeName } from "../line-place.ts";
import type { LineSource } from "../line-source.ts";
import { readOut } from "./read-out.ts";

/** A long readout at 300 bits a second: 5 kB. */
const READ_OUT_MS = 3 * MINUTE_MS;
/** A meter that was left in the middle of a message listens again after this. */
const REST_MS = 3_000;

export interface RequestParts {
  readonly world: LineWorld;
  readonly place: LinePlace;
  readonly meterAddress: string;
  readonly intervalMs: number;
}

export function requestSource({ world, place, meterAddress, intervalMs }: RequestParts): LineSource {
  const { clock } = world;
  const name = placeName(place);
  return async (events, signal) => {
    for (;;) {
      const startMs = clock.monotonicMs();
      const parts = {
        clock,
        name,
        meterAddress,
        canSwitch: place.kind === "serial",
        open: (baudRate: number, streamEvents: Parameters<typeof openPlace>[2], inner: AbortSignal) =>
          openPlace(world, place.kind === "serial" ? { ...place, baudRate } : place, streamEvents, inner),
        received: (count: number) => events.received(count),
      };
      try {
        events.outcome(await within(clock, READ_OUT_MS, signal, (inner) => readOut(parts, inner)));
      } catch (error) {
        if (!(error instanceof TimeoutError) || signal.aborted) throw error;
        throw new DeviceError("unreachable", `${name}: the readout does not end`, { cause: error });
      }
      await clock.sleep(Math.max(REST_MS, startMs + intervalMs - clock.monotonicMs()), signal);
    }
  };
}
