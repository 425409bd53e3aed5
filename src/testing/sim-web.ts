import { hash } from "node:crypto";
import { HttpError } from "../platform/http-error.ts";
import { CertificatePin } from "../platform/pinned-certificate.ts";
import type { Clock, Http, HttpAnswer, HttpClient, HttpPolicy, HttpRequest } from "../platform/ports.ts";
import { hostOf, vettedAddresses } from "../platform/vetted-addresses.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** One-way latency to servers elsewhere, ms. */
const LATENCY_MS = { min: 5, max: 40 } as const;
/** How long a kernel goes on asking an address where nobody answers. */
const CONNECT_GIVES_UP_MS = 127_000;
const MAX_NOTED_CONNECTS = 100_000;

/** A request as a server in the simulated web gets it. */
export interface SimWebRequest {
  readonly method: string;
  readonly host: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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

export interface SimWebServer {
  /** Answers at once; the delay is part of the answer. */
  serve(request: SimWebRequest): SimWebAnswer;
  /** Names its certificate is valid for; null: it speaks no TLS. */
  readonly certificate: readonly string[] | null;
  /** SHA-256 of the certificate, 64 hexadecimal digits in lower case, for who pins it; default: made of the names. */
  readonly fingerprint?: string;
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

  /** Says what a name resolves to, now or at each look-up anew. */
  name(name: string, addresses: readonly string[] | (() => readonly string[])): void {
    this.#names.set(name, typeof addresses === "function" ? addresses : () => addresses);
  }

  /** Puts a server at an address and port, in place of the one that was there. */
  listen(address: string, port: number, server: SimWebServer): void {
    this.#servers.set(`${address} ${port}`, server);
  }

  /** A server with a name and a certificate for it, at port 443. */
  serve(name: string, address: string, answer: (request: SimWebRequest) => SimWebAnswer): void {
    this.name(name, [address]);
    this.listen(address, 443, { serve: answer, certificate: [name] });
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

interface Rules {
  readonly policy: HttpPolicy;
  readonly pin: CertificatePin | null;
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
    const rules = { policy, pin: policy.tls === undefined ? null : new CertificatePin(policy.tls) };
    return {
      request: (request, signal) => this.#request(request, rules, AbortSignal.any([signal, closed.signal])),
      [Symbol.dispose]: () => closed.abort(new HttpError("broken", "the client is closed")),
    };
  }

  async #request(request: HttpRequest, { policy, pin }: Rules, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    this.#underWay += 1;
    try {
      const host = hostOf(request.url);
      const address = await this.#vettedAddress(host, policy, signal);
      const server = await this.#connect(host, address, request.url, signal);
      if (request.url.protocol === "https:") checkCertificate(host, server, pin);
      return await this.#exchange(host, server, request, signal);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #vettedAddress(host: string, policy: HttpPolicy, signal: AbortSignal): Promise<string> {
    const isLiteral = host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
    if (!isLiteral) await this.#pass(this.#web.latencyMs(), signal);
    const addresses = isLiteral ? [host] : this.#web.resolve(host);
    if (addresses.length === 0) throw new HttpError("unresolved", `${host} cannot be resolved`);
    return vettedAddresses(host, addresses, policy)[0] ?? "";
  }

  async #connect(host: string, address: string, url: URL, signal: AbortSignal): Promise<SimWebServer> {
    const isTls = url.protocol === "https:";
    const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
    this.#web.noteConnect({ address, port, host });
    if (this.#web.blackHoles.has(address)) await this.#pass(CONNECT_GIVES_UP_MS, signal);
    await this.#pass(2 * this.#web.latencyMs(), signal);
    const server = this.#web.server(address, port);
    if (server === undefined || this.#web.blackHoles.has(address)) {
      throw new HttpError("unreachable", `${host} is not reachable: ECONNREFUSED`);
    }
    return server;
  }

  async #exchange(
    host: string,
    server: SimWebServer,
    { method, url, headers, body, maxBodyBytes }: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    await this.#pass(this.#web.latencyMs(), signal);
    const text = body === null ? "" : Buffer.from(body).toString("utf8");
    const path = `${url.pathname}${url.search}`;
    const atMs = this.#clock.monotonicMs();
    const answer = server.serve({ method, host: url.host, path, headers, body: text, atMs });
    if (answer.fault === "hang") await this.#pass(Number.POSITIVE_INFINITY, signal);
    await this.#pass((answer.delayMs ?? 0) + this.#web.latencyMs(), signal);
    if (answer.fault === "break") throw new HttpError("broken", `the connection to ${host} broke: ECONNRESET`);
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

function checkCertificate(host: string, { certificate, fingerprint }: SimWebServer, pin: CertificatePin | null): void {
  if (certificate === null) throw new HttpError("broken", `the connection to ${host} broke: it speaks no TLS`);
  if (pin !== null) pin.check(host, fingerprint ?? hash("sha256", certificate.join("\n")));
  else if (!certificate.includes(host)) {
    throw new HttpError("untrusted", `the certificate of ${host} is not valid`);
  }
}

function headersOf({ headers = {}, cookies = [] }: SimWebAnswer): [string, string][] {
  return [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ["set-cookie", cookie])];
}

async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return await promise;
}
