import { hostOf } from "../../platform/network/vetted-addresses.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import type { HttpStream, HttpStreamEvents, HttpStreams } from "../../platform/ports/http-stream-port.ts";
import type { Clock, HttpPolicy, HttpRequest } from "../../platform/ports/ports.ts";
import { dial, dialRules, shownBy } from "./sim-dial.ts";
import {
  headersOf,
  type SimStreamBody,
  type SimWeb,
  type SimWebAnswer,
  type SimWebRequest,
  type SimWebServer,
} from "./sim-web.ts";

/** Answers that do not end, as one process of a world gets them: they die with it. */
export class SimHttpStreams implements HttpStreams {
  readonly #web: SimWeb;
  readonly #clock: Clock;
  readonly #open = new Set<SimStream>();
  #opening = 0;
  #isDead = false;

  constructor(web: SimWeb, clock: Clock) {
    this.#web = web;
    this.#clock = clock;
  }

  /** Streams that are open or on their way. */
  get openStreams(): number {
    return this.#open.size + this.#opening;
  }

  /** Ends the process as SIGKILL does. */
  kill(): void {
    this.#isDead = true;
    for (const stream of this.#open) stream.die();
    this.#open.clear();
  }

  async open(
    { url, headers }: Pick<HttpRequest, "url" | "headers">,
    policy: HttpPolicy,
    events: HttpStreamEvents,
    signal: AbortSignal,
  ): Promise<HttpStream> {
    signal.throwIfAborted();
    this.#opening += 1;
    try {
      const rules = dialRules(policy);
      const server = await dial(this.#web, url, rules, (ms) => this.#pass(ms, signal));
      await this.#pass(this.#web.latencyMs(), signal);
      const stream = new SimStream(hostOf(url), events, {
        clock: this.#clock,
        travelMs: () => this.#web.latencyMs(),
        onEnd: () => this.#open.delete(stream),
      });
      const answer = ask(server, { url, headers, atMs: this.#clock.monotonicMs(), ...shownBy(rules) }, stream);
      if (answer.fault === "hang") await this.#pass(Number.POSITIVE_INFINITY, signal);
      await this.#pass((answer.delayMs ?? 0) + this.#web.latencyMs(), signal);
      if (answer.fault === "break") throw new HttpError("broken", `the connection to ${url.host} broke: ECONNRESET`);
      this.#open.add(stream);
      return stream.begin(answer);
    } finally {
      this.#opening -= 1;
    }
  }

  /** Lets time pass; never ends for a dead process. */
  async #pass(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal);
    if (this.#isDead) await new Promise(() => undefined);
  }
}

function ask(
  server: SimWebServer,
  { url, ...more }: { url: URL } & Pick<SimWebRequest, "headers" | "atMs" | "certificate">,
  stream: SimStream,
): SimWebAnswer {
  const path = `${url.pathname}${url.search}`;
  const request = { method: "GET", host: url.host, path, body: "", ...more };
  if (server.stream !== undefined) return server.stream(request, stream);
  const answer = server.serve(request);
  stream.write(answer.body ?? "");
  stream.end();
  return answer;
}

/** The body of one answer, from the server's side and from the process's. What travels keeps its order. */
class SimStream implements SimStreamBody, HttpStream {
  status = 200;
  headers: readonly (readonly [string, string])[] = [];
  readonly #host: string;
  readonly #events: HttpStreamEvents;
  readonly #parts: { readonly clock: Clock; readonly travelMs: () => number; readonly onEnd: () => void };
  readonly #underWay = new Set<Disposable>();
  /** What the server said before the head arrived. */
  #early: (() => void)[] | null = [];
  #isOpen = true;
  #lastArrivalMs = 0;

  constructor(
    host: string,
    events: HttpStreamEvents,
    parts: { clock: Clock; travelMs: () => number; onEnd: () => void },
  ) {
    this.#host = host;
    this.#events = events;
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  begin(answer: SimWebAnswer): this {
    this.status = answer.status ?? 200;
    this.headers = headersOf(answer);
    const early = this.#early ?? [];
    this.#early = null;
    for (const arrive of early) this.#travel(arrive);
    return this;
  }

  write(text: string): void {
    this.#travel(() => this.#events.data(new TextEncoder().encode(text)));
  }

  end(): void {
    this.#travel(() => this.#close(null));
  }

  break(): void {
    this.#travel(() => this.#close(new HttpError("broken", `the connection to ${this.#host} broke: ECONNRESET`)));
  }

  /** The process died. */
  die(): void {
    this.#isOpen = false;
    for (const timer of this.#underWay) timer[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#close(null);
  }

  #close(error: Error | null): void {
    if (!this.#isOpen) return;
    this.die();
    this.#parts.onEnd();
    this.#events.closed(error);
  }

  #travel(arrive: () => void): void {
    if (!this.#isOpen) return;
    if (this.#early !== null) return void this.#early.push(arrive);
    const { clock, travelMs } = this.#parts;
    const nowMs = clock.monotonicMs();
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, nowMs + travelMs());
    const timer = clock.timer(this.#lastArrivalMs - nowMs, () => {
      this.#underWay.delete(timer);
      arrive();
    });
    this.#underWay.add(timer);
  }
}
