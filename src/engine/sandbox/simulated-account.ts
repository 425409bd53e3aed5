/** The accounts of simulated vendors. */
import { problem } from "../../domain/problem.ts";
import type { SimulatedAccount, SimulatedDevice } from "../../domain/sandbox/simulated.ts";
import type { SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";
import type { Random } from "../../platform/ports/ports.ts";

const SALT_BYTES = 16;

/** Returns an account with a hashed password; without a password, nobody can sign in to it. */
export async function newAccount(
  random: Random,
  username: string,
  password: string | undefined,
): Promise<SimulatedAccount> {
  const salt = Buffer.from(random.secretBytes(SALT_BYTES));
  const hash = Buffer.from(await random.scrypt(password ?? "", salt));
  return { username, passwordHash: hash.toString("base64url"), salt: salt.toString("base64url") };
}

/** Returns the account of a device after a change. Throws `bad-request` for a new one without a name or a password. */
export async function accountAfter(
  random: Random,
  { account }: Pick<SimulatedDevice, "account">,
  { username = account?.username, password }: SimulatedChanges,
): Promise<SimulatedAccount | null> {
  if (password !== undefined && username !== undefined) {
    return { ...account, ...(await newAccount(random, username, password)) };
  }
  if (account !== null && username !== undefined) return { ...account, username };
  if (username === undefined && password === undefined) return account;
  throw problem("bad-request", "An account needs a username and a password.");
}
