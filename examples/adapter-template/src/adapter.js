/** A meter that answers each line `read` with a line of JSON over TCP. */
import { DeviceError, defineAdapter, within, z } from "hemgate/sdk";

const ANSWER_LIMIT_MS = 3_000;
const MAX_LINE_BYTES = 4_096;

/** What the meter answers; keys that are not used may be there. */
const Answer = z.looseObject({
  serial: z.string(),
  watts: z.number().nullable(),
  importKwh: z.number().nullable(),
  exportKwh: z.number().nullable(),
});

export const adapter = defineAdapter({
  name: "line-meter",
  options: z.object({
    host: z.string().min(1).max(253).meta({ description: "Name or IP address of the meter." }),
    port: z.int().min(1).max(65_535).default(7_000).meta({ description: "TCP port." }),
  }),
  start: (context) => ({
    connect: async (_deviceId, { host, port }, signal) => {
      const line = new Line(context);
      try {
        await line.open({ host, port }, signal);
        const { serial } = await line.ask(signal);
        return new LineMeter(line, serial);
      } catch (error) {
        line.close();
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }),
});

/** One connected meter. */
class LineMeter {
  points = ["meter.power", "meter.energyImport", "meter.energyExport"];
  controls = [];
  pollMs = 1_000;
  vendors = ["SIMULATED"];
  #line;

  constructor(line, serial) {
    this.#line = line;
    this.identity = { manufacturer: "Line", model: "Meter", serial, version: null };
  }

  async read(_scope, signal) {
    const { watts, importKwh, exportKwh } = await this.#line.ask(signal);
    return [
      // This meter counts what it takes from the grid as positive, as the points do.
      { point: "meter.power", value: watts },
      { point: "meter.energyImport", value: wattHours(importKwh) },
      { point: "meter.energyExport", value: wattHours(exportKwh) },
    ];
  }

  async write(point) {
    throw new DeviceError("rejected", `${point} of this meter cannot be written`);
  }

  async [Symbol.asyncDispose]() {
    this.#line.close();
  }
}

/** null stays null: a meter that cannot tell has not counted 0. */
function wattHours(kiloWattHours) {
  return kiloWattHours === null ? null : Math.round(kiloWattHours * 1_000);
}

/** The connection: one question at a time. After a failure it is of no more use, and the gateway connects anew. */
class Line {
  #context;
  #stream = null;
  #received = "";
  #waiting = null;
  #lost = null;

  constructor(context) {
    this.#context = context;
  }

  async open(address, signal) {
    const events = {
      data: (bytes) => this.#data(bytes),
      closed: (error) =>
        this.#fail(new DeviceError("unreachable", "the meter closed the connection", { cause: error })),
    };
    this.#stream = await within(this.#context.clock, ANSWER_LIMIT_MS, signal, (limited) =>
      this.#context.net.connect(address, events, limited),
    );
  }

  async ask(signal) {
    signal.throwIfAborted();
    if (this.#lost !== null) throw this.#lost;
    try {
      const text = await within(this.#context.clock, ANSWER_LIMIT_MS, signal, () => this.#question());
      return answerIn(text);
    } catch (error) {
      // An answer that comes later would be taken for that to the next question.
      this.close();
      if (signal.aborted || error instanceof DeviceError) throw error;
      throw new DeviceError("unreachable", "the meter did not answer in time", { cause: error });
    }
  }

  close() {
    this.#fail(new DeviceError("unreachable", "the connection is closed"));
    this.#stream?.[Symbol.dispose]();
  }

  #question() {
    this.#received = "";
    this.#waiting = Promise.withResolvers();
    this.#stream.write(new TextEncoder().encode("read\n"));
    return this.#waiting.promise;
  }

  #data(bytes) {
    this.#received += new TextDecoder().decode(bytes);
    const end = this.#received.indexOf("\n");
    if (end !== -1) this.#waiting?.resolve(this.#received.slice(0, end));
    else if (this.#received.length > MAX_LINE_BYTES) this.#fail(new DeviceError("malformed", "the answer has no end"));
  }

  #fail(error) {
    this.#lost ??= error;
    this.#waiting?.reject(error);
    this.#waiting?.promise.catch(() => {});
  }
}

function answerIn(text) {
  try {
    return Answer.parse(JSON.parse(text));
  } catch (cause) {
    throw new DeviceError("malformed", `this is no answer of a line meter: ${text.slice(0, 80)}`, { cause });
  }
}
