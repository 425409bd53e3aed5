/** Modbus devices at the far end of a serial line, of a stream that passes its frames on, or of datagrams. */
import type { ByteStream, Clock, StreamEvents } from "../platform/ports/ports.ts";
import { answerAdu, type ModbusImage } from "./modbus-server.ts";

export interface ModbusLineOptions {
  readonly framing: "rtu" | "ascii";
  /** Time from the last byte of a request to the first of its answer, ms. */
  readonly answerAfterMs?: number;
  /** Bytes before each answer: the mark of GoodWe's modules, or noise. */
  readonly prefix?: readonly number[];
  /** The line returns what is written to it. */
  readonly hasEcho?: boolean;
  /** Changes an answer before it goes out. */
  readonly spoil?: (answer: Uint8Array) => Uint8Array;
}

/** Bytes kept of an unfinished frame, more than any frame has; what came before is noise. */
const MAX_PENDING_BYTES = 600;
/** A frame whose rest does not come within this is given up, ms. */
const BROKEN_OFF_MS = 100;
const ANSWER_AFTER_MS = 2;

/** Serves an image with all its units to the writer of the stream. */
export function modbusLine(
  clock: Pick<Clock, "timer" | "monotonicMs">,
  image: ModbusImage,
  options: ModbusLineOptions,
): (stream: Pick<ByteStream, "write">) => StreamEvents {
  const { framing, answerAfterMs = ANSWER_AFTER_MS, prefix = [], hasEcho = false, spoil = (it) => it } = options;
  const { cut, wrap } = framing === "rtu" ? { cut: cutRtu, wrap: wrapRtu } : { cut: cutAscii, wrap: wrapAscii };
  return (stream) => {
    let pending: Uint8Array = new Uint8Array(0);
    let isOpen = true;
    let freeAtMs = 0;
    let brokenOff: Disposable | null = null;
    const answer = (adu: Uint8Array): void => {
      const reply = answerAdu(image, adu);
      if (reply === null) return;
      // A device does one thing after the other: what is asked meanwhile waits.
      const nowMs = clock.monotonicMs();
      freeAtMs = Math.max(freeAtMs, nowMs) + answerAfterMs + reply.delayMs;
      clock.timer(freeAtMs - nowMs, () => {
        if (isOpen) stream.write(spoil(Uint8Array.from([...prefix, ...wrap(reply.bytes)])));
      });
    };
    return {
      data(bytes) {
        if (hasEcho) stream.write(bytes);
        brokenOff?.[Symbol.dispose]();
        pending = Uint8Array.from([...pending, ...bytes]).slice(-MAX_PENDING_BYTES);
        for (let found = cut(pending); found !== null; found = cut(pending)) {
          pending = pending.slice(found.end);
          answer(found.adu);
        }
        brokenOff = clock.timer(BROKEN_OFF_MS, () => {
          pending = new Uint8Array(0);
        });
      },
      closed() {
        isOpen = false;
        brokenOff?.[Symbol.dispose]();
      },
    };
  };
}

interface Cut {
  readonly adu: Uint8Array;
  readonly end: number;
}

/** Finds the first whole request, by the length that its function has; `null` if it is not complete yet. */
function cutRtu(bytes: Uint8Array): Cut | null {
  for (let start = 0; start + 8 <= bytes.length; start++) {
    const isLong = bytes[start + 1] === 16;
    const size = isLong ? 7 + (bytes[start + 6] ?? 0) : 6;
    const adu = bytes.slice(start, start + size);
    const end = start + size + 2;
    if (end > bytes.length) continue;
    const [low, high] = checksum(adu);
    if (bytes[end - 2] === low && bytes[end - 1] === high) return { adu, end };
  }
  return null;
}

function wrapRtu(adu: Uint8Array): number[] {
  return [...adu, ...checksum(adu)];
}

/** CRC-16/MODBUS, low byte first, by polynomial division of the message with its bits mirrored. */
function checksum(bytes: Uint8Array): [low: number, high: number] {
  let rest = 0xffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let step = 0; step < 8; step += 1) {
      const isOdd = rest % 2 === 1;
      rest = Math.floor(rest / 2);
      if (isOdd) rest ^= 0xa001;
    }
  }
  return [rest % 256, Math.floor(rest / 256)];
}

function cutAscii(bytes: Uint8Array): Cut | null {
  const text = Buffer.from(bytes).toString("latin1");
  const found = /:((?:[0-9A-F]{2})+)\r\n/.exec(text);
  if (found === null) return null;
  const all = Buffer.from(found[1] ?? "", "hex");
  const sum = all.reduce((total, byte) => total + byte, 0) % 256;
  const end = found.index + found[0].length;
  return sum === 0 ? { adu: all.subarray(0, -1), end } : cutAfter(bytes, end);
}

/** A damaged frame is nobody's. */
function cutAfter(bytes: Uint8Array, end: number): Cut | null {
  const next = cutAscii(bytes.slice(end));
  return next === null ? null : { adu: next.adu, end: end + next.end };
}

function wrapAscii(adu: Uint8Array): number[] {
  const sum = adu.reduce((total, byte) => total + byte, 0) % 256;
  const hex = [...adu, (256 - sum) % 256].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [...Buffer.from(`:${hex.toUpperCase()}\r\n`, "latin1")];
}
