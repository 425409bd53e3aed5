import { describe, expect, test } from "vitest";
import { interventionId } from "../../../../src/domain/interventions/intervention.ts";
import { chargers, HOUR_MS, linkedByForm, type Run, SIGN_IN } from "./linked-life.ts";
import { Person, sunnyHouse } from "./sunny-house.ts";

describe("a login that the vendor takes back", () => {
  test("is told as invalid credentials, with a remedy, and is not tried again", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    house.twin.password = "changed";
    house.twin.desk.revokeAll();
    await house.pass(5 * 60_000);
    expect(chargers(run)).toMatchObject([{ isReachable: false }, { isReachable: false }]);
    expect(run.engine.services.users.linkedVendors("ada")).toMatchObject([{ vendor: "EASEE", isValid: false }]);
    const told = await house.home.world.clock.resolve(run.store.journalAfter(null, 1_000), 10_000);
    expect(told.filter(({ event }) => event === "user:credentials:invalidated")).toHaveLength(1);
    const [asset] = chargers(run);
    const ids = asset?.capabilities.startCharging.interventionIds ?? [];
    expect(ids).toContain(interventionId("relink", "EASEE", "charger"));
    const logins = house.twin.asks("/login");
    await house.pass(2 * HOUR_MS);
    expect(house.twin.asks("/login")).toBe(logins);
    await run.close();
  });

  test("works again under the same ids once the person signs in anew", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    const ids = chargers(run).map(({ id }) => id);
    house.twin.password = "changed";
    house.twin.desk.revokeAll();
    await house.pass(5 * 60_000);
    const person = await Person.relink(house, run, ids[0] ?? "");
    expect(await person.decide(await person.press({ ...SIGN_IN, password: "changed" }))).toBe("done");
    await house.pass(5 * 60_000);
    expect(chargers(run)).toMatchObject(ids.map((id) => ({ id, isReachable: true })));
    expect(run.engine.services.users.linkedVendors("ada")).toMatchObject([{ isValid: true }]);
    await run.close();
  });
});

test("a vendor that is down for hours is not asked for all that was known of the devices again and again", async () => {
  const house = sunnyHouse("form");
  const run = await linkedByForm(house);
  house.twin.trouble = "down";
  await house.pass(HOUR_MS);
  const asked = house.twin.asked.length;
  await house.pass(2 * HOUR_MS);
  // Two devices, three tries each, every quarter of an hour.
  expect(house.twin.asked.length - asked).toBeLessThanOrEqual(2 * 3 * 9);
  expect(chargers(run)).toMatchObject([{ isReachable: false }, { isReachable: false }]);
  house.twin.trouble = null;
  await house.pass(20 * 60_000);
  expect(chargers(run)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
  await run.close();
});

describe("how the account does", () => {
  const health = (run: Run) => run.engine.services.vendors.health("charger").find(({ vendor }) => vendor === "EASEE");

  test("is shown with what is left of the quota", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    await house.pass(HOUR_MS);
    const [account, ...others] = run.engine.services.vendors.accounts();
    expect(others).toEqual([]);
    expect(account).toMatchObject({ vendor: "EASEE", connected: 2, isSignedIn: true, failed: {}, nextPollAt: null });
    expect(account?.answered).toBeGreaterThan(20);
    expect(account?.stream).toBeNull();
    const [quota] = account?.quotas ?? [];
    expect(quota).toMatchObject({ name: "day", subject: null, limit: 5_000 });
    // What is marked ahead of a crash counts as spent.
    expect(5_000 - (quota?.left ?? 0)).toBeGreaterThanOrEqual(account?.answered ?? 0);
    expect(quota?.leftForPolls).toBeLessThan(quota?.left ?? 0);
    await run.close();
  });

  test("makes the vendor's health, from elevated to out and back", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    await house.pass(HOUR_MS);
    expect(health(run)?.status).toBe("READY");
    house.twin.trouble = "down";
    await house.pass(50 * 60_000);
    expect(health(run)?.status).not.toBe("READY");
    await house.pass(2 * HOUR_MS);
    expect(health(run)?.status).toBe("OUTAGE");
    const [account] = run.engine.services.vendors.accounts();
    expect(account).toMatchObject({ answered: 0, connected: 0, isSignedIn: true });
    expect(account?.failed["unavailable"]).toBeGreaterThan(0);
    house.twin.trouble = null;
    await house.pass(2 * HOUR_MS);
    expect(health(run)?.status).toBe("READY");
    await run.close();
  });

  test("says that the login is refused", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    house.twin.password = "changed";
    house.twin.desk.revokeAll();
    await house.pass(5 * 60_000);
    expect(run.engine.services.vendors.accounts().every(({ isSignedIn }) => !isSignedIn)).toBe(true);
    await run.close();
  });
});
