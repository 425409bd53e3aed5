import { describe, expect, test } from "vitest";
import { sealJson } from "../../../src/store/envelope.ts";
import { recordKey, SCHEMA_KEY } from "../../../src/store/keys.ts";
import { ConfiguredBox, MINUTE, makeDocument } from "./configured-box.ts";
import { GATEWAY, SyncWorld } from "./sync-world.ts";

const ONE = { left: 1, right: 1 };
const TWO = { left: 2, right: 2 };

async function makeBox(): Promise<ConfiguredBox> {
  const box = new ConfiguredBox(new SyncWorld(7, { quality: "synced" }));
  await box.live(MINUTE);
  return box;
}

/** Sends a document to the gateway that is connected. */
function publish(box: ConfiguredBox, document: ReturnType<typeof makeDocument>): void {
  box.published = document;
  void box.world.net.tell(GATEWAY, document);
}

test("settings in the layout from before there were documents are kept under their revision", async () => {
  const box = await makeBox();
  box.kill();
  const disk = box.disk.contents("critical");
  const place = { epoch: 1, seq: 1 };
  const key = recordKey("cloud-settings", "current");
  disk.delete(recordKey("cloud-configuration", "current"));
  disk.set(key, sealJson(key, place, { revision: 3, telemetry: "off", backlogPercent: 20 }));
  disk.set(SCHEMA_KEY, sealJson(SCHEMA_KEY, place, 2));
  await box.live(MINUTE);
  expect(box.run.configuration.settings).toEqual({ telemetry: "off", backlogPercent: 20 });
  expect(box.hellos.at(-1)?.configuration).toMatchObject({ revision: 3, seen: 3, isOnTrial: false });
  expect(box.record?.salt).toMatch(/^\S{40,}$/);
  expect(box.told).toEqual([]);
  expect(disk.has(key)).toBe(false);
});

describe("a document that is right", () => {
  test("is tried by a start with it, and kept as soon as the cloud service welcomes that", async () => {
    const box = await makeBox();
    publish(box, makeDocument(3, ONE, { backlogPercent: 40, colour: "red" }));
    await box.live(MINUTE);
    expect({ config: box.config, starts: box.starts }).toEqual({ config: ONE, starts: 2 });
    expect(box.run.configuration.settings).toMatchObject({ backlogPercent: 40 });
    expect(box.told).toEqual([
      { revision: 3, outcome: "applied", reason: null, errors: [], inUse: 3, unknownKeys: ["colour"] },
    ]);
    expect(box.hellos.map(({ configuration }) => configuration)).toMatchObject([
      { revision: null, seen: 0, isOnTrial: false },
      { revision: 3, seen: 3, isOnTrial: true },
    ]);
    const [before, after] = box.hellos.map(({ configuration }) => configuration?.digest);
    expect(before).not.toBe(after);
    await box.live(10 * MINUTE);
    expect({ config: box.config, starts: box.starts, told: box.told.length }).toEqual({
      config: ONE,
      starts: 2,
      told: 1,
    });
  });

  test("with nothing new in it is only noted, and what it says of telling holds at once", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { left: 0 }, { telemetry: "off" }));
    await box.live(MINUTE);
    expect(box.starts).toBe(1);
    expect(box.run.configuration.settings).toMatchObject({ telemetry: "off" });
    expect(box.told).toMatchObject([{ revision: 1, outcome: "applied", inUse: 1 }]);
  });

  test("2.2, rule 12: that changes nothing touches nothing of the queue (ThingsBoard made its store anew by each)", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    await box.live(3 * MINUTE);
    const queue = () => box.run.store.outbox.meta!;
    const { epoch, streams } = queue();
    const { starts } = box;
    publish(box, makeDocument(1, ONE));
    await box.live(MINUTE);
    expect(queue()).toMatchObject({ epoch, streams: { event: { next: streams.event.next } } });
    publish(box, makeDocument(2, ONE));
    await box.live(MINUTE);
    expect(box.starts).toBe(starts);
    expect(queue()).toMatchObject({ epoch, streams: { event: { next: streams.event.next + 1 } } });
    expect(box.told.at(-1)).toMatchObject({ revision: 2, outcome: "applied", inUse: 2 });
  });

  test("is used by every later start", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    await box.live(MINUTE);
    box.kill();
    await box.live(MINUTE);
    expect(box.config).toEqual(ONE);
    expect(box.hellos.at(-1)?.configuration).toMatchObject({ revision: 1, isOnTrial: false });
  });

  test("is on disk sealed, on trial and kept, and nothing of it is told", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { ...ONE, password: "s3cret-word", isDeaf: true }));
    await box.live(MINUTE);
    publish(box, makeDocument(2, { ...ONE, password: "s3cret-word" }));
    await box.live(20 * MINUTE);
    expect(box.config).toMatchObject({ password: "s3cret-word" });
    const onDisk = [...box.disk.contents("critical").values()].map((value) => Buffer.from(value).toString("latin1"));
    expect(onDisk.filter((text) => text.includes("s3cret-word"))).toEqual([]);
    expect(JSON.stringify([box.hellos, box.world.memory.effects])).not.toContain("s3cret-word");
  });

  test("that leaves a section out gives it back to the house", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { ...ONE, more: 1 }));
    await box.live(MINUTE);
    publish(box, makeDocument(2, {}));
    await box.live(MINUTE);
    expect(box.config).toEqual({ left: 0, right: 0 });
    expect(box.told).toMatchObject([{ inUse: 1 }, { revision: 2, outcome: "applied", inUse: 2 }]);
  });
});

describe("a document that is wrong", () => {
  test("is refused with all that is wrong, and changes nothing, not even how it is told", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { left: 5 }, { backlogPercent: 20 }));
    await box.live(MINUTE);
    expect({ config: box.config, starts: box.starts }).toEqual({ config: { left: 0, right: 0 }, starts: 1 });
    expect(box.run.configuration.settings).toEqual({});
    expect(box.told).toMatchObject([
      { revision: 1, outcome: "refused", errors: [{ path: "right", problem: "not as left" }], inUse: null },
    ]);
  });

  test("by its length, or for a gateway that takes none, is refused", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { ...ONE, much: "x".repeat(600_000) }));
    await box.live(MINUTE);
    box.isRemote = false;
    box.kill();
    await box.live(MINUTE);
    publish(box, makeDocument(2, ONE));
    await box.live(MINUTE);
    expect(box.told.map(({ outcome, errors }) => [outcome, errors[0]?.problem])).toEqual([
      ["refused", "the document is too long"],
      ["refused", "this gateway accepts no remote configuration"],
    ]);
  });
});

describe("a document that does no good", () => {
  test("is taken back when the cloud service is not reached in time, and not tried again", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    await box.live(MINUTE);
    publish(box, makeDocument(2, { ...TWO, isDeaf: true }, { telemetry: "off" }));
    await box.live(4 * MINUTE);
    expect(box.config).toMatchObject({ isDeaf: true });
    await box.live(2 * MINUTE);
    expect(box.config).toEqual(ONE);
    expect(box.run.configuration.settings).toEqual({});
    expect(box.told.at(-1)).toMatchObject({ revision: 2, outcome: "rolled-back", reason: "not-connected", inUse: 1 });
    const { starts } = box;
    publish(box, makeDocument(2, { ...TWO, isDeaf: true }));
    await box.live(10 * MINUTE);
    expect({ starts: box.starts, told: box.told.length }).toEqual({ starts, told: 2 });
    publish(box, makeDocument(3, TWO));
    await box.live(MINUTE);
    expect(box.config).toEqual(TWO);
  });

  test("is taken back when the way to the cloud service is down for another reason", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    await box.world.clock.advance(100);
    box.world.net.cut(true);
    await box.live(20 * MINUTE);
    expect(box.config).toEqual({ left: 0, right: 0 });
    box.world.net.cut(false);
    await box.live(10 * MINUTE);
    expect(box.told).toMatchObject([{ revision: 1, outcome: "rolled-back", reason: "not-connected", inUse: null }]);
  });

  test("is taken back by the start that cannot make the gateway's parts of it", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { isBroken: true }));
    await box.live(MINUTE);
    expect(box.config).toEqual({ left: 0, right: 0 });
    expect(box.told).toMatchObject([
      {
        revision: 1,
        outcome: "rolled-back",
        reason: "broken-start",
        errors: [{ problem: "no parts can be made of it" }],
      },
    ]);
  });

  test("is taken back when the gateway ends in the middle of its trial", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { ...ONE, isDeaf: true }));
    await box.live(MINUTE);
    expect(box.run.configuration.isOnTrial).toBe(true);
    box.kill();
    await box.live(MINUTE);
    expect(box.config).toEqual({ left: 0, right: 0 });
    expect(box.told).toMatchObject([{ revision: 1, outcome: "rolled-back", reason: "interrupted", inUse: null }]);
  });
});

describe("revisions", () => {
  test("that come twice, late or out of order have one effect each: the newest's", async () => {
    const box = await makeBox();
    const { net } = box.world;
    const same = (n: number) => makeDocument(n, { left: n, right: n });
    box.published = same(5);
    for (const revision of [4, 2, 4, 5, 3, 5]) void net.tell(GATEWAY, same(revision));
    await box.live(5 * MINUTE);
    for (const revision of [4, 5]) void net.tell(GATEWAY, makeDocument(revision, TWO));
    await box.live(5 * MINUTE);
    expect(box.config).toEqual({ left: 5, right: 5 });
    const revisions = box.told.map(({ revision }) => revision);
    expect(revisions.at(-1)).toBe(5);
    expect(revisions).toEqual([...new Set(revisions)].toSorted());
    expect(box.told.every(({ outcome }) => outcome === "applied")).toBe(true);
  });

  test("that come before the welcome of a trial wait for its end", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    while (box.starts < 2) await box.live(20);
    void box.run.configuration.receive(makeDocument(2, TWO));
    expect(box.run.configuration.isOnTrial).toBe(true);
    await box.live(MINUTE);
    expect(box.config).toEqual(TWO);
    expect(box.told.map(({ revision, outcome }) => [revision, outcome])).toEqual([
      [1, "applied"],
      [2, "applied"],
    ]);
  });
});

describe("the house's own file", () => {
  test("wins when somebody changes there what the cloud service had set", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    await box.live(MINUTE);
    box.kill();
    box.file = { left: 9, right: 9 };
    await box.live(MINUTE);
    expect(box.config).toEqual({ left: 9, right: 9 });
    expect(box.told.at(-1)).toMatchObject({ revision: 1, outcome: "rolled-back", reason: "local-change", inUse: null });
    publish(box, makeDocument(2, TWO));
    await box.live(MINUTE);
    expect(box.config).toEqual(TWO);
  });

  test("may change elsewhere, and the cloud service sees that it did", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, ONE));
    await box.live(MINUTE);
    const before = box.hellos.at(-1)?.configuration;
    box.kill();
    box.file = { ...box.file, other: 1 };
    await box.live(MINUTE);
    const after = box.hellos.at(-1)?.configuration;
    expect(box.config).toEqual({ ...ONE, other: 1 });
    expect(after).toMatchObject({ revision: 1 });
    expect(after?.digest).not.toBe(before?.digest);
  });

  test("holds alone when what the cloud service had set is not valid any more", async () => {
    const box = await makeBox();
    publish(box, makeDocument(1, { left: 0, extra: 1 }));
    await box.live(MINUTE);
    box.kill();
    box.file = { left: 0, right: 3 };
    await box.live(MINUTE);
    expect(box.config).toEqual({ left: 0, right: 3 });
    expect(box.told.at(-1)).toMatchObject({ outcome: "rolled-back", reason: "invalid", errors: [{ path: "right" }] });
  });
});

test("a command that runs while a configuration is applied is answered once", async () => {
  const box = await makeBox();
  const { net } = box.world;
  const expiresAtMs = box.world.clock.nowMs() + 10 * MINUTE;
  const shape = { v: 1, kind: "command", version: "2024-10-01", method: "POST" } as const;
  const command = { ...shape, id: "c-1", path: "/c-1", expiresAtMs };
  void net.tell(GATEWAY, command);
  await box.live(1_000);
  publish(box, makeDocument(1, ONE));
  await box.live(MINUTE);
  void net.tell(GATEWAY, command);
  await box.live(MINUTE);
  expect(box.starts).toBe(2);
  const answers = box.world.memory.effects.filter(({ event }) => event === "system:cloud:command-answered");
  expect(answers.map(({ payload }) => payload)).toMatchObject([{ commandId: "c-1", outcome: "executed" }]);
  expect(box.obeyed).toEqual(["/c-1"]);
});

/** Two documents, one that holds and one that does not, with the power cut at one batch. Null: it came to none. */
async function cutOnce(batch: number, fault: "lost" | "kept"): Promise<ConfiguredBox | null> {
  const box = await makeBox();
  box.cutPowerAt(batch, fault);
  publish(box, makeDocument(1, ONE, { backlogPercent: 31 }));
  await box.live(3 * MINUTE);
  publish(box, makeDocument(2, { ...TWO, isDeaf: true }, { backlogPercent: 32 }));
  await box.live(15 * MINUTE);
  if (box.isCutStillDue) return null;
  // The cut may have been a moment ago.
  await box.live(15 * MINUTE);
  return box;
}

describe("a power cut at any write of the disk", () => {
  test.each(["lost", "kept"] as const)("leaves one document whole, and one word of each (%s)", async (fault) => {
    let cuts = 0;
    for (; ; cuts += 1) {
      const box = await cutOnce(cuts + 1, fault);
      if (box === null) break;
      const { left, right, isDeaf = false } = box.config;
      const { backlogPercent = 30 } = box.run.configuration.settings;
      expect({ right, isDeaf, backlogPercent }).toEqual({
        right: left,
        isDeaf: false,
        backlogPercent: 30 + Number(left),
      });
      expect(box.record).toMatchObject({ seen: 2, trial: null });
      const outcomes = box.told.map(({ revision, outcome, inUse }) => `${revision} ${outcome} ${inUse}`);
      const first = left === 1 ? "1 applied 1" : "1 rolled-back null";
      expect(outcomes).toEqual([first, `2 rolled-back ${left === 1 ? 1 : null}`]);
    }
    expect(cuts).toBeGreaterThan(10);
  });
});
