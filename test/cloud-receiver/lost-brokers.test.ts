/** RabbitMQ and NATS go away in the middle of what a copy does with them; the copy goes on when they are back. */
import { expect, test } from "vitest";
import { SOME_BROKERS } from "./brokers.ts";
import { ask, openSite, openWire, type Site, startCopy } from "./copies.ts";
import { batch, boot, EPOCH, hello, records } from "./messages.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

const NAME = "house-1";
/** What Mosquitto does is in receiver.test.ts. */
const KINDS = SOME_BROKERS.filter((kind) => kind !== "mosquitto");
/** Connections that break, each a step later than the one before: more than a subscription has. */
const BROKEN = 8;
/** Each costs a second or more, and a broker that starts again some. */
const LIMIT_MS = 300_000;

async function kept({ database }: Site): Promise<readonly number[]> {
  const rows = await database.rows<{ seq: number }>("SELECT seq FROM record ORDER BY turn, seq");
  return rows.map(({ seq }) => seq);
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

test.each(KINDS)(
  "a copy outlives %s that goes away at each step, and takes and sends all when it is back",
  async (kind) => {
    await using site = await openSite(kind);
    const [setting = "", url = ""] = Object.entries(site.brokerSettings)[0] ?? [];
    const direct = new URL(url);
    const steps = new Map<number, number>();
    let broken = 0;
    await using wire = await openWire(Number(direct.port), (_sent, connection) => {
      const step = (steps.get(connection) ?? 0) + 1;
      steps.set(connection, step);
      const isBroken = connection < BROKEN && step > connection;
      if (isBroken) broken += 1;
      return isBroken;
    });
    const brokerSettings = { [setting]: url.replace(`:${direct.port}`, `:${wire.port}`) };
    await using copy = await startCopy({ ...site, brokerSettings });
    {
      await using gateway = await TestGateway.connect(site.brokerUrl, NAME, 4);
      await gateway.meet(hello(NAME, [boot(1)]));
      for (const from of [1, 4, 7, 10]) await gateway.deliver(batch(from, from + 2, records(from, from + 2)));
    }
    expect(broken).toBeGreaterThan(3);
    await site.killBroker();
    const asked = ask(copy, `/gateways/${NAME}/commands`, { id: "c-1", method: "GET", path: "/batteries" });
    await until(() => copy.warnings.some((line) => line.includes("a message could not be sent")));
    await site.startBroker();
    expect((await asked).status).toBe(202);
    await using gateway = await TestGateway.connect(site.brokerUrl, NAME, 4);
    await gateway.meet(hello(NAME, [boot(1)]));
    await until(() => gateway.heard.some(({ kind: told }) => told === "command"));
    await gateway.deliver(batch(13, 15, records(13, 15)));
    expect(await kept(site)).toEqual(upTo(15));
  },
  LIMIT_MS,
);

test.each(KINDS)(
  "a copy that is stopped while the database is away leaves what it has not taken to %s",
  async (kind) => {
    await using site = await openSite(kind);
    await using gateway = await TestGateway.connect(site.brokerUrl, NAME, 4);
    let giveBack = async (): Promise<void> => undefined;
    {
      await using copy = await startCopy(site);
      await gateway.meet(hello(NAME, [boot(1)]));
      giveBack = await site.database.takeAway();
      await gateway.send(batch(1, 3, records(1, 3)));
      await until(() => copy.warnings.some((line) => line.includes('"isTriedAgain":true')));
    }
    await giveBack();
    await using _next = await startCopy(site);
    await until(() => gateway.acked("event", EPOCH) === 3);
    expect(await kept(site)).toEqual(upTo(3));
  },
  LIMIT_MS,
);
