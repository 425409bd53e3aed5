/** What the twins of vendors' clouds share: routes, troubles, and a count of what they were asked. */
import { gzipSync } from "node:zlib";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWeb, SimWebAnswer, SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import type { SimHub } from "../../../src/testing/network/sim-websockets.ts";

/**
 * What is wrong with a cloud.
 * - `down`: 503 to everybody. `broken`: 500 once in a while. `hang`: no answer. `break`: the connection ends.
 * - `limited`: 429 with `Retry-After`, in the vendor's own form where it has one.
 * - `portal`: a captive portal answers 200 with a page. `bomb`: a small answer that unpacks to 100 MB.
 * - `cut`: half an answer. `slow`: 20 s late.
 */
export type CloudTrouble = "down" | "hang" | "break" | "limited" | "portal" | "bomb" | "cut" | "slow";

const JSON_TYPE = { "content-type": "application/json" } as const;
const SLOW_MS = 20_000;
const RETRY_AFTER_S = 120;
const BOMB_BYTES = 100 * 1024 * 1024;

export interface AskedOfTwin {
  readonly method: string;
  readonly url: URL;
  /** The body as JSON, else as a form, else null. */
  readonly json: unknown;
  readonly form: URLSearchParams;
  readonly request: SimWebRequest;
}

/** A vendor's cloud in memory. It follows the vendor's documentation, never the connector. */
export abstract class CloudTwin {
  /** Host names that it answers at. */
  abstract readonly hosts: readonly string[];
  protected readonly clock: Clock;
  trouble: CloudTrouble | null = null;
  /** Every request, oldest first. */
  readonly asked: AskedOfTwin[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** What it pushes to who asks for it by WebSocket; undefined: nothing. */
  get hub(): SimHub | undefined {
    return undefined;
  }

  /** Answers what the vendor would. */
  protected abstract answer(asked: AskedOfTwin): SimWebAnswer;

  /** Puts the cloud on the simulated web. */
  join(web: SimWeb, address: string): void {
    for (const [index, host] of this.hosts.entries()) {
      const own = `${address.slice(0, address.lastIndexOf("."))}.${Number(address.slice(address.lastIndexOf(".") + 1)) + index}`;
      web.serve(host, own, (request) => this.serve(request), this.hub);
    }
  }

  serve(request: SimWebRequest): SimWebAnswer {
    const asked = parse(request);
    this.asked.push(asked);
    const { trouble } = this;
    if (trouble === "down") return { status: 503, body: "<html>maintenance</html>" };
    if (trouble === "hang" || trouble === "break") return { fault: trouble };
    if (trouble === "limited") return this.limited(asked);
    if (trouble === "portal")
      return { headers: { "content-type": "text/html" }, body: "<html>Welcome, sign in</html>" };
    if (trouble === "bomb") return bomb();
    const answer = this.answer(asked);
    if (trouble === "slow") return { ...answer, delayMs: SLOW_MS };
    return trouble === "cut"
      ? { ...answer, body: (answer.body ?? "").slice(0, (answer.body ?? "").length / 2) }
      : answer;
  }

  /** How this vendor says that it is asked too often. */
  protected limited(_asked: Pick<AskedOfTwin, "url">): SimWebAnswer {
    return { status: 429, headers: { ...JSON_TYPE, "retry-after": String(RETRY_AFTER_S) }, body: "{}" };
  }
}

export function jsonAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): SimWebAnswer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

function bomb(): SimWebAnswer {
  const bytes = gzipSync(Buffer.alloc(BOMB_BYTES, 0x20));
  return { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, bytes };
}

function parse(request: SimWebRequest): AskedOfTwin {
  const url = new URL(request.path, `https://${request.host}`);
  const isForm = (request.headers["content-type"] ?? "").includes("x-www-form-urlencoded");
  const form = new URLSearchParams(isForm ? request.body : "");
  return { method: request.method, url, json: isForm ? null : asJson(request.body), form, request };
}

function asJson(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
