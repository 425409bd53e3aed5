import { codeOf, errorText } from "../../platform/error-text.ts";

/** What this broker itself finds wrong with a client; the message is a sentence for the log. */
export class ClientFault extends Error {}

/** Messages of aedes and mqtt-packet, and the sentence that is logged instead of each. */
const LIBRARY_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^keep alive timeout$/, "it sent nothing for one and a half times the keep-alive time that it announced"],
  [/^drain timeout$/, "it did not read in time"],
  [/^connection closed$/, "the connection ended"],
  [/^connect did not arrive in time$/, "it did not sign in in time"],
  [/^Client queue limit reached$/, "it sent too many packets before its sign-in was answered"],
  [/^maxInflightInbound exceeded/, "it has more messages of QoS 2 under way than mqtt.limits.inflight allows"],
  [/^topic has too many levels$/, "it used a topic with more levels than mqtt.limits.topicLevels allows"],
  [/to an empty topic$|^(# is|\+ is|empty topic)/, "it used a topic or topic filter that MQTT does not allow"],
  [/^Invalid protocol$/, "it sent a packet that a client must not send at this point"],
  [/^(Cannot parse|Invalid) protocolId$|protocol version$/, "it does not speak MQTT 3.1.1"],
  [/^identifier rejected$/, "its client id is longer than MQTT 3.1 allows (23 characters)"],
];

/** Returns why a client was disconnected or refused, in words for people. The libraries' own messages are not shown. */
export function clientFaultText(error: Error): string {
  if (error instanceof ClientFault) return error.message;
  if (codeOf(error) !== null) return errorText(error);
  const known = LIBRARY_FAULTS.find(([pattern]) => pattern.test(error.message));
  return known?.[1] ?? "it sent something that is not valid MQTT 3.1.1";
}
