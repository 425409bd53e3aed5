/** Requests made of the description, in chains that create, change and delete: no answer may be other than described. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { NEWEST_VERSION, SERVED_VERSIONS } from "../../src/api/versions/served-versions.ts";
import { type Description, operationsOf } from "../api/support/description.ts";
import { step } from "./chain.ts";
import { openGeneratorHouse } from "./house.ts";
import { type Plan, plansOf } from "./plans.ts";
import { seededIds } from "./seeds.ts";

/** As many as are sent in all; `GENERATOR_REQUESTS=20000 npm run suite slow -- test/generator` sends more. */
const REQUESTS = Number(process.env["GENERATOR_REQUESTS"] ?? 1_000);
const SEED = Number(process.env["GENERATOR_SEED"] ?? 7);
const CHAIN = 100;

const documents = new Map<string, Description>();
let plans: fc.Arbitrary<Plan>;

beforeAll(async () => {
  await using house = await openGeneratorHouse();
  for (const { date } of SERVED_VERSIONS) {
    documents.set(date, (await house.ask({ url: `/openapi.json?version=${date}` })).json<Description>());
  }
  const [newest, ...older] = [...documents.values()].map(plansOf);
  plans = fc.oneof({ weight: 5, arbitrary: newest! }, ...older.map((arbitrary) => ({ weight: 1, arbitrary })));
});

it(
  `answers ${REQUESTS} requests as its description says`,
  async () => {
    const fulfilled = new Set<string>();
    let sent = 0;
    const chains = fc.array(plans, { minLength: CHAIN, maxLength: CHAIN });
    const chain = async (requests: readonly Plan[]): Promise<void> => {
      await using house = await openGeneratorHouse();
      const ids = await seededIds(house);
      for (const plan of requests) {
        const { faults, status } = await step({ house, documents, ids }, plan);
        expect(faults).toEqual([]);
        sent += 1;
        if (plan.date === NEWEST_VERSION.date && status < 300) fulfilled.add(plan.operationId);
      }
    };
    await fc.assert(fc.asyncProperty(chains, chain), { numRuns: Math.ceil(REQUESTS / CHAIN), seed: SEED });
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
    // Requests that are all refused would show little. In a house whose devices do not answer no setup ends, and each chain is short.
    const operations = operationsOf(documents.get(NEWEST_VERSION.date)!).length;
    expect(fulfilled.size / operations).toBeGreaterThan(REQUESTS >= 10_000 ? 0.8 : REQUESTS >= 5_000 ? 0.65 : 0.35);
  },
  15 * 60_000,
);
