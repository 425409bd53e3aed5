import fc from "fast-check";
import { it } from "vitest";
import { SERVED_VERSIONS } from "../../src/api/versions/served-versions.ts";
import type { Description } from "../api/support/description.ts";
import { harvest, step } from "./chain.ts";
import { openGeneratorHouse } from "./house.ts";
import { plansOf } from "./plans.ts";

it("x", async () => {
  const documents = new Map<string, Description>();
  {
    await using house = await openGeneratorHouse();
    for (const { date } of SERVED_VERSIONS)
      documents.set(date, (await house.ask({ url: `/openapi.json?version=${date}` })).json<Description>());
  }
  const [newest, ...older] = [...documents.values()].map(plansOf);
  const plans = fc.oneof({ weight: 5, arbitrary: newest! }, ...older.map((arbitrary) => ({ weight: 1, arbitrary })));
  const all = fc.sample(plans, { numRuns: Number(process.env["N"] ?? 1000), seed: Number(process.env["S"] ?? 1) });
  const found = new Map<string, [number, string]>();
  const stat = new Map<string, number>();
  const t = performance.now();
  let house = await openGeneratorHouse();
  let ids = new Map<string, string[]>();
  for (let i = 0; i < all.length; i++) {
    if (i % 100 === 0) {
      await house[Symbol.asyncDispose]();
      house = await openGeneratorHouse();
      ids = new Map([
        ["user", ["home", "home", "ann"]],
        ["plan", ["latest"]],
        ["tariff", ["day-and-night", "t-1"]],
      ]);
      for (const kind of ["batteries", "chargers", "hvacs", "inverters", "meters", "vehicles", "interventions"])
        harvest(ids, `/${kind}`, await house.ask({ url: `/${kind}` }));
    }
    const plan = all[i]!;
    let faults: readonly string[];
    const t0 = performance.now();
    try {
      faults = await step(
        {
          house,
          documents,
          ids,
          note: (s: number) => stat.set(`${plan.operationId} ${s}`, (stat.get(`${plan.operationId} ${s}`) ?? 0) + 1),
        } as never,
        plan,
      );
    } catch (e) {
      faults = [`THROW ${plan.method} ${plan.path} ${(e as Error).stack}`];
    }
    const ms = performance.now() - t0;
    if (ms > 1500) console.log("slow", ms, plan.method, plan.path, plan.waitMs);
    for (const f of faults) {
      const key = `${plan.operationId} ${f.replace(/^.*?\): /, "").slice(0, 60)}`;
      const e = found.get(key);
      found.set(key, [(e?.[0] ?? 0) + 1, e?.[1] ?? f]);
    }
  }
  await house[Symbol.asyncDispose]();
  console.log(all.length, "in", performance.now() - t);
  for (const [k, [n, f]] of found) console.log(n, k, "\n     ", f.slice(0, 1500));
}, 600_000);
