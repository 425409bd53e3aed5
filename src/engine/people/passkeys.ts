/** Makes passkeys of accounts, and checks the answers of their devices. What it returns is still to be stored. */
import type {
  Passkey,
  PasskeyCreate,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySignIn,
} from "../../domain/people/passkey.ts";
import {
  ALGORITHMS,
  checkCounter,
  checkSignature,
  PasskeyRefusal,
  publicKeyOf,
  readAuthenticatorData,
  readClientData,
} from "../../domain/people/webauthn.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Random } from "../../platform/ports/ports.ts";
import type { AccountRecord, PasskeyRecord } from "../../store/records/people.ts";
import type { PasskeyPlace } from "../contracts/people.ts";
import { CHALLENGE_LIFE_MS, Challenges } from "./challenges.ts";

const MAX_PASSKEYS = 20;
const SIGN_IN = "sign in";

interface PasskeyParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly random: Pick<Random, "secretBytes" | "uuid">;
}

export class Passkeys {
  readonly #parts: PasskeyParts;
  readonly #challenges: Challenges;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
    this.#challenges = new Challenges(parts);
  }

  creationOptions(account: AccountRecord, sessionId: string, place: PasskeyPlace): PasskeyCreationOptions {
    refuseTooMany(account);
    const here = passkeysOf(account).filter(({ host }) => host === place.host);
    return {
      challenge: this.#challenges.issue(purposeOf(sessionId, place), place.address),
      rp: { id: place.host, name: "hemgate" },
      user: { id: userHandleOf(account), name: account.name, displayName: account.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: here.map(({ credentialId }) => ({ type: "public-key", id: credentialId })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
      timeout: CHALLENGE_LIFE_MS,
    };
  }

  /** Returns the passkey. Throws `forbidden` for an answer that does not hold, and `conflict` for a passkey that is known. */
  create(
    accounts: readonly AccountRecord[],
    account: AccountRecord,
    sessionId: string,
    { name, id, response }: PasskeyCreate,
    place: PasskeyPlace,
  ): PasskeyRecord {
    refuseTooMany(account);
    const counter = checked("forbidden", () => {
      const { challenge } = readClientData(response.clientDataJSON, { type: "webauthn.create", origin: place.origin });
      this.#use(challenge, purposeOf(sessionId, place));
      const made = readAuthenticatorData(response.authenticatorData, place.host);
      if (made.credentialId !== id) throw new PasskeyRefusal("its id is not the one that the device made");
      publicKeyOf(response.publicKey);
      return made.counter;
    });
    if (find(accounts, id) !== null) throw problem("conflict", "This passkey is known already.");
    return {
      id: this.#parts.random.uuid(),
      name,
      host: place.host,
      credentialId: id,
      publicKey: response.publicKey,
      counter,
      createdAtMs: this.#parts.clock.nowMs(),
    };
  }

  requestOptions(place: PasskeyPlace): PasskeyRequestOptions {
    const challenge = this.#challenges.issue(purposeOf(SIGN_IN, place), place.address);
    return { challenge, rpId: place.host, userVerification: "required", timeout: CHALLENGE_LIFE_MS };
  }

  /** Returns the account of a passkey as it is after a sign-in with it. Throws `unauthorized` if the answer does not hold. */
  signedIn(accounts: readonly AccountRecord[], { id, response }: PasskeySignIn, place: PasskeyPlace): AccountRecord {
    return checked("unauthorized", () => {
      const { clientDataJSON, authenticatorData, signature, userHandle } = response;
      const client = readClientData(clientDataJSON, { type: "webauthn.get", origin: place.origin });
      this.#use(client.challenge, purposeOf(SIGN_IN, place));
      const found = find(accounts, id);
      if (found === null || found.passkey.host !== place.host || userHandle !== userHandleOf(found.account)) {
        throw new PasskeyRefusal("nobody here has it; sign in with your password and make another one");
      }
      const { account, passkey } = found;
      const { counter } = readAuthenticatorData(authenticatorData, place.host);
      checkSignature(publicKeyOf(passkey.publicKey), authenticatorData, client.hash, signature);
      checkCounter(passkey.counter, counter);
      const used = { ...passkey, counter, lastUsedAtMs: this.#parts.clock.nowMs() };
      return { ...account, passkeys: passkeysOf(account).map((each) => (each.id === passkey.id ? used : each)) };
    });
  }

  /** A challenge that was looked at counts no more, whatever else is wrong. */
  #use(challenge: string, purpose: string): void {
    if (this.#challenges.use(challenge, purpose)) return;
    throw new PasskeyRefusal("its challenge was used, is too old, or is for something else; try again");
  }
}

export function passkeysOf({ passkeys = [] }: AccountRecord): readonly PasskeyRecord[] {
  return passkeys;
}

export function shownPasskey({ id, name, host, createdAtMs, lastUsedAtMs }: PasskeyRecord): Passkey {
  const lastUsedAt = lastUsedAtMs === undefined ? null : new Date(lastUsedAtMs).toISOString();
  return { id, name, host, createdAt: new Date(createdAtMs).toISOString(), lastUsedAt };
}

function find(accounts: readonly AccountRecord[], credentialId: string) {
  for (const account of accounts) {
    const passkey = passkeysOf(account).find((each) => each.credentialId === credentialId);
    if (passkey !== undefined) return { account, passkey };
  }
  return null;
}

function purposeOf(who: string, { origin }: PasskeyPlace): string {
  return `${who} at ${origin}`;
}

/** What the device gives back beside its signature. */
function userHandleOf({ id }: AccountRecord): string {
  return Buffer.from(id).toString("base64url");
}

function refuseTooMany(account: AccountRecord): void {
  if (passkeysOf(account).length < MAX_PASSKEYS) return;
  throw problem("conflict", `An account has at most ${MAX_PASSKEYS} passkeys; remove one first.`);
}

function checked<Result>(slug: "forbidden" | "unauthorized", check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof PasskeyRefusal) throw problem(slug, `The passkey was refused: ${error.message}.`);
    throw error;
  }
}
