import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { type ApiHouse, GENEROUS, getToken, openHouse } from "../support/api-house.ts";
import { openRealHouse } from "../support/real-house.ts";
import { ask, LOOPBACK_ADDRESSES, SlowSockets } from "./slow-sockets.ts";

async function listening(
  limits: object,
): Promise<{ house: ApiHouse; port: number; bearer: { authorization: string } }> {
  const house = await openHouse({ config: { http: { limits: { ...GENEROUS, ...limits } } } });
  await house.api.listen({ host: "127.0.0.1", port: 0 });
  const { port } = house.api.server.address() as AddressInfo;
  return { house, port, bearer: { authorization: `Bearer ${await getToken(house.api, house.client)}` } };
}

test("a client is answered beside more slow sockets than there are places", async () => {
  const { house, port, bearer } = await listening({ connections: 100, connectionsPerAddress: 20 });
  await using _house = house;
  using slow = new SlowSockets(port);
  await slow.from(LOOPBACK_ADDRESSES, 30);
  const statuses = new Set<number>();
  for (let count = 0; count < 100; count += 1) {
    statuses.add((await ask(port, "/batteries", bearer)).status);
    await slow.from(LOOPBACK_ADDRESSES.slice(0, 2), 2);
  }
  expect(statuses).toEqual(new Set([200]));
});

test("a client is answered behind the very address from which the slow sockets come", async () => {
  const { house, port, bearer } = await listening({ connections: 64, connectionsPerAddress: 16 });
  await using _house = house;
  using slow = new SlowSockets(port);
  await slow.from(["127.0.0.1"], 60);
  await expect.poll(() => slow.open.size).toBeLessThanOrEqual(16);
  for (let count = 0; count < 5; count += 1) expect((await ask(port, "/batteries", bearer)).status).toBe(200);
});

test("a stream that a client follows outlives every flood, and more streams than one address has places", async () => {
  const limits = { ...GENEROUS, connections: 16, connectionsPerAddress: 4 };
  await using house = await openRealHouse({ config: { http: { limits } } });
  await house.api.listen({ host: "127.0.0.1", port: 0 });
  const { port } = house.api.server.address() as AddressInfo;
  const bearer = { authorization: `Bearer ${house.token}` };
  using slow = new SlowSockets(port);
  const calls = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const call = request({ port, host: "127.0.0.1", path: "/local/events", headers: bearer, agent: false });
      call.on("error", () => undefined);
      call.end();
      const [answer] = await once(call, "response");
      answer.resume();
      return { call, answer };
    }),
  );
  expect(calls.map(({ answer }) => answer.statusCode)).toEqual(calls.map(() => 200));
  await slow.from(["127.0.0.1", ...LOOPBACK_ADDRESSES], 10);
  await expect.poll(() => slow.open.size).toBeLessThanOrEqual(10);
  expect(calls.map(({ call }) => call.destroyed)).toEqual(calls.map(() => false));
  for (const { call } of calls) call.destroy();
});
