/** Records that break the contract: not sent, or not taken; all else goes on, and the owner sees which and why. */
import { expect, test } from "vitest";
import { parseToGateway } from "../../../src/sync/protocol/messages.ts";
import { Box, SyncWorld } from "./sync-world.ts";

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

async function started() {
  const world = new SyncWorld(1);
  const box = new Box(world);
  await box.start();
  return { world, box };
}

test("a record that no cloud service would take is not sent, and what comes after it arrives", async () => {
  const { world, box } = await started();
  await box.tell("a", 2);
  await world.resolve(
    box.run.store.commit([], [{ event: "user:vendor-action:updated", payload: { deep: nested(70) } }]),
  );
  await box.tell("a", 2);
  await world.settle(box);
  expect(world.effects).toEqual([1, 2, 3, 4]);
  expect(world.memory.gaps).toMatchObject([{ gap: { from: 3, through: 3, reason: "malformed" } }]);
  const { refusal } = await box.run.cloud.progress();
  expect(refusal).toMatchObject({ count: 1, stream: "event", from: 3, through: 3 });
  expect(refusal?.reason).toContain("more than 64 deep");
  expect(box.run.cloud.counts.gone).toMatchObject([{ reason: "malformed", numbers: 1 }]);
});

test("a record that the cloud service refuses is not sent again, and is shown with the reason; the others arrive", async () => {
  const { world, box } = await started();
  world.twin.refuse = ({ payload }) => (Reflect.get(Object(payload), "n") === 2 ? "n: it is two" : null);
  await box.tell("a");
  await box.tell("b", 3);
  await world.settle(box);
  expect(world.effects).toEqual([1, 3, 4]);
  const progress = await box.run.cloud.progress();
  expect(progress).toMatchObject({ isConnected: true, refusal: { count: 1, stream: "event", from: 2, through: 2 } });
  expect(progress.refusal?.reason).toBe("n: it is two");
  expect(progress.streams.map(({ waiting }) => waiting)).toEqual(progress.streams.map(() => 0));
});

test("a gateway whose hello cannot be read is told why, and shows it", async () => {
  const { world, box } = await started();
  const hear = world.twin.hear.bind(world.twin);
  const refusal = parseToGateway({ v: 1, kind: "refusal", of: "hello", reason: "boots: too many" });
  world.twin.hear = (gateway, message) => (message.kind === "hello" ? refusal : hear(gateway, message));
  await box.tell("a");
  await world.clock.advance(60_000);
  expect(await box.run.cloud.progress()).toMatchObject({
    isConnected: false,
    reason: "the cloud service cannot read the hello: boots: too many",
  });
  world.twin.hear = hear;
  await world.settle(box);
  expect(world.effects).toEqual([1]);
});
