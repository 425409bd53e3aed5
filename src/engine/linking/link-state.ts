import type { FieldFaults, LinkFault, LinkOffer, LinkStepView, OfferedDevice } from "../../domain/linking/link-view.ts";
import type { FoundDevice, LinkField, LinkWords } from "../../sdk/linking.ts";
import type { Offer } from "../vendors/vendor-directory.ts";

/** Where a session stands. It lives in the process only: what people typed and what adapters remember is in it. */
export type LinkState =
  | { readonly step: "intro" | "vendor" | "failed" }
  | { readonly step: "service"; readonly brand: string }
  | { readonly step: "outage"; readonly offer: Offer }
  | { readonly step: "consent"; readonly offer: Offer; readonly fault: LinkFault | null }
  | { readonly step: "searching"; readonly offer: Offer; readonly scopes: readonly string[] }
  | SignInState
  | ChallengeState
  | (Granted & { readonly step: "away"; readonly url: string; readonly memo: unknown })
  | WaitState
  | DevicesState
  | SetupState
  | { readonly step: "done"; readonly offer: Offer; readonly devices: readonly ReadyDevice[] };

/** A device with nothing left to decide. */
export type ReadyDevice = FoundDevice & {
  /** The vendor may be asked about it within minutes only. */
  readonly comesLater?: boolean;
};

export interface Granted {
  readonly offer: Offer;
  /** What the person allowed. */
  readonly scopes: readonly string[];
}

/** A form that is being filled. */
interface FormState extends Granted {
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

/** The owner decides about one device; others may follow. */
export interface SetupState extends FormState {
  readonly step: "setup";
  readonly device: FoundDevice;
  readonly fields: readonly LinkField[];
  readonly ready: readonly ReadyDevice[];
  readonly rest: readonly FoundDevice[];
  /** The page on which the devices were chosen; null when access is restored. */
  readonly from: DevicesState | null;
}

export interface WaitState extends Granted {
  readonly step: "wait";
  readonly url: string;
  readonly code: string;
  readonly hint: LinkWords | null;
  readonly pollMs: number;
  readonly memo: unknown;
  readonly nextPollAtMs: number;
}

export interface DevicesState extends Granted {
  readonly step: "devices";
  readonly found: readonly FoundDevice[];
  readonly fault: LinkFault | null;
}

/** What views are made with. */
export interface ViewContext {
  /** The offers of this session as the page shows them. */
  readonly offers: readonly LinkOffer[];
  /** What the app asks for. */
  readonly scopes: readonly string[];
  /** The vendor was chosen by the app. */
  readonly isVendorFixed: boolean;
  isLinked(offer: Offer, key: string): boolean;
}

/** What the page shows of a state. An offer that is gone meanwhile cannot be shown: the session begins anew. */
export function viewOf(state: LinkState, context: ViewContext): LinkStepView {
  const { offers, isVendorFixed } = context;
  if ("offer" in state) {
    const offer = offers.find(({ id }) => id === state.offer.id);
    return offer === undefined ? { step: "vendor", offers } : viewOfChosen(state, offer, context);
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

type Chosen = Extract<LinkState, { readonly offer: Offer }>;

function viewOfChosen(state: Chosen, offer: LinkOffer, context: ViewContext): LinkStepView {
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

/** What the app asks for of the kinds that an offer links. */
export function scopesFor(offer: Pick<LinkOffer, "vendorTypes">, scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => offer.vendorTypes.some((kind) => scope.startsWith(`${kind}:`)));
}

/** Reading the data is what linking is (rule S4.1). */
export function isRequired(scope: string): boolean {
  return scope.endsWith(":read:data");
}

/** The form of an offer, as it is at first. */
export function signIn(granted: Granted): SignInState {
  return { step: "sign-in", ...pick(granted), written: {}, faults: {}, fault: null };
}

/** The part of a state that all later ones have too. */
export function pick({ offer, scopes }: Granted): Granted {
  return { offer, scopes };
}
