/** The settings page of each chosen device, one after the other, before all of them are linked. */

import type { FoundDevice } from "../../domain/linking/link-form.ts";
import type { LinkFault } from "../../domain/linking/link-view.ts";
import type { LinkForm } from "../contracts/linking.ts";
import { answersOf, faultsOf, formFault, valuesOf } from "./link-fields.ts";
import type { DevicesState, GrantedOffer, LinkState, ReadyDevice, SetupState } from "./link-state.ts";
import type { Advance, StepTools } from "./link-steps.ts";

type SetupTools = Pick<StepTools, "setup" | "complete" | "countAttempt">;

/** The devices that the user chose on the page. */
export interface ChosenDevices extends GrantedOffer {
  /** Devices whose settings are complete. */
  readonly ready: readonly ReadyDevice[];
  /** Devices whose settings page has not been shown yet. */
  readonly rest: readonly FoundDevice[];
  /** The page on which they were chosen; `null` if the session restores access. */
  readonly from: DevicesState | null;
}

/** Returns the settings page of the next device that has settings. Without one, links all devices. */
export async function nextSetup(
  chosen: ChosenDevices,
  failed: (fault: LinkFault) => LinkState,
  tools: SetupTools,
  signal: AbortSignal,
): Promise<LinkState> {
  const { offer, scopes, from } = chosen;
  const ready: ReadyDevice[] = [...chosen.ready];
  for (const [at, device] of chosen.rest.entries()) {
    const form = await tools.setup.fields(offer, device, signal);
    if (form.kind === "refused") return failed(form.why);
    if (form.kind === "later" || form.fields.length === 0) {
      ready.push(form.kind === "later" ? { ...device, comesLater: true } : device);
      continue;
    }
    const { fields } = form;
    const rest = chosen.rest.slice(at + 1);
    return { step: "setup", offer, scopes, from, ready, rest, device, fields, written: {}, faults: {}, fault: null };
  }
  const fault = await tools.complete(offer, scopes, ready);
  return fault === null ? { step: "done", offer, devices: ready } : failed(fault);
}

/** Handles the form of a settings page; `failed` returns the state to show if linking fails. */
export function afterSetup(
  state: SetupState,
  form: LinkForm,
  failed: (fault: LinkFault) => LinkState,
  tools: SetupTools,
): Advance {
  const { offer, device, fields, ready } = state;
  const written = valuesOf(fields, form);
  const faults = faultsOf(fields, written);
  const filled: SetupState = { ...state, written, faults, fault: formFault(faults) };
  if (filled.fault !== null) return { state: filled, work: null };
  if (!tools.countAttempt()) return { state: { ...filled, fault: "too-many-attempts" }, work: null };
  return {
    state: filled,
    work: async (signal) => {
      const result = await tools.setup.apply(offer, device, answersOf(fields, written), signal);
      if (result.kind === "refused") return { ...filled, fault: result.why };
      return await nextSetup({ ...state, ready: [...ready, result.device] }, failed, tools, signal);
    },
  };
}
