import { type AdapterContext, DeviceError, Shares } from "hemgate/sdk";
import { requestSource } from "./iec/request-source.ts";
import { isAsked, type MeterOptions, placeOf } from "./line-options.ts";
import { type LinePlace, placeName } from "./line-place.ts";
import type { LineSource } from "./line-source.ts";
import { MeterLine } from "./meter-line.ts";
import { pushSource } from "./push-source.ts";
import { SmlReader } from "./sml/sml-reader.ts";
import type { TelegramReader } from "./telegram.ts";
import { EncryptedReader } from "./text/encrypted-reader.ts";
import { TextReader } from "./text/text-reader.ts";

/** How often meters tell something, s: DSMR 4 and Sweden every 10, others once or twice a second to every 4. */
const PUSH_SECONDS = { p1: 10, sml: 5, "iec62056-21": 5 } as const;
/** An optical head takes most of a minute at 300 bits a second. */
const REQUEST_SECONDS = 30;
/** A line that was silent for so long is reopened, or for six telegrams. */
const SILENT_MS = 60_000;
const SILENT_TELEGRAMS = 6;
/** The additional authenticated data of all meters in Luxembourg. */
const LUXEMBOURG_KEY = "00112233445566778899aabbccddeeff";

/** A share in a line. The last one to be disposed closes it. */
export interface LineShare extends Disposable {
  readonly line: MeterLine;
}

interface UsedLine extends Disposable {
  readonly line: MeterLine;
  /** How the line is used; two users of one line have to agree about it. */
  readonly manner: string;
}

/** The lines in use, one a serial port, or host and port. */
export class LineRegistry implements Disposable {
  readonly #context: AdapterContext;
  readonly #lines = new Shares<UsedLine>();

  constructor(context: AdapterContext) {
    this.#context = context;
  }

  /** Throws a `DeviceError` when the options contradict each other or another device's. The caller disposes the share. */
  share(options: MeterOptions): LineShare {
    const place = placeOf(options);
    const name = placeName(place);
    const manner = JSON.stringify([
      place,
      options.protocol,
      options.mode,
      options.key,
      options.authenticationKey,
      options.meterAddress,
      options.intervalSeconds,
    ]);
    const share = this.#lines.take(name, () => {
      const line = this.#start(place, options);
      return { line, manner, [Symbol.dispose]: () => line[Symbol.dispose]() };
    });
    if (share.thing.manner !== manner) {
      share[Symbol.dispose]();
      throw new DeviceError("rejected", `${name}: another device uses it in another way`);
    }
    return { line: share.thing.line, [Symbol.dispose]: () => share[Symbol.dispose]() };
  }

  [Symbol.dispose](): void {
    this.#lines[Symbol.dispose]();
  }

  #start(place: LinePlace, options: MeterOptions): MeterLine {
    const usual = isAsked(options) ? REQUEST_SECONDS : PUSH_SECONDS[options.protocol];
    const intervalMs = (options.intervalSeconds ?? usual) * 1_000;
    const name = placeName(place);
    return MeterLine.start({
      world: this.#context,
      log: this.#context.log.child({ line: name }),
      name,
      source: this.#source(place, options, intervalMs),
      intervalMs,
      // How long a readout takes is up to the meter.
      learnsInterval: isAsked(options) || options.intervalSeconds === undefined,
    });
  }

  #source(place: LinePlace, options: MeterOptions, intervalMs: number): LineSource {
    const world = this.#context;
    if (isAsked(options)) {
      return requestSource({ world, place, meterAddress: options.meterAddress ?? "", intervalMs });
    }
    const silentMs = Math.max(SILENT_MS, intervalMs * SILENT_TELEGRAMS);
    return pushSource({ world, place, makeReader: () => readerFor(options), silentMs });
  }
}

function readerFor({ protocol, key, authenticationKey = LUXEMBOURG_KEY }: MeterOptions): TelegramReader {
  if (protocol === "sml") return new SmlReader();
  if (key === undefined) return new TextReader();
  return new EncryptedReader({
    key: Buffer.from(key, "hex"),
    authenticationKey: Buffer.from(authenticationKey, "hex"),
  });
}
