import type { Verdict } from "../kit/acknowledgement.ts";
import type { BridgeMessage } from "../kit/bridge.ts";
import { at, jsonOf, textAt } from "../kit/payload.ts";

/** A relay's name in topics and answers: `POWER` of the only one, else `POWER1` for channel 0. */
export function relayKey(channel: number | null): string {
  return channel === null ? "POWER" : `POWER${channel + 1}`;
}

/**
 * Reads an answer to a switch: `stat/…/RESULT {"POWER":"ON"}`; with SetOption4 the same comes on `stat/…/POWER`, as JSON
 * or as the bare state.
 */
export function judgeRelay(
  { topic, text }: BridgeMessage,
  relay: { readonly stat: string; readonly channel: number | null; isTarget(state: string): boolean },
): Verdict {
  const key = relayKey(relay.channel);
  const keys = relay.channel === null || relay.channel === 0 ? [key, "POWER", "POWER1"] : [key];
  const name = topic.startsWith(relay.stat) ? topic.slice(relay.stat.length) : "";
  if (name !== "RESULT" && !keys.includes(name)) return null;
  if (!text.startsWith("{")) return relay.isTarget(text) ? "taken" : null;
  const answer = jsonOf(text);
  const error = at(answer, "Command");
  if (error === "Unknown" || error === "Error") return { refusal: "the device does not know the command" };
  const state = keys.map((each) => textAt(answer, each)).find((each) => each !== null);
  if (state === undefined || state === null) return null;
  return relay.isTarget(state) ? "taken" : { refusal: `the relay says ${state}` };
}
