/** One mutation against one login: signed in honestly, then the vendor is hostile for a while, then honest again. */
import { DeviceError, type Driver, type FoundDevice } from "hemgate/sdk";
import type { SeededRandom } from "../../../../../src/testing/seeded-random.ts";
import type { Mutation } from "../spoil.ts";
import { isLeftAlone, LoginBench, shownText } from "./login-bench.ts";
import { checkSecrets } from "./login-checks.ts";
import { RETURNS } from "./login-mutations.ts";
import { type LoginSubject, TYPED_SECRETS } from "./sign-ins.ts";

/** After this long every vendor's access token has ended, and no refresh token. */
const A_DAY_MS = 25 * 3_600_000;
/** Longer than a refused login rests. */
const RECOVERY = { turns: 45, pauseMs: 10 * 60_000 } as const;
const PAUSES_MS = [15 * 60_000, 32 * 86_400_000] as const;
const SECRET_FIELDS: readonly string[] = ["password", "api-key", "code"];

export interface LoginAttempt {
  readonly subject: LoginSubject;
  readonly mutation: Mutation;
  readonly random: SeededRandom;
  /** When the vendor is hostile: at its first sign-in, at another one, or when the login is renewed. */
  readonly phase: "first" | "again" | "renewal";
  readonly sent: (what: string) => void;
}

export interface LoginOutcome {
  /** Answers that were changed. */
  changed: number;
  /** Sign-ins that came to devices although the vendor was hostile. */
  found: number;
}

/** Rejects when something does not hold that must. */
export async function loginTrial({ subject, mutation, random, phase, sent }: LoginAttempt): Promise<LoginOutcome> {
  await using bench = new LoginBench(subject, random, sent);
  const back = (honest: Readonly<Record<string, string>>) =>
    random.isChance(0.3) ? (RETURNS[random.below(RETURNS.length)] ?? RETURNS[0]!)(honest) : honest;
  let found = 0;
  if (phase === "first") {
    bench.hostility = { mutation, hits: () => true };
    found += (await bench.person(back)) === null ? 0 : 1;
    bench.hostility = null;
  }
  const device = await linked(bench);
  const driver = await bench.connect(device);
  await bench.call(() => driver.read("all", calm));
  if (phase === "again") {
    bench.hostility = { mutation, hits: () => true };
    found += (await bench.person(back)) === null ? 0 : 1;
  }
  if (phase === "renewal") {
    let exchanges = 0;
    // One exchange: a vendor that gives wrong tokens twice in a row leaves none that is right.
    bench.hostility = { mutation, hits: (isLogin) => isLogin && exchanges++ === 0 };
    await bench.world.clock.advance(A_DAY_MS);
    await read(bench, driver);
  }
  bench.hostility = null;
  await recovers(bench, driver, subject, phase);
  checkSecrets(shownText(bench), secretsOf(bench, subject));
  return { changed: bench.changed, found };
}

const calm = new AbortController().signal;

async function linked(bench: LoginBench): Promise<FoundDevice> {
  let devices: readonly FoundDevice[] | null = null;
  // Vendors want to be left alone for a while, and whoever is hostile may ask for a month.
  for (const pauseMs of [0, ...PAUSES_MS]) {
    if (devices !== null) break;
    await bench.world.clock.advance(pauseMs);
    devices = await bench.person();
  }
  const [device] = devices ?? [];
  if (device === undefined) throw new Error("an honest vendor was not linked");
  return device;
}

/** Null: it told something. Anything but the vendor's failure is ours. */
async function read(bench: LoginBench, driver: Driver): Promise<DeviceError | null> {
  try {
    await bench.call(() => driver.read("all", calm));
    return null;
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return error;
  }
}

async function recovers(
  bench: LoginBench,
  driver: Driver,
  { connector }: LoginSubject,
  phase: LoginAttempt["phase"],
): Promise<void> {
  let failure: DeviceError | null = null;
  for (let turn = 0; turn < RECOVERY.turns; turn += 1) {
    failure = await read(bench, driver);
    if (failure === null) return;
    await bench.world.clock.advance(RECOVERY.pauseMs);
  }
  // Without a person only what a vendor refused outright stays so, and what a vendor took for used.
  const isRefused = bench.account?.isSignedIn === false;
  const isUsedUp = phase === "renewal" && connector.login.kind !== "device-code" && !connector.id.startsWith("sunny");
  const mayStay = isLeftAlone(failure) || (isRefused && (connector.login.kind === "form" || isUsedUp));
  if (!mayStay) throw new Error(`the login is lost: ${String(failure)}`, { cause: failure });
  if (isLeftAlone(failure)) return;
  const device = await linked(bench);
  const again = await bench.connect(device);
  await bench.call(() => again.read("all", calm));
}

function secretsOf({ signIn }: LoginBench, { connector: { login } }: LoginSubject): readonly string[] {
  const fields = login.kind === "form" ? login.fields : [];
  const typed = fields.filter(({ kind }) => SECRET_FIELDS.includes(kind)).map(({ name }) => signIn.form[name] ?? "");
  return [...TYPED_SECRETS, ...typed.filter((text) => text !== "")];
}
