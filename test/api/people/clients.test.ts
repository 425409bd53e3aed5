import { expect, test } from "vitest";
import { getToken } from "../support/api-house.ts";
import { openRealHouse } from "../support/real-house.ts";
import { ownerOf, personOf } from "./browser.ts";

test("an owner creates a client, whose secret is in this answer only and gives tokens", async () => {
  await using house = await openRealHouse();
  const anna = await ownerOf(house);
  const answer = await anna.send("POST", "/local/clients", { name: " Wallbox app ", scopes: ["energy:limits"] });
  expect(answer.statusCode).toBe(201);
  const { id, secret } = answer.json();
  expect(secret).toMatch(/^[\w-]{43}$/);
  const listed = await anna.get("/local/clients");
  expect(listed.body).not.toContain(secret);
  expect(listed.json().find((client: { id: string }) => client.id === id)).toMatchObject({
    name: "Wallbox app",
    version: "2024-10-01",
    scopes: ["energy:limits"],
    lastUsedAt: null,
  });
  expect(await house.home.world.clock.resolve(getToken(house.api, { id, secret }), 10_000)).toMatch(/^[\w-]{43}$/);
});

test("an owner pins a client to a version that is served", async () => {
  await using house = await openRealHouse();
  const anna = await ownerOf(house);
  const url = `/local/clients/${house.client.id}`;
  const pinned = await anna.send("PATCH", url, { version: "2023-08-01" });
  expect([pinned.statusCode, pinned.json().version]).toEqual([200, "2023-08-01"]);
  expect((await anna.send("PATCH", url, { version: "2020-01-01" })).statusCode).toBe(400);
  expect((await anna.send("PATCH", "/local/clients/nobody", { version: "2023-08-01" })).statusCode).toBe(404);
});

test("nobody but owners and clients for people makes or pins clients, or learns of them", async () => {
  await using house = await openRealHouse();
  const anna = await ownerOf(house);
  const installer = await personOf(house, anna, "installer");
  expect((await installer.send("POST", "/local/clients", { name: "mine" })).statusCode).toBe(403);
  expect(
    (await installer.send("PATCH", `/local/clients/${house.client.id}`, { version: "2023-08-01" })).statusCode,
  ).toBe(403);
  const asked = { method: "POST", url: "/local/clients", payload: { name: "mine" } } as const;
  expect((await house.ask(asked)).statusCode).toBe(403);
  expect(house.run.store.all("client")).toHaveLength(1);
});
