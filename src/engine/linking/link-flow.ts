import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { FoundDevice, LinkRefusal } from "../../domain/linking/link-form.ts";
import type { LinkFault, LinkStepView } from "../../domain/linking/link-view.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { LinkAnswer, LinkOutcome, LinkStep } from "../../sdk/linking.ts";
import type { LinkRecord } from "../../store/records.ts";
import type { LinkForm } from "../contracts/linking.ts";
import type { Offer, VendorDirectory } from "../vendors/vendor-directory.ts";
import { type GrantedOffer, type LinkState, viewOf } from "./link-state.ts";
import { type Advance, advance, afterResult, firstState, type StepTools } from "./link-steps.ts";
import { SetupCalls } from "./setup-calls.ts";

/** Rule I8: a login step is usually under 2 s, rarely up to 30 s. */
const STEP_LIMIT_MS = 30_000;
/** Local devices answer within seconds; a longer search finds no more. */
const SEARCH_LIMIT_MS = 25_000;
/** After this time the page shows that the step is still running. */
const BUSY_PAGE_AFTER_MS = 2_500;
/** Refusals which show that the vendor's service works. */
const VENDOR_ANSWERED: readonly LinkRefusal[] = [
  "invalid-credentials",
  "failed-auth-challenge",
  "denied",
  "code-expired",
];
/** Sign-in attempts in one session: enough for typing errors, too few to guess a password. */
const MAX_ATTEMPTS = 20;

export interface FlowContext {
  readonly clock: Clock;
  readonly random: Pick<Random, "secretBytes">;
  readonly log: Log;
  readonly record: LinkRecord;
  readonly directory: VendorDirectory;
  /** The device whose access is restored; `null` if the session adds devices. */
  readonly relink: (GrantedOffer & { readonly key: string }) | null;
  /** Offers of this session that are not in the directory: devices of the configuration. */
  readonly configured: readonly Offer[];
  isLinked(offer: Offer, key: string): boolean;
  /** Returns the options of a device that the user linked before; `null` for all others. */
  linkedOptions(offer: Offer, key: string): Readonly<Record<string, unknown>> | null;
  /** Links the devices and marks the session as used. Returns the fault that prevents it, else `null`. */
  complete(offer: Offer, scopes: readonly string[], devices: readonly FoundDevice[]): Promise<LinkFault | null>;
}

/** Runs one link session from the first page to the last. It handles one form at a time. */
export class LinkFlow {
  /** A secret that only the session's own pages carry: it shows that a visitor came through them. */
  readonly at: string;
  /** The `state` parameter that the vendor's redirect must carry (OAuth). */
  readonly callbackState: string;
  readonly #context: FlowContext;
  readonly #tools: StepTools;
  #state: LinkState;
  #stepCount = 0;
  #attempts = 0;
  #callbackUrl = "";
  /** Aborts the step that is running; `null` if none is. */
  #work: AbortController | null = null;
  #touchedAtMs: number;

  constructor(context: FlowContext) {
    const { clock, random } = context;
    this.#context = context;
    this.at = Buffer.from(random.secretBytes(12)).toString("base64url");
    this.callbackState = Buffer.from(random.secretBytes(32)).toString("base64url");
    this.#touchedAtMs = clock.monotonicMs();
    this.#tools = this.#makeTools();
    this.#state = firstState(this.#tools);
  }

  get formKey(): string {
    return `${this.at}.${this.#stepCount}`;
  }

  get isDone(): boolean {
    return this.#state.step === "done";
  }

  idleMs(): number {
    return this.#context.clock.monotonicMs() - this.#touchedAtMs;
  }

  /** Aborts the step that is running. */
  end(): void {
    this.#work?.abort(new Error("the link session is over"));
    this.#work = null;
  }

  view(): LinkStepView {
    const { record, isLinked } = this.#context;
    this.#touch();
    this.#pollWhenDue();
    const { offers, scopes } = this.#tools;
    const view = viewOf(this.#state, { offers, scopes, isVendorFixed: record.vendor !== null, isLinked });
    const isShown = view.step === "wait" || view.step === "searching" || !("offer" in view) || view.offer === null;
    return this.#work === null || isShown ? view : { step: "busy", offer: view.offer };
  }

  /** Handles a form. Ignores a form of an earlier page, and any form while a step runs that cannot be interrupted. */
  async answer(form: LinkForm, callbackUrl: string): Promise<void> {
    this.#touch();
    if (form.key !== this.formKey || this.isDone) return;
    if (this.#work !== null && this.#state.step !== "searching" && this.#state.step !== "wait") return;
    this.end();
    this.#stepCount += 1;
    this.#callbackUrl = callbackUrl;
    await this.#go(advance(this.#state, form, this.#tools));
  }

  /** Handles the redirect from the vendor's page. */
  async returned(query: Readonly<Record<string, string>>, callbackUrl: string): Promise<void> {
    const state = this.#state;
    if (state.step !== "away" || this.#work !== null) return;
    this.#touch();
    this.#stepCount += 1;
    this.#callbackUrl = callbackUrl;
    const answer: LinkAnswer = { kind: "returned", query };
    const work = async (signal: AbortSignal): Promise<LinkState> =>
      await afterResult(state, state, await this.#take(state.offer, answer, state.memo, signal), this.#tools, signal);
    await this.#go({ state, work });
  }

  #touch(): void {
    this.#touchedAtMs = this.#context.clock.monotonicMs();
  }

  /** Shows the state and starts its work. Returns when the work is done, or when the busy page is due. */
  async #go({ state, work }: Advance): Promise<void> {
    const { clock } = this.#context;
    this.#state = state;
    if (work === null) return;
    const running = this.#run(work);
    const timer = new AbortController();
    await Promise.race([running, clock.sleep(BUSY_PAGE_AFTER_MS, timer.signal).catch(() => {})]);
    timer.abort();
  }

  /** Never rejects. */
  async #run(work: (signal: AbortSignal) => Promise<LinkState>): Promise<void> {
    const own = new AbortController();
    this.#work = own;
    const state = await work(own.signal).catch((err: unknown): LinkState => {
      if (!own.signal.aborted) this.#context.log.error({ err }, "link step failed; the page shows an error");
      return { step: "failed" };
    });
    if (own.signal.aborted) return;
    this.#work = null;
    // While the device code is not entered yet, the page and its form key stay the same.
    if (state.step !== "wait" || this.#state.step !== "wait") this.#stepCount += 1;
    this.#state = state;
  }

  /** Polls the vendor for the device code when the page is loaded and the poll interval is over. */
  #pollWhenDue(): void {
    const state = this.#state;
    if (state.step !== "wait" || this.#work !== null) return;
    if (this.#context.clock.monotonicMs() < state.nextPollAtMs) return;
    void this.#run(async (signal) => {
      const result = await this.#take(state.offer, { kind: "poll" }, state.memo, signal);
      return await afterResult(state, state, result, this.#tools, signal);
    });
  }

  async #take(offer: Offer, answer: LinkAnswer, memo: unknown, signal: AbortSignal): Promise<LinkOutcome> {
    const { clock, log, directory } = this.#context;
    const callback = { url: this.#callbackUrl, state: this.callbackState };
    const step = { vendorId: offer.entry.id, answer, memo, callback };
    const result = await within(clock, STEP_LIMIT_MS, signal, (own) => checkedResult(offer, step, own)).catch(
      (err: unknown): LinkOutcome => {
        signal.throwIfAborted();
        log.warn({ adapter: offer.adapter, vendor: offer.entry.id, err }, "vendor sign-in step failed; linking stops");
        return { kind: "refused", why: "unavailable" };
      },
    );
    if (result.kind !== "refused" || VENDOR_ANSWERED.includes(result.why)) directory.noteAttempt(offer, false);
    else if (result.why === "unavailable") directory.noteAttempt(offer, true);
    return result;
  }

  /** Searches for local devices; returns an empty list if the adapter exceeds the time limit or fails. */
  async #search(offer: Offer, signal: AbortSignal): Promise<readonly FoundDevice[]> {
    const { discover } = offer.linking;
    if (discover === undefined) return [];
    try {
      return await within(this.#context.clock, SEARCH_LIMIT_MS, signal, (own) =>
        discover.call(offer.linking, offer.entry.id, own),
      );
    } catch (err) {
      signal.throwIfAborted();
      if (!(err instanceof TimeoutError))
        this.#context.log.warn({ adapter: offer.adapter, err }, "device search failed; the page lists no devices");
      return [];
    }
  }

  #makeTools(): StepTools {
    const { clock, log, record, directory, relink, complete, configured, linkedOptions, isLinked } = this.#context;
    const all: readonly Offer[] = [...directory.offers, ...configured];
    const [requested] = record.relinkDeviceId === null ? record.vendorTypes : [];
    // Offers must link the requested kind; they may link further kinds that the scopes allow.
    const offered = all.filter(({ entry }) => requested === undefined || entry.vendorTypes.includes(requested));
    return {
      get offers() {
        return directory.linkable(record.vendorTypes, record.vendor, offered);
      },
      scopes: record.scopes,
      vendor: record.vendor,
      relink,
      nowMs: () => clock.monotonicMs(),
      offer: (id) => all.find((offer) => offer.id === id) ?? null,
      isLinked,
      countAttempt: () => {
        this.#attempts += 1;
        return this.#attempts <= MAX_ATTEMPTS;
      },
      take: (offer, answer, memo, signal) => this.#take(offer, answer, memo, signal),
      search: (offer) => (offer.linking.discover === undefined ? null : (signal) => this.#search(offer, signal)),
      setup: new SetupCalls({ clock, log, linkedOptions }),
      complete,
    };
  }
}

/** Takes a step with the adapter. Rejects with a `TypeError` if the page could not show the fields of its answer. */
async function checkedResult({ linking }: Offer, step: LinkStep, signal: AbortSignal): Promise<LinkOutcome> {
  const result = await linking.take(step, signal);
  const problem = result.kind === "ask" ? fieldsProblem(result.fields) : null;
  if (problem !== null) throw new TypeError(problem);
  return result;
}
