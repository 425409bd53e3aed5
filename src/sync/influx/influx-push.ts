/** Sends readings to an InfluxDB, or to a program that takes its line protocol. */
import { MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import { houseLine, lineText, readingLines } from "../../domain/influx/line-protocol.ts";
import type { Engine } from "../../engine/contracts/engine.ts";
import type { InfluxFigures, InfluxLink } from "../../engine/contracts/other-programs.ts";
import { type BackoffRange, backoffMs } from "../../platform/backoff.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Http, HttpAnswer, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import { within } from "../../platform/within.ts";
import { openTargetClients, type TargetClients } from "../webhooks/target-policy.ts";
import { type Batch, WaitingLines } from "./waiting-lines.ts";

/** The owner names the server in the file, so it may also be in the house or on this machine. */
const TARGETS = { allowInsecureLan: true, allowLoopback: true } as const;
const ANSWER_WITHIN_MS = 20 * SECOND_MS;
const RETRIES: BackoffRange = { floorMs: 5 * SECOND_MS, ceilingMs: 5 * MINUTE_MS };
const MAX_REQUEST_BYTES = 500_000;
const MAX_ANSWER_BYTES = 1_024;
const MAX_SHOWN_CHARACTERS = 200;
const BYTES_PER_MEGABYTE = 1_000_000;
/** The server can read the lines and does not want them: sending them again changes nothing. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

export interface InfluxSettings {
  readonly url: string;
  readonly bucket?: string | undefined;
  readonly org?: string | undefined;
  readonly token?: string | undefined;
  readonly database?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly intervalSeconds: number;
  readonly maxWaitingMegabytes: number;
}

export interface InfluxParts {
  readonly engine: Pick<Engine, "devices"> & { readonly services: Pick<Engine["services"], "housePowers"> };
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Log;
}

/** Collects what is new and sends it, until it is disposed. What waits then is lost. */
export class InfluxPush implements InfluxLink, AsyncDisposable {
  readonly #settings: InfluxSettings;
  readonly #parts: InfluxParts;
  readonly #clients: TargetClients;
  readonly #waiting: WaitingLines;
  readonly #wake: WakeSignal;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;
  /** When the last value that was collected was taken, by device and point, and by house; wall-clock ms. */
  readonly #collected = new Map<string, number>();
  #sent = 0;
  #rejected = 0;
  #failures = 0;
  #lastError: string | null = null;
  #requestBytes = MAX_REQUEST_BYTES;

  constructor(settings: InfluxSettings, parts: InfluxParts) {
    this.#settings = settings;
    this.#parts = { ...parts, log: parts.log.child({ part: "influx" }) };
    this.#clients = openTargetClients(parts.http, TARGETS);
    this.#waiting = new WaitingLines(settings.maxWaitingMegabytes * BYTES_PER_MEGABYTE);
    this.#wake = new WakeSignal(parts.clock);
    this.#url = writeUrl(settings);
    this.#headers = headersOf(settings);
    const { signal } = this.#stop;
    this.#running = Promise.all([this.#collectAlways(signal), this.#sendAlways(signal)]);
  }

  figures(): InfluxFigures {
    const { lines, bytes, dropped } = this.#waiting;
    return {
      host: this.#url.host,
      sent: this.#sent,
      dropped,
      rejected: this.#rejected,
      waiting: lines,
      waitingBytes: bytes,
      failures: this.#failures,
      lastError: this.#lastError,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the gateway stops"));
    await this.#running;
    this.#clients[Symbol.dispose]();
  }

  async #collectAlways(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      await clock.sleep(this.#settings.intervalSeconds * SECOND_MS, signal).catch(() => undefined);
      // Readings without a date would be of another year.
      if (signal.aborted || clock.quality() === "unset") continue;
      this.#waiting.add(this.#news());
      if (this.#waiting.lines > 0) this.#wake.notify();
    }
  }

  /** The lines of everything that was read since the last time. */
  #news(): readonly string[] {
    const { engine } = this.#parts;
    const ofDevices = engine.devices().flatMap(({ id, points }) =>
      readingLines(
        id,
        points.filter(({ point, atMs }) => this.#isNew(`${id}!${point}`, atMs)),
      ),
    );
    const ofHouses = engine.services.housePowers.list().flatMap((power) => {
      const { hemSystemId, atMs } = power;
      return this.#isNew(hemSystemId, atMs) ? (houseLine(hemSystemId, power, atMs) ?? []) : [];
    });
    return [...ofDevices, ...ofHouses].map(lineText);
  }

  #isNew(key: string, atMs: number): boolean {
    if (this.#collected.get(key) === atMs) return false;
    this.#collected.set(key, atMs);
    return true;
  }

  async #sendAlways(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts;
    while (!signal.aborted) {
      try {
        const batches = this.#waiting.first(this.#requestBytes);
        if (batches.length === 0) {
          await this.#wake.wait(MINUTE_MS, signal);
          continue;
        }
        const retryMs = await this.#send(batches, signal);
        if (this.#failures === 0) continue;
        await clock.sleep(Math.max(retryMs, backoffMs(this.#failures, RETRIES, random)), signal);
      } catch {
        // Only the end of the gateway comes here.
      }
    }
  }

  /** Sends batches in one request. Returns for how long the server asks to be left alone, ms; 0 if it does not. */
  async #send(batches: readonly Batch[], signal: AbortSignal): Promise<number> {
    const lines = batches.flatMap((batch) => batch.lines);
    let answer: HttpAnswer;
    try {
      answer = await within(this.#parts.clock, ANSWER_WITHIN_MS, signal, (limit) =>
        this.#clients.clientFor(this.#url).request(
          {
            method: "POST",
            url: this.#url,
            headers: this.#headers,
            body: new TextEncoder().encode(lines.join("")),
            maxBodyBytes: MAX_ANSWER_BYTES,
          },
          limit,
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(errorText(error));
      return 0;
    }
    const { status } = answer;
    if (status >= 200 && status < 300) {
      this.#waiting.remove(batches);
      this.#sent += lines.length;
      if (this.#waiting.lines === 0) this.#requestBytes = MAX_REQUEST_BYTES;
      this.#succeeded();
      return 0;
    }
    if (!REFUSED.has(status)) {
      this.#failed(`HTTP ${status}${hintOf(status)}`);
      return retryAfterMs(answer);
    }
    this.#succeeded();
    // One line may be what is wrong, or all of them together too long.
    if (batches.length > 1) this.#requestBytes = 1;
    else this.#refuse(batches, answer);
    return 0;
  }

  #refuse(batches: readonly Batch[], { status, body }: HttpAnswer): void {
    const lines = batches.reduce((sum, batch) => sum + batch.lines.length, 0);
    this.#waiting.remove(batches);
    this.#requestBytes = MAX_REQUEST_BYTES;
    const reason = new TextDecoder().decode(body).trim().slice(0, MAX_SHOWN_CHARACTERS);
    if (this.#rejected === 0) {
      this.#parts.log.warn({ status, reason, lines }, "the InfluxDB refuses readings; they are left out");
    }
    this.#rejected += lines;
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#parts.log.info({ failures: this.#failures }, "readings reach the InfluxDB again");
    this.#failures = 0;
    this.#lastError = null;
  }

  #failed(reason: string): void {
    if (this.#failures === 0) {
      this.#parts.log.warn({ reason }, "readings do not reach the InfluxDB; keeping them in memory and trying again");
    }
    this.#failures += 1;
    this.#lastError = reason;
  }
}

function writeUrl({ url, bucket, org, database }: InfluxSettings): URL {
  const base = url.endsWith("/") ? url : `${url}/`;
  const target = new URL(bucket === undefined ? "write" : "api/v2/write", base);
  const query = bucket === undefined ? { db: database } : { org, bucket };
  for (const [name, value] of Object.entries({ ...query, precision: "ms" })) {
    if (value !== undefined) target.searchParams.set(name, value);
  }
  return target;
}

function headersOf({ token, username, password }: InfluxSettings): Readonly<Record<string, string>> {
  const account = username === undefined ? null : Buffer.from(`${username}:${password ?? ""}`).toString("base64");
  return {
    "content-type": "text/plain; charset=utf-8",
    "user-agent": "hemgate",
    ...(token !== undefined && { authorization: `Token ${token}` }),
    ...(account !== null && { authorization: `Basic ${account}` }),
  };
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ": check the token or the account, and whether it may write";
  return status === 404 ? ": check the address, and that the bucket or the database exists" : "";
}

/** At most the longest pause between two attempts. */
function retryAfterMs({ headers }: HttpAnswer): number {
  const [, seconds = ""] = headers.find(([name]) => name === "retry-after") ?? [];
  return /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds) * SECOND_MS, RETRIES.ceilingMs) : 0;
}
