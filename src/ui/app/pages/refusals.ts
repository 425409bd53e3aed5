/** Why a found device was not added, and what to do. */
import type { LinkRefusal } from "../../../domain/linking/link-form.ts";
import type { Texts } from "../texts.ts";

const SENTENCES: Readonly<Record<LinkRefusal, keyof Texts["add"]["refusals"]>> = {
  "invalid-credentials": "credentials",
  "failed-auth-challenge": "credentials",
  denied: "credentials",
  "code-expired": "credentials",
  "wrong-device": "other",
  "connection-refused": "connection-refused",
  "no-such-host": "no-such-host",
  "name-not-found": "name-not-found",
  "outside-house": "outside-house",
  "out-of-range": "no-such-host",
  "no-serial-port": "no-serial-port",
  "wrong-unit": "wrong-unit",
  "not-answering": "not-answering",
  "rate-limited": "rate-limited",
  // Of what is in the house, it says no more than that it could not be read.
  unavailable: "not-answering",
};

/** Returns the sentence for the code of an issue of the API; `null` if it is about something else. */
export function refusalText(code: string, { add }: Texts): string | null {
  return Object.hasOwn(SENTENCES, code) ? add.refusals[SENTENCES[code as LinkRefusal]] : null;
}
