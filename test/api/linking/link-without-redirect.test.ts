import { expect, it } from "vitest";
import { openSandbox } from "../support/sandbox-house.ts";

const OLDER = { "service-version": "2023-08-01" };

it("ends on a page of the gateway when an older client names no redirect", async () => {
  await using house = await openSandbox();
  const made = await house.ask({ method: "POST", url: "/users/anna/link", payload: {}, headers: OLDER });
  expect(made.statusCode).toBe(200);
  const { linkState } = made.json<{ linkState: string }>();
  const page = await house.ask({ url: `/link/${linkState}` });
  expect(page.body).toContain('href="/link/end"');
  const end = await house.ask({ url: "/link/end", headers: { "accept-language": "de" } });
  expect([end.statusCode, end.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(end.body).toContain("Das war alles");
});
