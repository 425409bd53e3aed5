import { type Clock, DeviceError, type Net, type RegisterTable, type TcpAddress, type TcpStream } from "hemgate/sdk";
import { readRequest } from "../bus-requests.ts";
import { checkAnswer, FrameReader, get16, HEADER_BYTES, putRequest, RegisterCopier, requestBytes } from "../frame.ts";

/** Machines of a house take a connection within milliseconds; one that is not there never does. */
const CONNECT_MS = 1_000;
/** Some dongles lose what comes at once after the connection. */
const SETTLE_MS = 1_000;
/** Between two requests. */
const GAP_MS = 50;
const ANSWER_MS = 2_000;
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

/**
 * One connection to a host that nobody knows yet, for as long as the probe takes. It can only read, one request at a
 * time. What is late belongs to an older transaction id and is passed over, so a unit that stays silent costs no new
 * connection: many devices take a single one.
 */
export class ProbeLine implements Disposable {
  readonly #clock: Pick<Clock, "sleep" | "timer">;
  readonly #copier = new RegisterCopier();
  readonly #reader = new FrameReader();
  #stream: TcpStream | null = null;
  #waiting: Waiting | null = null;
  #lastId = 0;
  #strays = 0;
  #isClosed = false;
  #requests = 0;

  private constructor(clock: Pick<Clock, "sleep" | "timer">) {
    this.#clock = clock;
  }

  /** Null when nobody listens there. */
  static async open(
    { clock, net }: { readonly clock: Pick<Clock, "sleep" | "timer">; readonly net: Pick<Net, "connect"> },
    address: TcpAddress,
    signal: AbortSignal,
  ): Promise<ProbeLine | null> {
    const line = new ProbeLine(clock);
    const patience = new AbortController();
    using _ = clock.timer(CONNECT_MS, () => patience.abort(new DeviceError("unreachable", "nobody answers")));
    const events = { data: (bytes: Uint8Array) => line.#take(bytes), closed: () => line.#end() };
    try {
      line.#stream = await net.connect(address, events, AbortSignal.any([signal, patience.signal]));
    } catch {
      signal.throwIfAborted();
      return null;
    }
    try {
      await clock.sleep(SETTLE_MS, signal);
    } catch (error) {
      line[Symbol.dispose]();
      throw error;
    }
    return line;
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
    if (this.#requests > 0) await this.#clock.sleep(GAP_MS, signal);
    signal.throwIfAborted();
    const request = readRequest(unit, table, address, count);
    if (this.#isClosed) return SILENCE;
    this.#requests += 1;
    this.#lastId = (this.#lastId % 0xffff) + 1;
    const { promise, resolve, reject } = Promise.withResolvers<ProbeAnswer>();
    this.#waiting = { id: this.#lastId, request, settle: resolve };
    using _ = this.#clock.timer(ANSWER_MS, () => resolve(SILENCE));
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const bytes = new Uint8Array(requestBytes(request));
      putRequest(bytes, 0, this.#lastId, request);
      this.#stream?.write(bytes);
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#waiting = null;
    }
  }

  [Symbol.dispose](): void {
    this.#end();
    this.#stream?.[Symbol.dispose]();
  }

  #take(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const fault = this.#reader.push(bytes, (frame, start, end) => this.#takeFrame(frame, start, end));
    if (fault !== null || this.#strays > MAX_STRAY) this[Symbol.dispose]();
  }

  /** False: no more of what came is looked at. */
  #takeFrame(frame: Uint8Array, start: number, end: number): boolean {
    const waiting = this.#waiting;
    if (waiting === null || get16(frame, start) !== waiting.id) {
      this.#strays += 1;
      return this.#strays <= MAX_STRAY;
    }
    const answer = checkAnswer(frame, start + HEADER_BYTES, end, waiting.request);
    if (answer.kind === "lie") {
      this.#strays += 1;
      return this.#strays <= MAX_STRAY;
    }
    this.#waiting = null;
    if (answer.kind === "exception") waiting.settle({ kind: "exception", code: answer.code });
    else {
      const registers = this.#copier.copy(frame, start + HEADER_BYTES, waiting.request);
      waiting.settle({ kind: "registers", registers });
    }
    return true;
  }

  #end(): void {
    this.#isClosed = true;
    this.#waiting?.settle(SILENCE);
    this.#waiting = null;
  }
}
