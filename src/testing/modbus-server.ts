/** A Modbus TCP server for tests: it stands in for a device, in a simulated network or on a real port. */
import type { Clock, Net, StreamEvents, TcpAddress, TcpStream } from "../platform/ports/ports.ts";

/** What a device does with a request. `delayMs` holds the answer back; the connection's next request waits for it. */
export type ModbusReply =
  | { readonly kind: "values"; readonly values: readonly number[]; readonly delayMs?: number }
  | { readonly kind: "exception"; readonly code: number; readonly delayMs?: number }
  | { readonly kind: "silence" }
  | { readonly kind: "hang-up" };

/** The registers of a device. Addresses are those on the wire, from zero; counts are within what the protocol allows. */
export interface ModbusImage {
  readHolding(unit: number, address: number, count: number): ModbusReply;
  readInput(unit: number, address: number, count: number): ModbusReply;
  /** Bits, each 0 or 1. A device without such a table answers that it does not know the function. */
  readCoils?(unit: number, address: number, count: number): ModbusReply;
  readDiscrete?(unit: number, address: number, count: number): ModbusReply;
  writeCoil?(unit: number, address: number, isOn: boolean): ModbusReply;
  /** A write with function 6 (one value) or 16; `values` of the reply are not looked at. */
  writeHolding(unit: number, address: number, values: readonly number[], code: 6 | 16): ModbusReply;
}

/** How many clients a device takes, and for how long. */
export interface ModbusServerOptions {
  /**
   * Clients at a time; one more is let in and closed at once, as devices for few clients do. Absent: at `MAX_CONNECTIONS`
   * the connection that was unused for longest gives way to the new one, as Modbus.org's implementation guide for TCP wants
   * it and servers with room for several do (Schneider: Lexium 32M, M218). So clients that left without a word, whose
   * connections stay half-open for minutes, keep nobody out.
   */
  readonly maxClients?: number;
  /** A connection without a request for so long is closed, ms. */
  readonly idleCloseMs?: number;
}

export interface ModbusServer extends AsyncDisposable {
  /** Where it listens; a port that was 0 has its number here. */
  readonly address: TcpAddress;
  /** Connections that are open. */
  readonly connections: number;
}

/** Connections at a time. */
export const MAX_CONNECTIONS = 32;
/** Bytes that a client may send ahead of the answers, and leave unread of them; then its connection is closed. */
export const MAX_AHEAD_BYTES = 16 * 260;

const HEADER_BYTES = 6;
/** Unit id and function, and the largest PDU with its unit id. */
const MIN_LENGTH = 2;
const MAX_LENGTH = 254;
const MAX_READ = 125;
const MAX_READ_BITS = 2_000;
const MAX_WRITE = 123;
/** The value that switches a coil on. */
const COIL_ON = 0xff00;
const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;
const NO_FUNCTION: ModbusReply = { kind: "exception", code: ILLEGAL_FUNCTION };

/** Serves an image at an address until it is disposed by the caller. */
export async function serveModbus(
  { clock, net }: { readonly clock: Pick<Clock, "timer">; readonly net: Pick<Net, "listen"> },
  image: ModbusImage,
  address: TcpAddress,
  { maxClients, idleCloseMs }: ModbusServerOptions = {},
): Promise<ModbusServer> {
  /** The one that was unused for longest first. */
  const sessions = new Set<Session>();
  const dropAll = (): void => {
    for (const session of [...sessions]) session[Symbol.dispose]();
  };
  const listener = await net.listen(address, (stream) => {
    if (maxClients !== undefined && sessions.size >= maxClients) {
      stream[Symbol.dispose]();
      return { data: () => undefined, closed: () => undefined };
    }
    if (sessions.size >= MAX_CONNECTIONS) [...sessions][0]?.[Symbol.dispose]();
    const owner: Owner = {
      hangUp: dropAll,
      used: (it) => {
        if (sessions.delete(it)) sessions.add(it);
      },
      closed: (it) => sessions.delete(it),
      idleCloseMs,
    };
    const session = new Session(stream, clock, image, owner);
    sessions.add(session);
    return session;
  });
  return {
    address: listener.address,
    get connections() {
      return sessions.size;
    },
    async [Symbol.asyncDispose]() {
      dropAll();
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** What a connection tells the server. */
interface Owner {
  /** The device closes all of its connections. */
  hangUp(): void;
  /** Bytes came. */
  used(session: Session): void;
  closed(session: Session): void;
  readonly idleCloseMs: number | undefined;
}

/** One connection: its requests are answered one after the other. */
class Session implements StreamEvents, Disposable {
  readonly #stream: TcpStream;
  readonly #clock: Pick<Clock, "timer">;
  readonly #image: ModbusImage;
  readonly #owner: Owner;
  #received: Uint8Array = new Uint8Array(0);
  #waiting: Disposable | null = null;
  #idle: Disposable | null = null;
  #isClosed = false;

  constructor(stream: TcpStream, clock: Pick<Clock, "timer">, image: ModbusImage, owner: Owner) {
    this.#stream = stream;
    this.#clock = clock;
    this.#image = image;
    this.#owner = owner;
    this.#watch();
  }

  data(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#watch();
    this.#owner.used(this);
    const joined = new Uint8Array(this.#received.length + bytes.length);
    joined.set(this.#received);
    joined.set(bytes, this.#received.length);
    this.#received = joined;
    if (joined.length > MAX_AHEAD_BYTES) this[Symbol.dispose]();
    else this.#advance();
  }

  closed(): void {
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting?.[Symbol.dispose]();
    this.#idle?.[Symbol.dispose]();
    this.#received = new Uint8Array(0);
    this.#stream[Symbol.dispose]();
    this.#owner.closed(this);
  }

  /** Closes the connection when nothing comes for too long. */
  #watch(): void {
    this.#idle?.[Symbol.dispose]();
    const { idleCloseMs } = this.#owner;
    if (idleCloseMs !== undefined) this.#idle = this.#clock.timer(idleCloseMs, () => this[Symbol.dispose]());
  }

  /** Answers whole requests until one has to wait, or the rest is not a whole one. */
  #advance(): void {
    while (!this.#isClosed && this.#waiting === null && this.#received.length >= HEADER_BYTES) {
      const view = viewOf(this.#received);
      const length = view.getUint16(4);
      // Another protocol, or a length that no request has: the place of the next frame is unknown from here on.
      if (view.getUint16(2) !== 0 || length < MIN_LENGTH || length > MAX_LENGTH) {
        this[Symbol.dispose]();
        return;
      }
      const end = HEADER_BYTES + length;
      if (this.#received.length < end) return;
      const frame = this.#received.slice(0, end);
      this.#received = this.#received.slice(end);
      this.#take(frame);
    }
  }

  #take(frame: Uint8Array): void {
    const reply = answerTo(this.#image, frame);
    if (reply.kind === "hang-up") this.#owner.hangUp();
    if (reply.kind === "hang-up" || reply.kind === "silence") return;
    const bytes = answerBytes(frame, reply);
    if (reply.delayMs === undefined) this.#send(bytes);
    else this.#sendLater(bytes, reply.delayMs);
  }

  #sendLater(bytes: Uint8Array, delayMs: number): void {
    this.#waiting = this.#clock.timer(delayMs, () => {
      this.#waiting = null;
      this.#send(bytes);
      this.#advance();
    });
  }

  #send(bytes: Uint8Array): void {
    this.#stream.write(bytes);
    if (this.#stream.bufferedBytes > MAX_AHEAD_BYTES) this[Symbol.dispose]();
  }
}

/** The answer to a request, both as unit and PDU; null: the device stays silent. */
export function answerAdu(
  image: ModbusImage,
  adu: Uint8Array,
): { readonly bytes: Uint8Array; readonly delayMs: number } | null {
  const frame = new Uint8Array(HEADER_BYTES + adu.length);
  frame.set(adu, HEADER_BYTES);
  const reply = answerTo(image, frame);
  if (reply.kind === "silence" || reply.kind === "hang-up") return null;
  return { bytes: answerBytes(frame, reply).slice(HEADER_BYTES), delayMs: reply.delayMs ?? 0 };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function answerTo(image: ModbusImage, frame: Uint8Array): ModbusReply {
  const view = viewOf(frame);
  const unit = view.getUint8(6);
  const code = view.getUint8(7);
  if (!isServed(image, code)) return { kind: "exception", code: ILLEGAL_FUNCTION };
  if (frame.length < 12 || (code !== 16 && frame.length !== 12)) return { kind: "exception", code: ILLEGAL_VALUE };
  const address = view.getUint16(8);
  const operand = view.getUint16(10);
  if (code === 5) return answerToCoil(image, unit, address, operand);
  if (code === 6) return image.writeHolding(unit, address, [operand], 6);
  const most = code === 16 ? MAX_WRITE : code <= 2 ? MAX_READ_BITS : MAX_READ;
  if (operand < 1 || operand > most) return { kind: "exception", code: ILLEGAL_VALUE };
  if (address + operand > 0x1_0000) return { kind: "exception", code: ILLEGAL_ADDRESS };
  if (code === 1) return image.readCoils?.(unit, address, operand) ?? NO_FUNCTION;
  if (code === 2) return image.readDiscrete?.(unit, address, operand) ?? NO_FUNCTION;
  if (code === 3) return image.readHolding(unit, address, operand);
  if (code === 4) return image.readInput(unit, address, operand);
  if (frame.length !== 13 + 2 * operand || view.getUint8(12) !== 2 * operand) {
    return { kind: "exception", code: ILLEGAL_VALUE };
  }
  const values = Array.from({ length: operand }, (_unused, index) => view.getUint16(13 + 2 * index));
  return image.writeHolding(unit, address, values, 16);
}

function isServed(image: ModbusImage, code: number): boolean {
  if (code === 1) return image.readCoils !== undefined;
  if (code === 2) return image.readDiscrete !== undefined;
  if (code === 5) return image.writeCoil !== undefined;
  return code === 3 || code === 4 || code === 6 || code === 16;
}

function answerToCoil(image: ModbusImage, unit: number, address: number, operand: number): ModbusReply {
  if (operand !== 0 && operand !== COIL_ON) return { kind: "exception", code: ILLEGAL_VALUE };
  return image.writeCoil?.(unit, address, operand === COIL_ON) ?? NO_FUNCTION;
}

/** The answer's frame: the request's transaction and unit, then what the function asks for. */
function answerBytes(frame: Uint8Array, reply: ModbusReply & { readonly kind: "values" | "exception" }): Uint8Array {
  const code = frame[7] ?? 0;
  const body = reply.kind === "exception" ? Uint8Array.of(reply.code) : valuesBody(frame, code, reply.values);
  const bytes = new Uint8Array(8 + body.length);
  bytes.set(frame.subarray(0, 2));
  viewOf(bytes).setUint16(4, 2 + body.length);
  bytes[6] = frame[6] ?? 0;
  bytes[7] = reply.kind === "exception" ? code | 0x80 : code;
  bytes.set(body, 8);
  return bytes;
}

function valuesBody(frame: Uint8Array, code: number, values: readonly number[]): Uint8Array {
  // A write is echoed: its address, and its value or count.
  if (code === 5 || code === 6 || code === 16) return frame.slice(8, 12);
  if (code <= 2) return bitsBody(values);
  const body = new Uint8Array(1 + 2 * values.length);
  const view = viewOf(body);
  view.setUint8(0, 2 * values.length);
  for (const [index, value] of values.entries()) view.setUint16(1 + 2 * index, value);
  return body;
}

/** Bits in bytes, the first in the lowest. */
function bitsBody(bits: readonly number[]): Uint8Array {
  const body = new Uint8Array(1 + Math.ceil(bits.length / 8));
  body[0] = body.length - 1;
  for (const [index, bit] of bits.entries()) {
    const at = 1 + Math.floor(index / 8);
    body[at] = (body[at] ?? 0) | ((bit & 1) << (index % 8));
  }
  return body;
}
