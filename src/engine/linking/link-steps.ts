/** What a form makes of a session's state. What needs the world is handed back as work, to be done behind a page. */
import type { LinkFault, LinkOffer } from "../../domain/linking/link-view.ts";
import type { FoundDevice, LinkAnswer, LinkField, LinkTurn } from "../../sdk/linking.ts";
import type { LinkForm } from "../contracts/linking.ts";
import type { Offer } from "../vendors/vendor-directory.ts";
import { answersOf, faultsOf, formFault, valuesOf, withoutSecrets } from "./link-fields.ts";
import { afterSetup, nextSetup } from "./link-setup.ts";
import {
  type ChallengeState,
  type DevicesState,
  type Granted,
  isRequired,
  type LinkState,
  pick,
  type SignInState,
  scopesFor,
  signIn,
} from "./link-state.ts";
import type { SetupCalls } from "./setup-calls.ts";

/** A new state at once, or one to show while work makes the next. */
export type Advance =
  | { readonly state: LinkState; readonly work: null }
  | { readonly state: LinkState; readonly work: (signal: AbortSignal) => Promise<LinkState> };

export interface StepTools {
  /** The offers of this session as the page shows them. */
  readonly offers: readonly LinkOffer[];
  /** What the app asks for. */
  readonly scopes: readonly string[];
  /** Null: the person chooses the brand. */
  readonly vendor: string | null;
  /** The device whose access is restored, and what it was granted; null: devices are added. */
  readonly relink: (Granted & { readonly key: string }) | null;
  readonly nowMs: () => number;
  readonly offer: (id: string) => Offer | null;
  /** Whether the user linked a device before. */
  readonly isLinked: (offer: Offer, key: string) => boolean;
  /** False: there were too many answers to vendors in this session. */
  readonly mayTry: () => boolean;
  /** One step of the sign-in; what the adapter rejects is `unavailable`. */
  readonly take: (offer: Offer, answer: LinkAnswer, memo: unknown, signal: AbortSignal) => Promise<LinkTurn>;
  /** Looks for local devices; null when the adapter cannot. */
  readonly search: (offer: Offer) => ((signal: AbortSignal) => Promise<readonly FoundDevice[]>) | null;
  /** What owners decide about devices. */
  readonly setup: Pick<SetupCalls, "fields" | "apply">;
  readonly complete: (
    offer: Offer,
    scopes: readonly string[],
    devices: readonly FoundDevice[],
  ) => Promise<LinkFault | null>;
}

const MIN_POLL_MS = 1_000;

export function advance(state: LinkState, form: LinkForm, tools: StepTools): Advance {
  if (form.action === "back") return now(before(state, tools));
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
      return now(signIn(state));
    case "sign-in":
      return afterSignIn(state, form, tools);
    case "challenge":
      return afterChallenge(state, form, tools);
    case "devices":
      return form.action === "manual" ? now(signIn(state)) : afterDevices(state, form, tools);
    case "setup":
      return afterSetup(state, form, failing(state), tools);
    case "failed":
      return now(first(tools));
    case "outage":
    case "away":
    case "wait":
    case "done":
      return now(state);
    default:
      return state satisfies never;
  }
}

/** Where a session begins: at the sign-in when access is restored (rule S10.4), where there is a form for it. */
export function first({ relink }: StepTools): LinkState {
  return relink?.offer.entry.method === "sign-in" ? signIn(relink) : { step: "intro" };
}

/** Begins with a vendor once it is known what the person allows. */
function begin(granted: Granted, tools: StepTools): Advance {
  const { offer } = granted;
  const { method } = offer.entry;
  if (method === "sign-in") return now(signIn(granted));
  if (method === "local") return beginLocal(granted, tools);
  const state: LinkState = { step: "consent", offer, fault: null };
  if (!tools.mayTry()) return now({ ...state, fault: "too-many-attempts" });
  const answer: LinkAnswer = { kind: "form", values: {} };
  return {
    state,
    work: async (signal) =>
      await afterTurn(granted, state, await tools.take(offer, answer, undefined, signal), tools, signal),
  };
}

function beginLocal(granted: Granted, tools: StepTools): Advance {
  const search = tools.search(granted.offer);
  if (search === null) return now(signIn(granted));
  return {
    state: { step: "searching", ...pick(granted) },
    work: async (signal) => {
      return await afterFound(granted, await search(signal), tools, signal);
    },
  };
}

/** What the vendor's answer leads to; `asked` is where the person was when it was asked. */
export async function afterTurn(
  granted: Granted,
  asked: LinkState,
  turn: LinkTurn,
  tools: StepTools,
  signal: AbortSignal,
): Promise<LinkState> {
  switch (turn.kind) {
    case "ask": {
      const { fields, memo } = turn;
      return { step: "challenge", ...pick(granted), fields, memo, written: {}, faults: {}, fault: null };
    }
    case "redirect":
      return { step: "away", ...pick(granted), url: turn.url, memo: turn.memo };
    case "wait": {
      const pollMs = Math.max(MIN_POLL_MS, turn.pollMs);
      const { url, code, hint = null, memo } = turn;
      const nextPollAtMs = tools.nowMs() + pollMs;
      return { step: "wait", ...pick(granted), url, code, hint, pollMs, memo, nextPollAtMs };
    }
    case "found":
      return await afterFound(granted, turn.devices, tools, signal);
    case "refused":
      return refused(granted, asked, turn.why);
    default:
      return turn satisfies never;
  }
}

/** A wrong code is asked for again; everything else goes back to where the sign-in began. */
function refused(granted: Granted, asked: LinkState, fault: LinkFault): LinkState {
  if (asked.step === "challenge" && fault === "failed-auth-challenge") return { ...asked, fault };
  return again(granted, fault, asked.step === "sign-in" ? asked.written : {});
}

/** Where the sign-in began, with what went wrong. */
function again(granted: Granted, fault: LinkFault, written: SignInState["written"] = {}): LinkState {
  return granted.offer.entry.fields.length === 0
    ? { step: "consent", offer: granted.offer, fault }
    : { ...signIn(granted), written, fault };
}

async function afterFound(
  granted: Granted,
  devices: readonly FoundDevice[],
  tools: StepTools,
  signal: AbortSignal,
): Promise<LinkState> {
  const { offer, scopes } = granted;
  const { relink } = tools;
  // Restoring access brings back all that was linked with the account, whatever its kind, and adds nothing.
  const found = devices.filter(({ key, vendorTypes }) => {
    return relink === null
      ? vendorTypes.some((type) => scopes.includes(`${type}:read:data`))
      : tools.isLinked(offer, key);
  });
  if (relink === null && found.length > 0) return { step: "devices", offer, scopes, found, fault: null };
  if (relink === null || devices.length === 0) return again(granted, "no-devices");
  if (!found.some(({ key }) => key === relink.key)) return again(granted, "wrong-devices");
  const chosen = { offer, scopes, ready: [], rest: found, from: null };
  return await nextSetup(chosen, failing(chosen), tools, signal);
}

/** Where devices were chosen, else where the sign-in began, with what went wrong. */
function failing(chosen: Granted & { readonly from: DevicesState | null }): (fault: LinkFault) => LinkState {
  const { from } = chosen;
  return (fault) => (from === null ? again(chosen, fault) : { ...from, fault });
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
  const asked = scopesFor(shown, tools.scopes).filter((scope) => isRequired(scope) || ticked.includes(scope));
  return begin({ offer, scopes: offer.fixedScopes ?? asked }, tools);
}

function afterSignIn(state: SignInState, form: LinkForm, tools: StepTools): Advance {
  const { fields } = state.offer.entry;
  const values = valuesOf(fields, form);
  if (form.action === "search") return beginLocal(state, tools);
  return turn(state, fields, values, undefined, tools);
}

function afterChallenge(state: ChallengeState, form: LinkForm, tools: StepTools): Advance {
  return turn(state, state.fields, valuesOf(state.fields, form), state.memo, tools);
}

function turn(
  state: SignInState | ChallengeState,
  fields: readonly LinkField[],
  values: Readonly<Record<string, string>>,
  memo: unknown,
  tools: StepTools,
): Advance {
  const faults = faultsOf(fields, values);
  const asked = { ...state, written: withoutSecrets(fields, values), faults, fault: formFault(faults) };
  if (asked.fault !== null) return now(asked);
  if (!tools.mayTry()) return now({ ...asked, fault: "too-many-attempts" });
  const answer: LinkAnswer = { kind: "form", values: answersOf(fields, values) };
  return {
    state: asked,
    work: async (signal) =>
      await afterTurn(asked, asked, await tools.take(asked.offer, answer, memo, signal), tools, signal),
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
        failing({ ...state, from: state }),
        tools,
        signal,
      ),
  };
}

/** Where "back" leads. */
function before(state: LinkState, tools: StepTools): LinkState {
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
      return state.from ?? signIn(state);
    case "challenge":
    case "devices":
      return signIn(state);
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
