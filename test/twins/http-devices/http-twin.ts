/** What twins of devices that answer by HTTP have in common: routes, what goes wrong, what was asked. */
import type { SimWeb, SimWebAnswer, SimWebRequest } from "../../../src/testing/network/sim-web.ts";

/** What a device does instead of answering as it should. */
export type HttpFault =
  | "none"
  | "html"
  | "truncated"
  | "empty"
  | "deep"
  | "huge"
  | "redirect"
  | "refused"
  | "unavailable"
  | "hang"
  | "break";

/** A request as a twin looks at it. */
export interface TwinRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly request: SimWebRequest;
}

/** A device; `answer` is all that differs between them. */
export abstract class HttpTwin {
  /** In the order in which they came: method and path with its query. */
  readonly asked: string[] = [];
  fault: HttpFault = "none";
  /** What the device sends in place of single values, by what stands in its answer: `"power":` to `"power":"x"`. */
  readonly lies = new Map<string, string>();
  delayMs = 0;

  protected abstract answer(request: TwinRequest): SimWebAnswer;

  readonly serve = (request: SimWebRequest): SimWebAnswer => {
    this.asked.push(`${request.method} ${request.path}`);
    const broken = this.#broken();
    if (broken !== null) return broken;
    const url = new URL(`http://device${request.path}`);
    const { method, headers, body } = request;
    const answer = this.answer({ method, path: url.pathname, query: url.searchParams, headers, body, request });
    let text = answer.body ?? "";
    for (const [truth, lie] of this.lies) text = text.replaceAll(truth, lie);
    if (this.fault === "truncated") text = text.slice(0, Math.ceil(text.length / 2));
    return { delayMs: this.delayMs, ...answer, body: text };
  };

  #broken(): SimWebAnswer | null {
    switch (this.fault) {
      case "none":
      case "truncated":
        return null;
      case "html":
        return { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html><body>Sign in</body></html>" };
      case "empty":
        return { body: "" };
      case "deep":
        return { body: `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}` };
      case "huge":
        return { body: `[${"1,".repeat(600_000)}1]` };
      case "redirect":
        return { status: 302, headers: { location: "http://203.0.113.7/" } };
      case "refused":
        return { status: 403, body: "{}" };
      case "unavailable":
        return { status: 503, headers: { "retry-after": "30" } };
      case "hang":
        return { fault: "hang" };
      case "break":
        return { fault: "break" };
      default:
        return this.fault satisfies never;
    }
  }
}

export function json(value: unknown, status = 200): SimWebAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

export const NOT_FOUND: SimWebAnswer = { status: 404, body: "Not found" };

/** Puts a twin at an address of the house. A certificate of its own, for TLS, is told by its fingerprint. */
export function listen(
  web: SimWeb,
  address: string,
  port: number,
  twin: Pick<HttpTwin, "serve">,
  fingerprint?: string,
): void {
  web.listen(address, port, {
    serve: twin.serve,
    certificate: fingerprint === undefined ? null : ["a name that nobody asks for"],
    ...(fingerprint === undefined ? {} : { fingerprint }),
  });
}

/** What really flows in the house of a twin. W, positive into the house, the battery, the vehicle; energies in Wh. */
export interface HouseTruth {
  grid: number;
  pv: number;
  battery: number;
  load: number;
  soc: number;
  reserve: number;
  frequency: number;
  imported: number;
  exported: number;
  produced: number;
  charged: number;
  discharged: number;
}

export function houseTruth(): HouseTruth {
  return {
    grid: 734,
    pv: 2_150,
    battery: 1_200,
    load: 1_684,
    soc: 63.5,
    reserve: 12,
    frequency: 50.02,
    imported: 4_321_500,
    exported: 1_234_700,
    produced: 9_876_500,
    charged: 2_345_600,
    discharged: 2_109_800,
  };
}
