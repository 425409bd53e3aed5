/** What the older versions say of the next newer one has to be about something that is there. */
import { describe, expect, it } from "vitest";
import { objectAt } from "../../../src/api/versions/json.ts";
import { olderDocument, resolverOf } from "../../../src/api/versions/older-document.ts";
import { createRouteTable, matchRoute } from "../../../src/api/versions/route-table.ts";
import { SERVED_VERSIONS } from "../../../src/api/versions/served-versions.ts";
import { openHouse } from "../support/api-house.ts";
import { type Description, operationsOf } from "../support/description.ts";

const STEPS = SERVED_VERSIONS.at(-1)!.steps;

/** The description of the version before each step. */
async function newerDocuments(): Promise<Description[]> {
  await using house = await openHouse();
  let document = (await house.api.inject({ url: "/openapi.json" })).json<Description>();
  return STEPS.map((step) => {
    const newer = document;
    document = olderDocument({ ...newer }, step) as unknown as Description;
    return newer;
  });
}

function shape(route: string): string {
  return route.replaceAll(/\{\w+\}/g, "{}");
}

describe.each(STEPS.map((step, at) => [step.says.date, step, at] as const))("%s", (_date, { says }, at) => {
  it("changes fields that the newer version has, of schemas that it has", async () => {
    const newer = (await newerDocuments())[at]!;
    const schemas = objectAt(newer.components, "schemas");
    const idle = Object.entries(says.records).flatMap(([name, changes]) => {
      let schema = objectAt(schemas, name);
      return changes.flatMap((change, index) => {
        const before = JSON.stringify(schema);
        schema = change.schema(schema, resolverOf({ ...newer }));
        return JSON.stringify(schema) === before ? [`${name} ${index}`] : [];
      });
    });
    expect(idle).toEqual([]);
  });

  it("translates to routes that the newer version has", async () => {
    const newer = (await newerDocuments())[at]!;
    const known = new Set(operationsOf(newer).map(({ method, path }) => shape(`${method.toUpperCase()} ${path}`)));
    const lost = Object.entries(says.routes).filter(([older, { now }]) => !known.has(shape(now ?? older)));
    expect(lost.map(([older]) => older)).toEqual([]);
  });

  it("lacks routes that the newer version has", async () => {
    const newer = (await newerDocuments())[at]!;
    const operations = operationsOf(newer);
    const idle = says.lacks.filter((route) => {
      const table = createRouteTable([[route, true]]);
      return !operations.some(({ method, path }) => matchRoute(table, method.toUpperCase(), shape(path)) !== null);
    });
    expect(idle).toEqual([]);
  });

  it("lacks schemas that the newer version has", async () => {
    const schemas = objectAt((await newerDocuments())[at]!.components, "schemas");
    expect((says.lacksTypes ?? []).filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
  });
});
