import { expect, test } from "vitest";
import { RemoteConfiguration } from "../../../src/sync/cloud/remote-settings.ts";
import type { Configuration } from "../../../src/sync/protocol/downlink.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { makeMemoryBench } from "../../store/makers.ts";

function configured(revision: number, settings: Configuration["settings"]): Configuration {
  return { v: 1, kind: "configuration", revision, settings };
}

test("2.2, rule 12: a document that was seen changes nothing, and what is not known in it is named", async () => {
  const bench = makeMemoryBench();
  await using store = await bench.open();
  const configuration = new RemoteConfiguration({ store, log: new TestLog() });
  await bench.drive(
    Promise.all([
      configuration.take(configured(2, { backlogPercent: 40, gateway: "another" })),
      configuration.take(configured(2, { backlogPercent: 10 })),
    ]),
  );
  await bench.drive(configuration.take(configured(1, { backlogPercent: 20 })));
  await bench.drive(configuration.take(configured(2, { backlogPercent: 30 })));
  expect(configuration.settings).toEqual({ revision: 2, backlogPercent: 40 });
  const told = await store.journalAfter(null, 10);
  expect(told).toMatchObject([
    { event: "system:cloud:configured", payload: { revision: 2, unknownKeys: ["gateway"] } },
  ]);
  bench.disk.failWrites("lost");
  await bench.drive(configuration.take(configured(3, { backlogPercent: 50 })));
  expect(configuration.settings.revision).toBe(2);
});
