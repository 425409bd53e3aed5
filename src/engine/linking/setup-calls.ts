import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { FoundDevice, LinkField } from "../../domain/linking/link-form.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { SetupOutcome } from "../../sdk/linking.ts";
import type { Offer } from "../vendors/vendor-directory.ts";

/** The same limit as for a step of a sign-in. */
const CALL_LIMIT_MS = 30_000;

export interface SetupContext {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the options of a device that is linked already; `null` for all others. */
  linkedOptions(offer: Offer, key: string): Readonly<Record<string, unknown>> | null;
}

/** Calls an adapter's `setup`, each call limited to 30 s. The promises reject only if the signal is aborted. */
export class SetupCalls {
  readonly #context: SetupContext;

  constructor(context: SetupContext) {
    this.#context = context;
  }

  /**
   * Returns the settings form of a device; empty if it has no settings, `later` if the vendor cannot be asked yet, `null`
   * if the adapter failed.
   */
  async fields(offer: Offer, device: FoundDevice, signal: AbortSignal): Promise<readonly LinkField[] | "later" | null> {
    const { clock, linkedOptions } = this.#context;
    const { setup } = offer.linking;
    if (setup === undefined) return [];
    try {
      const before = linkedOptions(offer, device.key);
      const fields = await within(clock, CALL_LIMIT_MS, signal, (own) => setup.fields(device, before, own));
      const problem = fields === "later" ? null : fieldsProblem(fields);
      if (problem !== null) throw new TypeError(problem);
      return fields;
    } catch (err) {
      this.#warn(offer, err, signal);
      return null;
    }
  }

  /** Returns the device with its settings applied, or why the adapter refuses them. */
  async apply(
    offer: Offer,
    device: FoundDevice,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SetupOutcome> {
    const { setup } = offer.linking;
    if (setup === undefined) return { kind: "ready", device };
    try {
      const result = await within(this.#context.clock, CALL_LIMIT_MS, signal, (own) =>
        setup.apply(device, values, own),
      );
      // The key identifies the device, so settings cannot change it.
      return result.kind === "ready" ? { kind: "ready", device: { ...result.device, key: device.key } } : result;
    } catch (err) {
      this.#warn(offer, err, signal);
      return { kind: "refused", why: "unavailable" };
    }
  }

  #warn({ adapter, entry }: Offer, err: unknown, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#context.log.warn(
      { adapter, vendor: entry.id, err },
      "device settings call failed; the device cannot be linked",
    );
  }
}
