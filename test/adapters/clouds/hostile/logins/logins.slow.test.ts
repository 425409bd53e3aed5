/** Each mutation once against each login, in one phase of its life; `npm run fuzz` goes on with chance. */
import { describe, expect, test } from "vitest";
import { allConnectors } from "../../../../../adapters/clouds/connectors.ts";
import { SeededRandom } from "../../../../../src/testing/seeded-random.ts";
import { LOGIN_MUTATIONS } from "./login-mutations.ts";
import { type LoginOutcome, loginTrial } from "./login-trial.ts";
import { LOGIN_SUBJECTS } from "./sign-ins.ts";

const CONNECTORS = await allConnectors();

const SEED = "hostile logins";
const PHASES = ["first", "again", "renewal"] as const;
/** The kit's own logins meet every mutation, each connector's a part of them. */
const SHARE = 5;

test("every connector has a person who signs in", () => {
  const covered = LOGIN_SUBJECTS.map(({ connector }) => connector.id);
  expect(CONNECTORS.filter(({ id }) => !covered.includes(id))).toEqual([]);
  expect(new Set(LOGIN_MUTATIONS.map(({ name }) => name)).size).toBe(LOGIN_MUTATIONS.length);
});

describe.each(LOGIN_SUBJECTS.map((subject, at) => [subject.id, subject, at] as const))("%s", (id, subject, at) => {
  test("does no harm, whatever the vendor answers to a login", async () => {
    const all: LoginOutcome = { changed: 0, found: 0 };
    const failures: string[] = [];
    const isKit = subject.connector.id === "sunny";
    for (const [index, mutation] of LOGIN_MUTATIONS.entries()) {
      if (!isKit && (index + at) % SHARE !== 0) continue;
      const turn = isKit ? index + at : Math.floor((index + at) / SHARE);
      const phase = PHASES[turn % PHASES.length] ?? "first";
      const seed = `${SEED}/${id}/${mutation.name}/${phase}`;
      const sent: string[] = [];
      try {
        const random = new SeededRandom(seed);
        const attempt = { subject, mutation, random, phase, sent: (what: string) => void sent.push(what) };
        const { changed, found } = await loginTrial(attempt);
        all.changed += changed;
        all.found += found;
      } catch (error) {
        failures.push(`${seed}: ${String(error)}; ${sent.join("\n").slice(-700)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(all.changed).toBeGreaterThan(0);
  });
});
