/** A client of a real gateway in virtual time, whose requests go past no socket. */
import type { LightMyRequestResponse } from "fastify";
import { type Client, type ClientOptions, createClient } from "../../src/client/index.ts";
import type { RealHouse } from "../api/support/real-house.ts";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

export interface HouseClient {
  readonly client: Client;
  /** What was sent, in order. */
  readonly sent: readonly Sent[];
  /** Each pause, ms. */
  readonly pauses: readonly number[];
  /** Cuts the answers that are still being sent. */
  breakStreams(): void;
  /** Loses the answers to the next requests, after the gateway has done them. */
  loseAnswers(count: number): void;
}

type Break = (error: Error) => void;

const ADDRESS = "http://hemgate.local:8080";
const ANSWER_LIMIT_MS = 25_000;

export function clientOf(house: RealHouse, options: Partial<ClientOptions> = {}): HouseClient {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const breaks = new Set<Break>();
  let toLose = 0;
  // One caller moves the clock at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return await mine;
  };
  const send: NonNullable<ClientOptions["fetch"]> = async (url, { method = "GET", headers, body, signal }) => {
    signal?.throwIfAborted();
    const { pathname, search } = new URL(url);
    const fields = headers as Record<string, string>;
    const payload = typeof body === "string" ? { payload: body } : {};
    const asked = { method: method as "GET", url: pathname + search, headers: { host: "hemgate.local", ...fields } };
    const { clock } = house.home.world;
    const answer = await inTurn(() =>
      clock.resolve(
        house.api.inject({ ...asked, ...payload, payloadAsStream: true }).then((made) => made),
        ANSWER_LIMIT_MS,
      ),
    );
    sent.push({ method, path: pathname + search, headers: fields, status: answer.statusCode });
    if (toLose > 0) {
      toLose -= 1;
      answer.stream().destroy();
      throw new TypeError("fetch failed");
    }
    return responseOf(answer, signal, breaks);
  };
  const client = createClient({
    url: `${ADDRESS}/`,
    credentials: house.client,
    fetch: send,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      await inTurn(() => house.pass(ms));
    },
    ...options,
  });
  const loseAnswers = (count: number): void => {
    toLose = count;
  };
  const breakStreams = (): void => {
    for (const fail of breaks) fail(new Error("connection reset"));
  };
  return { client, sent, pauses, loseAnswers, breakStreams };
}

/** `breaks`: gets what cuts the answer while it is sent. */
function responseOf(
  answer: LightMyRequestResponse,
  signal: AbortSignal | null | undefined,
  breaks: Set<Break>,
): Response {
  const { statusCode: status, headers } = answer;
  const list = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  if (status === 204) return new Response(null, { status, headers: list });
  const stream = answer.stream();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false;
      const end = (close: () => void): void => {
        if (!isOver) close();
        isOver = true;
        stream.destroy();
      };
      const fail = (error: Error): void => end(() => controller.error(error));
      breaks.add(fail);
      signal?.addEventListener("abort", () => fail(new Error("aborted")), { once: true });
      stream.on("data", (part: Buffer) => isOver || controller.enqueue(part));
      stream.on("end", () => end(() => controller.close()));
      stream.on("error", fail);
    },
    cancel() {
      stream.destroy();
    },
  });
  return new Response(body, { status, headers: list });
}
