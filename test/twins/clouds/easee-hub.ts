/**
 * Easee's stream in memory: a hub of ASP.NET Core SignalR (dotnet/aspnetcore, HubProtocol.md and TransportProtocols.md), with
 * what pyeasee and evcc hear of it.
 */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimHubEvents, SimHubSocket } from "../../../src/testing/network/sim-socket.ts";
import type { SimWebAnswer, SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import { jsonAnswer } from "./cloud-twin.ts";

const END = "\u001e";
const PING_MS = 15_000;
/** A client that says nothing for so long is gone. */
const CLIENT_GONE_MS = 30_000;
const COOKIE = "AWSALB=sticky-1";

/** One observation of a charger. */
export interface EaseeTelling {
  readonly id: number;
  readonly value: number | boolean | string;
  /** Wall-clock ms. */
  readonly atMs: number;
}

export interface EaseeHubParts {
  readonly clock: Clock;
  /** Takes an `authorization` header. */
  readonly accepts: (authorization: string | undefined) => boolean;
  /** All that is known of a charger; null: the account has no such one. */
  readonly tellings: (chargerId: string) => readonly EaseeTelling[] | null;
  /** How often the chargers are looked at for something to tell, ms. */
  readonly lookMs: number;
}

export class EaseeHub {
  /** Tells nothing any more, and pings on. */
  isMute = false;
  /** Says nothing at all any more on what is open. */
  isDead = false;
  /** Refuses handshakes with this status. */
  refusal: number | null = null;
  /** Answers `negotiate` with another place. */
  redirect: string | null = null;
  /** Those who were let in so far. */
  taken = 0;
  readonly #parts: EaseeHubParts;
  readonly #ids = new Set<string>();
  readonly #clients = new Set<HubClient>();
  #negotiated = 0;

  constructor(parts: EaseeHubParts) {
    this.#parts = parts;
  }

  /** Clients that are connected. */
  get connected(): number {
    return this.#clients.size;
  }

  negotiate(): SimWebAnswer {
    if (this.redirect !== null) return jsonAnswer({ url: this.redirect, accessToken: "elsewhere" });
    this.#negotiated += 1;
    const id = `connection-${this.#negotiated}`;
    this.#ids.add(id);
    const availableTransports = [{ transport: "WebSockets", transferFormats: ["Text", "Binary"] }];
    const body = { negotiateVersion: 1, connectionId: "public", connectionToken: id, availableTransports };
    return { ...jsonAnswer(body), cookies: [`${COOKIE}; Expires=Thu, 31 Dec 2026 00:00:00 GMT; Path=/`] };
  }

  readonly accept = ({ path, headers }: SimWebRequest, socket: SimHubSocket): SimHubEvents | { status: number } => {
    const url = new URL(path, "https://streams.easee.com");
    if (this.refusal !== null) return { status: this.refusal };
    if (!this.#parts.accepts(headers["authorization"])) return { status: 401 };
    const isKnown = url.pathname === "/hubs/chargers" && this.#ids.delete(url.searchParams.get("id") ?? "");
    // Another server behind the same name knows nothing of the negotiation.
    if (!isKnown || headers["cookie"] !== COOKIE) return { status: 404 };
    this.taken += 1;
    const client = new HubClient(this, this.#parts, socket, headers["authorization"] ?? "");
    this.#clients.add(client);
    return { text: (text) => client.hear(text), closed: () => this.leave(client) };
  };

  leave(client: HubClient): void {
    this.#clients.delete(client);
    client.stop();
  }

  /** Tells all who listen what came of a command. */
  respond(chargerId: string, response: Readonly<Record<string, unknown>>): void {
    for (const client of this.#clients) client.invoke(chargerId, "CommandResponse", response);
  }

  /** Sends text as it is to all. */
  shout(text: string): void {
    for (const client of this.#clients) client.raw(text);
  }
}

class HubClient {
  readonly #hub: EaseeHub;
  readonly #parts: EaseeHubParts;
  readonly #socket: SimHubSocket;
  readonly #authorization: string;
  /** What each charger was last told to have been, by its observations' ids. */
  readonly #told = new Map<string, Map<number, string>>();
  #rest = "";
  #isShaken = false;
  #heardAtMs: number;
  #pingedAtMs: number;
  #timer: Disposable;

  constructor(hub: EaseeHub, parts: EaseeHubParts, socket: SimHubSocket, authorization: string) {
    this.#hub = hub;
    this.#parts = parts;
    this.#socket = socket;
    this.#authorization = authorization;
    this.#heardAtMs = parts.clock.monotonicMs();
    this.#pingedAtMs = this.#heardAtMs;
    this.#timer = parts.clock.timer(parts.lookMs, () => this.#look());
  }

  stop(): void {
    this.#timer[Symbol.dispose]();
  }

  raw(text: string): void {
    this.#socket.send(text);
  }

  hear(text: string): void {
    this.#heardAtMs = this.#parts.clock.monotonicMs();
    const records = `${this.#rest}${text}`.split(END);
    this.#rest = records.pop() ?? "";
    for (const record of records) this.#take(Object(JSON.parse(record)));
  }

  invoke(chargerId: string, target: string, argument: Readonly<Record<string, unknown>>): void {
    if (this.#told.has(chargerId)) this.#say({ type: 1, target, arguments: [argument] });
  }

  #take(message: Readonly<Record<string, unknown>>): void {
    const { type, target, arguments: given } = message;
    if (!this.#isShaken) this.#shake(message);
    else if (type === 1 && target === "SubscribeWithCurrentState") this.#subscribe(given);
  }

  #subscribe(given: unknown): void {
    const [chargerId, isRequested] = Array.isArray(given) ? given : [];
    if (this.#parts.tellings(String(chargerId)) === null || isRequested !== true) return;
    this.#told.set(String(chargerId), new Map());
    this.#tell();
  }

  #shake({ protocol, version }: Readonly<Record<string, unknown>>): void {
    this.#isShaken = protocol === "json" && version === 1;
    this.#say(this.#isShaken ? {} : { error: "no such protocol" });
    if (!this.#isShaken) this.#socket.close();
  }

  #look(): void {
    const { clock, accepts, lookMs } = this.#parts;
    const nowMs = clock.monotonicMs();
    const isGone = nowMs - this.#heardAtMs > CLIENT_GONE_MS;
    if (isGone || !accepts(this.#authorization)) {
      this.#goodbye(isGone ? "client timeout" : "authentication expired");
      return;
    }
    if (this.#isShaken) this.#tell();
    if (nowMs - this.#pingedAtMs >= PING_MS) {
      this.#pingedAtMs = nowMs;
      this.#say({ type: 6 });
    }
    this.#timer = clock.timer(lookMs, () => this.#look());
  }

  #goodbye(error: string): void {
    this.#say({ type: 7, error: `Connection closed: ${error}`, allowReconnect: true });
    this.#socket.close();
    this.#hub.leave(this);
  }

  #tell(): void {
    for (const [chargerId, told] of this.#told) {
      const tellings = this.#parts.tellings(chargerId) ?? [];
      for (const { id, value, atMs } of this.#hub.isMute ? [] : tellings) {
        // The wire has text for everything, and "1" for true.
        const text = typeof value === "boolean" ? String(Number(value)) : String(value);
        if (told.get(id) === text) continue;
        told.set(id, text);
        const dataType = typeof value === "boolean" ? 2 : typeof value === "string" ? 6 : 3;
        const timestamp = `${new Date(atMs).toISOString().slice(0, 19)}Z`;
        this.invoke(chargerId, "ProductUpdate", { mid: chargerId, dataType, id, timestamp, value: text });
      }
    }
  }

  #say(message: unknown): void {
    if (!this.#hub.isDead) this.#socket.send(`${JSON.stringify(message)}${END}`);
  }
}
