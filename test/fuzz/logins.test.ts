/** Answers of hostile vendors to sign-ins and renewals, and what browsers bring back from their pages. */
import { expect } from "vitest";
import { LOGIN_MUTATIONS } from "../adapters/clouds/hostile/logins/login-mutations.ts";
import { loginTrial } from "../adapters/clouds/hostile/logins/login-trial.ts";
import { LOGIN_SUBJECTS } from "../adapters/clouds/hostile/logins/sign-ins.ts";
import { campaign } from "./campaign.ts";

const PHASES = ["first", "again", "renewal"] as const;

campaign("answers of a hostile vendor to logins", { share: 0.08 }, async ({ random, sent }) => {
  const subject = LOGIN_SUBJECTS[random.below(LOGIN_SUBJECTS.length)];
  const mutation = LOGIN_MUTATIONS[random.below(LOGIN_MUTATIONS.length)];
  if (subject === undefined || mutation === undefined) expect.unreachable("there is nothing to try");
  const phase = random.pick(PHASES);
  sent(`${subject.id}: ${mutation.name}, ${phase}`);
  await loginTrial({ subject, mutation, random: random.fork("trial"), phase, sent });
});
