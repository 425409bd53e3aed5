import { describe, expect, test } from "vitest";
import { type Budget, compare, ratiosOf } from "../../bench/budget.ts";

const TEXT = `200 requests

| case | ms to the answer | to bare Fastify | RSS MB |
|---|---|---|---|
| bare Fastify | 10 | 1 | 70 |
| **hemgate** | 15 | 1.5 |  |

| client | to libmodbus |
|---|---|
| hemgate | 2.25 |
| not installed | – |
`;
const BUDGET: Budget = {
  noise: 0.15,
  ratios: { api: { "hemgate, to bare Fastify": 1.4, "hemgate, to libmodbus": 2 } },
};

describe("the budget of the benches", () => {
  test("has each figure of a column that compares, by row and column", () => {
    expect(ratiosOf(TEXT)).toEqual({ "hemgate, to bare Fastify": 1.5, "hemgate, to libmodbus": 2.25 });
  });

  test("lets runs differ by the noise, and names what is worse by more", () => {
    expect(compare(BUDGET, "api", ratiosOf(TEXT))).toEqual([]);
    expect(compare(BUDGET, "api", { "hemgate, to bare Fastify": 1.62, "hemgate, to libmodbus": 1 })).toEqual([
      "api: hemgate, to bare Fastify: 1.62, and at most 1.4 and 15 % are allowed",
    ]);
  });

  test("names a figure that a run did not say", () => {
    expect(compare(BUDGET, "api", { "hemgate, to libmodbus": 2 })).toEqual([
      "api: hemgate, to bare Fastify: the run did not say it",
    ]);
  });

  test("of a bench that has none is kept by every run", () => {
    expect(compare(BUDGET, "start", {})).toEqual([]);
  });
});
