/** A line that is cut without a word, by a firewall or a link that goes down, between a gateway and its broker. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { BROKERS, type BrokerKind } from "./brokers.ts";
import { openSite } from "./copies.ts";
import { expectEqual } from "./equality.ts";
import { House } from "./house.ts";
import { Copies } from "./kills.ts";
import { CUTS, type Cut, Line } from "./line.ts";
import { Orders } from "./orders.ts";
import { until } from "./until.ts";

const cuts = Number(process.env["CLOUD_CUTS"] ?? 1);
const seed = Number(process.env["CLOUD_SEED"] ?? Date.now() % 1_000_000);
/** One broker in the short run: the line is the same for all. */
const brokers: readonly BrokerKind[] = process.env["CLOUD_CUTS"] === undefined ? ["mosquitto"] : BROKERS;
const KEEPALIVE_S = 3;
/** A cut that the keepalive does not notice. */
const BLINK_MS = 2_000;
const WAIT_MS = 600_000;

/** Cuts the line until the gateway knows it, and a little longer, or for a moment only. */
async function cutOnce(line: Line, house: House, how: Cut, random: SeededRandom): Promise<void> {
  await until(() => house.isConnected(), WAIT_MS);
  line.cut(how);
  await pause(random.between(0, BLINK_MS));
  line.mend(how);
  await until(() => house.isConnected(), WAIT_MS);
  line.cut(how);
  await until(async () => !(await house.isConnected()), WAIT_MS);
  await pause(random.between(0, BLINK_MS));
  line.mend(how);
}

test.each(brokers)(
  `a line to %s that is cut ${cuts} times each way is noticed by the keepalive, and both sides end equal`,
  async (kind) => {
    console.log(`${kind}: CLOUD_SEED=${seed} CLOUD_CUTS=${cuts}`);
    const random = new SeededRandom(seed);
    using line = new Line();
    await using site = await openSite(kind, line.broker);
    const { enterGateway: enter } = line;
    const options = { brokerUrl: site.brokerUrl, name: "house-1", keepaliveSeconds: KEEPALIVE_S, enter };
    await using house = new House(options);
    await using copies = await Copies.start(site);
    house.start();
    await until(() => house.isConnected(), WAIT_MS);
    const orders = new Orders(site, house, () => copies.ports);
    for (let time = 0; time < cuts; time += 1) {
      for (const how of CUTS) await Promise.all([cutOnce(line, house, how, random), orders.give(WAIT_MS)]);
    }
    await until(() => house.isConnected(), WAIT_MS);
    await house.rest();
    const outcomes = await orders.expectOnce(WAIT_MS);
    expect(outcomes).toEqual({ executed: cuts * CUTS.length });
    const { events } = await expectEqual(site, house, WAIT_MS);
    console.log(`${kind}: ${events} events`);
    expect(events).toBeGreaterThan(cuts * 10);
  },
  WAIT_MS * (cuts + 2),
);
