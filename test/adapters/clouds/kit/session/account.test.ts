import { describe, expect, test } from "vitest";
import type { CloudRequest } from "../../../../../adapters/clouds/kit/connector.ts";
import type { SimWebAnswer, SimWebRequest } from "../../../../../src/testing/network/sim-web.ts";
import { ClientBench, FakeTokens, failureOf, HOST, JSON_TYPE } from "../client-bench.ts";

const URL_OF_DEVICES = `https://${HOST}/devices`;
const GET: CloudRequest = { method: "GET", url: URL_OF_DEVICES };
const COMMAND: CloudRequest = { method: "POST", url: URL_OF_DEVICES, purpose: "command", body: { json: 1 } };
const NEVER = new AbortController().signal;
const LIMIT_MS = 120_000;

function makeAccount() {
  const bench = new ClientBench();
  const tokens = new FakeTokens(bench.clock);
  const account = bench.account(tokens);
  return { bench, tokens, account };
}

/** Accepts the grants from this number on. */
function accepting(from: number): (request: SimWebRequest) => SimWebAnswer {
  return ({ headers }) => {
    const number = Number(headers["authorization"]?.split("=")[1]);
    return number >= from ? { headers: JSON_TYPE, body: "1" } : { status: 401 };
  };
}

describe("an account", () => {
  test("asks with its grant", async () => {
    const { bench, account } = makeAccount();
    await bench.clock.resolve(account.ask(GET, NEVER), LIMIT_MS);
    expect(bench.asked[0]?.headers["authorization"]).toBe("Bearer access/+=1");
  });

  test.each([GET, COMMAND])("renews a grant that ended and asks once more: $method", async (request) => {
    const { bench, tokens, account } = makeAccount();
    bench.answers(accepting(2));
    expect(await bench.clock.resolve(account.ask(request, NEVER), LIMIT_MS)).toMatchObject({ body: 1 });
    expect(tokens.renewals).toBe(1);
    expect(bench.asked).toHaveLength(2);
  });

  test("renews once for all that ask at the same time", async () => {
    const { bench, tokens, account } = makeAccount();
    bench.answers(accepting(2));
    const asking = Array.from({ length: 8 }, () => account.ask(GET, NEVER));
    expect(await bench.clock.resolve(Promise.all(asking), LIMIT_MS)).toHaveLength(8);
    expect(tokens.renewals).toBe(1);
  });

  test("has no login any more when a renewed grant is not accepted", async () => {
    const { bench, tokens, account } = makeAccount();
    bench.answers(accepting(99));
    const asking = bench.clock.resolve(account.ask(COMMAND, NEVER), LIMIT_MS);
    expect(await failureOf(asking)).toMatchObject({ kind: "login-refused" });
    expect(tokens.renewals).toBe(1);
    expect(bench.asked).toHaveLength(2);
  });

  test("tells how its requests went, for an hour", async () => {
    const { bench, account } = makeAccount();
    bench.answers({ headers: JSON_TYPE, body: "1" });
    await bench.clock.resolve(account.ask(GET, NEVER), LIMIT_MS);
    const lastAnswerMs = bench.clock.monotonicMs();
    bench.answers({ status: 403 });
    for (let round = 0; round < 2; round += 1) {
      await failureOf(bench.clock.resolve(account.ask(GET, NEVER), LIMIT_MS));
    }
    expect(account.health()).toEqual({ answered: 1, failed: { forbidden: 2 }, lastAnswerMs });
    await bench.clock.advance(65 * 60_000);
    expect(account.health()).toEqual({ answered: 0, failed: {}, lastAnswerMs });
  });

  test("ends what is under way when it is closed", async () => {
    const { bench, account } = makeAccount();
    bench.answers({ fault: "hang" });
    const asking = failureOf(account.ask(GET, NEVER));
    await bench.clock.advance(1_000);
    account[Symbol.dispose]();
    expect(await asking).toMatchObject({ kind: "unavailable" });
  });
});

describe("what devices share", () => {
  test("is fetched once by all who ask meanwhile, and kept for as long as each wants", async () => {
    const { bench, account } = makeAccount();
    let fetches = 0;
    const fetch = async (signal: AbortSignal) => {
      await bench.clock.sleep(1_000, signal);
      fetches += 1;
      return fetches;
    };
    const asking = [0, 1, 2].map(() => account.shared("site", 60_000, fetch, NEVER));
    expect(await bench.clock.resolve(Promise.all(asking), LIMIT_MS)).toEqual([1, 1, 1]);
    await bench.clock.advance(30_000);
    expect(await bench.clock.resolve(account.shared("site", 60_000, fetch, NEVER), LIMIT_MS)).toBe(1);
    expect(await bench.clock.resolve(account.shared("site", 10_000, fetch, NEVER), LIMIT_MS)).toBe(2);
    expect(await bench.clock.resolve(account.shared("other", 60_000, fetch, NEVER), LIMIT_MS)).toBe(3);
  });

  test("is not kept when it failed", async () => {
    const { account } = makeAccount();
    await expect(account.shared("site", 60_000, () => Promise.reject(new Error("down")), NEVER)).rejects.toThrow(
      "down",
    );
    expect(await account.shared("site", 60_000, async () => "up", NEVER)).toBe("up");
  });

  test("is fetched for those who stay when one gives up, and ends with the last", async () => {
    const { bench, account } = makeAccount();
    const ended: unknown[] = [];
    const fetch = (signal: AbortSignal) => {
      signal.addEventListener("abort", () => ended.push(signal.reason));
      return bench.clock.sleep(1_000, signal).then(() => "site");
    };
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const aborted = account.shared("site", 60_000, fetch, first.signal);
    const stays = account.shared("site", 60_000, fetch, second.signal);
    first.abort("first");
    await expect(aborted).rejects.toBe("first");
    expect(await bench.clock.resolve(stays, LIMIT_MS)).toBe("site");
    expect(ended).toEqual([]);
    const last = account.shared("site", -1, fetch, third.signal);
    await bench.clock.settle();
    third.abort("third");
    await expect(last).rejects.toBe("third");
    expect(ended).toEqual(["third"]);
    const anew = account.shared("site", -1, fetch, second.signal);
    expect(await bench.clock.resolve(anew, LIMIT_MS)).toBe("site");
  });

  test("is old once a command changed it, also what was under way then", async () => {
    const { bench, account } = makeAccount();
    const before = account.shared(
      "site",
      60_000,
      (signal) => bench.clock.sleep(1_000, signal).then(() => "old"),
      NEVER,
    );
    await bench.clock.settle();
    account.outdate("site");
    expect(await account.shared("site", 60_000, async () => "new", NEVER)).toBe("new");
    expect(await bench.clock.resolve(before, LIMIT_MS)).toBe("old");
    expect(await account.shared("site", 60_000, async () => "newest", NEVER)).toBe("new");
  });
});
