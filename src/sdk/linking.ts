/** How an adapter lets people link their devices: what it asks them, and what it finds with their answers. */
import type { ReachFault } from "../points/device-error.ts";
import type { ControlPoint, PointValue } from "../points/points.ts";
import type { Provenance } from "./profile.ts";

/** The kinds of asset that can be linked (rule I2.16). */
export type LinkableType = "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";

/** Words of the vendor's or the device's own, by language; English is always there. */
export type LinkWords = { readonly "en-US": string } & Readonly<Record<string, string>>;

interface AnyLinkField {
  /** Unique in its form, and none of the names that the page's forms use themselves (`key`, `action`, `device` …). */
  readonly name: string;
  /** Where the words of the kind do not say enough. */
  readonly label?: LinkWords;
  /** What to know before answering: where the answer stands, what goes wrong when it is wrong. */
  readonly hint?: LinkWords;
  /** What the field holds at first; of a `confirm`, `yes` where it is ticked. */
  readonly initial?: string;
  /** True: it may stay empty, or without a tick. */
  readonly isOptional?: boolean;
}

/** A field that holds text. */
export interface TextLinkField extends AnyLinkField {
  readonly kind: "username" | "email" | "password" | "api-key" | "code" | "host" | "port" | "unit" | "text";
}

/** A number within limits, both included. The answer is as JavaScript writes it, whatever the person's decimal sign. */
export interface NumberLinkField extends AnyLinkField {
  readonly kind: "number";
  readonly min: number;
  readonly max: number;
  /** As shown to people; empty for a bare number. */
  readonly unit: string;
}

/** What a tick turns on: a control, some states of it, or the device's own timer that ends it; and who says how. */
export interface LinkDetail {
  readonly point: ControlPoint;
  /** `documented`: the maker says so, and nobody tried. */
  readonly confidence: Provenance["confidence"] | "documented";
  readonly source: string;
  /** What the device does instead, or beside it; English. */
  readonly note?: string;
  /** The states that are meant; null: all that the control takes. */
  readonly values: readonly PointValue[] | null;
  readonly isTimer: boolean;
}

/**
 * A box to tick. The answer is `yes` or empty; where each control of the details has a box of its own, the ticked ones,
 * separated by spaces, and so is `initial`.
 */
export interface ConfirmLinkField extends AnyLinkField {
  readonly kind: "confirm";
  readonly details: readonly LinkDetail[];
  readonly isPerControl?: boolean;
}

/** One thing that a person is asked for. */
export type LinkField = TextLinkField | NumberLinkField | ConfirmLinkField;

/**
 * What a field is for. The link page has words for each of them in its languages, a keyboard and an autofill that fit;
 * `password`, `api-key` and `code` are never shown again, logged, or kept beside the device's own options.
 */
export type LinkFieldKind = LinkField["kind"];

/**
 * How the sign-in begins.
 * - `sign-in`: the person tells us credentials: name and password, an API key. A second factor may follow.
 * - `redirect`: the person signs in on the vendor's own page (OAuth authorization code) and comes back.
 * - `device-code`: the person enters a short code on the vendor's own page, on any device, while we ask whether it is done.
 * - `local`: the device is in this house; it is looked for, or found at an address that the person knows.
 */
export type LinkMethod = "sign-in" | "redirect" | "device-code" | "local";

/** One way to link devices of one vendor. A vendor may have several: its cloud and its local interface. */
export interface LinkableVendor {
  /** Kebab-case; unique within the adapter. */
  readonly id: string;
  /** Vendor codes as `Driver.vendors` has them: the API shows the first that a category knows, else the last. */
  readonly vendors: readonly string[];
  readonly vendorTypes: readonly LinkableType[];
  /** The brand as people write it. */
  readonly displayName: string;
  /** The vendor's own app or service that users sign in to; for a local device what it is called. */
  readonly portalName: string;
  readonly method: LinkMethod;
  /** The first form; empty for `redirect` and `device-code`. */
  readonly fields: readonly LinkField[];
}

/** A device that the person may link. */
export interface FoundDevice {
  /** Says which device it is, for good, whatever its address: a serial number, an account's id of it. */
  readonly key: string;
  readonly vendorTypes: readonly LinkableType[];
  /** What people call it; null when it has no name. */
  readonly name: string | null;
  /** The model, as on its plate; null when it does not tell. */
  readonly model: string | null;
  /** What tells two of a kind apart: a serial number, an address. Null when there is nothing. */
  readonly detail: string | null;
  /** As the adapter's options schema takes them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The `id` of the `LinkableVendor` that it is linked by, where that is another one of the brand than was chosen. */
  readonly vendorId?: string;
}

/**
 * Why linking cannot go on with what the person gave. Only `unavailable` is the vendor's fault; `denied` and `code-expired`
 * are of the vendor's own page: the person said no there, or came too late. `out-of-range`: a port or a unit that there
 * cannot be. `not-answering`: it is reached, as far as that can be seen, and says nothing.
 */
export type LinkRefusal =
  | ReachFault
  | "out-of-range"
  | "invalid-credentials"
  | "failed-auth-challenge"
  | "denied"
  | "code-expired"
  | "not-answering"
  | "wrong-device"
  | "rate-limited"
  | "unavailable";

/** What the person did: filled a form, came back from the vendor's page, or waits for a device code to be entered. */
export type LinkAnswer =
  | { readonly kind: "form"; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: "returned"; readonly query: Readonly<Record<string, string>> }
  | { readonly kind: "poll" };

/**
 * What comes next. `memo` is the adapter's own memory of this sign-in: it comes back with the next answer, lives in the
 * process only, and is forgotten with the session.
 */
export type LinkTurn =
  /** The person is asked for more, such as a second factor's code. */
  | { readonly kind: "ask"; readonly fields: readonly LinkField[]; readonly memo: unknown }
  /** The browser goes to the vendor's page, an `https:` address, which sends it back to `callbackUrl` with our `state`. */
  | { readonly kind: "redirect"; readonly url: string; readonly memo: unknown }
  /** The person enters the code at the address; we ask again after `pollMs`. */
  | {
      readonly kind: "wait";
      readonly url: string;
      readonly code: string;
      readonly pollMs: number;
      /** Where on the page the code goes, where that is not the first thing there. */
      readonly hint?: LinkWords;
      readonly memo: unknown;
    }
  | { readonly kind: "found"; readonly devices: readonly FoundDevice[] }
  | { readonly kind: "refused"; readonly why: LinkRefusal };

export interface LinkStep {
  /** The `id` of the `LinkableVendor`. */
  readonly vendorId: string;
  readonly answer: LinkAnswer;
  /** Of the turn before; undefined at the first. */
  readonly memo: unknown;
  /** Where a vendor's page sends the browser back to, and the value that its `state` parameter must carry. */
  readonly callback: { readonly url: string; readonly state: string };
}

/** What an owner's decisions made of a device. */
export type SetupTurn =
  | { readonly kind: "ready"; readonly device: FoundDevice }
  /** The form is shown again, with the reason. */
  | { readonly kind: "refused"; readonly why: LinkRefusal };

/** What a device's owner decides once it was chosen: its settings, and what it may be told. A call is limited to 30 s. */
export interface LinkSetup {
  /**
   * The form; empty: there is nothing to decide. `known` has the options of the device where it is linked already, so
   * that the form begins with what was decided before. `later`: the vendor may not be asked about the device yet. It is
   * linked as it is, and the person is told that it comes within minutes.
   */
  fields(
    device: FoundDevice,
    known: Readonly<Record<string, unknown>> | null,
    signal: AbortSignal,
  ): Promise<readonly LinkField[] | "later">;
  /** The device with what its owner decided; the values are within the limits of the fields. Its key stays. */
  apply(device: FoundDevice, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SetupTurn>;
}

/** The part of a running adapter that links. Rejections count as `unavailable`. */
export interface RunningLinking {
  /** Takes one step of a sign-in. A step is limited to 30 s. */
  take(step: LinkStep, signal: AbortSignal): Promise<LinkTurn>;
  /** Looks for devices of a `local` vendor in the house; what it found when the signal aborts is enough. */
  discover?(vendorId: string, signal: AbortSignal): Promise<readonly FoundDevice[]>;
  /** Asked for each device that was chosen, before it is linked. Absent: there is nothing to decide. */
  readonly setup?: LinkSetup;
}
