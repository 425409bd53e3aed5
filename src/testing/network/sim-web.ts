import { hostOf } from "../../platform/network/vetted-addresses.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { HttpContent } from "../../platform/ports/http-port.ts";
import type { Clock, Http, HttpAnswer, HttpClient, HttpPolicy, HttpRequest } from "../../platform/ports/ports.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type DialRules, dial, dialRules, shownBy } from "./sim-dial.ts";
import type { SimHub } from "./sim-websockets.ts";

/** One-way latency to servers elsewhere, ms. */
const LATENCY_MS = { min: 5, max: 40 } as const;
const MAX_NOTED_CONNECTS = 100_000;

/** A request as a server in the simulated web gets it. */
export interface SimWebRequest {
  readonly method: string;
  readonly host: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Instead of `body`, for one that is streamed. */
  readonly bytes?: Uint8Array;
  /** PEM of the certificate that the client would show; absent: none. */
  readonly certificate?: string;
  /** Monotonic ms. */
  readonly atMs: number;
}

/** What a server does with a request; absent parts are the plain 200 with no body, at once. */
export interface SimWebAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `set-cookie`, a header each. */
  readonly cookies?: readonly string[];
  readonly body?: string;
  /** Instead of `body`, for one that is no text. */
  readonly bytes?: Uint8Array;
  readonly delayMs?: number;
  /** `hang`: no answer ever. `break`: the connection ends instead of an answer. */
  readonly fault?: "hang" | "break";
}

/** The body of an answer that does not end by itself. */
export interface SimStreamBody {
  write(text: string): void;
  end(): void;
  /** The connection breaks. */
  break(): void;
  /** Whether anybody still listens. */
  readonly isOpen: boolean;
}

export interface SimWebServer {
  /** Answers at once; the delay is part of the answer. */
  serve(request: SimWebRequest): SimWebAnswer;
  /** Names its certificate is valid for; null: it speaks no TLS. */
  readonly certificate: readonly string[] | null;
  /** SHA-256 of the certificate, 64 hexadecimal digits in lower case, for who pins it; default: made of the names. */
  readonly fingerprint?: string;
  /** PEM of who issued its certificate; absent: one of the authorities that everybody trusts. */
  readonly authorityPem?: string;
  /** Answers those who want a stream; absent: `serve` does, and its body is the whole stream. */
  stream?(request: SimWebRequest, body: SimStreamBody): SimWebAnswer;
  /** Takes those who want to speak WebSocket; absent: it answers them 404. */
  readonly hub?: SimHub;
}

/** A connection that was opened. */
export interface SimWebConnect {
  readonly address: string;
  readonly port: number;
  readonly host: string;
  /** Monotonic ms. */
  readonly atMs: number;
}

/** Names, addresses and HTTP servers in memory, for requests that leave the house. */
export class SimWeb {
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #servers = new Map<string, SimWebServer>();
  readonly #names = new Map<string, () => readonly string[]>();
  readonly #connects: SimWebConnect[] = [];
  /** Addresses where packets vanish. */
  readonly blackHoles = new Set<string>();

  constructor(clock: Clock, random: SeededRandom) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Connections opened so far, oldest first. */
  get connects(): readonly SimWebConnect[] {
    return this.#connects;
  }

  /** Sets what a name resolves to, once or per look-up. */
  name(name: string, addresses: readonly string[] | (() => readonly string[])): void {
    this.#names.set(name, typeof addresses === "function" ? addresses : () => addresses);
  }

  /** Puts a server at an address and port, in place of the one that was there. */
  listen(address: string, port: number, server: SimWebServer): void {
    this.#servers.set(`${address} ${port}`, server);
  }

  /** A server with a name and a certificate for it, at port 443; with a hub it also speaks WebSocket. */
  serve(
    name: string,
    address: string,
    answer: (request: SimWebRequest) => SimWebAnswer,
    hub?: SimHub | undefined,
  ): void {
    this.name(name, [address]);
    this.listen(address, 443, { serve: answer, certificate: [name], ...(hub !== undefined && { hub }) });
  }

  /** Takes a server away; its address refuses connections from then on. */
  close(address: string, port: number): void {
    this.#servers.delete(`${address} ${port}`);
  }

  /** The web as one process sees it. */
  host(): SimWebHost {
    return new SimWebHost(this, this.#clock);
  }

  latencyMs(): number {
    return this.#random.between(LATENCY_MS.min, LATENCY_MS.max);
  }

  resolve(name: string): readonly string[] {
    return this.#names.get(name)?.() ?? [];
  }

  server(address: string, port: number): SimWebServer | undefined {
    return this.#servers.get(`${address} ${port}`);
  }

  noteConnect(connect: Omit<SimWebConnect, "atMs">): void {
    this.#connects.push({ ...connect, atMs: this.#clock.monotonicMs() });
    if (this.#connects.length > MAX_NOTED_CONNECTS) this.#connects.splice(0, MAX_NOTED_CONNECTS / 2);
  }
}

/** The web of one process: a dead one hears no answer. */
export class SimWebHost implements Http {
  readonly #web: SimWeb;
  readonly #clock: Clock;
  #isDead = false;
  #underWay = 0;

  constructor(web: SimWeb, clock: Clock) {
    this.#web = web;
    this.#clock = clock;
  }

  /** Requests that wait for their answer. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Ends the process as SIGKILL does. What it sent may still arrive. */
  kill(): void {
    this.#isDead = true;
  }

  open(policy: HttpPolicy): HttpClient {
    const closed = new AbortController();
    const rules = dialRules(policy);
    return {
      request: (request, signal) => this.#request(request, rules, AbortSignal.any([signal, closed.signal])),
      [Symbol.dispose]: () => closed.abort(new HttpError("broken", "the client is closed")),
    };
  }

  async #request(request: HttpRequest, rules: DialRules, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    this.#underWay += 1;
    try {
      const server = await dial(this.#web, request.url, rules, (ms) => this.#pass(ms, signal));
      return await this.#exchange(server, request, shownBy(rules), signal);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #exchange(
    server: SimWebServer,
    { method, url, headers, body, content, maxBodyBytes, onSent }: HttpRequest,
    shown: Pick<SimWebRequest, "certificate">,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    await this.#pass(this.#web.latencyMs(), signal);
    const text = body === null ? "" : Buffer.from(body).toString("utf8");
    const streamed = content === undefined ? {} : { bytes: await wholeOf(content) };
    const path = `${url.pathname}${url.search}`;
    const atMs = this.#clock.monotonicMs();
    onSent?.();
    const answer = server.serve({ method, host: url.host, path, headers, body: text, atMs, ...streamed, ...shown });
    if (answer.fault === "hang") await this.#pass(Number.POSITIVE_INFINITY, signal);
    await this.#pass((answer.delayMs ?? 0) + this.#web.latencyMs(), signal);
    if (answer.fault === "break") throw new HttpError("broken", `the connection to ${hostOf(url)} broke: ECONNRESET`);
    const bytes = answer.bytes ?? new TextEncoder().encode(answer.body ?? "");
    return {
      status: answer.status ?? 200,
      headers: headersOf(answer),
      body: bytes.subarray(0, maxBodyBytes),
      isBodyCut: bytes.length > maxBodyBytes,
    };
  }

  /** Lets time pass for a request; never ends for a dead process. */
  async #pass(ms: number, signal: AbortSignal): Promise<void> {
    if (ms === Number.POSITIVE_INFINITY) await aborted(signal);
    else await this.#clock.sleep(ms, signal);
    if (this.#isDead) await new Promise(() => undefined);
  }
}

/** Takes all pieces of a body. One that is not as long as was announced breaks the connection, as in Node. */
async function wholeOf({ bytes, pieces }: HttpContent): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  for await (const piece of pieces) taken.push(piece);
  const whole = Buffer.concat(taken);
  if (whole.length === bytes) return whole;
  throw new HttpError("broken", `the connection broke: ${whole.length} of ${bytes} bytes were sent`);
}

export function headersOf({ headers = {}, cookies = [] }: SimWebAnswer): [string, string][] {
  return [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ["set-cookie", cookie])];
}

async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return await promise;
}
