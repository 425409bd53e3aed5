import { describe, expect, test } from "vitest";
import type { Grant } from "../../../../../adapters/clouds/kit/connector.ts";
import { freshLogin, keepLogin, loginIn } from "../../../../../adapters/clouds/kit/login/kept-login.ts";
import { AccountTokens, type Renewals } from "../../../../../adapters/clouds/kit/login/tokens.ts";
import { CloudError } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { TestLog } from "../../../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../../../src/testing/virtual-clock.ts";
import { TokenDesk } from "../../../../twins/clouds/token-desk.ts";

const calm = new AbortController().signal;
const HOUR_MS = 3_600_000;
const LIMIT_MS = 60_000;

/** A disk that can be slow, refuse, or be cut off. */
class SlowDrawer {
  readonly onDisk = new Map<string, string>();
  /** What writes wait for. */
  gate: Promise<void> = Promise.resolve();
  isFull = false;

  get(name: string): string | null {
    return this.onDisk.get(name) ?? null;
  }

  async put(name: string, text: string): Promise<void> {
    await this.gate;
    if (this.isFull) throw new Error("no space is left");
    this.onDisk.set(name, text);
  }
}

async function bed({ forgives = true, form = null as Record<string, string> | null } = {}) {
  const clock = new VirtualClock();
  const desk = new TokenDesk({ clock, accessMs: HOUR_MS, refreshMs: null, rotates: true, forgives });
  const store = new SlowDrawer();
  const grantOf = (answer: ReturnType<TokenDesk["issue"]>): Grant => {
    const { access_token: access, refresh_token: refresh, expires_in } = answer;
    return { access, refresh, expiresAtMs: clock.nowMs() + expires_in * 1_000 };
  };
  const state = { renewals: 0, logins: 0, password: "sunshine", renewalMs: 100, isDown: false };
  const renewals: Renewals = {
    renew: async ({ refresh }, signal) => {
      state.renewals += 1;
      await clock.sleep(state.renewalMs, signal);
      if (state.isDown) throw new CloudError("unavailable", "down");
      const answer = desk.renew(refresh);
      if (answer === null) throw new CloudError("login-refused", "invalid_grant");
      return grantOf(answer);
    },
    signInAgain:
      form === null
        ? null
        : async ({ password }) => {
            state.logins += 1;
            if (password !== state.password) throw new CloudError("login-refused", "wrong password");
            return grantOf(desk.issue());
          },
  };
  let isAlive = { now: true };
  const start = () => {
    const own = { now: true };
    isAlive = own;
    const never = new Promise<never>(() => undefined);
    const put = (name: string, text: string) => (own.now ? store.put(name, text) : never);
    const shelf = { get: (name: string) => store.get(name), put };
    return new AccountTokens({ clock, log: new TestLog(), store: shelf, renewals, vendor: "sunny" });
  };
  /** Nothing that the latest process does from here on gets to the disk. */
  const kill = () => {
    isAlive.now = false;
  };
  await keepLogin(store, freshLogin({ grant: grantOf(desk.issue()), form }, null));
  return { clock, desk, store, state, start, kill, in: <T>(work: Promise<T>) => clock.resolve(work, LIMIT_MS) };
}

describe("the grant of an account", () => {
  test("is used as it is until shortly before its end, then renewed once for all who ask", async () => {
    const house = await bed();
    const tokens = house.start();
    const first = await tokens.current(calm);
    await house.clock.advance(HOUR_MS - 120_000);
    expect(await tokens.current(calm)).toEqual(first);
    await house.clock.advance(90_000);
    const [one, two] = await house.in(Promise.all([tokens.current(calm), tokens.current(calm)]));
    expect(one.access).not.toBe(first.access);
    expect(two).toEqual(one);
    expect(house.state.renewals).toBe(1);
  });

  test("that the vendor did not accept is renewed once, though several noticed", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    const renewed = await house.in(Promise.all([tokens.renew(stale, calm), tokens.renew(stale, calm)]));
    const later = await house.in(tokens.renew(stale, calm));
    expect(new Set([...renewed, later].map(({ access }) => access)).size).toBe(1);
    expect(house.state.renewals).toBe(1);
  });

  test("is on disk before anybody gets it", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    const disk = Promise.withResolvers<void>();
    house.store.gate = disk.promise;
    let given: Grant | null = null;
    const renewing = tokens.renew(stale, calm).then((grant) => {
      given = grant;
    });
    await house.clock.advance(1_000);
    expect(house.state.renewals).toBe(1);
    expect(given).toBeNull();
    disk.resolve();
    await house.in(renewing);
    expect(loginIn(house.store)?.grant).toEqual(given);
  });

  test.each(["before the vendor's answer", "before the disk", "after the disk"])(
    "survives a crash %s",
    async (moment) => {
      const house = await bed();
      const tokens = house.start();
      const stale = await tokens.current(calm);
      // What is still on its way to the disk at the crash never gets there.
      if (moment === "before the disk") house.store.gate = new Promise(() => undefined);
      tokens.renew(stale, calm).catch(() => undefined);
      await house.clock.advance(moment === "before the vendor's answer" ? 50 : 1_000);
      house.kill();
      house.store.gate = Promise.resolve();
      await house.clock.advance(1_000);
      expect(loginIn(house.store)?.grant.access === stale.access).toBe(moment !== "after the disk");
      const next = house.start();
      const grant = await house.in(next.renew(await house.in(next.current(calm)), calm));
      expect(house.desk.accepts(grant.access)).toBe(true);
      expect(await house.in(next.renew(grant, calm))).not.toEqual(grant);
    },
  );

  test("that a full disk cannot keep is not used until it can", async () => {
    const house = await bed({ forgives: false });
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.store.isFull = true;
    await expect(house.in(tokens.renew(stale, calm))).rejects.toMatchObject({ kind: "unavailable" });
    await expect(house.in(tokens.current(calm))).rejects.toMatchObject({ kind: "unavailable" });
    house.store.isFull = false;
    const grant = await house.in(tokens.current(calm));
    expect(grant.access).not.toBe(stale.access);
    expect(loginIn(house.store)?.grant).toEqual(grant);
    expect(house.state.renewals).toBe(1);
  });

  test("is renewed to the end although nobody waits for it any more", async () => {
    const house = await bed({ forgives: false });
    const tokens = house.start();
    const stale = await tokens.current(calm);
    const impatient = new AbortController();
    const asking = tokens.renew(stale, impatient.signal);
    impatient.abort(new Error("given up"));
    await expect(asking).rejects.toThrow("given up");
    await house.clock.advance(1_000);
    expect(loginIn(house.store)?.grant.access).not.toBe(stale.access);
    expect(await tokens.current(calm)).toEqual(loginIn(house.store)?.grant);
  });

  test("is tried again after a failure that is none of the login's", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.state.isDown = true;
    await expect(house.in(tokens.renew(stale, calm))).rejects.toMatchObject({ kind: "unavailable" });
    house.state.isDown = false;
    expect((await house.in(tokens.renew(stale, calm))).access).not.toBe(stale.access);
  });

  test("whose renewal hangs ends in bounded time", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.state.renewalMs = 10 * HOUR_MS;
    await expect(house.in(tokens.renew(stale, calm))).rejects.toMatchObject({ kind: "timeout" });
  });
});

describe("a login that the vendor refuses", () => {
  test("is not tried again for hours, over a restart, and then once", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.desk.revokeAll();
    await expect(house.in(tokens.renew(stale, calm))).rejects.toMatchObject({ kind: "login-refused" });
    const tried = house.state.renewals;
    await house.clock.advance(3 * HOUR_MS);
    const next = house.start();
    await expect(next.current(calm)).rejects.toMatchObject({ kind: "login-refused" });
    await expect(next.renew(stale, calm)).rejects.toMatchObject({ kind: "login-refused" });
    expect(house.state.renewals).toBe(tried);
    await house.clock.advance(3 * HOUR_MS);
    await expect(house.in(next.current(calm))).rejects.toMatchObject({ kind: "login-refused" });
    await expect(next.current(calm)).rejects.toMatchObject({ kind: "login-refused" });
    expect(house.state.renewals).toBe(tried + 1);
  });

  test("with the newest token is tried once with the one before", async () => {
    const house = await bed();
    const tokens = house.start();
    const first = await tokens.current(calm);
    const second = await house.in(tokens.renew(first, calm));
    // The vendor lost what it gave last.
    const kept = loginIn(house.store);
    if (kept === null) throw new Error("nothing is kept");
    await keepLogin(house.store, { ...kept, grant: { ...second, refresh: "lost" } });
    const next = house.start();
    const third = await house.in(next.renew(second, calm));
    expect(house.desk.accepts(third.access)).toBe(true);
  });

  test("is good again when the person links anew", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.desk.revokeAll();
    await expect(house.in(tokens.renew(stale, calm))).rejects.toMatchObject({ kind: "login-refused" });
    const { access_token: access, refresh_token: refresh } = house.desk.issue();
    await tokens.replace({ grant: { access, refresh, expiresAtMs: null }, form: null });
    expect((await tokens.current(calm)).access).toBe(access);
    expect((await house.start().current(calm)).access).toBe(access);
  });

  test("goes on by what it had before when a sign-in brought no refresh token that is good", async () => {
    for (const refresh of [null, "nonsense"]) {
      const house = await bed();
      const tokens = house.start();
      const { access_token: access } = house.desk.issue();
      await tokens.replace({ grant: { access, refresh, expiresAtMs: null }, form: null });
      const stale = await tokens.current(calm);
      const renewed = await house.in(house.start().renew(stale, calm));
      expect(house.desk.accepts(renewed.access)).toBe(true);
    }
  });

  test("by password signs in once more by itself, and never again once the password was refused", async () => {
    const house = await bed({ form: { password: "sunshine" } });
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.desk.revokeAll();
    const grant = await house.in(tokens.renew(stale, calm));
    expect(house.state.logins).toBe(1);
    house.desk.revokeAll();
    house.state.password = "changed";
    await expect(house.in(tokens.renew(grant, calm))).rejects.toMatchObject({ kind: "login-refused" });
    await house.clock.advance(1_000 * HOUR_MS);
    await expect(house.start().current(calm)).rejects.toMatchObject({ kind: "login-refused" });
    expect(house.state.logins).toBe(2);
  });

  test("is none while a sign-in of the person overtakes a renewal", async () => {
    const house = await bed();
    const tokens = house.start();
    const stale = await tokens.current(calm);
    house.desk.revokeAll();
    const renewing = tokens.renew(stale, calm).catch(() => null);
    const { access_token: access, refresh_token: refresh } = house.desk.issue();
    await tokens.replace({ grant: { access, refresh, expiresAtMs: null }, form: null });
    await house.in(renewing);
    expect((await tokens.current(calm)).access).toBe(access);
    expect(loginIn(house.store)).toMatchObject({ grant: { access }, refused: null });
  });

  test("and nobody's login are the same to whoever asks", async () => {
    const house = await bed();
    house.store.onDisk.set("login", "{");
    await expect(house.start().current(calm)).rejects.toMatchObject({ kind: "login-refused" });
  });
});
