import { expect, it } from "vitest";
import { ClientError, type LiveMessage } from "../../src/client/index.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { batteryOptions, chargerOptions, makeHome } from "../engine/home.ts";
import { clientOf } from "./house-client.ts";

async function openHouse(): Promise<RealHouse> {
  const home = makeHome();
  home.add("charger", chargerOptions());
  home.add("battery", batteryOptions());
  const house = await openRealHouse({ home });
  await house.pass(3_000);
  return house;
}

/** Takes messages until one passes. */
async function until(
  messages: AsyncGenerator<LiveMessage, void>,
  passes: (message: LiveMessage) => boolean,
): Promise<readonly LiveMessage[]> {
  const taken: LiveMessage[] = [];
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true) return taken;
    taken.push(value);
    if (passes(value)) return taken;
  }
}

const isEvent =
  (event: string) =>
  (message: LiveMessage): boolean =>
    message.type === "event" && message.event.event === event;

it("follows the house: a snapshot, then what changes", async () => {
  await using house = await openHouse();
  const { client } = clientOf(house);
  const messages = client.events({ kinds: ["charger"] });
  const first = await until(messages, ({ type }) => type === "live");
  expect(first[0]).toEqual({ type: "snapshot", reason: "start", version: "2024-10-01", assets: 1 });
  expect(first.flatMap((one) => (one.type === "event" ? [one.event.event] : []))).toContain("user:charger:current");
  house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
  await house.pass(2_000);
  const [update] = (await until(messages, isEvent("user:charger:updated"))).slice(-1);
  expect(update).toMatchObject({ event: { charger: { chargeState: { isPluggedIn: false } } } });
  await messages.return();
});

it("goes on after a break at the event after the last one", async () => {
  await using house = await openHouse();
  const { client, sent, pauses, breakStreams } = clientOf(house);
  const messages = client.events();
  await until(messages, ({ type }) => type === "live");
  breakStreams();
  const later = await until(messages, ({ type }) => type === "disconnected");
  expect(later.at(-1)).toMatchObject({ error: { status: 0, code: "no-answer" } });
  house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
  await house.pass(2_000);
  const resumed = await until(messages, isEvent("user:charger:current"));
  expect(resumed.at(-1)).toMatchObject({ event: { charger: { chargeState: { isPluggedIn: false } } } });
  expect(resumed.some(({ type }) => type === "snapshot")).toBe(false);
  const streams = sent.filter(({ path, status }) => path === "/local/events" && status === 200);
  expect(streams).toHaveLength(2);
  expect(streams[1]?.headers["last-event-id"]).toMatch(/./);
  expect(pauses.at(-1)).toBeLessThanOrEqual(1_000);
  await messages.return();
});

it("reports that the gateway is away and waits for it, but not for what it refuses each time", async () => {
  await using house = await openHouse();
  const { client, loseAnswers } = clientOf(house, { retries: { count: 0 } });
  await client.get("/users");
  loseAnswers(2);
  const messages = client.events();
  const first = await until(messages, ({ type }) => type === "snapshot");
  expect(first.slice(0, -1)).toEqual([
    { type: "disconnected", error: expect.any(ClientError) },
    { type: "disconnected", error: expect.any(ClientError) },
  ]);
  await messages.return();
  await expect(client.events({ userId: "nobody" }).next()).rejects.toMatchObject({ status: 404 });
});

it("ends without an error when the signal aborts", async () => {
  await using house = await openHouse();
  const { client } = clientOf(house);
  const end = new AbortController();
  const messages = client.events({ signal: end.signal });
  await until(messages, ({ type }) => type === "live");
  const rest = until(messages, () => false);
  end.abort();
  await rest;
});
