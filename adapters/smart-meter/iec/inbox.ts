import { type Clock, DeviceError, errorText, type StreamEvents, TimeoutError, within } from "hemgate/sdk";

/** More than any meter's readout with a year of past values. */
const MAX_BYTES = 32_768;

/** What came on a line since it was asked, for the caller that waits for an answer. */
export class Inbox implements StreamEvents {
  readonly #clock: Pick<Clock, "timer">;
  readonly #name: string;
  readonly #bytes = new Uint8Array(MAX_BYTES);
  #length = 0;
  #failure: DeviceError | null = null;
  #isOver = false;
  #news = Promise.withResolvers<void>();

  constructor(clock: Pick<Clock, "timer">, name: string) {
    this.#clock = clock;
    this.#name = name;
  }

  readonly data = (bytes: Uint8Array): void => {
    if (this.#isOver) return;
    if (this.#length + bytes.length > MAX_BYTES) {
      this.#fail(new DeviceError("malformed", `${this.#name}: an answer of more than ${MAX_BYTES} bytes`));
      return;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#ring();
  };

  readonly closed = (error: Error | null): void => {
    if (this.#isOver) return;
    this.#fail(
      new DeviceError(
        "unreachable",
        `${this.#name}: ${error === null ? "the far end closed the line" : errorText(error)}`,
      ),
    );
  };

  /** What comes from now on is of no interest: the line is closed, or opened at another speed. */
  end(): void {
    this.#isOver = true;
  }

  /** Forgets what came so far. */
  clear(): void {
    this.#length = 0;
  }

  /**
   * Waits until `find` finds something in what came, which it may not keep; null when nothing more came for `silenceMs`. Rejects with a
   * `DeviceError` when the line fails, or with the signal's reason.
   */
  async until<T>(find: (bytes: Uint8Array) => T | null, silenceMs: number, signal: AbortSignal): Promise<T | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure;
      const found = find(this.#bytes.subarray(0, this.#length));
      if (found !== null) return found;
      const news = this.#news.promise;
      try {
        await within(this.#clock, silenceMs, signal, () => news);
      } catch (error) {
        if (error instanceof TimeoutError && !signal.aborted) return null;
        throw error;
      }
    }
  }

  #fail(error: DeviceError): void {
    this.#failure ??= error;
    this.#ring();
  }

  #ring(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }
}
