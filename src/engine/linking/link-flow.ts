import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { LinkFault, LinkStepView } from "../../domain/linking/link-view.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import type { FoundDevice, LinkAnswer, LinkRefusal, LinkStep, LinkTurn } from "../../sdk/linking.ts";
import type { LinkRecord } from "../../store/records.ts";
import type { LinkForm } from "../contracts/linking.ts";
import type { Offer, VendorDirectory } from "../vendors/vendor-directory.ts";
import { type Granted, type LinkState, viewOf } from "./link-state.ts";
import { type Advance, advance, afterTurn, first, type StepTools } from "./link-steps.ts";
import { SetupCalls } from "./setup-calls.ts";

/** Rule I8: a login step is usually under 2 s, rarely up to 30 s. */
const STEP_LIMIT_MS = 30_000;
/** Devices of a house answer in a moment; looking longer finds no more. */
const SEARCH_LIMIT_MS = 25_000;
/** What takes longer goes on behind a page that says so. */
const PATIENCE_MS = 2_500;
/** Refusals that show a vendor at work. */
const VENDOR_ANSWERED: readonly LinkRefusal[] = [
  "invalid-credentials",
  "failed-auth-challenge",
  "denied",
  "code-expired",
];
/** Answers to vendors in one session: enough for typing errors, too few for guessing. */
const MAX_ATTEMPTS = 20;

export interface FlowContext {
  readonly clock: Clock;
  readonly random: Pick<Random, "secretBytes">;
  readonly log: Log;
  readonly record: LinkRecord;
  readonly directory: VendorDirectory;
  /** The device whose access is restored; null when devices are added. */
  readonly relink: (Granted & { readonly key: string }) | null;
  /** What this session offers beside the directory: devices of the configuration. */
  readonly own: readonly Offer[];
  isLinked(offer: Offer, key: string): boolean;
  /** The options of a device that the user linked before; null for any other. */
  known(offer: Offer, key: string): Readonly<Record<string, unknown>> | null;
  /** Links the devices and uses the session up. Answers why it does not. */
  complete(offer: Offer, scopes: readonly string[], devices: readonly FoundDevice[]): Promise<LinkFault | null>;
}

/** One session on its way from the first page to the last. It takes one form at a time. */
export class LinkFlow {
  /** Who has it came here through the session's own pages. */
  readonly at: string;
  /** What a vendor's page must bring back as `state`. */
  readonly callbackState: string;
  readonly #context: FlowContext;
  readonly #tools: StepTools;
  #state: LinkState;
  #turns = 0;
  #attempts = 0;
  #callbackUrl = "";
  /** What is under way, to be given up. */
  #work: AbortController | null = null;
  #touchedAtMs: number;

  constructor(context: FlowContext) {
    const { clock, random } = context;
    this.#context = context;
    this.at = Buffer.from(random.secretBytes(12)).toString("base64url");
    this.callbackState = Buffer.from(random.secretBytes(32)).toString("base64url");
    this.#touchedAtMs = clock.monotonicMs();
    this.#tools = this.#makeTools();
    this.#state = first(this.#tools);
  }

  get formKey(): string {
    return `${this.at}.${this.#turns}`;
  }

  get isDone(): boolean {
    return this.#state.step === "done";
  }

  idleMs(): number {
    return this.#context.clock.monotonicMs() - this.#touchedAtMs;
  }

  /** What waits for an answer of the world is given up. */
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

  /** Takes a form, unless it is one of an earlier page, or something is under way that cannot be left. */
  async answer(form: LinkForm, callbackUrl: string): Promise<void> {
    this.#touch();
    if (form.key !== this.formKey || this.isDone) return;
    if (this.#work !== null && this.#state.step !== "searching" && this.#state.step !== "wait") return;
    this.end();
    this.#turns += 1;
    this.#callbackUrl = callbackUrl;
    await this.#go(advance(this.#state, form, this.#tools));
  }

  /** The browser came back from the vendor's page. */
  async returned(query: Readonly<Record<string, string>>, callbackUrl: string): Promise<void> {
    const state = this.#state;
    if (state.step !== "away" || this.#work !== null) return;
    this.#touch();
    this.#turns += 1;
    this.#callbackUrl = callbackUrl;
    const answer: LinkAnswer = { kind: "returned", query };
    const work = async (signal: AbortSignal): Promise<LinkState> =>
      await afterTurn(state, state, await this.#take(state.offer, answer, state.memo, signal), this.#tools, signal);
    await this.#go({ state, work });
  }

  #touch(): void {
    this.#touchedAtMs = this.#context.clock.monotonicMs();
  }

  /** Shows the state; its work gets a moment before the page of the meantime is shown. */
  async #go({ state, work }: Advance): Promise<void> {
    const { clock } = this.#context;
    this.#state = state;
    if (work === null) return;
    const running = this.#run(work);
    const patience = new AbortController();
    await Promise.race([running, clock.sleep(PATIENCE_MS, patience.signal).catch(() => {})]);
    patience.abort();
  }

  /** Never rejects. */
  async #run(work: (signal: AbortSignal) => Promise<LinkState>): Promise<void> {
    const own = new AbortController();
    this.#work = own;
    const state = await work(own.signal).catch((err: unknown): LinkState => {
      if (!own.signal.aborted) this.#context.log.error({ err }, "a step of linking failed");
      return { step: "failed" };
    });
    if (own.signal.aborted) return;
    this.#work = null;
    // A code that is still awaited leaves the page as it is.
    if (state.step !== "wait" || this.#state.step !== "wait") this.#turns += 1;
    this.#state = state;
  }

  /** Whether a device code was entered shows when the page looks again. */
  #pollWhenDue(): void {
    const state = this.#state;
    if (state.step !== "wait" || this.#work !== null) return;
    if (this.#context.clock.monotonicMs() < state.nextPollAtMs) return;
    void this.#run(async (signal) => {
      const turn = await this.#take(state.offer, { kind: "poll" }, state.memo, signal);
      return await afterTurn(state, state, turn, this.#tools, signal);
    });
  }

  async #take(offer: Offer, answer: LinkAnswer, memo: unknown, signal: AbortSignal): Promise<LinkTurn> {
    const { clock, log, directory } = this.#context;
    const callback = { url: this.#callbackUrl, state: this.callbackState };
    const step = { vendorId: offer.entry.id, answer, memo, callback };
    const turn = await within(clock, STEP_LIMIT_MS, signal, (own) => asked(offer, step, own)).catch(
      (err: unknown): LinkTurn => {
        signal.throwIfAborted();
        log.warn({ adapter: offer.adapter, vendor: offer.entry.id, err }, "a vendor did not do its part of linking");
        return { kind: "refused", why: "unavailable" };
      },
    );
    if (turn.kind !== "refused" || VENDOR_ANSWERED.includes(turn.why)) directory.noteAttempt(offer, false);
    else if (turn.why === "unavailable") directory.noteAttempt(offer, true);
    return turn;
  }

  /** What was found until the time is over is enough. */
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
        this.#context.log.warn({ adapter: offer.adapter, err }, "no search for devices");
      return [];
    }
  }

  #makeTools(): StepTools {
    const { clock, log, record, directory, relink, complete, own, known, isLinked } = this.#context;
    const all: readonly Offer[] = [...directory.offers, ...own];
    const [asked] = record.relinkDeviceId === null ? record.vendorTypes : [];
    // Brands of the kind that was asked for; what else the scopes allow of such a device comes along.
    const offered = all.filter(({ entry }) => asked === undefined || entry.vendorTypes.includes(asked));
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
      mayTry: () => {
        this.#attempts += 1;
        return this.#attempts <= MAX_ATTEMPTS;
      },
      take: (offer, answer, memo, signal) => this.#take(offer, answer, memo, signal),
      search: (offer) => (offer.linking.discover === undefined ? null : (signal) => this.#search(offer, signal)),
      setup: new SetupCalls({ clock, log, known }),
      complete,
    };
  }
}

/** What a vendor asks; rejects where the page could not show it. */
async function asked({ linking }: Offer, step: LinkStep, signal: AbortSignal): Promise<LinkTurn> {
  const turn = await linking.take(step, signal);
  const problem = turn.kind === "ask" ? fieldsProblem(turn.fields) : null;
  if (problem !== null) throw new TypeError(problem);
  return turn;
}
