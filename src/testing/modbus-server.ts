/** A Modbus TCP server on the Net port, for simulated devices: the transport only, the registers are given. */
import type { Clock, Net, StreamEvents, TcpAddress, TcpStream } from "../platform/ports.ts";

/** What a device does with a request: values (none after a write), an exception, silence, or it closes the connection. */
export type ModbusReply =
  | { readonly kind: "values"; readonly values: readonly number[]; readonly delayMs?: number }
  | { readonly kind: "exception"; readonly code: number; readonly delayMs?: number }
  | { readonly kind: "silence" }
  | { readonly kind: "hang-up" };

/** The registers of a device; addresses are those on the wire, from zero. */
export interface ModbusImage {
  readHolding(unit: number, address: number, count: number): ModbusReply;
  readInput(unit: number, address: number, count: number): ModbusReply;
  writeHolding(unit: number, address: number, values: readonly number[], code: 6 | 16): ModbusReply;
}

const HEADER_BYTES = 7;
const MAX_FRAME_BYTES = 260;
/** What a client may send ahead before the server takes it for noise. */
const MAX_BUFFERED_BYTES = 16 * MAX_FRAME_BYTES;
const READ_HOLDING = 3;
const READ_INPUT = 4;
const WRITE_SINGLE = 6;
const WRITE_MULTIPLE = 16;
const ILLEGAL_FUNCTION = 1;
const ILLEGAL_VALUE = 3;

/** Serves an image at an address until it is disposed. */
export async function serveModbus(
  { clock, net }: { readonly clock: Pick<Clock, "timer">; readonly net: Pick<Net, "listen"> },
  image: ModbusImage,
  address: TcpAddress,
): Promise<AsyncDisposable> {
  return await net.listen(address, (stream) => serveStream(clock, image, stream));
}

function serveStream(clock: Pick<Clock, "timer">, image: ModbusImage, stream: TcpStream): StreamEvents {
  let buffered: Buffer = Buffer.alloc(0);
  return {
    data(bytes) {
      buffered = buffered.length === 0 ? Buffer.from(bytes) : Buffer.concat([buffered, bytes]);
      while (buffered.length >= HEADER_BYTES) {
        const frameBytes = buffered.readUInt16BE(4) + 6;
        const isNoise = buffered.readUInt16BE(2) !== 0 || frameBytes < HEADER_BYTES + 1 || frameBytes > MAX_FRAME_BYTES;
        if (isNoise || buffered.length > MAX_BUFFERED_BYTES) {
          stream[Symbol.dispose]();
          return;
        }
        if (buffered.length < frameBytes) return;
        const frame = buffered.subarray(0, frameBytes);
        buffered = buffered.subarray(frameBytes);
        reply(clock, stream, frame, answerTo(image, frame));
      }
    },
    closed: () => undefined,
  };
}

function reply(clock: Pick<Clock, "timer">, stream: TcpStream, request: Buffer, answer: ModbusReply): void {
  if (answer.kind === "silence") return;
  if (answer.kind === "hang-up") {
    stream[Symbol.dispose]();
    return;
  }
  const frame = responseFrame(request, answer);
  if (answer.delayMs === undefined) stream.write(frame);
  else clock.timer(answer.delayMs, () => stream.write(frame));
}

function answerTo(image: ModbusImage, frame: Buffer): ModbusReply {
  const unit = frame.readUInt8(6);
  const code = frame.readUInt8(7);
  const isKnown = code === READ_HOLDING || code === READ_INPUT || code === WRITE_SINGLE || code === WRITE_MULTIPLE;
  if (!isKnown) return { kind: "exception", code: ILLEGAL_FUNCTION };
  if (frame.length < 12) return { kind: "exception", code: ILLEGAL_VALUE };
  const address = frame.readUInt16BE(8);
  const count = frame.readUInt16BE(10);
  if (code === READ_HOLDING) return image.readHolding(unit, address, count);
  if (code === READ_INPUT) return image.readInput(unit, address, count);
  if (code === WRITE_SINGLE) return image.writeHolding(unit, address, [count], 6);
  if (frame.length !== 13 + count * 2 || frame.readUInt8(12) !== count * 2) {
    return { kind: "exception", code: ILLEGAL_VALUE };
  }
  const values = Array.from({ length: count }, (_, index) => frame.readUInt16BE(13 + index * 2));
  return image.writeHolding(unit, address, values, 16);
}

function responseFrame(request: Buffer, answer: ModbusReply & { kind: "values" | "exception" }): Buffer {
  const code = request.readUInt8(7);
  const body =
    answer.kind === "exception"
      ? Buffer.of(code | 0x80, answer.code)
      : code === READ_HOLDING || code === READ_INPUT
        ? registersBody(code, answer.values)
        : request.subarray(7, 12);
  const frame = Buffer.alloc(HEADER_BYTES + body.length);
  request.copy(frame, 0, 0, 4);
  frame.writeUInt16BE(body.length + 1, 4);
  request.copy(frame, 6, 6, 7);
  body.copy(frame, HEADER_BYTES);
  return frame;
}

function registersBody(code: number, values: readonly number[]): Buffer {
  const body = Buffer.alloc(2 + values.length * 2);
  body.writeUInt8(code, 0);
  body.writeUInt8(values.length * 2, 1);
  for (const [index, value] of values.entries()) body.writeUInt16BE(value, 2 + index * 2);
  return body;
}
