import { DeviceError, type SerialSettings, type TcpAddress, TimeoutError, within } from "hemgate/sdk";
import type { Doubts } from "../driver/doubts.ts";
import type { BusLink, LinkEvents } from "./bus-link.ts";
import type { BusWorld } from "./bus-world.ts";
import { HalfDuplexLink, type HalfDuplexLinkOptions } from "./half-duplex-link.ts";
import { isSerialLine, type LineAddress, lineName, type SerialLine } from "./line-address.ts";
import { ASCII, DATAGRAM, RTU } from "./line-frames.ts";
import { ModbusConnection } from "./modbus-connection.ts";

/** How long a device may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Silence between RTU frames, in characters of 11 bits, and at more than 19200 bits a second (V1.02, part 2.5.1.1). */
const SILENT_CHARACTERS = 3.5;
const CHARACTER_BITS = 11;
const FAST_BAUD = 19_200;
const FAST_SILENCE_MS = 1.75;

interface Opening {
  readonly events: LinkEvents;
  readonly doubts: Doubts;
  /** Whether nothing at the address answers any more, as far as earlier links show. */
  readonly isMute: () => boolean;
}

/** Opens the line that an address names. Rejects with a `DeviceError`, or the signal's reason. The caller disposes it. */
export async function openLink(
  world: BusWorld,
  address: LineAddress,
  opening: Opening,
  signal: AbortSignal,
): Promise<BusLink> {
  try {
    return await within(world.clock, CONNECT_TIMEOUT_MS, signal, async (inner) => {
      const link = await open(world, address, opening, inner);
      if (!inner.aborted) return link;
      link[Symbol.dispose]();
      throw inner.reason;
    });
  } catch (cause) {
    if (cause instanceof DeviceError || signal.aborted) throw cause;
    throw new DeviceError("unreachable", `${lineName(address)}: connecting failed`, {
      cause,
      // A host that is off, or none, answers nothing; one without the service refuses.
      reason: cause instanceof TimeoutError && !isSerialLine(address) ? "no-such-host" : null,
    });
  }
}

async function open(
  world: BusWorld,
  address: LineAddress,
  { events, doubts, isMute }: Opening,
  signal: AbortSignal,
): Promise<BusLink> {
  if (address.kind === "tcp") {
    const connection = new ModbusConnection(world.clock, address, events, isMute);
    connection.attach(await world.net.connect(hostAndPort(address), connection.streamEvents, signal));
    return connection;
  }
  const base = { clock: world.clock, name: lineName(address), doubts };
  if (isSerialLine(address)) {
    const link = new HalfDuplexLink({ ...base, ...serialTiming(address) }, events);
    link.attach(await world.serial.open(settingsOf(address), link.streamEvents, signal));
    return link;
  }
  const network = { ...base, byteMs: 0, silenceMs: 0 };
  if (address.kind === "udp") return await openDatagrams(world, address, network, events);
  const link = new HalfDuplexLink({ ...network, framing: RTU, isDatagram: false, endsOnSilence: true }, events);
  link.attach(await world.net.connect(hostAndPort(address), link.streamEvents, signal));
  return link;
}

async function openDatagrams(
  { udp }: BusWorld,
  { host, port }: TcpAddress,
  base: Omit<HalfDuplexLinkOptions, "framing" | "isDatagram" | "endsOnSilence">,
  events: LinkEvents,
): Promise<BusLink> {
  const link = new HalfDuplexLink({ ...base, framing: DATAGRAM, isDatagram: true, endsOnSilence: true }, events);
  const isNumeric = /^[\d.]+$/.test(host);
  const socket = await udp.open(
    {},
    {
      datagram: (bytes, from) => {
        if (from.port === port && (!isNumeric || from.host === host)) link.streamEvents.data(bytes);
      },
      closed: (error) => link.streamEvents.closed(error),
    },
  );
  link.attach({
    write: (bytes) => socket.send(bytes, { host, port }),
    [Symbol.dispose]: () => socket[Symbol.dispose](),
  });
  return link;
}

type SerialTiming = Pick<HalfDuplexLinkOptions, "framing" | "byteMs" | "silenceMs" | "isDatagram" | "endsOnSilence">;

function serialTiming({ kind, baudRate, dataBits, parity, stopBits }: SerialLine): SerialTiming {
  const byteMs = ((1 + dataBits + (parity === "none" ? 0 : 1) + stopBits) * 1_000) / baudRate;
  const characterMs = (CHARACTER_BITS * 1_000) / baudRate;
  const silenceMs = baudRate > FAST_BAUD ? FAST_SILENCE_MS : SILENT_CHARACTERS * characterMs;
  const isRtu = kind === "rtu";
  return {
    framing: isRtu ? RTU : ASCII,
    byteMs,
    // ASCII frames have their own delimiters.
    silenceMs: isRtu ? silenceMs : 0,
    isDatagram: false,
    endsOnSilence: false,
  };
}

function hostAndPort({ host, port }: TcpAddress): TcpAddress {
  return { host, port };
}

function settingsOf({ path, baudRate, dataBits, parity, stopBits }: SerialLine): SerialSettings {
  return { path, baudRate, dataBits, parity, stopBits };
}
