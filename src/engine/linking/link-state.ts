import type { FoundDevice, LinkField, LinkWords } from "../../domain/linking/link-form.ts";
import type { FieldFaults, LinkFault, LinkOffer, LinkStepView, OfferedDevice } from "../../domain/linking/link-view.ts";
import type { Offer } from "../vendors/vendor-directory.ts";

/** The state of a link session. It contains credentials and adapters' memos, so it stays in memory only. */
export type LinkState =
  | { readonly step: "intro" | "vendor" | "failed" }
  | { readonly step: "service"; readonly brand: string }
  | { readonly step: "outage"; readonly offer: Offer }
  | { readonly step: "consent"; readonly offer: Offer; readonly fault: LinkFault | null }
  | { readonly step: "searching"; readonly offer: Offer; readonly scopes: readonly string[] }
  | SignInState
  | ChallengeState
  | (GrantedOffer & { readonly step: "away"; readonly url: string; readonly memo: unknown })
  | WaitState
  | DevicesState
  | SetupState
  | { readonly step: "done"; readonly offer: Offer; readonly devices: readonly ReadyDevice[] };

/** A device whose settings are complete. */
export type ReadyDevice = FoundDevice & {
  /** True if the vendor's rate limit delays the first request about the device by minutes. */
  readonly comesLater?: boolean;
};

/** The offer that the user chose, with the granted scopes. */
export interface GrantedOffer {
  readonly offer: Offer;
  readonly scopes: readonly string[];
}

/** A form on the page, with the values that the user entered before. */
interface FormState extends GrantedOffer {
  readonly written: Readonly<Record<string, string>>;
  readonly faults: FieldFaults;
  readonly fault: LinkFault | null;
}

export interface SignInState extends FormState {
  readonly step: "sign-in";
}

export interface ChallengeState extends FormState {
  readonly step: "challenge";
  readonly fields: readonly LinkField[];
  readonly memo: unknown;
}

/** The settings page of one device; others may follow. */
export interface SetupState extends FormState {
  readonly step: "setup";
  readonly device: FoundDevice;
  readonly fields: readonly LinkField[];
  readonly ready: readonly ReadyDevice[];
  readonly rest: readonly FoundDevice[];
  /** The page on which the devices were chosen; `null` if the session restores access. */
  readonly from: DevicesState | null;
}

export interface WaitState extends GrantedOffer {
  readonly step: "wait";
  readonly url: string;
  readonly code: string;
  readonly hint: LinkWords | null;
  readonly pollMs: number;
  readonly memo: unknown;
  readonly nextPollAtMs: number;
}

export interface DevicesState extends GrantedOffer {
  readonly step: "devices";
  readonly found: readonly FoundDevice[];
  readonly fault: LinkFault | null;
}

/** The facts about a session that `viewOf` needs beside the state. */
export interface ViewContext {
  /** The offers of this session as the page shows them. */
  readonly offers: readonly LinkOffer[];
  /** The scopes that the app requests. */
  readonly scopes: readonly string[];
  /** True if the app chose the vendor. */
  readonly isVendorFixed: boolean;
  isLinked(offer: Offer, key: string): boolean;
}

/** Returns the view of a state. If the state's offer no longer exists, returns the choice of vendors. */
export function viewOf(state: LinkState, context: ViewContext): LinkStepView {
  const { offers, isVendorFixed } = context;
  if ("offer" in state) {
    const offer = offers.find(({ id }) => id === state.offer.id);
    return offer === undefined ? { step: "vendor", offers } : viewWithOffer(state, offer, context);
  }
  switch (state.step) {
    case "intro":
      return { step: "intro", offer: isVendorFixed ? (offers[0] ?? null) : null };
    case "vendor":
      return { step: "vendor", offers };
    case "service":
      return { step: "service", offers: offers.filter(({ displayName }) => displayName === state.brand) };
    case "failed":
      return { step: "failed" };
    default:
      return state satisfies never;
  }
}

type StateWithOffer = Extract<LinkState, { readonly offer: Offer }>;

function viewWithOffer(state: StateWithOffer, offer: LinkOffer, context: ViewContext): LinkStepView {
  const offeredOne = ({ key, vendorTypes, name, model, detail, comesLater = false }: ReadyDevice): OfferedDevice => {
    return { key, vendorTypes, name, model, detail, comesLater, isLinked: context.isLinked(state.offer, key) };
  };
  const offered = (devices: readonly ReadyDevice[]): readonly OfferedDevice[] => devices.map(offeredOne);
  const canEnter = offer.method === "local" && state.offer.entry.fields.length > 0;
  switch (state.step) {
    case "outage":
      return { step: "outage", offer, canChoose: !context.isVendorFixed };
    case "consent":
      return {
        step: "consent",
        offer,
        scopes: state.offer.fixedScopes ?? scopesFor(offer, context.scopes),
        isChoice: state.offer.fixedScopes === undefined,
        fault: state.fault,
      };
    case "searching":
      return { step: "searching", offer, canEnter };
    case "sign-in": {
      const { written, faults, fault } = state;
      const canSearch = state.offer.linking.discover !== undefined && offer.method === "local";
      return { step: "sign-in", offer, fields: state.offer.entry.fields, written, canSearch, faults, fault };
    }
    case "challenge": {
      const { fields, written, faults, fault } = state;
      return { step: "challenge", offer, fields, written, faults, fault };
    }
    case "setup": {
      const { fields, written, faults, fault } = state;
      return { step: "setup", offer, device: offeredOne(state.device), fields, written, faults, fault };
    }
    case "away":
      return { step: "away", offer, url: state.url };
    case "wait":
      return { step: "wait", offer, url: state.url, code: state.code, hint: state.hint };
    case "devices":
      return { step: "devices", offer, canEnter, devices: offered(state.found), fault: state.fault };
    case "done":
      return { step: "done", offer, devices: offered(state.devices) };
    default:
      return state satisfies never;
  }
}

/** Returns the scopes for the kinds of device that an offer links. */
export function scopesFor(offer: Pick<LinkOffer, "vendorTypes">, scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => offer.vendorTypes.some((kind) => scope.startsWith(`${kind}:`)));
}

/** True for the scope that linking cannot do without: reading the device's data (rule S4.1). */
export function isRequired(scope: string): boolean {
  return scope.endsWith(":read:data");
}

/** Returns the empty sign-in form of an offer. */
export function signInState(granted: GrantedOffer): SignInState {
  return { step: "sign-in", ...grantOf(granted), written: {}, faults: {}, fault: null };
}

/** Returns the offer and the scopes of a state. */
export function grantOf({ offer, scopes }: GrantedOffer): GrantedOffer {
  return { offer, scopes };
}
