import { expect, test } from "vitest";
import { rightFor } from "../../../src/api/people/rights.ts";
import { openHouse } from "../support/api-house.ts";
import { type Description, operationsOf } from "../support/description.ts";

/** Of every operation that changes something or takes more than seeing: a new one is put here on purpose. */
test("each operation takes a right of people", async () => {
  await using house = await openHouse({ config: { sandbox: { isEnabled: true } } });
  const document = (await house.ask({ url: "/openapi.json" })).json<Description>();
  const table = operationsOf(document).map(({ method, path }) => {
    const right = rightFor(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ":$1"));
    return `${right} ${method.toUpperCase()} ${path}`;
  });
  expect(table.filter((line) => !line.startsWith("see GET")).toSorted()).toMatchInlineSnapshot();
});
