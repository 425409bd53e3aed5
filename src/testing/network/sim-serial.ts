import type { ByteStream, Clock, Serial, SerialSettings, StreamEvents } from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";

/** What the kernel and the converter hold back, ms, where no bit rate is kept. */
const LATENCY_MS = 0.5;

export interface SimSerialOptions {
  /** True: each byte takes as long as it does at the port's bit rate, and several in one write arrive one by one. */
  readonly isTimed?: boolean;
  /** What a converter hands on at a time, bytes: it arrives when its last byte has. One by one when absent. */
  readonly lumpBytes?: number;
}

/** What hangs at the far end of a line: made again each time a process opens the port. */
export type SimLine = (line: ByteStream, settings: SerialSettings) => StreamEvents;

interface Plugged {
  readonly line: SimLine;
  open: SimSerialPair | null;
}

/** Serial ports in memory, found by their path. */
export class SimSerial {
  readonly #clock: Clock;
  readonly #isTimed: boolean;
  readonly #lumpBytes: number;
  readonly #ports = new Map<string, Plugged>();

  constructor(clock: Clock, { isTimed = false, lumpBytes = 1 }: SimSerialOptions = {}) {
    this.#clock = clock;
    this.#isTimed = isTimed;
    this.#lumpBytes = lumpBytes;
  }

  /** Plugs a port in. Disposing the answer pulls it out, also while it is open. */
  plug(path: string, line: SimLine): Disposable {
    if (this.#ports.has(path)) throw new Error(`there is a serial port at ${path} already`);
    const plugged: Plugged = { line, open: null };
    this.#ports.set(path, plugged);
    return {
      [Symbol.dispose]: () => {
        this.#ports.delete(path);
        plugged.open?.end(new DeviceError("unreachable", `${path}: the port is gone`));
      },
    };
  }

  /** The ports as one process sees them. */
  host(): SimSerialHost {
    return new SimSerialHost(this);
  }

  openPair(settings: SerialSettings, events: StreamEvents): SimSerialPair {
    const { path } = settings;
    const plugged = this.#ports.get(path);
    const isMissing = plugged === undefined;
    if (isMissing || plugged.open !== null) {
      const why = isMissing ? "there is no such serial port" : "another program uses the port";
      throw new DeviceError("unreachable", `open ${path}: ${why}`, { reason: "no-serial-port" });
    }
    const byteMs = this.#isTimed ? charactersMs(settings) : 0;
    const pace = { byteMs, lumpBytes: this.#lumpBytes };
    const pair = new SimSerialPair(this.#clock, pace, () => {
      plugged.open = null;
    });
    plugged.open = pair;
    pair.join(events, (far) => plugged.line(far, settings));
    return pair;
  }
}

/** How long one character takes on the line, start bit included. */
function charactersMs({ baudRate, dataBits, parity, stopBits }: SerialSettings): number {
  return ((1 + dataBits + (parity === "none" ? 0 : 1) + stopBits) * 1_000) / baudRate;
}

/** The serial ports of one process: what it opened is free when it dies. */
export class SimSerialHost implements Serial {
  readonly #serial: SimSerial;
  readonly #open = new Set<SimSerialPair>();
  #isDead = false;

  constructor(serial: SimSerial) {
    this.#serial = serial;
  }

  get openPorts(): number {
    for (const pair of this.#open) if (pair.isOver) this.#open.delete(pair);
    return this.#open.size;
  }

  kill(): void {
    this.#isDead = true;
    for (const pair of this.#open) pair.kill();
    this.#open.clear();
  }

  async open(settings: SerialSettings, events: StreamEvents, signal: AbortSignal): Promise<ByteStream> {
    signal.throwIfAborted();
    if (this.#isDead) await new Promise(() => undefined);
    const pair = this.#serial.openPair(settings, events);
    this.#open.add(pair);
    return pair.near;
  }
}

/** How fast the line is; 0 ms: at once. */
interface Pace {
  readonly byteMs: number;
  readonly lumpBytes: number;
}

/** Both ends of an open port. */
class SimSerialPair {
  readonly near: ByteStream;
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #onOver: () => void;
  #nearEvents: StreamEvents | null = null;
  #farEvents: StreamEvents | null = null;
  #isOver = false;

  constructor(clock: Clock, pace: Pace, onOver: () => void) {
    this.#clock = clock;
    this.#pace = pace;
    this.#onOver = onOver;
    this.near = this.#end(
      () => this.#farEvents,
      () => this.end(null),
    );
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  join(near: StreamEvents, far: (stream: ByteStream) => StreamEvents): void {
    this.#nearEvents = near;
    const stream = this.#end(
      () => this.#nearEvents,
      () => this.end(new Error("the far end is gone")),
    );
    this.#farEvents = far(stream);
  }

  /** Closes the port; both ends get their event a turn of the event loop later. */
  end(error: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver();
    this.#clock.timer(0, () => {
      this.#nearEvents?.closed(error);
      this.#farEvents?.closed(null);
    });
  }

  /** The process is dead: it hears nothing more. */
  kill(): void {
    this.#nearEvents = null;
    this.end(null);
  }

  /** One end: what is written there arrives at the other, in order, in its time. */
  #end(peer: () => StreamEvents | null, dispose: () => void): ByteStream {
    const underWay: Uint8Array[] = [];
    let freeAtMs = 0;
    const deliver = (bytes: Uint8Array, delayMs: number): void => {
      const now = this.#clock.monotonicMs();
      freeAtMs = Math.max(freeAtMs, now) + delayMs;
      underWay.push(bytes);
      this.#clock.timer(freeAtMs - now, () => {
        const next = underWay.shift();
        if (next === undefined || this.#isOver) return;
        try {
          peer()?.data(next);
        } catch (error) {
          this.end(error instanceof Error ? error : new Error(String(error)));
        }
      });
    };
    return {
      bufferedBytes: 0,
      write: (bytes) => {
        if (this.#isOver) return;
        const { byteMs, lumpBytes } = this.#pace;
        if (byteMs === 0) return deliver(bytes.slice(), LATENCY_MS);
        for (let at = 0; at < bytes.length; at += lumpBytes) {
          const lump = bytes.slice(at, at + lumpBytes);
          deliver(lump, lump.length * byteMs);
        }
      },
      [Symbol.dispose]: dispose,
    };
  }
}
