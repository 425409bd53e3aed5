/** How firmwares show that a command arrived. Only live messages count: what the broker remembers answers nothing. */
import type { BridgeMessage, Outgoing } from "./bridge.ts";

/** The device took the command, or why it did not. Null: the message says nothing about it. */
export type Verdict = "taken" | { readonly refusal: string } | null;

export type Acknowledgement =
  /** Nothing answers; a later reading shows what became of it. */
  | { readonly style: "none" }
  | {
      /**
       * - `echo`: a result topic repeats the command.
       * - `reply`: an answer with the request's id.
       * - `republish`: the state topic comes again.
       * - `notification`: the value comes as a notification.
       * - `rounds`: the value comes with all that the device tells in rounds.
       */
      readonly style: "echo" | "reply" | "republish" | "notification" | "rounds";
      /** Where it comes, for the error when it does not. */
      readonly topic: string;
      judge(message: BridgeMessage): Verdict;
    }
  | {
      /** A status is asked for until it says so. */
      readonly style: "poll";
      readonly topic: string;
      readonly ask: Outgoing;
      readonly askEveryMs: number;
      judge(message: BridgeMessage): Verdict;
    };

export const NOT_ACKNOWLEDGED: Acknowledgement = { style: "none" };

/** An answer on one topic, judged by what it says. */
export function answered(
  style: "echo" | "reply" | "republish" | "notification",
  topic: string,
  judge: (text: string) => Verdict,
): Acknowledgement {
  return { style, topic, judge: (message) => (message.topic === topic ? judge(message.text) : null) };
}
