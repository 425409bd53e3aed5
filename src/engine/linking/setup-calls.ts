import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { FoundDevice, LinkField, SetupTurn } from "../../sdk/linking.ts";
import type { Offer } from "../vendors/vendor-directory.ts";

/** As long as a step of a sign-in may take. */
const CALL_LIMIT_MS = 30_000;

export interface SetupContext {
  readonly clock: Clock;
  readonly log: Log;
  /** The options of a device that is linked already; null for one that is not. */
  known(offer: Offer, key: string): Readonly<Record<string, unknown>> | null;
}

/** The calls of an adapter about what an owner decides, in bounded time. Nothing rejects but for the signal. */
export class SetupCalls {
  readonly #context: SetupContext;

  constructor(context: SetupContext) {
    this.#context = context;
  }

  /**
   * The form of a device, empty where there is nothing to decide, and `later` where nothing can be asked about it yet; null
   * when the adapter does not tell.
   */
  async fields(offer: Offer, device: FoundDevice, signal: AbortSignal): Promise<readonly LinkField[] | "later" | null> {
    const { clock, known } = this.#context;
    const { setup } = offer.linking;
    if (setup === undefined) return [];
    try {
      const before = known(offer, device.key);
      const fields = await within(clock, CALL_LIMIT_MS, signal, (own) => setup.fields(device, before, own));
      const problem = fields === "later" ? null : fieldsProblem(fields);
      if (problem !== null) throw new TypeError(problem);
      return fields;
    } catch (err) {
      this.#warn(offer, err, signal);
      return null;
    }
  }

  /** The device with what was decided. */
  async apply(
    offer: Offer,
    device: FoundDevice,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SetupTurn> {
    const { setup } = offer.linking;
    if (setup === undefined) return { kind: "ready", device };
    try {
      const turn = await within(this.#context.clock, CALL_LIMIT_MS, signal, (own) => setup.apply(device, values, own));
      // Whose device it is was settled by its key before.
      return turn.kind === "ready" ? { kind: "ready", device: { ...turn.device, key: device.key } } : turn;
    } catch (err) {
      this.#warn(offer, err, signal);
      return { kind: "refused", why: "unavailable" };
    }
  }

  #warn({ adapter, entry }: Offer, err: unknown, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#context.log.warn({ adapter, vendor: entry.id, err }, "what the owner of a device decides is not known");
  }
}
