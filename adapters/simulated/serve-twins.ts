/** Real Modbus TCP servers on loopback, by the `modbus-serial` package, so that any Modbus client can look into the home. */
import { type Clock, DeviceError, errorText, type TcpAddress } from "hemgate/sdk";
import type { IServiceVector, ServerTCP } from "modbus-serial";
import type { RegisterImage, RegisterReply } from "./register-image.ts";

/** Answers unit 255 and means all: the image decides which units it has. */
const ANY_UNIT = 255;

/** The library takes the exception's number from this property of what it is called back with. */
class ModbusException extends Error {
  override readonly name = "ModbusException";
  readonly modbusErrorCode: number;

  constructor(code: number) {
    super(`Modbus exception ${code}`);
    this.modbusErrorCode = code;
  }
}

type Settle = (error: Error | null, words: number[]) => void;

/**
 * Serves an image until it is disposed; disposing closes the port and every connection. Rejects with a
 * `DeviceError("unreachable")` that names the address when the port cannot be had.
 */
export async function serveOnLoopback(
  clock: Pick<Clock, "timer">,
  image: RegisterImage,
  address: TcpAddress,
): Promise<AsyncDisposable> {
  const timers = new Set<Disposable>();
  let hangUp = (): void => {};
  const settle = (reply: RegisterReply, done: Settle): void => {
    if (reply.kind === "hang-up") hangUp();
    if (reply.kind === "hang-up" || reply.kind === "silence") return;
    const answer = (): void => {
      if (reply.kind === "values") done(null, [...reply.values]);
      else done(new ModbusException(reply.code), []);
    };
    if (reply.delayMs === undefined) {
      answer();
      return;
    }
    const timer = clock.timer(reply.delayMs, () => {
      timers.delete(timer);
      answer();
    });
    timers.add(timer);
  };
  // It brings serialport along, which a gateway with real devices need not carry in its memory.
  const modbusSerial = await import("modbus-serial");
  const server = new modbusSerial.ServerTCP(vectorOf(image, settle), { ...address, unitID: ANY_UNIT });
  hangUp = () => {
    for (const socket of server.socks.keys()) socket.destroy();
  };
  await listening(server, address);
  let closing: Promise<void> | null = null;
  return {
    [Symbol.asyncDispose]: () => {
      for (const timer of timers) timer[Symbol.dispose]();
      closing ??= new Promise((resolve) => server.close(() => resolve()));
      return closing;
    },
  };
}

/** The library asks for one register and for several by different functions; which one says how long the read is. */
function vectorOf(image: RegisterImage, settle: (reply: RegisterReply, done: Settle) => void): IServiceVector {
  const one =
    (done: (error: Error | null, word: number) => void): Settle =>
    (error, words) =>
      done(error, words[0] ?? 0);
  return {
    getHoldingRegister: (address: number, unit: number, done: (error: Error | null, word: number) => void) =>
      settle(image.readHolding(unit, address, 1), one(done)),
    getMultipleHoldingRegisters: (address: number, count: number, unit: number, done: Settle) =>
      settle(image.readHolding(unit, address, count), done),
    getInputRegister: (address: number, unit: number, done: (error: Error | null, word: number) => void) =>
      settle(image.readInput(unit, address, 1), one(done)),
    getMultipleInputRegisters: (address: number, count: number, unit: number, done: Settle) =>
      settle(image.readInput(unit, address, count), done),
    setRegister: (address: number, word: number, unit: number, done: (error: Error | null) => void) =>
      settle(image.writeHolding(unit, address, [word], 6), done),
    setRegisterArray: (address: number, words: number[], unit: number, done: (error: Error | null) => void) =>
      settle(image.writeHolding(unit, address, words, 16), done),
  };
}

function listening(server: ServerTCP, { host, port }: TcpAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("initialized", () => resolve());
    server.on("serverError", (cause) =>
      reject(new DeviceError("unreachable", `listen on ${host}:${port}: ${errorText(cause)}`, { cause })),
    );
  });
}
