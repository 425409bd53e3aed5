/** The way to one host: one request at a time, with pauses, to this host only. */
import {
  type AdapterContext,
  backoffMs,
  DeviceError,
  type HttpAnswer,
  type HttpClient,
  HttpError,
  MINUTE_MS,
  refuseAddress,
  retryAfterMs,
  TimeoutError,
  within,
} from "hemgate/sdk";
import { MAX_BODY_BYTES } from "./answer-body.ts";

/** Requests that may wait for their turn at one host. */
const MAX_WAITING = 16;
/** How long a host that does not answer, or asks for a pause, is left alone. */
const REST = { floorMs: 1_000, ceilingMs: 30_000 } as const;
/** One that counts requests is left alone for as long as it asks; one that has a bad moment may be well the next. */
const MAX_RETRY_AFTER_MS = { limited: 10 * MINUTE_MS, failing: MINUTE_MS };

export interface LineAddress {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the certificate that is trusted; null: the first one is. */
  readonly fingerprint: string | null;
  readonly serverName: string | null;
}

/** A request without its host. */
export interface LineRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or null. */
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly minGapMs: number;
  /** Path and query as errors show them: without anything secret. */
  readonly shownPath: string;
}

type LineWorld = Pick<AdapterContext, "clock" | "random" | "http">;

export class HttpLine implements Disposable {
  readonly address: LineAddress;
  readonly #world: LineWorld;
  readonly #client: HttpClient;
  #lastRequest: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #lastEndMs = Number.NEGATIVE_INFINITY;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #fingerprint: string | null = null;

  constructor(world: LineWorld, address: LineAddress) {
    this.#world = world;
    this.address = address;
    const { fingerprint, serverName } = address;
    const tls = {
      kind: "pinned" as const,
      sha256: fingerprint,
      seen: (sha256: string) => {
        this.#fingerprint = sha256;
      },
      ...(serverName === null ? {} : { serverName }),
    };
    this.#client = world.http.open({
      refuse: (ip) => refuseAddress(ip, "house"),
      ...(address.scheme === "https" ? { tls } : {}),
    });
  }

  /** SHA-256 of the certificate that the device showed; null before it did, and without TLS. */
  get fingerprint(): string | null {
    return this.#fingerprint;
  }

  /**
   * Sends a request when it is its turn. Answers any status but a redirect, "too many requests" and the server's own
   * failures. Rejects with a `DeviceError`, or with the signal's reason.
   */
  async send(request: LineRequest, signal: AbortSignal): Promise<HttpAnswer> {
    if (this.#waiting >= MAX_WAITING) throw new DeviceError("unreachable", `${this.place(request)}: too many wait`);
    const before = this.#lastRequest;
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    this.#lastRequest = before.then(() => done);
    this.#waiting += 1;
    try {
      await orAborted(before, signal);
      return await this.#now(request, signal);
    } finally {
      this.#waiting -= 1;
      end();
    }
  }

  /** What was asked of whom, for errors. */
  place({ method, shownPath }: Pick<LineRequest, "method" | "shownPath">): string {
    const { scheme, host, port } = this.address;
    return `${method} ${scheme}://${host}:${port}${shownPath}`;
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  async #now(request: LineRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { clock } = this.#world;
    const restMs = this.#restUntilMs - clock.monotonicMs();
    if (restMs > 0) {
      throw new DeviceError(
        "unreachable",
        `${this.place(request)}: left alone for ${Math.ceil(restMs / 1_000)} s more`,
      );
    }
    const gapMs = this.#lastEndMs + request.minGapMs - clock.monotonicMs();
    if (gapMs > 0) await clock.sleep(gapMs, signal);
    try {
      const answer = await within(clock, request.timeoutMs, signal, (inTime) => this.#exchange(request, inTime));
      this.#checkStatus(request, answer);
      this.#failures = 0;
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#deviceError(request, error);
    } finally {
      this.#lastEndMs = clock.monotonicMs();
    }
  }

  async #exchange({ method, path, headers, body }: LineRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const request = { method, url: this.#urlOf(path), body: bytes, maxBodyBytes: MAX_BODY_BYTES };
    const content = body === null ? {} : { "content-type": "application/json" };
    return await this.#client.request({ ...request, headers: { accept: "*/*", ...content, ...headers } }, signal);
  }

  #urlOf(path: string): URL {
    const { scheme, host, port } = this.address;
    const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
    const base = new URL(`${scheme}://${authority}:${port}/`);
    const url = new URL(`${base.origin}${path.startsWith("/") ? path : `/${path}`}`);
    if (url.host !== base.host) throw new DeviceError("rejected", `${path} leads to another host`);
    return url;
  }

  #checkStatus(request: LineRequest, { status, headers }: HttpAnswer): void {
    const place = this.place(request);
    if (status >= 300 && status < 400) {
      throw new DeviceError("rejected", `${place} answered ${status}: redirects are not followed`);
    }
    if (status !== 429 && status < 500) return;
    const header = (sought: string): string | undefined => headers.find(([name]) => name === sought)?.[1];
    const pause = { retryAfter: header("retry-after"), date: header("date") };
    const restMs = retryAfterMs(pause, this.#world.clock.nowMs());
    const longestMs = status === 429 ? MAX_RETRY_AFTER_MS.limited : MAX_RETRY_AFTER_MS.failing;
    if (restMs !== null) this.#rest(Math.min(restMs, longestMs));
    throw new DeviceError("unreachable", `${place} answered ${status}`);
  }

  #deviceError(request: LineRequest, error: unknown): unknown {
    const place = this.place(request);
    if (error instanceof HttpError && error.kind === "untrusted") {
      const remedy =
        "if the device was renewed, name its new certificate as fingerprint in its entry, or link it again";
      return new DeviceError("unauthorized", `${place}: ${error.message}; ${remedy}`, { cause: error });
    }
    if (error instanceof HttpError && error.kind === "refused") {
      return new DeviceError("rejected", `${place}: ${error.message}`, { cause: error, reason: error.reason });
    }
    const isSilence = error instanceof HttpError || error instanceof TimeoutError;
    if (!isSilence) return error;
    this.#failures += 1;
    // The first failure may be a connection that the device closed while it was idle.
    if (this.#failures > 1) this.#rest(backoffMs(this.#failures - 1, REST, this.#world.random));
    const reason = error instanceof HttpError ? error.reason : null;
    return new DeviceError("unreachable", `${place}: ${error.message}`, { cause: error, reason });
  }

  #rest(durationMs: number): void {
    this.#restUntilMs = this.#world.clock.monotonicMs() + durationMs;
  }
}

async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
