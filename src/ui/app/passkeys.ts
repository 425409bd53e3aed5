/** Passkeys of this browser: WebAuthn, with binary values as base64url where the API has them. */
import { ApiError, ask, PageError } from "./api.ts";
import type { Session } from "./context.ts";
import type { Texts } from "./texts.ts";

/** Browsers have passkeys over https, at a host name; over http and at an IP address nothing is shown of them. */
export const HAS_PASSKEYS =
  location.protocol === "https:" &&
  typeof PublicKeyCredential !== "undefined" &&
  !/^[\d.]+$|^\[/u.test(location.hostname);

interface CreationOptions {
  readonly challenge: string;
  readonly rp: PublicKeyCredentialRpEntity;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: PublicKeyCredentialParameters[];
  readonly excludeCredentials: readonly { readonly type: "public-key"; readonly id: string }[];
  readonly authenticatorSelection: AuthenticatorSelectionCriteria;
  readonly attestation: "none";
  readonly timeout: number;
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly userVerification: "required";
  readonly timeout: number;
}

/** Makes a passkey for the account. Throws {@link PageError} with a sentence of `texts`. */
export async function addPasskey(
  accountId: string,
  { name, password }: { readonly name: string; readonly password: string },
  { passkeys: words }: Texts,
): Promise<void> {
  const path = `/local/people/${accountId}/passkeys`;
  const options = await ask<CreationOptions>("POST", `${path}/options`, { password }).catch((error: unknown) => {
    throw isStatus(error, 403) ? new PageError(words.wrongPassword) : error;
  });
  const made = await asked(words, () =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytesOf(options.challenge),
        user: { ...options.user, id: bytesOf(options.user.id) },
        excludeCredentials: options.excludeCredentials.map(({ type, id }) => ({ type, id: bytesOf(id) })),
      },
    }),
  );
  const answer = made.response as AuthenticatorAttestationResponse;
  const publicKey = answer.getPublicKey();
  if (publicKey === null) throw new PageError(words.failed);
  await ask("POST", path, {
    name,
    id: made.id,
    response: {
      clientDataJSON: textOf(answer.clientDataJSON),
      authenticatorData: textOf(answer.getAuthenticatorData()),
      publicKey: textOf(publicKey),
    },
  });
}

/** Begins a session with a passkey. Throws {@link PageError} with a sentence of `texts`. */
export async function signInWithPasskey({ passkeys: words }: Texts): Promise<Session> {
  const options = await ask<RequestOptions>("POST", "/local/session/passkey/options");
  const found = await asked(words, () =>
    navigator.credentials.get({ publicKey: { ...options, challenge: bytesOf(options.challenge) } }),
  );
  const answer = found.response as AuthenticatorAssertionResponse;
  const body = {
    id: found.id,
    response: {
      clientDataJSON: textOf(answer.clientDataJSON),
      authenticatorData: textOf(answer.authenticatorData),
      signature: textOf(answer.signature),
      userHandle: textOf(answer.userHandle ?? new ArrayBuffer(0)),
    },
  };
  return await ask<Session>("POST", "/local/session/passkey", body).catch((error: unknown) => {
    throw isStatus(error, 401) ? new PageError(words.refused) : error;
  });
}

async function asked(
  words: Texts["passkeys"],
  question: () => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  try {
    const answer = await question();
    if (answer instanceof PublicKeyCredential) return answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") throw new PageError(words.known);
    if (error instanceof DOMException && error.name !== "NotAllowedError") throw new PageError(words.failed);
  }
  throw new PageError(words.cancelled);
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
