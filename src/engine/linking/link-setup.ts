/** What the owners of chosen devices decide, one device after the other, before all of them are linked. */
import type { LinkFault } from "../../domain/linking/link-view.ts";
import type { FoundDevice } from "../../sdk/linking.ts";
import type { LinkForm } from "../contracts/linking.ts";
import { answersOf, faultsOf, formFault, valuesOf } from "./link-fields.ts";
import type { DevicesState, Granted, LinkState, ReadyDevice, SetupState } from "./link-state.ts";
import type { Advance, StepTools } from "./link-steps.ts";

type SetupTools = Pick<StepTools, "setup" | "complete" | "mayTry">;

export interface Chosen extends Granted {
  /** Devices with nothing left to decide. */
  readonly ready: readonly ReadyDevice[];
  /** Those that were not asked about yet. */
  readonly rest: readonly FoundDevice[];
  /** The page that they were chosen on; null when access is restored. */
  readonly from: DevicesState | null;
}

/** Asks about the first device that leaves something to its owner; links them all when none does any more. */
export async function nextSetup(
  chosen: Chosen,
  failed: (fault: LinkFault) => LinkState,
  tools: SetupTools,
  signal: AbortSignal,
): Promise<LinkState> {
  const { offer, scopes, from } = chosen;
  const ready: ReadyDevice[] = [...chosen.ready];
  for (const [at, device] of chosen.rest.entries()) {
    const fields = await tools.setup.fields(offer, device, signal);
    if (fields === null) return failed(offer.entry.method === "local" ? "not-answering" : "unavailable");
    if (fields === "later" || fields.length === 0) {
      ready.push(fields === "later" ? { ...device, comesLater: true } : device);
      continue;
    }
    const rest = chosen.rest.slice(at + 1);
    return { step: "setup", offer, scopes, from, ready, rest, device, fields, written: {}, faults: {}, fault: null };
  }
  const fault = await tools.complete(offer, scopes, ready);
  return fault === null ? { step: "done", offer, devices: ready } : failed(fault);
}

/** What a form of the page of one device leads to; `failed` is where the person goes when linking does not. */
export function afterSetup(
  state: SetupState,
  form: LinkForm,
  failed: (fault: LinkFault) => LinkState,
  tools: SetupTools,
): Advance {
  const { offer, device, fields, ready } = state;
  const written = valuesOf(fields, form);
  const faults = faultsOf(fields, written);
  const asked: SetupState = { ...state, written, faults, fault: formFault(faults) };
  if (asked.fault !== null) return { state: asked, work: null };
  if (!tools.mayTry()) return { state: { ...asked, fault: "too-many-attempts" }, work: null };
  return {
    state: asked,
    work: async (signal) => {
      const turn = await tools.setup.apply(offer, device, answersOf(fields, written), signal);
      if (turn.kind === "refused") return { ...asked, fault: turn.why };
      return await nextSetup({ ...state, ready: [...ready, turn.device] }, failed, tools, signal);
    },
  };
}
