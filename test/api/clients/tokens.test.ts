import { describe, expect, it } from "vitest";
import { createTokens } from "../../../src/api/clients/tokens.ts";
import { SeededRandom, VirtualClock } from "../../../src/testing/index.ts";
import { FakeStore } from "../support/fake-store.ts";

const HOUR_MS = 3_600_000;

function setUp(store = new FakeStore(), clock = new VirtualClock(), seed = 1) {
  return { store, clock, tokens: createTokens({ store, clock, random: new SeededRandom(seed) }) };
}

describe("a token", () => {
  it("stands for its client for an hour", async () => {
    const { tokens, clock } = setUp();
    const token = await tokens.issue("client");
    await clock.advance(HOUR_MS - 1);
    expect(tokens.clientOf(token)).toBe("client");
    await clock.advance(1);
    expect(tokens.clientOf(token)).toBeNull();
  });

  it("lives neither longer nor shorter when the wall clock is set", async () => {
    const { tokens, clock } = setUp();
    const token = await tokens.issue("client");
    clock.setWallMs(clock.nowMs() + 100 * HOUR_MS);
    expect(tokens.clientOf(token)).toBe("client");
    clock.setWallMs(clock.nowMs() - 200 * HOUR_MS);
    await clock.advance(HOUR_MS);
    expect(tokens.clientOf(token)).toBeNull();
  });

  it("outlives a restart for the rest of its hour by the wall clock", async () => {
    const before = setUp();
    const token = await before.tokens.issue("client");
    const clock = new VirtualClock({ startMs: before.clock.nowMs() + HOUR_MS / 2 });
    const { tokens } = setUp(before.store.copy(), clock, 2);
    await clock.advance(HOUR_MS / 2 - 1);
    expect(tokens.clientOf(token)).toBe("client");
    await clock.advance(1);
    expect(tokens.clientOf(token)).toBeNull();
  });

  it("lives at most an hour after a restart with a clock that went back", async () => {
    const before = setUp();
    const token = await before.tokens.issue("client");
    const clock = new VirtualClock({ startMs: before.clock.nowMs() - 100 * HOUR_MS });
    const { tokens } = setUp(before.store.copy(), clock, 2);
    await clock.advance(HOUR_MS);
    expect(tokens.clientOf(token)).toBeNull();
  });

  it("ends with a restart when nobody has set the clock, for its age is unknown", async () => {
    const before = setUp();
    const token = await before.tokens.issue("client");
    const { tokens } = setUp(before.store.copy(), new VirtualClock({ startMs: 0, quality: "unset" }), 2);
    expect(tokens.clientOf(token)).toBeNull();
  });

  it("is not what it was not issued as", async () => {
    const { tokens } = setUp();
    const token = await tokens.issue("client");
    expect([`${token}x`, token.slice(1), "", "x".repeat(10_000)].map((text) => tokens.clientOf(text))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("the tokens of a client", () => {
  it("are at most 64: the oldest goes, in memory and on disk", async () => {
    const { tokens, store } = setUp();
    const other = await tokens.issue("other");
    const issued: string[] = [];
    for (let count = 0; count < 66; count += 1) issued.push(await tokens.issue("client"));
    expect(issued.map((token) => tokens.clientOf(token) !== null)).toEqual([
      false,
      false,
      ...Array.from({ length: 64 }, () => true),
    ]);
    expect(tokens.clientOf(other)).toBe("other");
    expect(store.all("token")).toHaveLength(65);
  });

  it("leave the disk once they are expired and a new one comes", async () => {
    const { tokens, store, clock } = setUp();
    await tokens.issue("client");
    await tokens.issue("other");
    await clock.advance(HOUR_MS);
    await tokens.issue("client");
    expect(store.all("token")).toHaveLength(1);
  });
});
