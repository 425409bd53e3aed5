/** A Modbus TCP server on a loopback socket that does exactly what a test tells it, however wrong. */
import { createServer, type Socket } from "node:net";

/** One request as it came in. */
export interface Asked {
  readonly socket: Socket;
  readonly id: number;
  readonly unit: number;
  readonly code: number;
  readonly address: number;
  /** Registers, or the value of function 6. */
  readonly count: number;
  /** Which request of this server it is, from 0. */
  readonly index: number;
}

export interface EvilServer extends AsyncDisposable {
  readonly port: number;
  readonly asked: readonly Asked[];
  /** Connections accepted so far, and those open now. */
  readonly accepted: number;
  readonly open: number;
  /** Resolves when so many requests have come in. */
  received(count: number): Promise<void>;
  /** Resolves when so many connections are open. */
  hasOpen(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Listens on a free port, or on the port given. */
export async function evilServer(behave: (asked: Asked) => void, port = 0): Promise<EvilServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  let waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];
  const changed = (): void => {
    for (const each of waiting) if (each.isMet()) each.resolve();
    waiting = waiting.filter((each) => !each.isMet());
  };
  const until = (isMet: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ isMet, resolve });
      changed();
    });
  const server = createServer({ noDelay: true }, (socket) => {
    accepted += 1;
    sockets.add(socket);
    let held = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      changed();
    });
    socket.on("data", (bytes) => {
      held = Buffer.concat([held, bytes]);
      while (held.length >= 6 && held.length >= 6 + held.readUInt16BE(4)) {
        const frame = held.subarray(0, 6 + held.readUInt16BE(4));
        held = held.subarray(frame.length);
        const request: Asked = {
          socket,
          id: frame.readUInt16BE(0),
          unit: frame[6]!,
          code: frame[7]!,
          address: frame.readUInt16BE(8),
          count: frame.readUInt16BE(10),
          index: asked.length,
        };
        asked.push(request);
        behave(request);
      }
      changed();
    });
    changed();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    asked,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    received: (count) => until(() => asked.length >= count),
    hasOpen: (count) => until(() => sockets.size === count),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A frame around a PDU. */
export function frame(id: number, unit: number, pdu: readonly number[], protocol = 0, length = pdu.length + 1): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(protocol, 2);
  head.writeUInt16BE(length, 4);
  return Buffer.concat([head, Buffer.from([unit, ...pdu])]);
}

/** The PDU that answers a read: each register holds its own address. */
export function registersPdu({ code, address, count }: Asked): number[] {
  const bytes = Array.from({ length: count }, (_, index) => [(address + index) >>> 8, (address + index) & 0xff]);
  return [code, 2 * count, ...bytes.flat()];
}

/** The right answer to any request. */
export function rightAnswer(asked: Asked): Buffer {
  const { id, unit, code, address, count } = asked;
  if (code === 3 || code === 4) return frame(id, unit, registersPdu(asked));
  return frame(id, unit, [code, address >>> 8, address & 0xff, count >>> 8, count & 0xff]);
}

export function exceptionAnswer({ id, unit, code }: Asked, exception: number): Buffer {
  return frame(id, unit, [code | 0x80, exception]);
}
