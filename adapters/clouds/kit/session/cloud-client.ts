import {
  type Clock,
  type Http,
  type HttpAnswer,
  type HttpClient,
  HttpError,
  type Log,
  type Random,
  refuseAddress,
  TimeoutError,
  within,
} from "hemgate/sdk";
import type { PollBudget } from "../budget/poll-budget.ts";
import type { CloudAnswer, CloudConnector, CloudRequest } from "../connector.ts";
import { kindOfStatus, readAnswer } from "./cloud-answer.ts";
import { CloudError, type CloudErrorKind } from "./cloud-error.ts";
import { isRepeatable, placeOf, wireRequest } from "./cloud-request.ts";
import { isBriefTrouble, MAX_TRIES, pauseMs, restMs } from "./retry-rules.ts";

/** A request with all its tries. */
const CALL_MS = 30_000;

export interface CloudClientParts {
  readonly connector: Pick<CloudConnector, "hosts" | "errorOf" | "budgetNews">;
  readonly http: Http;
  readonly clock: Clock;
  readonly random: Pick<Random, "next">;
  readonly log: Log;
}

/** How a request is sent. */
export interface SendOptions {
  readonly budget: PollBudget;
  /** Adds the grant; absent: the request goes as it is. */
  readonly authorize?: (request: CloudRequest) => CloudRequest;
  /** True: any status below 500 but 429 is an answer, for who reads in its body what it means. */
  readonly isAnyStatus?: boolean;
}

/** One call on its way: the request, and how it is described. */
interface Call {
  readonly request: CloudRequest;
  readonly place: string;
  readonly options: SendOptions;
  readonly endsAtMs: number;
}

/** A try that failed. `pauseMs` null: there is no use in another one. */
interface Failure {
  readonly error: CloudError;
  readonly pauseMs: number | null;
}

/**
 * Asks one vendor: nobody else, within a budget, within bounds and in time. What passes is asked again where that does
 * no harm; a command never. Errors and log lines name method, host and path only.
 */
export class CloudClient implements Disposable {
  readonly #parts: CloudClientParts;
  readonly #client: HttpClient;

  constructor(parts: CloudClientParts) {
    this.#parts = parts;
    this.#client = parts.http.open({ refuse: (address) => refuseAddress(address, "internet") });
  }

  /** Rejects with a `CloudError`, or the signal's reason. */
  async ask(request: CloudRequest, options: SendOptions, signal: AbortSignal): Promise<CloudAnswer> {
    const { clock } = this.#parts;
    const place = placeOf(request);
    const call = { request, place, options, endsAtMs: clock.monotonicMs() + CALL_MS };
    try {
      return await within(clock, CALL_MS, signal, (inTime) => this.#tries(call, inTime));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TimeoutError)) throw error;
      throw new CloudError("timeout", `${place} did not answer within ${CALL_MS / 1_000} s`);
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  async #tries(call: Call, signal: AbortSignal): Promise<CloudAnswer> {
    const { clock } = this.#parts;
    let earlier: CloudError | null = null;
    for (let tries = 1; ; tries += 1) {
      const taken = await call.options.budget.take(call.request);
      if (!taken.isTaken) throw earlier ?? noBudget(call.place, taken);
      const result = await this.#once(call, { tries, settle: taken.settle }, signal);
      if (!("error" in result)) return result;
      if (result.pauseMs === null) throw result.error;
      earlier = result.error;
      await clock.sleep(result.pauseMs, signal);
    }
  }

  async #once(
    call: Call,
    { tries, settle }: { readonly tries: number; settle(wasSent: boolean, isVendorsFault: boolean): void },
    signal: AbortSignal,
  ): Promise<CloudAnswer | Failure> {
    const { request, place, options } = call;
    let wasSent = false;
    let isVendorsFault = false;
    try {
      const sealed = options.authorize?.(request) ?? request;
      const wire = wireRequest(sealed, this.#parts.connector.hosts, place);
      // Who gives up while nobody takes the connection has asked nothing, and while the internet is away all do.
      const onSent = (): void => {
        wasSent = true;
      };
      const answer = await this.#client.request({ ...wire, onSent }, signal);
      isVendorsFault = answer.status >= 500;
      return this.#judge(call, answer, tries);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpError)) throw error;
      return this.#unanswered(call, error, tries);
    } finally {
      settle(wasSent, isVendorsFault);
    }
  }

  #judge(call: Call, wire: HttpAnswer, tries: number): CloudAnswer | Failure {
    const { connector, clock, log } = this.#parts;
    const { request, place, options } = call;
    const { budget } = options;
    log.debug({ place, status: wire.status, bytes: wire.body.length }, "cloud answered");
    const answer = readAnswer(wire, place);
    budget.learn(connector.budgetNews?.(answer) ?? [], request.subject);
    const kind = options.isAnyStatus === true ? anyStatusKind(answer.status) : this.#kindOf(answer, request);
    if (kind === null) {
      budget.answered();
      return answer;
    }
    const vendorPauseMs = restMs(answer, clock.nowMs());
    const isBrief = kind === "rate-limited" || isBriefTrouble(answer.status, request.method);
    const waitMs = isBrief ? this.#pauseMs(call, tries, vendorPauseMs) : null;
    if (kind === "rate-limited") {
      if (waitMs === null) budget.limited(request, vendorPauseMs);
      else budget.pause(waitMs);
    }
    const notBeforeMs = notBefore(kind, budget, vendorPauseMs, clock.monotonicMs());
    const message = `${place} answered ${answer.status}${answer.status < 400 ? ` (${kind})` : ""}`;
    return { error: new CloudError(kind, message, notBeforeMs === null ? {} : { notBeforeMs }), pauseMs: waitMs };
  }

  /** A command that a server in between gave up waiting for may have been done. */
  #kindOf(answer: CloudAnswer, request: CloudRequest): CloudErrorKind | null {
    const isAbandoned = answer.status === 504 && !isRepeatable(request);
    return this.#parts.connector.errorOf?.(answer) ?? (isAbandoned ? "timeout" : kindOfStatus(answer.status));
  }

  #unanswered(call: Call, { kind, message }: HttpError, tries: number): Failure {
    // The cause is left behind: what a library put into it is not known to be free of keys.
    const mayBeDone = kind === "broken" && !isRepeatable(call.request);
    const error = new CloudError(mayBeDone ? "timeout" : "unavailable", `${call.place}: ${message}`);
    const isLost = kind === "broken" || kind === "unreachable" || kind === "unresolved";
    return { error, pauseMs: isLost ? this.#pauseMs(call, tries, null) : null };
  }

  /** Null: no other try, or none that would end in time. */
  #pauseMs({ request, endsAtMs }: Call, tries: number, vendorPauseMs: number | null): number | null {
    const { clock, random } = this.#parts;
    if (!isRepeatable(request) || tries >= MAX_TRIES) return null;
    const waitMs = pauseMs(tries, vendorPauseMs, random);
    return clock.monotonicMs() + waitMs < endsAtMs ? waitMs : null;
  }
}

/** A redirect is never an answer. */
function anyStatusKind(status: number): CloudErrorKind | null {
  return status >= 400 && status < 500 && status !== 429 ? null : kindOfStatus(status);
}

function notBefore(
  kind: CloudErrorKind,
  budget: PollBudget,
  vendorPauseMs: number | null,
  nowMs: number,
): number | null {
  const waitMs = kind === "rate-limited" ? budget.pauseMs : vendorPauseMs;
  return waitMs === null ? null : nowMs + waitMs;
}

function noBudget(place: string, { notBeforeMs, because }: { readonly notBeforeMs: number; readonly because: string }) {
  return new CloudError("no-budget", `${place} was not sent: ${because}`, { notBeforeMs });
}
