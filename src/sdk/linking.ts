/** How an adapter lets people link their devices, step by step. */
import type {
  FoundDevice,
  LinkableType,
  LinkField,
  LinkMethod,
  LinkRefusal,
  LinkWords,
} from "../domain/linking/link-form.ts";

/** A way to link devices of a vendor. A vendor may have several: its cloud and its local interface. */
export interface LinkableVendor {
  /** Kebab-case; unique in the adapter. */
  readonly id: string;
  /** Vendor codes as in `Driver.vendors`: the API shows the first one that the kind of asset has, else the last. */
  readonly vendors: readonly string[];
  readonly vendorTypes: readonly LinkableType[];
  /** The name of the brand. */
  readonly displayName: string;
  /** The name of the vendor's app or service that users sign in to; the name of the device if it is local. */
  readonly portalName: string;
  readonly method: LinkMethod;
  /** The first form; empty for `redirect` and `device-code`. */
  readonly fields: readonly LinkField[];
}

/** What the user did: sent a form, returned from the vendor's page, or has yet to enter a device code (`poll`). */
export type LinkAnswer =
  | { readonly kind: "form"; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: "returned"; readonly query: Readonly<Record<string, string>> }
  | { readonly kind: "poll" };

/**
 * The result of a step. `memo` is data of the adapter about this sign-in. It is passed to the next step, kept in memory
 * only, and deleted with the session.
 */
export type LinkOutcome =
  /** More input is needed, such as the code of a second factor. */
  | { readonly kind: "ask"; readonly fields: readonly LinkField[]; readonly memo: unknown }
  /** The browser opens the vendor's page, an `https:` URL, which sends it back to `callback.url` with `callback.state`. */
  | { readonly kind: "redirect"; readonly url: string; readonly memo: unknown }
  /** The user enters the code at the URL; the step is repeated after `pollMs`. */
  | {
      readonly kind: "wait";
      readonly url: string;
      readonly code: string;
      readonly pollMs: number;
      /** Where on the page the code is entered, if that is not obvious. */
      readonly hint?: LinkWords;
      readonly memo: unknown;
    }
  | { readonly kind: "found"; readonly devices: readonly FoundDevice[] }
  | { readonly kind: "refused"; readonly why: LinkRefusal };

/** A step of a sign-in. */
export interface LinkStep {
  /** The `id` of the `LinkableVendor`. */
  readonly vendorId: string;
  readonly answer: LinkAnswer;
  /** The `memo` of the last outcome; undefined at the first step. */
  readonly memo: unknown;
  /** The URL to which a vendor's page sends the browser back, and the value of its `state` parameter. */
  readonly callback: { readonly url: string; readonly state: string };
}

/** The result of applying the owner's choices to a device. */
export type SetupOutcome =
  | { readonly kind: "ready"; readonly device: FoundDevice }
  /** The form is shown again, with the reason. */
  | { readonly kind: "refused"; readonly why: LinkRefusal };

/** The choices of the owner after a device was selected: its settings, and which controls are on. A call may take 30 s. */
export interface LinkSetup {
  /**
   * Returns the form; empty if there is nothing to choose. `known` has the options of a device that is already linked, as
   * initial values. `later` means that the vendor does not allow requests about the device yet: it is linked as it is, and
   * the user is informed that it appears within minutes.
   */
  fields(
    device: FoundDevice,
    known: Readonly<Record<string, unknown>> | null,
    signal: AbortSignal,
  ): Promise<readonly LinkField[] | "later">;
  /** Returns the device with the owner's choices, which are within the limits of the fields. Its key stays. */
  apply(device: FoundDevice, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SetupOutcome>;
}

/** The part of a running adapter that links devices. Rejections count as `unavailable`. */
export interface RunningLinking {
  /** Carries out a step of a sign-in. A step may take 30 s. */
  take(step: LinkStep, signal: AbortSignal): Promise<LinkOutcome>;
  /** Searches the house for devices of a `local` vendor. When the signal aborts, it resolves with what it has found. */
  discover?(vendorId: string, signal: AbortSignal): Promise<readonly FoundDevice[]>;
  /** The owner's choices for each selected device, before it is linked. Absent: there are none. */
  readonly setup?: LinkSetup;
}
