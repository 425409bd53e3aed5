import { fieldsProblem } from "../../domain/linking/link-field-names.ts";
import type { FoundDevice, LinkField, LinkRefusal } from "../../domain/linking/link-form.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import { DeviceError } from "../../points/device-error.ts";
import { deviceRefusal } from "../../sdk/link-refusal.ts";
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

/** The settings form of a device; `later`: the vendor cannot be asked yet. */
type SetupForm =
  | { readonly kind: "fields"; readonly fields: readonly LinkField[] }
  | { readonly kind: "later" }
  | { readonly kind: "refused"; readonly why: LinkRefusal };

/** Calls an adapter's `setup`, each call limited to 30 s. The promises reject only if the signal is aborted. */
export class SetupCalls {
  readonly #context: SetupContext;

  constructor(context: SetupContext) {
    this.#context = context;
  }

  /** Returns the settings form of a device, empty if it has no settings, or why the device could not be asked. */
  async fields(offer: Offer, device: FoundDevice, signal: AbortSignal): Promise<SetupForm> {
    const { clock, linkedOptions } = this.#context;
    const { setup } = offer.linking;
    if (setup === undefined) return { kind: "fields", fields: [] };
    try {
      const before = linkedOptions(offer, device.key);
      const fields = await within(clock, CALL_LIMIT_MS, signal, (own) => setup.fields(device, before, own));
      if (fields === "later") return { kind: "later" };
      const problem = fieldsProblem(fields);
      if (problem !== null) throw new TypeError(problem);
      return { kind: "fields", fields };
    } catch (err) {
      this.#warn(offer, err, signal);
      if (offer.entry.method !== "local") return { kind: "refused", why: "unavailable" };
      return { kind: "refused", why: err instanceof DeviceError ? deviceRefusal(err) : "not-answering" };
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
