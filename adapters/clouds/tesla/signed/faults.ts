/** What keeps a vehicle from a command (vehicle-command, universal_message.proto: MessageFault_E, with its remarks). */
import type { CloudErrorKind } from "../../kit/session/cloud-error.ts";

interface Fault {
  /** `unpaired`: the vehicle does not know our key. `stale`: not done, for our idea of its clock or counter is old. */
  readonly means: CloudErrorKind | "unpaired" | "stale";
  readonly text: string;
}

const FAULTS: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [1, { means: "unavailable", text: "it is busy" }],
  [2, { means: "timeout", text: "its part for charging did not answer" }],
  [3, { means: "unpaired", text: "the gateway's key is not paired with it" }],
  [4, { means: "unpaired", text: "the gateway's key was switched off in it" }],
  [5, { means: "stale", text: "the signature is not right" }],
  [6, { means: "stale", text: "the counter was used before" }],
  [7, { means: "forbidden", text: "the gateway's key may not do that, or not now" }],
  [11, { means: "unavailable", text: "it has not started yet" }],
  [15, { means: "stale", text: "it has restarted" }],
  [17, { means: "stale", text: "the command came too late" }],
  [20, { means: "stale", text: "the command would be good for too long" }],
  [21, { means: "forbidden", text: "mobile access is switched off in its settings, under Safety" }],
]);

export function faultOf(code: number): Fault {
  return FAULTS.get(code) ?? { means: "refused", text: `fault ${code}` };
}
