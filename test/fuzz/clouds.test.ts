/** Answers of hostile vendors' clouds to every connector. */
import { expect } from "vitest";
import { MUTATIONS } from "../adapters/clouds/hostile/mutations.ts";
import { SUBJECTS } from "../adapters/clouds/hostile/subjects.ts";
import { trial } from "../adapters/clouds/hostile/trial.ts";
import { campaign } from "./campaign.ts";

campaign("answers of a hostile vendor's cloud", { share: 0.12 }, async ({ random, sent }) => {
  const subject = SUBJECTS[random.below(SUBJECTS.length)];
  const mutation = MUTATIONS[random.below(MUTATIONS.length)];
  if (subject === undefined || mutation === undefined) expect.unreachable("there is nothing to try");
  sent(`${subject.id}: ${mutation.name}`);
  const turns = random.isChance(0.5) ? "before" : "after";
  await trial({ subject, mutation, random: random.fork("trial"), turns, reads: 1 + random.below(4), sent });
});
