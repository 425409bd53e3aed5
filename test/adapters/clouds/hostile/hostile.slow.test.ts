/** Each mutation once against each connector; `npm run fuzz` goes on with chance. */
import { describe, expect, test } from "vitest";
import { allConnectors } from "../../../../adapters/clouds/connectors.ts";
import { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { MUTATIONS } from "./mutations.ts";
import { noCommands } from "./sent-commands.ts";
import { SUBJECTS } from "./subjects.ts";
import { type Outcome, trial } from "./trial.ts";

const CONNECTORS = await allConnectors();

const SEED = "hostile";

test("every connector has its part, and every mutation its name", () => {
  const covered = new Set(SUBJECTS.map(({ connector }) => connector.id));
  expect([...covered]).toEqual(CONNECTORS.map(({ id }) => id));
  expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(40);
});

describe.each(SUBJECTS.map((subject) => [subject.id, subject] as const))("%s", (id, subject) => {
  test("does no harm, whatever its cloud answers", async () => {
    const all: Outcome = { readings: 0, commands: 0, errors: 0 };
    const failures: string[] = [];
    for (const [index, mutation] of MUTATIONS.entries()) {
      const seed = `${SEED}/${id}/${mutation.name}`;
      const sent: string[] = [];
      try {
        const random = new SeededRandom(seed);
        const turns = (index + SUBJECTS.indexOf(subject)) % 2 === 0 ? "before" : "after";
        const attempt = {
          subject,
          mutation,
          random,
          turns,
          reads: 1,
          sent: (what: string) => void sent.push(what),
        } as const;
        const { readings, commands, errors } = await trial(attempt);
        all.readings += readings;
        all.commands += commands;
        all.errors += errors;
      } catch (error) {
        failures.push(`${seed}: ${String(error)}; ${sent.join("\n").slice(-1_000)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(all.readings).toBeGreaterThan(0);
    expect(all.errors).toBeGreaterThan(0);
    expect(all.commands > 0).toBe(subject.commandsIn !== noCommands);
  });
});
