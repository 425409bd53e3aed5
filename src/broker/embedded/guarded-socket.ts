import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { SECOND_MS } from "../../domain/duration.ts";
import { errorText } from "../../platform/error-text.ts";
import { PacketLengths } from "../../platform/mqtt/packet-lengths.ts";
import type { BrokerLimits, Clock } from "../../platform/ports/ports.ts";
import { ClientFault } from "./client-fault.ts";

/** What one client may leave unread before it is cut off. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** How long the last bytes to a client may take; one that does not read would hold its connection for ever. */
const LINGER_MS = 5_000;

type Limits = Pick<BrokerLimits, "packetBytes" | "packetsPerSecond" | "drainSeconds">;

/**
 * A client's socket as aedes sees it. aedes gives all clients one window of deliveries and waits in it for each that
 * does not read, so a write is always taken here at once: what the client leaves unread has a limit in bytes and in
 * time, and costs that client alone. Packets are measured before aedes gathers them, and counted before it reads on.
 */
export class GuardedSocket extends Duplex {
  readonly remoteAddress: string;
  readonly #socket: Socket;
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly #limits: Limits;
  readonly #lengths: PacketLengths;
  #tokens: number;
  #countedAtMs: number;
  #rest: Disposable | null = null;
  #drainWatch: Disposable | null = null;

  constructor(socket: Socket, clock: Pick<Clock, "monotonicMs" | "timer">, limits: Limits) {
    super({ allowHalfOpen: false });
    this.remoteAddress = socket.remoteAddress ?? "unknown";
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
    this.#lengths = new PacketLengths(limits.packetBytes);
    this.#tokens = limits.packetsPerSecond;
    this.#countedAtMs = clock.monotonicMs();
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("end", () => this.push(null));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /** All that is here: aedes reads once whenever there is something, and Node 26 gives one chunk a call. */
  override read(size?: number): Buffer | null {
    if (size !== undefined && size !== null) return super.read(size);
    const chunks: Buffer[] = [];
    for (let chunk: Buffer | null = super.read(); chunk !== null; chunk = super.read()) chunks.push(chunk);
    return chunks.length === 0 ? null : Buffer.concat(chunks);
  }

  override _read(): void {
    if (this.#rest === null) this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) {
      this.destroy(new ClientFault(`it does not read: more than ${MAX_UNSENT_BYTES} bytes are unsent`));
    } else if (this.#socket.writableLength > 0) this.#watchDrain();
    done();
  }

  override _final(done: (error?: Error) => void): void {
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#rest?.[Symbol.dispose]();
    this.#drainWatch?.[Symbol.dispose]();
    // What was just written, such as why a sign-in is refused, still goes out; the kernel ends the rest.
    if (error === null && !this.#socket.destroyed) this.#linger();
    else this.#socket.destroy();
    done(error);
  }

  #linger(): void {
    const limit = this.#clock.timer(LINGER_MS, () => this.#socket.destroy());
    this.#socket.once("close", () => limit[Symbol.dispose]());
    this.#socket.destroySoon();
  }

  #take(bytes: Buffer): void {
    if (this.destroyed) return;
    try {
      this.#spend(this.#lengths.take(bytes));
    } catch (error) {
      this.destroy(new ClientFault(errorText(error), { cause: error }));
      return;
    }
    if (!this.push(bytes)) this.#socket.pause();
  }

  /** A client beyond its rate is not read until it is back within it: nothing is lost, TCP slows it down. */
  #spend(packets: number): void {
    const { packetsPerSecond } = this.#limits;
    const nowMs = this.#clock.monotonicMs();
    const grown = ((nowMs - this.#countedAtMs) * packetsPerSecond) / SECOND_MS;
    this.#tokens = Math.min(packetsPerSecond, this.#tokens + grown) - packets;
    this.#countedAtMs = nowMs;
    if (this.#tokens >= 0 || this.#rest !== null) return;
    this.#socket.pause();
    this.#rest = this.#clock.timer((-this.#tokens * SECOND_MS) / packetsPerSecond, () => {
      this.#rest = null;
      if (!this.destroyed) this.#socket.resume();
    });
  }

  /** Cuts off a client that has taken nothing of what waits for it since the last look. */
  #watchDrain(): void {
    if (this.#drainWatch !== null) return;
    const taken = this.#taken();
    this.#drainWatch = this.#clock.timer(this.#limits.drainSeconds * SECOND_MS, () => {
      this.#drainWatch = null;
      if (this.#socket.destroyed || this.#socket.writableLength === 0) return;
      if (this.#taken() > taken) return this.#watchDrain();
      this.destroy(new ClientFault(`it has read nothing for ${this.#limits.drainSeconds} s`));
    });
  }

  /** Bytes that the kernel has taken. */
  #taken(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }
}
