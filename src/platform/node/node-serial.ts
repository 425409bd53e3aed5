import { stat } from "node:fs/promises";
import type { SerialPort } from "serialport";
import { DeviceError } from "../../points/device-error.ts";
import { errorText } from "../error-text.ts";
import type { ByteStream, Serial, SerialSettings, StreamEvents } from "../ports/ports.ts";

/** Bytes that a line may be behind with before it is given up; at 9600 bits a second, 68 s. */
const MAX_UNSENT_BYTES = 65_536;
/** How often it is looked whether the port is still there. */
const LOOK_EVERY_MS = 1_000;

/** Why the gateway itself gives a line up. */
class LineError extends Error {}

/** Real serial ports. */
export const nodeSerial: Serial = {
  async open(settings, events, signal) {
    signal.throwIfAborted();
    // Loaded on demand: it is native code, and most gateways have no serial line.
    const { SerialPort: Port } = await import("serialport");
    signal.throwIfAborted();
    const port = new Port({ ...settings, autoOpen: false, lock: true });
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    port.open(resolve);
    // An opening port cannot be stopped; it takes a moment only.
    const error = await promise;
    if (error !== null) {
      throw new DeviceError("unreachable", openText(settings, error), { cause: error, reason: "no-serial-port" });
    }
    if (signal.aborted) {
      port.on("error", () => undefined);
      close(port);
      throw signal.reason;
    }
    return own(port, settings.path, await deviceAt(settings.path), events);
  },
};

/** Hooks a port up to its owner: from here on `closed` follows exactly once, and nothing after it. */
function own(port: SerialPort, path: string, device: number | null, events: StreamEvents): ByteStream {
  let failure: Error | null = null;
  let isOver = false;
  const end = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(look);
    if (error !== null) failure = new DeviceError("unreachable", `${path}: ${lineFault(error)}`, { cause: error });
    close(port);
    // In a later microtask, as other streams do it: the owner gets no `closed` while it is closing the port.
    queueMicrotask(() => events.closed(failure));
  };
  // Once an adapter is pulled out each read is empty, at once; the library reads on without a pause or a word.
  const look = setInterval(() => {
    void deviceAt(path).then((now) => {
      if (now !== device) end(new LineError("the port is gone"));
    });
  }, LOOK_EVERY_MS);
  port.on("error", end);
  port.on("close", (error?: Error | null) => end(error ?? new LineError("the port was closed")));
  port.on("data", (bytes: Buffer) => {
    if (isOver) return;
    try {
      events.data(bytes);
    } catch (error) {
      // A bug in the owner's decoder costs its line, not the process.
      end(new LineError(errorText(error), { cause: error }));
    }
  });
  return {
    get bufferedBytes() {
      return port.writableLength;
    },
    write(bytes) {
      if (isOver) return;
      port.write(Buffer.from(bytes));
      if (port.writableLength > MAX_UNSENT_BYTES) end(new LineError(`more than ${MAX_UNSENT_BYTES} bytes unsent`));
    },
    [Symbol.dispose]: () => end(null),
  };
}

/** The number of the device that a path leads to; null for none. */
async function deviceAt(path: string): Promise<number | null> {
  return await stat(path).then(
    ({ rdev }) => rdev,
    () => null,
  );
}

function close(port: SerialPort): void {
  if (port.isOpen && !port.closing) port.close(() => undefined);
}

function openText({ path }: SerialSettings, error: Error): string {
  return `open ${path}: ${openFault(error)}`;
}

/** The library reports errors of the system as text only. */
function openFault(error: Error): string {
  const { message } = error;
  if (message.includes("No such file or directory")) return "there is no such serial port";
  if (message.includes("Permission denied"))
    return "this user may not open the port; it has to be in its group, mostly dialout";
  if (message.includes("Cannot lock port")) return "another program uses the port";
  if (message.includes("busy")) return "another program uses the port";
  if (message.includes("Inappropriate ioctl") || message.includes("not a tty")) return "this is no serial port";
  if (/baud|Invalid argument/i.test(message)) return "the port does not take these settings; check its baud rate";
  return "the port cannot be opened; unplug the adapter, plug it in again, and check that it is a serial port";
}

/** Why a line that was open is not any more: of this file's own reasons the words, of the library's a sentence. */
function lineFault(error: Error): string {
  if (error instanceof LineError) return error.message;
  if (/Input\/output error|No such device|disconnected|EIO|ENXIO/i.test(error.message)) return "the port is gone";
  return "the port failed; unplug the adapter and plug it in again";
}
