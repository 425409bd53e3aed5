import { describe, expect, test } from "vitest";
import { GAP_EVENT } from "../../../src/store/outbox/outbox.ts";
import { renumbered } from "../../../src/store/outbox/outbox-row.ts";
import { LOSS_EVENT } from "../../../src/sync/protocol/batch.ts";
import { isShallow } from "../../../src/sync/protocol/fields.ts";
import { MAX_DEPTH } from "../../../src/sync/protocol/limits.ts";
import { ProtocolError, parseToGateway } from "../../../src/sync/protocol/messages.ts";
import { readBatch } from "../../../src/sync/protocol/read-batch.ts";
import { batch, EPOCH, record } from "../../cloud-receiver/messages.ts";

/** Arrays within each other. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

const LOSS = { epoch: EPOCH, stream: "event", from: 1, through: 2 };

describe("a batch", () => {
  test("of which all is as agreed is read as it is", () => {
    const sent = batch(1, 2, [record(1), record(2)]);
    expect(readBatch(sent)).toEqual({ batch: sent, refused: [] });
  });

  test.each([
    ["is nested too deep", { payload: nested(4_000) }, "objects and arrays"],
    ["has a key of ours nested too deep", { later: nested(MAX_DEPTH) }, "objects and arrays"],
    ["has an instant that is none", { atMs: 9e15 }, "atMs"],
    ["tells of too many losses", { event: LOSS_EVENT, payload: { gaps: Array(1_000).fill(LOSS) } }, "payload.gaps"],
    [
      "tells of a loss in an epoch of 8 kB",
      { event: LOSS_EVENT, payload: { gaps: [{ ...LOSS, epoch: "a".repeat(8_192) }] } },
      "payload.gaps.0.epoch",
    ],
    ["has no event", { event: undefined }, "event"],
  ])("with a record that %s is read without that record, which is told with the reason", (_what, wrong, reason) => {
    const bad = { ...record(2), ...wrong };
    const read = readBatch({ ...batch(1, 3, []), records: [record(1), bad, record(3)] });
    expect(read.batch.records.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(read.batch.gaps).toEqual([{ from: 2, through: 2, reason: "malformed" }]);
    expect(read.refused).toEqual([{ from: 2, through: 2, reason: expect.stringContaining(reason) }]);
  });

  test.each([
    ["has more records than allowed", { records: Array(501).fill(record(1)) }],
    ["has a record of no number that it covers", { records: [{ ...record(9), boot: "x" }] }],
    ["has gaps that are none", { gaps: [{ from: 0 }] }],
    ["tells of a number twice", { gaps: [{ from: 5, through: 6, reason: "dropped" }] }],
  ])("that %s is refused as a whole, by its numbers", (_what, wrong) => {
    const { batch: read, refused } = readBatch({ ...batch(4, 6, [record(4), record(5), record(6)]), ...wrong });
    expect([read.records, read.gaps]).toEqual([[], [{ from: 4, through: 6, reason: "malformed" }]]);
    expect(refused).toMatchObject([{ from: 4, through: 6 }]);
  });

  test("of the event stream that leaves numbers out keeps what it tells; of another stream it may", () => {
    const part = batch(1, 4, [record(2)]);
    expect(readBatch(part)).toMatchObject({
      batch: {
        records: [{ seq: 2 }],
        gaps: [
          { from: 1, through: 1 },
          { from: 3, through: 4 },
        ],
      },
      refused: [
        { from: 1, through: 1 },
        { from: 3, through: 4 },
      ],
    });
    const state = { ...part, stream: "state", records: [record(2, { entity: "meter/a" })] };
    expect(readBatch(state)).toEqual({ batch: state, refused: [] });
  });

  test.each([
    ["an epoch of 8 kB", { epoch: "a".repeat(8_192) }],
    ["an end before its beginning", { from: 3, through: 2 }],
  ])("with %s is none", (_what, wrong) => {
    expect(() => readBatch({ ...batch(1, 2, []), ...wrong })).toThrow(ProtocolError);
  });
});

test("a command or a configuration that is nested too deep is refused", () => {
  const command = { v: 1, kind: "command", id: "c", expiresAtMs: 1, version: "2024-10-01", method: "PUT", path: "/a" };
  expect(() => parseToGateway({ ...command, body: nested(MAX_DEPTH + 1) })).toThrow(/body: .*more than 64 deep/);
  expect(parseToGateway({ ...command, body: nested(MAX_DEPTH) })).toMatchObject({ id: "c" });
  const configuration = { v: 1, kind: "configuration", revision: 1 };
  expect(() => parseToGateway({ ...configuration, configuration: { a: nested(MAX_DEPTH) } })).toThrow(
    /more than 64 deep/,
  );
});

test("an acknowledgement with refused numbers is one for gateways that do not know the key, and a refusal is left alone", () => {
  const ack = { v: 1, kind: "ack", stream: "event", epoch: EPOCH, through: 2, missing: [] };
  const refused = [{ from: 1, through: 1, reason: "why" }];
  expect(parseToGateway({ ...ack, refused })).toEqual({ ...ack, refused });
  expect(parseToGateway({ v: 1, kind: "refusal", of: null, reason: "why" })).toMatchObject({ kind: "refusal" });
});

test("depth counts the objects and arrays within each other, not those beside each other", () => {
  expect(
    isShallow(
      Array.from({ length: 1_000 }, () => ({ a: [] })),
      3,
    ),
  ).toBe(true);
  expect(isShallow([{ a: [] }], 2)).toBe(false);
});

test("the event that tells of losses has one name in the outbox and in the contract", () => {
  expect(LOSS_EVENT).toBe(GAP_EVENT);
});

test("a record that goes through more epochs than the contract lets it name keeps the newest places", () => {
  let row = { ...record(1), stream: "event", epoch: EPOCH } as unknown as Parameters<typeof renumbered>[0];
  for (let seq = 1; seq <= 100; seq += 1) {
    const { was } = renumbered(row, true);
    row = { ...row, seq: seq + 1, ...(was !== undefined && { was }) };
  }
  expect(row.was).toHaveLength(64);
  expect(row.was?.at(-1)).toEqual({ epoch: EPOCH, seq: 100 });
});
