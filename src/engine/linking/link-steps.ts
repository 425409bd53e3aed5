/** The state machine of a link session: state and form give the next state, or I/O that gives it. */

import type { FoundDevice, LinkField } from "../../domain/linking/link-form.ts";
import type { LinkFault, LinkOffer } from "../../domain/linking/link-view.ts";
import type { LinkAnswer, LinkOutcome } from "../../sdk/linking.ts";
import type { LinkForm } from "../contracts/linking.ts";
import type { Offer } from "../vendors/vendor-directory.ts";
import { answersOf, faultsOf, formFault, valuesOf, withoutSecrets } from "./link-fields.ts";
import { afterSetup, nextSetup } from "./link-setup.ts";
import {
  type ChallengeState,
  type DevicesState,
  type GrantedOffer,
  grantOf,
  isRequired,
  type LinkState,
  type SignInState,
  scopesFor,
  signInState,
} from "./link-state.ts";
import type { SetupCalls } from "./setup-calls.ts";

/** The next state, or a state to show while `work` runs and returns the next. */
export type Advance =
  | { readonly state: LinkState; readonly work: null }
  | { readonly state: LinkState; readonly work: (signal: AbortSignal) => Promise<LinkState> };

export interface StepTools {
  /** The offers of this session as the page shows them. */
  readonly offers: readonly LinkOffer[];
  /** The scopes that the app requests. */
  readonly scopes: readonly string[];
  /** `null` if the user chooses the brand. */
  readonly vendor: string | null;
  /** The device whose access is restored, with its scopes; `null` if the session adds devices. */
  readonly relink: (GrantedOffer & { readonly key: string }) | null;
  /** Monotonic time, ms. */
  readonly nowMs: () => number;
  readonly offer: (id: string) => Offer | null;
  /** True if the user linked the device before. */
  readonly isLinked: (offer: Offer, key: string) => boolean;
  /** Counts an attempt; false if the session had too many. */
  readonly countAttempt: () => boolean;
  /** Takes one step of the sign-in; a failure of the adapter gives `unavailable`. */
  readonly take: (offer: Offer, answer: LinkAnswer, memo: unknown, signal: AbortSignal) => Promise<LinkOutcome>;
  /** Returns a search for local devices; `null` if the adapter has none. */
  readonly search: (offer: Offer) => ((signal: AbortSignal) => Promise<readonly FoundDevice[]>) | null;
  readonly setup: Pick<SetupCalls, "fields" | "apply">;
  /** As in `FlowContext`. */
  readonly complete: (
    offer: Offer,
    scopes: readonly string[],
    devices: readonly FoundDevice[],
  ) => Promise<LinkFault | null>;
}

const MIN_POLL_MS = 1_000;

/** Returns what a form leads to from a state. */
export function advance(state: LinkState, form: LinkForm, tools: StepTools): Advance {
  if (form.action === "back") return now(previousState(state, tools));
  switch (state.step) {
    case "intro":
      return afterIntro(tools);
    case "vendor":
      return afterBrand(tools, form.fields.get("brand")?.[0] ?? "");
    case "service":
      return afterOffer(tools, form.fields.get("offer")?.[0] ?? "");
    case "consent":
      return afterConsent(state.offer, form, tools);
    case "searching":
      return now(signInState(state));
    case "sign-in":
      return afterSignIn(state, form, tools);
    case "challenge":
      return afterChallenge(state, form, tools);
    case "devices":
      return form.action === "manual" ? now(signInState(state)) : afterDevices(state, form, tools);
    case "setup":
      return afterSetup(state, form, faultState(state), tools);
    case "failed":
      return now(firstState(tools));
    case "outage":
    case "away":
    case "wait":
    case "done":
      return now(state);
    default:
      return state satisfies never;
  }
}

/** Returns the first state: the sign-in form if the session restores access (rule S10.4) and the vendor has one. */
export function firstState({ relink }: StepTools): LinkState {
  return relink?.offer.entry.method === "sign-in" ? signInState(relink) : { step: "intro" };
}

/** Starts the sign-in or the search after the user granted the scopes. */
function begin(granted: GrantedOffer, tools: StepTools): Advance {
  const { offer } = granted;
  const { method } = offer.entry;
  if (method === "sign-in") return now(signInState(granted));
  if (method === "local") return beginLocal(granted, tools);
  const state: LinkState = { step: "consent", offer, fault: null };
  if (!tools.countAttempt()) return now({ ...state, fault: "too-many-attempts" });
  const answer: LinkAnswer = { kind: "form", values: {} };
  return {
    state,
    work: async (signal) =>
      await afterResult(granted, state, await tools.take(offer, answer, undefined, signal), tools, signal),
  };
}

function beginLocal(granted: GrantedOffer, tools: StepTools): Advance {
  const search = tools.search(granted.offer);
  if (search === null) return now(signInState(granted));
  return {
    state: { step: "searching", ...grantOf(granted) },
    work: async (signal) => {
      return await afterFound(granted, await search(signal), tools, signal);
    },
  };
}

/** Returns the state that the adapter's result leads to; `from` is the state in which the step was taken. */
export async function afterResult(
  granted: GrantedOffer,
  from: LinkState,
  result: LinkOutcome,
  tools: StepTools,
  signal: AbortSignal,
): Promise<LinkState> {
  switch (result.kind) {
    case "ask": {
      const { fields, memo } = result;
      return { step: "challenge", ...grantOf(granted), fields, memo, written: {}, faults: {}, fault: null };
    }
    case "redirect":
      return { step: "away", ...grantOf(granted), url: result.url, memo: result.memo };
    case "wait": {
      const pollMs = Math.max(MIN_POLL_MS, result.pollMs);
      const { url, code, hint = null, memo } = result;
      const nextPollAtMs = tools.nowMs() + pollMs;
      return { step: "wait", ...grantOf(granted), url, code, hint, pollMs, memo, nextPollAtMs };
    }
    case "found":
      return await afterFound(granted, result.devices, tools, signal);
    case "refused":
      return refused(granted, from, result.why);
    default:
      return result satisfies never;
  }
}

/** After a wrong code, shows its form again; after any other refusal, restarts the sign-in. */
function refused(granted: GrantedOffer, from: LinkState, fault: LinkFault): LinkState {
  if (from.step === "challenge" && fault === "failed-auth-challenge") return { ...from, fault };
  return restartedSignIn(granted, fault, from.step === "sign-in" ? from.written : {});
}

/** Returns the first state of the sign-in, with a fault to show. */
function restartedSignIn(granted: GrantedOffer, fault: LinkFault, written: SignInState["written"] = {}): LinkState {
  return granted.offer.entry.fields.length === 0
    ? { step: "consent", offer: granted.offer, fault }
    : { ...signInState(granted), written, fault };
}

async function afterFound(
  granted: GrantedOffer,
  devices: readonly FoundDevice[],
  tools: StepTools,
  signal: AbortSignal,
): Promise<LinkState> {
  const { offer, scopes } = granted;
  const { relink } = tools;
  // Restoring access relinks all devices of the account, whatever their kind, and adds no others.
  const found = devices.filter(({ key, vendorTypes }) => {
    return relink === null
      ? vendorTypes.some((type) => scopes.includes(`${type}:read:data`))
      : tools.isLinked(offer, key);
  });
  if (relink === null && found.length > 0) return { step: "devices", offer, scopes, found, fault: null };
  if (relink === null || devices.length === 0) return restartedSignIn(granted, "no-devices");
  if (!found.some(({ key }) => key === relink.key)) return restartedSignIn(granted, "wrong-devices");
  const chosen = { offer, scopes, ready: [], rest: found, from: null };
  return await nextSetup(chosen, faultState(chosen), tools, signal);
}

/** Shows a fault on the page where the devices were chosen; without one, on the first page of the sign-in. */
function faultState(chosen: GrantedOffer & { readonly from: DevicesState | null }): (fault: LinkFault) => LinkState {
  const { from } = chosen;
  return (fault) => (from === null ? restartedSignIn(chosen, fault) : { ...from, fault });
}

function afterIntro(tools: StepTools): Advance {
  if (tools.relink !== null) return begin(tools.relink, tools);
  const [brand, ...others] = new Set(tools.offers.map(({ displayName }) => displayName));
  const isChosen = tools.vendor !== null && brand !== undefined && others.length === 0;
  return isChosen ? afterBrand(tools, brand) : now({ step: "vendor" });
}

function afterBrand(tools: StepTools, brand: string): Advance {
  const offers = tools.offers.filter(({ displayName }) => displayName === brand);
  const [only] = offers;
  if (only === undefined) return now({ step: "vendor" });
  return offers.length === 1 ? afterOffer(tools, only.id) : now({ step: "service", brand });
}

function afterOffer(tools: StepTools, id: string): Advance {
  const shown = tools.offers.find((each) => each.id === id);
  const offer = tools.offer(id);
  if (shown === undefined || offer === null) return now({ step: "vendor" });
  if (shown.linkingStatus === "OUTAGE") return now({ step: "outage", offer });
  return now({ step: "consent", offer, fault: null });
}

function afterConsent(offer: Offer, form: LinkForm, tools: StepTools): Advance {
  const shown = tools.offers.find(({ id }) => id === offer.id);
  if (shown === undefined) return now({ step: "vendor" });
  const ticked = form.fields.get("scope") ?? [];
  const scopes = scopesFor(shown, tools.scopes).filter((scope) => isRequired(scope) || ticked.includes(scope));
  return begin({ offer, scopes: offer.fixedScopes ?? scopes }, tools);
}

function afterSignIn(state: SignInState, form: LinkForm, tools: StepTools): Advance {
  const { fields } = state.offer.entry;
  const values = valuesOf(fields, form);
  if (form.action === "search") return beginLocal(state, tools);
  return submit(state, fields, values, undefined, tools);
}

function afterChallenge(state: ChallengeState, form: LinkForm, tools: StepTools): Advance {
  return submit(state, state.fields, valuesOf(state.fields, form), state.memo, tools);
}

/** Passes the values to the adapter if they have no fault. */
function submit(
  state: SignInState | ChallengeState,
  fields: readonly LinkField[],
  values: Readonly<Record<string, string>>,
  memo: unknown,
  tools: StepTools,
): Advance {
  const faults = faultsOf(fields, values);
  const filled = { ...state, written: withoutSecrets(fields, values), faults, fault: formFault(faults) };
  if (filled.fault !== null) return now(filled);
  if (!tools.countAttempt()) return now({ ...filled, fault: "too-many-attempts" });
  const answer: LinkAnswer = { kind: "form", values: answersOf(fields, values) };
  return {
    state: filled,
    work: async (signal) =>
      await afterResult(filled, filled, await tools.take(filled.offer, answer, memo, signal), tools, signal),
  };
}

function afterDevices(state: DevicesState, form: LinkForm, tools: StepTools): Advance {
  const keys = form.fields.get("device") ?? [];
  const chosen = state.found.filter(({ key }) => keys.includes(key));
  if (chosen.length === 0) return now({ ...state, fault: "nothing-chosen" });
  const { offer, scopes } = state;
  return {
    state: { ...state, fault: null },
    work: async (signal) =>
      await nextSetup(
        { offer, scopes, ready: [], rest: chosen, from: state },
        faultState({ ...state, from: state }),
        tools,
        signal,
      ),
  };
}

/** Returns the state that the page's "back" button leads to. */
function previousState(state: LinkState, tools: StepTools): LinkState {
  switch (state.step) {
    case "service":
      return { step: "vendor" };
    case "outage":
    case "consent":
      return tools.vendor === null ? { step: "vendor" } : { step: "intro" };
    case "searching":
    case "away":
    case "wait":
    case "sign-in":
      return tools.relink === null ? { step: "consent", offer: state.offer, fault: null } : { step: "intro" };
    case "setup":
      return state.from ?? signInState(state);
    case "challenge":
    case "devices":
      return signInState(state);
    case "intro":
    case "vendor":
    case "failed":
      return { step: "intro" };
    case "done":
      return state;
    default:
      return state satisfies never;
  }
}

function now(state: LinkState): Advance {
  return { state, work: null };
}
