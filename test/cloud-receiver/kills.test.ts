/** The broker, the receiver and the gateway die by SIGKILL, and the cloud ends with what the gateway has. */
import { expect, test } from "vitest";
import { SOME_BROKERS } from "./brokers.ts";
import { runKills } from "./kills.ts";

const kills = Number(process.env["CLOUD_KILLS"] ?? 3);
const seed = Number(process.env["CLOUD_SEED"] ?? Date.now() % 1_000_000);
/** For the slowest of them, RabbitMQ, to start once more on a machine that does much else. */
const ROUND_LIMIT_MS = 240_000;

test.each(SOME_BROKERS)(
  `%s, two copies and a gateway die ${kills} times each, and both sides end equal`,
  async (kind) => {
    console.log(`${kind}: CLOUD_SEED=${seed} CLOUD_KILLS=${kills}`);
    const { outcomes, events, states, seconds } = await runKills(kind, kills, seed);
    const answers = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
    console.log(`${kind}: ${events} events, ${states} states, commands ${answers.join(", ")}; ${seconds} s`);
    expect(events).toBeGreaterThan(kills * 10);
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(kills * 2);
  },
  ROUND_LIMIT_MS * (kills + 5),
);
