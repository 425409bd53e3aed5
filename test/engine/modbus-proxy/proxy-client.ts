/** A program that speaks Modbus TCP to the proxy, in a simulated network. Its frames are written by hand, from the specification. */
import type { Net, StreamEvents, TcpStream } from "hemgate/sdk";
import type { VirtualClock } from "hemgate/testing";

const calm = new AbortController().signal;

export interface Program extends Disposable {
  readonly isClosed: boolean;
  /** Sends bytes as they are. */
  send(bytes: readonly number[]): void;
  /** Sends a unit and PDU in a frame; returns its transaction id. */
  request(unit: number, pdu: readonly number[]): number;
  /** Resolves with the PDU of the answer to a request, in decimal; null when the connection closed or nothing came in time. */
  answer(id: number): Promise<readonly number[] | null>;
  /** Requests and waits. */
  ask(unit: number, pdu: readonly number[]): Promise<readonly number[] | null>;
  /** Answers in the order received: transaction id, and PDU. */
  readonly answers: readonly { readonly id: number; readonly unit: number; readonly pdu: readonly number[] }[];
}

export async function connectProgram(
  net: Pick<Net, "connect">,
  clock: VirtualClock,
  address: { readonly host: string; readonly port: number },
): Promise<Program> {
  let received: number[] = [];
  let isClosed = false;
  let lastId = 0;
  const answers: { id: number; unit: number; pdu: number[] }[] = [];
  const events: StreamEvents = {
    data(bytes) {
      received.push(...bytes);
      for (;;) {
        const end = 6 + ((received[4] ?? 0) << 8) + (received[5] ?? Number.NaN);
        if (!(received.length >= end)) return;
        const frame = received.slice(0, end);
        received = received.slice(end);
        answers.push({ id: (frame[0]! << 8) | frame[1]!, unit: frame[6]!, pdu: frame.slice(7) });
      }
    },
    closed() {
      isClosed = true;
    },
  };
  const stream: TcpStream = await clock.resolve(net.connect(address, events, calm), 10_000);
  const program: Program = {
    get isClosed() {
      return isClosed;
    },
    answers,
    send: (bytes) => stream.write(Uint8Array.from(bytes)),
    request(unit, pdu) {
      lastId += 1;
      program.send([...word(lastId), 0, 0, ...word(1 + pdu.length), unit, ...pdu]);
      return lastId;
    },
    async answer(id) {
      const found = () => answers.find((each) => each.id === id);
      for (let waitedMs = 0; found() === undefined && !isClosed && waitedMs < 20_000; waitedMs += 10) {
        await clock.advance(10);
      }
      return found()?.pdu ?? null;
    },
    ask: (unit, pdu) => program.answer(program.request(unit, pdu)),
    [Symbol.dispose]: () => stream[Symbol.dispose](),
  };
  return program;
}

export function word(value: number): readonly number[] {
  return [value >> 8, value & 0xff];
}

/** The PDU of a read. */
export function reading(code: number, address: number, count: number): readonly number[] {
  return [code, ...word(address), ...word(count)];
}
