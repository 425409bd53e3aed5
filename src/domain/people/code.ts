/** Codes that people read and type once: the setup code, invitations, and codes for a new password. */

/** 32 characters, so that a random byte chooses one evenly; without I, L, O and U, which are read as others. */
const CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Eight characters are 40 bits. */
const LENGTH = 8;
const GROUP = 4;
const LOOKALIKES: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** Number of random bytes that a code is made of. */
export const CODE_BYTES = LENGTH;

/** Makes a code such as `K7QM-2FXA` of random bytes. */
export function codeOf(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) => CHARACTERS[byte % CHARACTERS.length]).join("");
  return `${text.slice(0, GROUP)}-${text.slice(GROUP)}`;
}

/**
 * Returns a typed code as it was shown: without regard to case, blanks and dashes, and with letters that look like others
 * replaced. `null` if it cannot be a code.
 */
export function typedCode(typed: string): string | null {
  const text = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll(/[OIL]/g, (letter) => LOOKALIKES[letter] ?? letter);
  const isCode = text.length === LENGTH && [...text].every((character) => CHARACTERS.includes(character));
  return isCode ? `${text.slice(0, GROUP)}-${text.slice(GROUP)}` : null;
}
