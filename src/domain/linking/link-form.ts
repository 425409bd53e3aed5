/** What people are asked for when they link a device, and what is found with their answers. */
import type { ReachFault } from "../../points/device-error.ts";
import type { Confidence, ControlPoint, PointValue } from "../../points/points.ts";

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
  readonly confidence: Confidence | "documented";
  readonly source: string;
  /** What the device does instead, or beside it; English. */
  readonly note?: string;
  /** The states it applies to; `null` if all states of the control. */
  readonly values: readonly PointValue[] | null;
  readonly isTimer: boolean;
}

/**
 * A box to tick. The answer is `yes` or empty; if each control of the details has its own box, the ticked ones, separated
 * by spaces, and `initial` likewise.
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
