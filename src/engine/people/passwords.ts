/**
 * Checks passwords of people. scrypt takes 32 MiB and tens of milliseconds each time, on purpose, so it runs one at a time:
 * attempts of people take nothing from the turns of the API's clients.
 */
import { timingSafeEqual } from "node:crypto";
import { problem } from "../../domain/problem.ts";
import type { Random } from "../../platform/ports/ports.ts";
import { createSemaphore } from "../../platform/semaphore.ts";
import type { AccountRecord } from "../../store/records/people.ts";
import type { Attempt } from "../contracts/people.ts";

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** About two seconds of work. */
const MAX_WAITING = 32;

export type StoredPassword = NonNullable<AccountRecord["password"]>;

export class Passwords {
  readonly #random: Pick<Random, "scrypt" | "secretBytes">;
  readonly #turns = createSemaphore({
    atOnce: 1,
    maxWaiting: MAX_WAITING,
    overfull: () => problem("service-unavailable", "Too many people sign in at this moment; try again in a minute."),
  });

  constructor(random: Pick<Random, "scrypt" | "secretBytes">) {
    this.#random = random;
  }

  async hash(password: string): Promise<StoredPassword> {
    const salt = this.#random.secretBytes(SALT_BYTES);
    const hash = await this.#turns.run(() => this.#random.scrypt(sameForm(password), salt), true);
    return { hash: base64url(hash), salt: base64url(salt) };
  }

  /** Returns true if the password is right. Without a stored one the check takes the same time, and fails. */
  async isRight(stored: StoredPassword | null, password: string, attempt: Attempt): Promise<boolean> {
    const salt = stored === null ? new Uint8Array(SALT_BYTES) : Buffer.from(stored.salt, "base64url");
    const expected = stored === null ? new Uint8Array(HASH_BYTES) : Buffer.from(stored.hash, "base64url");
    const actual = await this.#turns.run(() => {
      attempt.before();
      return this.#random.scrypt(sameForm(password), salt);
    }, attempt.isAhead);
    const isRight = actual.length === expected.length && timingSafeEqual(actual, expected) && stored !== null;
    if (isRight) attempt.succeeded();
    else attempt.failed();
    return isRight;
  }
}

/** Keyboards write some letters in two ways, which look the same. */
function sameForm(password: string): string {
  return password.normalize("NFKC");
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
