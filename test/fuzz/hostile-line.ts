/**
 * A Modbus device that means no good, at the far end of any transport, and what it really sent: frames are made and
 * looked for here without a line of the product's.
 */
import type { SeededRandom } from "hemgate/testing";

export type Transport = "tcp" | "rtu-over-tcp" | "rtu" | "ascii" | "udp";

/** A request as the device understood it. */
export interface Asked {
  readonly id: number;
  readonly unit: number;
  readonly code: number;
  readonly address: number;
  readonly count: number;
}

/** What the device sends for a request, and when. `null` bytes: it hangs up. */
export interface Sent {
  readonly afterMs: number;
  readonly bytes: Uint8Array | null;
}

/** Tricks that a slow, noisy but truthful device or line plays: whatever is read must be what the device holds. */
const TRUTHFUL = [
  "answer",
  "answer",
  "answer",
  "silence",
  "late",
  "pieces",
  "noise-before",
  "exception",
  "hang-up",
] as const;
/** What a liar adds: whatever is read must at least stand in a frame that it sent for that request. */
const LYING = [
  "other-values",
  "other-id",
  "other-unit",
  "other-function",
  "other-length",
  "short",
  "long",
  "flipped",
  "garbage",
  "twice",
  "replay",
  "flood",
  "echo",
] as const;
type Trick = (typeof TRUTHFUL)[number] | (typeof LYING)[number];

/** The value of each register of a truthful device. */
export function truth(unit: number, code: number, address: number): number {
  return ((unit * 7_919 + code * 104_729 + address * 31_337) ^ (address << 3)) & 0xffff;
}

export class HostileDevice {
  readonly isLiar: boolean;
  readonly #random: SeededRandom;
  readonly #transport: Transport;
  readonly #tricks: readonly [Trick, ...Trick[]];
  #last: Uint8Array | null = null;

  constructor(random: SeededRandom, transport: Transport) {
    this.#random = random;
    this.#transport = transport;
    this.isLiar = random.isChance(0.5);
    // Each device has only some of the tricks, so that some get far.
    const own = (all: readonly Trick[]): Trick[] => all.filter(() => random.isChance(0.4));
    this.#tricks = ["answer", ...own(TRUTHFUL), ...(this.isLiar ? own(LYING) : [])];
  }

  /** Requests in what the gateway wrote; a broken one is nobody's. */
  asked(bytes: Uint8Array): Asked[] {
    if (this.#transport === "tcp") return cutTcp(bytes);
    const adu = this.#transport === "ascii" ? unhexed(bytes) : bytes.subarray(0, -2);
    return adu === null || adu.length < 6 ? [] : [{ id: 0, ...requestOf(adu) }];
  }

  answer(asked: Asked): readonly Sent[] {
    const random = this.#random;
    const values = Array.from({ length: asked.count }, (_, at) => truth(asked.unit, asked.code, asked.address + at));
    const right = this.frame(asked, pduOf(asked, values));
    const afterMs = random.between(0.5, 40);
    const send = (bytes: Uint8Array): Sent[] => [{ afterMs, bytes }];
    const trick = random.pick(this.#tricks);
    const before = this.#last;
    this.#last = right;
    switch (trick) {
      case "answer":
        return send(right);
      case "silence":
        return [];
      case "late":
        return [{ afterMs: random.between(100, 20_000), bytes: right }];
      case "pieces":
        return this.#pieces(right, afterMs);
      case "noise-before":
        // A truthful line has noise on it only where a checksum and a place in the stream can tell it from an answer.
        if (this.#transport !== "rtu" && this.#transport !== "ascii") return send(right);
        return send(joined(random.secretBytes(1 + random.below(4)), right));
      case "exception":
        return send(this.frame(asked, Uint8Array.of(asked.code | 0x80, 1 + random.below(11))));
      case "hang-up":
        return [{ afterMs, bytes: null }];
      default:
        return this.#lie(trick, asked, right, before, afterMs);
    }
  }

  /** A frame around a PDU, as this transport has it. */
  frame({ id, unit }: Asked, pdu: Uint8Array): Uint8Array {
    return framed(this.#transport, id, unit, pdu);
  }

  #pieces(bytes: Uint8Array, afterMs: number): Sent[] {
    // A datagram is whole or not there.
    if (this.#transport === "udp") return [{ afterMs, bytes }];
    const sent: Sent[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + this.#random.below(bytes.length);
      sent.push({ afterMs: at === 0 ? afterMs : this.#random.between(0, 30), bytes: bytes.slice(at, end) });
      at = end;
    }
    return sent;
  }

  #lie(
    trick: (typeof LYING)[number],
    asked: Asked,
    right: Uint8Array,
    before: Uint8Array | null,
    afterMs: number,
  ): Sent[] {
    const random = this.#random;
    const send = (...all: readonly Uint8Array[]): Sent[] => all.map((bytes) => ({ afterMs, bytes }));
    const noise = Array.from({ length: asked.count }, () => random.below(65_536));
    const pdu = pduOf(asked, noise);
    switch (trick) {
      case "other-values":
        return send(this.frame(asked, pdu));
      case "other-id":
        return send(this.frame({ ...asked, id: (asked.id + 1 + random.below(65_534)) & 0xffff }, pdu));
      case "other-unit":
        return send(this.frame({ ...asked, unit: random.below(256) }, pdu));
      case "other-function":
        return send(this.frame(asked, Uint8Array.from([random.below(256), ...pdu.subarray(1)])));
      case "other-length":
        return send(this.frame(asked, Uint8Array.from([asked.code, random.below(256), ...pdu.subarray(2)])));
      case "short":
        return send(right.slice(0, random.below(right.length)));
      case "long":
        return send(joined(right, random.secretBytes(1 + random.below(300))));
      case "flipped":
        return send(flipped(right, 1 + random.below(4), random));
      case "garbage":
        return send(random.secretBytes(1 + random.below(400)));
      case "twice":
        return send(right, this.frame(asked, pdu));
      case "replay":
        return before === null ? send(right) : send(before);
      case "flood":
        return send(...Array.from({ length: 30 }, () => random.secretBytes(random.below(1_500))));
      case "echo":
        return send(this.frame(asked, Uint8Array.of(asked.code, 0, asked.address & 0xff, 0, asked.count)));
      default:
        return trick satisfies never;
    }
  }
}

/** The PDU that answers a read. */
function pduOf({ code, count }: Asked, values: readonly number[]): Uint8Array {
  if (code <= 2) {
    const bits = new Uint8Array(Math.ceil(count / 8));
    for (const [at, value] of values.entries())
      if (value % 2 === 1) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
    return Uint8Array.from([code, bits.length, ...bits]);
  }
  return Uint8Array.from([code, 2 * count, ...values.flatMap((value) => [value >> 8, value & 0xff])]);
}

/** Whether a whole frame that carries these registers as the answer to the request stands in what was sent. */
export function wasCarried(transport: Transport, asked: Asked, registers: Uint16Array, sent: Uint8Array): boolean {
  const pdu = pduOf(asked, [...registers]);
  const isText = transport === "ascii";
  const text = isText ? Buffer.from(sent).toString("latin1").toUpperCase() : hex(sent);
  // The spare bits of the last byte of coils may be anything, and so may the checksum over them.
  if (asked.code <= 2 && asked.count % 8 !== 0) {
    const known = hex(pdu.subarray(0, -1));
    return text.includes(isText ? known.toUpperCase() : known);
  }
  const frame = framed(transport, asked.id, asked.unit, pdu);
  // ABL begins its answers with another mark than requests have.
  return text.includes(isText ? Buffer.from(frame).toString("latin1").slice(1) : hex(frame));
}

function framed(transport: Transport, id: number, unit: number, pdu: Uint8Array): Uint8Array {
  const adu = [unit, ...pdu];
  if (transport === "tcp")
    return Uint8Array.from([id >> 8, id & 0xff, 0, 0, adu.length >> 8, adu.length & 0xff, ...adu]);
  if (transport === "ascii") {
    const sum = adu.reduce((total, byte) => total + byte, 0);
    const digits = hex(Uint8Array.from([...adu, (0x10000 - sum) % 256])).toUpperCase();
    return Uint8Array.from(Buffer.from(`:${digits}\r\n`, "latin1"));
  }
  return Uint8Array.from([...adu, ...checksum(adu)]);
}

/** CRC-16/MODBUS by a table of its polynomial, low byte first. */
function checksum(bytes: readonly number[]): readonly [number, number] {
  const crc = bytes.reduce((rest, byte) => (rest >> 8) ^ (TABLE[(rest ^ byte) % 256] ?? 0), 0xffff);
  return [crc % 256, crc >> 8];
}

const TABLE = Array.from({ length: 256 }, (_, byte) =>
  [1, 2, 3, 4, 5, 6, 7, 8].reduce((rest) => (rest % 2 === 1 ? (rest >> 1) ^ 0xa001 : rest >> 1), byte),
);

function cutTcp(bytes: Uint8Array): Asked[] {
  const all: Asked[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 12 <= bytes.length; at += 6 + view.getUint16(at + 4)) {
    all.push({ id: view.getUint16(at), ...requestOf(bytes.subarray(at + 6)) });
  }
  return all;
}

function requestOf(adu: Uint8Array): Omit<Asked, "id"> {
  const [unit = 0, code = 0, high = 0, low = 0, many = 0, few = 0] = adu;
  return { unit, code, address: 256 * high + low, count: 256 * many + few };
}

function unhexed(bytes: Uint8Array): Uint8Array | null {
  const found = /^:((?:[0-9A-F]{2})+)\r\n$/.exec(Buffer.from(bytes).toString("latin1"));
  return found === null ? null : Buffer.from(found[1] ?? "", "hex").subarray(0, -1);
}

export function flipped(bytes: Uint8Array, count: number, random: SeededRandom): Uint8Array {
  const all = bytes.slice();
  for (let flip = 0; flip < count; flip += 1) {
    const at = random.below(all.length);
    all[at] = (all[at] ?? 0) ^ (1 << random.below(8));
  }
  return all;
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
