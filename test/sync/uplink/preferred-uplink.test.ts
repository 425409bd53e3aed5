import { expect, test } from "vitest";
import { PreferredUplink } from "../../../src/sync/uplink/preferred-uplink.ts";
import { type Uplink, type UplinkEnd, UplinkError, type UplinkEvents } from "../../../src/sync/uplink/uplink.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { bytes, heard } from "./recorded-events.ts";

const NEVER = new AbortController().signal;
const LOST: UplinkEnd = { kind: "lost", reason: "gone", retryAfterMs: null };

/** A way that a test opens and closes; it answers each connection with a frame unless it is mute. */
function way(name: string, clock: VirtualClock) {
  const state = { refusal: null as UplinkEnd | null, isMute: false, tries: 0, open: [] as UplinkEvents[] };
  const uplink: Uplink = {
    async connect(events) {
      state.tries += 1;
      if (state.refusal !== null) throw new UplinkError(state.refusal);
      state.open.push(events);
      if (!state.isMute) clock.timer(10, () => state.open.includes(events) && events.frame(bytes(name)));
      const dispose = (): void => end(events, LOST);
      return { name, credits: 3, maxFrameBytes: 1_000, send: () => undefined, [Symbol.dispose]: dispose };
    },
  };
  const end = (events: UplinkEvents, how: UplinkEnd): void => {
    if (!state.open.includes(events)) return;
    state.open = state.open.filter((each) => each !== events);
    events.closed(how);
  };
  return { name, state, uplink, endAll: (how = LOST) => state.open.forEach((events) => void end(events, how)) };
}

function bed() {
  const clock = new VirtualClock();
  const first = way("first", clock);
  const second = way("second", clock);
  const log = new TestLog();
  const ways = [first, second].map(({ name, uplink }) => ({ name, uplink }));
  const uplink = new PreferredUplink(ways, { clock, log });
  const connect = async (ears = heard()) => await clock.resolve(uplink.connect(ears.events, NEVER), 1_000);
  const name = async (ears = heard()): Promise<string | UplinkEnd> =>
    await connect(ears).then(
      (connection) => connection.name,
      (error: UplinkError) => error.end,
    );
  const active = () => first.state.open.length + second.state.open.length;
  return { clock, log, ways, uplink, first, second, connect, name, active };
}

/** Fails by the first way for three minutes. */
async function failFirst({ clock, first, name }: ReturnType<typeof bed>): Promise<void> {
  first.state.refusal = LOST;
  for (let minute = 0; minute <= 3; minute += 1) {
    await name();
    await clock.advance(60_000);
  }
}

test("the first way is used as long as it works", async () => {
  const { clock, first, second, name } = bed();
  for (let at = 0; at < 5; at += 1) {
    expect(await name()).toBe("first");
    await clock.advance(3_600_000);
    first.endAll();
  }
  expect(second.state.tries).toBe(0);
});

test("what the owner is told and asks goes through", async () => {
  const { clock, first, connect } = bed();
  const ears = heard();
  const connection = await connect(ears);
  await clock.advance(20);
  first.state.open[0]?.drained();
  expect(connection).toMatchObject({ credits: 3, maxFrameBytes: 1_000 });
  first.endAll({ ...LOST, retryAfterMs: 5 });
  expect(ears.frames).toEqual(["first"]);
  expect(ears.drained.count).toBe(1);
  expect(ears.ends).toEqual([{ ...LOST, retryAfterMs: 5 }]);
});

test("the next way is used when the first one has failed for some minutes, and not before", async () => {
  const made = bed();
  const { clock, first, second, name } = made;
  first.state.refusal = LOST;
  expect(await name()).toEqual(LOST);
  await clock.advance(179_000);
  expect(await name()).toEqual(LOST);
  expect(second.state.tries).toBe(0);
  await clock.advance(1_000);
  expect(await name()).toEqual(LOST);
  expect(await name()).toBe("second");
});

test("a single failure after a long pause is no reason to switch", async () => {
  const { clock, first, connect, name } = bed();
  const connection = await connect();
  await clock.advance(20);
  connection[Symbol.dispose]();
  await clock.advance(3_600_000);
  first.state.refusal = LOST;
  await name();
  first.state.refusal = null;
  expect(await name()).toBe("first");
});

test("a way that connects and brings nothing, or breaks at once each time, has failed", async () => {
  const { clock, first, name } = bed();
  first.state.isMute = true;
  for (let minute = 0; minute <= 3; minute += 1) {
    expect(await name()).toBe("first");
    await clock.advance(60_000);
    first.endAll();
  }
  expect(await name()).toBe("second");
});

test.each(["quota", "taken-over"] as const)("%s is the service's word: no other way is tried", async (kind) => {
  const { clock, first, second, name } = bed();
  first.state.refusal = { kind, reason: "no", retryAfterMs: null };
  for (let minute = 0; minute < 20; minute += 1) {
    await name();
    await clock.advance(60_000);
  }
  expect(second.state.tries).toBe(0);
});

test("2.2, rule 13: after a while the first way is tried again, and kept when it holds; never are two open", async () => {
  const made = bed();
  await failFirst(made);
  const { clock, first, name, active } = made;
  const ears = heard();
  expect(await name(ears)).toBe("second");
  first.state.refusal = null;
  await clock.advance(900_000);
  expect(ears.ends).toHaveLength(1);
  expect(active()).toBe(0);
  expect(await name()).toBe("first");
  expect(active()).toBe(1);
  await clock.advance(7 * 86_400_000);
  expect(first.state.open).toHaveLength(1);
});

test("a trial that fails costs one connect, and the next one comes after twice the time", async () => {
  const made = bed();
  await failFirst(made);
  const { clock, first, name, active } = made;
  expect(await name()).toBe("second");
  const pauses: number[] = [];
  for (let trial = 0; trial < 6; trial += 1) {
    const fromMs = clock.monotonicMs();
    while (active() > 0) await clock.advance(60_000);
    pauses.push(Math.round((clock.monotonicMs() - fromMs) / 60_000));
    const tries = first.state.tries;
    expect(await name()).toBe("second");
    expect(first.state.tries).toBe(tries + 1);
  }
  expect(pauses.slice(1)).toEqual([30, 60, 120, 240, 240]);
});

test("a trial that connects and does not hold goes back at once", async () => {
  const made = bed();
  await failFirst(made);
  const { clock, first, name } = made;
  expect(await name()).toBe("second");
  first.state.refusal = null;
  await clock.advance(900_000);
  expect(await name()).toBe("first");
  await clock.advance(30_000);
  first.endAll();
  expect(await name()).toBe("second");
});

test("who gives up is told so, and nothing counts as a failure", async () => {
  const { clock, log, first } = bed();
  const hanging: Uplink = { connect: (_events, signal) => clock.sleep(3_600_000, signal) as Promise<never> };
  const uplink = new PreferredUplink([{ name: "hanging", uplink: hanging }, first], { clock, log });
  const giving = new AbortController();
  const connecting = uplink.connect(heard().events, giving.signal);
  giving.abort(new Error("given up"));
  await expect(connecting).rejects.toThrow("given up");
  expect(clock.pendingTimers).toBe(0);
});

const REFUSED: UplinkEnd = { kind: "refused", reason: "not you", retryAfterMs: null };

test("who is refused by one way takes the next at once, and comes back to the first later", async () => {
  const { clock, first, uplink, name } = bed();
  first.state.refusal = REFUSED;
  expect(await name()).toBe("second");
  const failure = { kind: "refused", reason: "not you", atMs: clock.nowMs() };
  expect(uplink.status).toEqual([
    { name: "first", isInUse: false, failure },
    { name: "second", isInUse: true, failure: null },
  ]);
  first.state.refusal = null;
  await clock.advance(900_000);
  expect(await name()).toBe("first");
  expect(uplink.status).toMatchObject([{ isInUse: true, failure: null }, { isInUse: false }]);
});

test("a refusal is told to the owner when every way refuses; till then it comes back soon", async () => {
  const { first, second, name } = bed();
  first.state.refusal = REFUSED;
  second.state.refusal = LOST;
  expect(await name()).toEqual(LOST);
  second.state.refusal = REFUSED;
  expect(await name()).toEqual(REFUSED);
  expect([first.state.tries, second.state.tries]).toEqual([2, 2]);
  first.state.refusal = LOST;
  expect(await name()).toEqual(LOST);
});

test("an open connection that is refused goes on by the next way", async () => {
  const { clock, first, name } = bed();
  const ears = heard();
  expect(await name(ears)).toBe("first");
  await clock.advance(20);
  first.endAll(REFUSED);
  expect(ears.ends).toEqual([{ ...REFUSED, kind: "lost" }]);
  expect(await name()).toBe("second");
});

test("a way alone says itself that it refuses", async () => {
  const { clock, log, first } = bed();
  const alone = new PreferredUplink([first], { clock, log });
  first.state.refusal = REFUSED;
  await expect(alone.connect(heard().events, NEVER)).rejects.toMatchObject({ end: REFUSED });
  expect(log.lines).toEqual([]);
});

test("why each way failed is told once", async () => {
  const made = bed();
  const { clock, log, second, name } = made;
  await failFirst(made);
  second.state.refusal = { ...LOST, reason: "away" };
  for (let minute = 0; minute < 30; minute += 1) {
    await name();
    await clock.advance(60_000);
  }
  expect(log.lines.map(({ fields }) => fields)).toEqual([
    { uplink: "first", reason: "gone" },
    { uplink: "second", reason: "away" },
  ]);
});

test("what is known of the same ways is gone on with, and of others not", async () => {
  const made = bed();
  const { clock, log, ways, first, uplink: before } = made;
  await failFirst(made);
  const uplink = new PreferredUplink(ways, { clock, log, before });
  expect((await clock.resolve(uplink.connect(heard().events, NEVER), 1_000)).name).toBe("second");
  expect(uplink.status).toMatchObject([{ failure: { reason: "gone" } }, { isInUse: true }]);
  first.state.refusal = null;
  await clock.advance(900_000);
  expect((await clock.resolve(uplink.connect(heard().events, NEVER), 1_000)).name).toBe("first");
  const other = new PreferredUplink(ways.toReversed(), { clock, log, before });
  expect([other.current, other.status[0]?.failure]).toEqual([0, null]);
});
