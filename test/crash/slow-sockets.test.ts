/** Five thousand sockets that begin something and do not go on, against the API that is served beside them. */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ask, LOOPBACK_ADDRESSES, SlowSockets } from "../api/requests/slow-sockets.ts";
import { GENEROUS, getToken, openHouse } from "../api/support/api-house.ts";

const SLOW = 5_000;
const MOST_PLACES = 512;
const WITHOUT_WAITING_MS = 7_500;

test("beside 5,000 slow sockets from ten addresses a hundred requests are answered, and none waits for a slow one", async () => {
  await using house = await openHouse({ config: { http: { limits: GENEROUS } } });
  await house.api.listen({ host: "127.0.0.1", port: 0 });
  const { port } = house.api.server.address() as AddressInfo;
  const bearer = { authorization: `Bearer ${await getToken(house.api, house.client)}` };
  using slow = new SlowSockets(port);
  await slow.from(LOOPBACK_ADDRESSES, SLOW / LOOPBACK_ADDRESSES.length);
  await expect.poll(() => slow.open.size, { timeout: 30_000 }).toBeLessThanOrEqual(MOST_PLACES);
  // What was closed comes again all the while.
  const stop = new AbortController();
  const again = (async () => {
    while (!stop.signal.aborted) {
      await slow.from(LOOPBACK_ADDRESSES, 1);
      await sleep(5);
    }
  })();
  const answers: { status: number; ms: number }[] = [];
  for (let count = 0; count < 100; count += 1) answers.push(await ask(port, "/batteries", bearer));
  stop.abort();
  await again;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // A slow socket is closed after 15 s; a busy machine pauses for a second at most.
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(WITHOUT_WAITING_MS);
});

test("a socket that says nothing or half a head is closed within 15 s, one with half a body within 35 s", async () => {
  await using house = await openHouse({ config: { http: { limits: GENEROUS } } });
  await house.api.listen({ host: "127.0.0.1", port: 0 });
  const { port } = house.api.server.address() as AddressInfo;
  using slow = new SlowSockets(port);
  await slow.from(["127.0.0.2"], 30);
  expect(slow.open.size).toBe(30);
  await sleep(15_000);
  expect(slow.open.size).toBe(10);
  await sleep(20_000);
  expect(slow.open.size).toBe(0);
});
