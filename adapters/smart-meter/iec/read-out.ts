/**
 * Asks a meter for its values: the sign-on at 300 bits a second, the change to the meter's own speed, and the data
 * message with its block check (IEC 62056-21, modes A, B and C).
 */
import { type ByteStream, DeviceError, type StreamEvents } from "hemgate/sdk";
import { blockCheck } from "../checksums.ts";
import type { LineWorld } from "../line-place.ts";
import type { ReadOutcome } from "../telegram.ts";
import { withoutParity } from "../text/text-reader.ts";
import { readText } from "../text/text-telegram.ts";
import { Inbox } from "./inbox.ts";

export const SIGN_ON_BAUD = 300;
const ACK = "\u0006";
const STX = 0x02;
const ETX = 0x03;
/** A meter answers within 1.5 s, and pauses no longer between characters. */
const ANSWER_MS = 2_500;
/** An identification is 16 characters long, or 26; an echo may stand before it. */
const MAX_IDENTIFICATION = 200;
/** Where it begins: three letters of the manufacturer. */
const IDENTIFICATION = /\/[A-Za-z]{3}/;
/** Bits of a character at 7E1. */
const CHARACTER_BITS = 10;
/** What a converter holds back; the meter waits 200 ms before it answers. */
const SENT_LATE_MS = 30;

/** Speeds by the character in the identification: digits in mode C, letters in mode B, which asks for no answer. */
const SPEEDS = [300, 600, 1_200, 2_400, 4_800, 9_600, 19_200];
const MODE_B = "ABCDEF";

export interface ReadOutParts {
  readonly clock: LineWorld["clock"];
  /** What people call the line. */
  readonly name: string;
  /** The number of one meter of several on a line; empty for any. */
  readonly meterAddress: string;
  /** False: the speed of the line is somebody else's, and stays. */
  readonly canSwitch: boolean;
  /** Opens the line at a speed. */
  open(baudRate: number, events: StreamEvents, signal: AbortSignal): Promise<ByteStream>;
  received(count: number): void;
}

interface Opened extends Disposable {
  readonly stream: ByteStream;
  readonly inbox: Inbox;
}

/** Reads the meter once. Rejects with a `DeviceError`, or with the signal's reason. */
export async function readOut(parts: ReadOutParts, signal: AbortSignal): Promise<ReadOutcome> {
  using lines = new DisposableStack();
  const first = lines.use(await openLine(parts, SIGN_ON_BAUD, signal));
  first.stream.write(ascii(`/?${parts.meterAddress}!\r\n`));
  const identification = await first.inbox.until(identificationIn, ANSWER_MS, signal);
  if (identification === null) {
    throw new DeviceError("unreachable", `${parts.name}: the meter does not answer the sign-on`);
  }
  first.inbox.clear();
  const { baudRate, answer } = agreement(identification, parts.canSwitch);
  if (answer !== null) {
    first.stream.write(ascii(answer));
    // Closing the port earlier would throw away what is not sent yet.
    if (baudRate !== SIGN_ON_BAUD) await parts.clock.sleep(sendingMs(answer), signal);
  }
  let line = first;
  if (baudRate !== SIGN_ON_BAUD) {
    first[Symbol.dispose]();
    line = lines.use(await openLine(parts, baudRate, signal));
  }
  const data = await line.inbox.until(dataMessageIn, ANSWER_MS, signal);
  if (data === null)
    return { kind: "dropped", why: `the meter signs on, but no whole data message came at ${baudRate}` };
  return typeof data === "string"
    ? { kind: "dropped", why: data }
    : { kind: "telegram", telegram: readText(`${identification}\r\n${data.text}`) };
}

async function openLine(parts: ReadOutParts, baudRate: number, signal: AbortSignal): Promise<Opened> {
  const inbox = new Inbox(parts.clock, parts.name);
  const data = (bytes: Uint8Array): void => {
    parts.received(bytes.length);
    inbox.data(bytes);
  };
  const stream = await parts.open(baudRate, { data, closed: inbox.closed }, signal);
  return {
    stream,
    inbox,
    [Symbol.dispose]: () => {
      inbox.end();
      stream[Symbol.dispose]();
    },
  };
}

/** `/LGZ4ZMF100AC.M23`, without its line end. Some heads and lines return what is sent: that is passed over. */
function identificationIn(bytes: Uint8Array): string | null {
  const text = textOf(bytes.subarray(0, MAX_IDENTIFICATION)) ?? "";
  const whole = text.split(/\r?\n/).slice(0, -1);
  const line = whole.find((each) => IDENTIFICATION.test(each));
  return line?.slice(line.search(IDENTIFICATION)) ?? null;
}

function agreement(
  identification: string,
  canSwitch: boolean,
): { readonly baudRate: number; readonly answer: string | null } {
  const mark = identification.charAt(4);
  const speed = SPEEDS[Number.parseInt(mark, 10)];
  // Mode C: protocol 0, the speed, and 0 for a readout.
  if (speed !== undefined) {
    return { baudRate: canSwitch ? speed : SIGN_ON_BAUD, answer: `${ACK}0${canSwitch ? mark : 0}0\r\n` };
  }
  const modeB = SPEEDS[MODE_B.indexOf(mark) + 1];
  return { baudRate: MODE_B.includes(mark) && canSwitch && modeB !== undefined ? modeB : SIGN_ON_BAUD, answer: null };
}

function sendingMs(text: string): number {
  return (text.length * CHARACTER_BITS * 1_000) / SIGN_ON_BAUD + SENT_LATE_MS;
}

/** The data block, or (text) why it is not to be trusted. Null: it is not complete yet. */
function dataMessageIn(bytes: Uint8Array): { readonly text: string } | string | null {
  // Its parity is even as it is.
  const end = bytes.indexOf(ETX);
  if (end < 0 || bytes.length < end + 2) return null;
  const plain = bytes.map((byte) => byte & 0x7f);
  const start = plain.indexOf(STX);
  if (start < 0 || start > end) return "the start of the data message is missing";
  if (withoutParity(bytes.subarray(start, end + 2)) === null) return "the parity is wrong";
  if (blockCheck(plain.subarray(start + 1, end + 1)) !== plain[end + 1]) return "the block check is wrong";
  return { text: Buffer.from(plain.subarray(start + 1, end)).toString("latin1") };
}

function textOf(bytes: Uint8Array): string | null {
  const plain = withoutParity(bytes);
  return plain === null ? null : Buffer.from(plain).toString("latin1");
}

function ascii(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}
