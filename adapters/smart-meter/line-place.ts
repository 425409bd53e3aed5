/** Where the line to a meter is: a serial port, or a host that passes its bytes on. */
import {
  type AdapterContext,
  type ByteStream,
  DeviceError,
  type SerialSettings,
  type StreamEvents,
  type TcpAddress,
  within,
} from "hemgate/sdk";

export type LinePlace = ({ readonly kind: "serial" } & SerialSettings) | ({ readonly kind: "tcp" } & TcpAddress);

export type LineWorld = Pick<AdapterContext, "clock" | "random" | "net" | "serial">;

/** How long a line may take to open. */
const OPEN_MS = 5_000;

/** What people call the line: the serial port's path, or `host:port`. */
export function placeName(place: LinePlace): string {
  return place.kind === "serial" ? place.path : `${place.host}:${place.port}`;
}

/** Opens the line. Rejects with a `DeviceError`, or the signal's reason. The caller disposes it. */
export async function openPlace(
  { clock, net, serial }: Pick<LineWorld, "clock" | "net" | "serial">,
  place: LinePlace,
  events: StreamEvents,
  signal: AbortSignal,
): Promise<ByteStream> {
  try {
    return await within(clock, OPEN_MS, signal, async (inner) => {
      const stream = await (place.kind === "serial"
        ? serial.open(settingsOf(place), events, inner)
        : net.connect({ host: place.host, port: place.port }, events, inner));
      if (!inner.aborted) return stream;
      stream[Symbol.dispose]();
      throw inner.reason;
    });
  } catch (cause) {
    if (cause instanceof DeviceError || signal.aborted) throw cause;
    throw new DeviceError("unreachable", `${placeName(place)}: it does not open`, { cause });
  }
}

function settingsOf({ path, baudRate, dataBits, parity, stopBits }: SerialSettings): SerialSettings {
  return { path, baudRate, dataBits, parity, stopBits };
}
