import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RetainedMessages } from "../../../src/broker/retained-messages.ts";
import { MqttLimits } from "../../../src/config/mqtt-config.ts";
import { codeOf } from "../../../src/platform/error-text.ts";
import { nodePlatform } from "../../../src/platform/node/node-platform.ts";

test("the machine's platform keeps its databases in the state folder", async () => {
  const stateFolder = await mkdtemp(join(tmpdir(), "hemgate-platform-"));
  try {
    const { disk, clock } = nodePlatform({ stateFolder, logLevel: "error", isPretty: false });
    const database = await disk.open("critical");
    await database.put("key", Uint8Array.of(1));
    await database.close();
    const again = await disk.open("critical");
    expect([...((await again.get("key")) ?? [])]).toEqual([1]);
    await again.close();
    expect(["unset", "restored", "synced"]).toContain(clock.quality());
  } finally {
    await rm(stateFolder, { recursive: true });
  }
});

test("the platform's broker listens, and a second one on that port is told why not", async () => {
  const { openBroker } = nodePlatform({ stateFolder: "unused", logLevel: "error", isPretty: false });
  const access = { signIn: async () => null, rightsOf: () => null };
  const limits = MqttLimits.parse({});
  const retained = new RetainedMessages(limits);
  await using broker = await openBroker({ host: "127.0.0.1", port: 0, tls: null, limits }, access, retained);
  expect(broker.address.port).toBeGreaterThan(0);
  const second = await openBroker({ ...broker.address, tls: null, limits }, access, retained).catch(
    (error: unknown) => error,
  );
  expect(codeOf(second)).toBe("EADDRINUSE");
});
