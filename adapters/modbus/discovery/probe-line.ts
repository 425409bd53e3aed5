import {
  type AdapterContext,
  type Clock,
  DeviceError,
  FrameReader,
  get16,
  MBAP_BYTES,
  type RegisterTable,
  type TcpAddress,
} from "hemgate/sdk";
import { readRequest } from "../bus/bus-requests.ts";
import { checkAnswer, putRequest, RegisterCopier, requestBytes } from "../bus/frame.ts";
import { DATAGRAM, RTU } from "../bus/line-frames.ts";

/** Machines of a house take a connection within milliseconds; one that is not there never does. */
const CONNECT_MS = 1_000;
/** Some dongles lose what comes at once after the connection. */
const SETTLE_MS = 1_000;
/** Between two requests. */
const GAP_MS = 50;
const ANSWER_MS = 2_000;
/** The same in datagrams, which are asked of many hosts that do not listen. */
const DATAGRAM_MS = 1_000;
/** After silence, for an answer that comes late: a frame of a serial line does not say which request it answers. */
const LATE_MS = 500;
/** Far more than one answer, in bytes. */
const MAX_RECEIVED = 1_024;
/** Answers that fit no request, before the host counts as something else. */
const MAX_STRAY = 8;

/** What a read came to. */
export type ProbeAnswer =
  | { readonly kind: "registers"; readonly registers: Uint16Array }
  | { readonly kind: "exception"; readonly code: number }
  | { readonly kind: "silence" };

const SILENCE: ProbeAnswer = { kind: "silence" };

interface Waiting {
  readonly id: number;
  readonly request: ReturnType<typeof readRequest>;
  readonly settle: (answer: ProbeAnswer) => void;
}

/** How requests are framed: as Modbus TCP, as on a serial line, or as on a serial line in datagrams. */
export type ProbeFraming = "tcp" | "rtu" | "udp";

/** Nobody listens at that port of a host that is there; or nothing at all came back. */
export type NoLine = "refused" | "silent";

type Wire = Disposable & { write(bytes: Uint8Array): void };

/**
 * One connection to a host that nobody knows yet, for as long as the probe takes. It can only read, one request at a
 * time. What is late belongs to an older transaction id and is passed over, so a unit that stays silent costs no new
 * connection: many devices take a single one.
 */
export class ProbeLine implements Disposable {
  readonly #clock: Pick<Clock, "sleep" | "timer">;
  readonly #copier = new RegisterCopier();
  readonly #reader = new FrameReader();
  #framing: ProbeFraming;
  #received = Buffer.alloc(0);
  #wire: Wire | null = null;
  #waiting: Waiting | null = null;
  #lastId = 0;
  #strays = 0;
  #isClosed = false;
  #hasAnswered = false;
  #wasSilent = false;
  #requests = 0;

  private constructor(clock: Pick<Clock, "sleep" | "timer">, framing: ProbeFraming) {
    this.#clock = clock;
    this.#framing = framing;
  }

  /** A connection to a host. */
  static async open(
    { clock, net }: Pick<AdapterContext, "clock" | "net">,
    address: TcpAddress,
    signal: AbortSignal,
  ): Promise<ProbeLine | NoLine> {
    const line = new ProbeLine(clock, "tcp");
    const patience = new AbortController();
    using _ = clock.timer(CONNECT_MS, () => patience.abort(new DeviceError("unreachable", "nobody answers")));
    const events = { data: (bytes: Uint8Array) => line.#take(bytes), closed: () => line.#end() };
    try {
      line.#wire = await net.connect(address, events, AbortSignal.any([signal, patience.signal]));
    } catch {
      signal.throwIfAborted();
      return patience.signal.aborted ? "silent" : "refused";
    }
    try {
      await clock.sleep(SETTLE_MS, signal);
    } catch (error) {
      line[Symbol.dispose]();
      throw error;
    }
    return line;
  }

  /** A socket from which a host is asked in datagrams. */
  static async openDatagrams(
    { clock, udp }: Pick<AdapterContext, "clock" | "udp">,
    { host, port }: TcpAddress,
  ): Promise<ProbeLine> {
    const line = new ProbeLine(clock, "udp");
    const socket = await udp.open(
      {},
      {
        datagram: (bytes, from) => {
          if (from.host === host && from.port === port) line.#take(bytes);
        },
        closed: () => line.#end(),
      },
    );
    line.#wire = {
      write: (bytes) => socket.send(bytes, { host, port }),
      [Symbol.dispose]: () => socket[Symbol.dispose](),
    };
    return line;
  }

  /** From now on frames are these. */
  speak(framing: ProbeFraming): void {
    this.#framing = framing;
  }

  get framing(): ProbeFraming {
    return this.#framing;
  }

  /** Something came back that was an answer, be it that nobody is there. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The other side left, or does not speak Modbus TCP. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Never rejects but with the signal's reason. */
  async read(
    unit: number,
    table: RegisterTable,
    address: number,
    count: number,
    signal: AbortSignal,
  ): Promise<ProbeAnswer> {
    if (this.#requests > 0) await this.#clock.sleep(this.#pauseMs(), signal);
    signal.throwIfAborted();
    const request = readRequest(unit, table, address, count);
    if (this.#isClosed) return SILENCE;
    this.#requests += 1;
    this.#lastId = (this.#lastId % 0xffff) + 1;
    this.#received = Buffer.alloc(0);
    const { promise, resolve, reject } = Promise.withResolvers<ProbeAnswer>();
    this.#waiting = { id: this.#lastId, request, settle: resolve };
    using _ = this.#clock.timer(this.#framing === "udp" ? DATAGRAM_MS : ANSWER_MS, () => resolve(SILENCE));
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      this.#wire?.write(this.#framed(request));
      const answer = await promise;
      this.#wasSilent = answer.kind === "silence";
      this.#hasAnswered ||= !this.#wasSilent;
      return answer;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#waiting = null;
    }
  }

  [Symbol.dispose](): void {
    this.#end();
    this.#wire?.[Symbol.dispose]();
  }

  #pauseMs(): number {
    return this.#wasSilent && this.#framing !== "tcp" ? LATE_MS : GAP_MS;
  }

  #framed(request: Waiting["request"]): Uint8Array {
    if (this.#framing !== "tcp") return RTU.encode(request);
    const bytes = new Uint8Array(requestBytes(request));
    putRequest(bytes, 0, this.#lastId, request);
    return bytes;
  }

  #take(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#framing === "tcp") {
      const fault = this.#reader.push(bytes, (frame, start, end) => this.#takeFrame(frame, start, end));
      if (fault !== null || this.#strays > MAX_STRAY) this[Symbol.dispose]();
    } else this.#takeRtu(bytes);
  }

  #takeRtu(bytes: Uint8Array): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#received = this.#framing === "udp" ? Buffer.from(bytes) : Buffer.concat([this.#received, bytes]);
    const found = (this.#framing === "udp" ? DATAGRAM : RTU).find(this.#received, waiting.request);
    if (found.kind === "answer") this.#settle(waiting, found.adu, found.start, found.end);
    else if (this.#received.length > MAX_RECEIVED) this[Symbol.dispose]();
  }

  /** False: no more of what came is looked at. */
  #takeFrame(frame: Uint8Array, start: number, end: number): boolean {
    const waiting = this.#waiting;
    const isOurs = waiting !== null && get16(frame, start) === waiting.id;
    if (isOurs && this.#settle(waiting, frame, start + MBAP_BYTES, end)) return true;
    this.#strays += 1;
    return this.#strays <= MAX_STRAY;
  }

  /** False: it is no answer to what was asked. */
  #settle(waiting: Waiting, bytes: Uint8Array, start: number, end: number): boolean {
    const answer = checkAnswer(bytes, start, end, waiting.request);
    if (answer.kind === "lie") return false;
    this.#waiting = null;
    if (answer.kind === "exception") waiting.settle({ kind: "exception", code: answer.code });
    else waiting.settle({ kind: "registers", registers: this.#copier.copy(bytes, start, waiting.request) });
    return true;
  }

  #end(): void {
    this.#isClosed = true;
    this.#waiting?.settle(SILENCE);
    this.#waiting = null;
  }
}
