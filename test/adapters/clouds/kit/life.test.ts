/** The whole life of an account: linked, restarted, renewed, lost, and linked again. */
import { describe, expect, test } from "vitest";
import { CloudError } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import { chargers, HOUR_MS, KEYS, linkedByForm, type Run, SIGN_IN } from "./linked-life.ts";
import { sunny } from "./sunny.ts";
import { Person, SCOPES, sunnyHouse } from "./sunny-house.ts";

/** What is on disk of the one login. */
function loginNote({ store }: Run): string {
  const notes = store.all("account-note").filter(({ name }) => name === "login");
  expect(notes).toHaveLength(1);
  return notes[0]?.text ?? "";
}

describe("linking", () => {
  test("by name and password shows the account's devices, and links those that are chosen", async () => {
    const house = sunnyHouse("form");
    const run = await house.start();
    const person = await Person.link(house, run);
    expect(await person.press({ ...SIGN_IN, password: "rain" })).toMatchObject({
      step: "sign-in",
      fault: "invalid-credentials",
    });
    expect(await person.press(SIGN_IN)).toMatchObject({
      step: "devices",
      devices: [
        { key: "sunny:c-1", name: "Garage", vendorTypes: ["charger"] },
        { key: "sunny:c-2", name: "Carport" },
      ],
    });
    expect(await person.choose(["sunny:c-1"])).toBe("done");
    await house.pass(10_000);
    expect(chargers(run)).toMatchObject([{ isReachable: true, vendor: "EASEE", scopes: SCOPES, userId: "ada" }]);
    await run.close();
  });

  test("may use what is kept for commands, as a person waits for it", async () => {
    const [day] = sunny("form").budgets;
    const budgets = [{ ...day!, limit: 2, reserved: { command: 2, login: 0 } }];
    const house = sunnyHouse("form", { budgets });
    const run = await house.start();
    const person = await Person.link(house, run);
    expect(await person.press(SIGN_IN)).toMatchObject({ step: "devices" });
    await run.close();
  });

  test("asks about what nobody checked, and turns it on for who says yes", async () => {
    const house = sunnyHouse("form");
    const run = await house.start();
    const person = await Person.link(house, run);
    await person.press(SIGN_IN);
    expect(await person.press({ device: "sunny:c-1" })).toMatchObject({
      step: "setup",
      fields: [{ name: "confirmUnverified", details: [{ point: "charger.enabled", confidence: "unverified" }] }],
    });
    expect((await person.press({ confirmUnverified: "charger.enabled" })).step).toBe("done");
    const other = await Person.link(house, run, "eve");
    await other.press(SIGN_IN);
    expect(await other.choose("sunny:c-2")).toBe("done");
    await house.pass(10_000);
    const capable = chargers(run).map(({ userId, capabilities }) => [userId, capabilities.startCharging.isCapable]);
    expect(Object.fromEntries(capable)).toEqual({ ada: true, eve: false });
    await run.close();
  });

  test("with a second factor asks for its code", async () => {
    const house = sunnyHouse("form");
    house.twin.secondFactor = "4711";
    const run = await house.start();
    const person = await Person.link(house, run);
    expect(await person.press(SIGN_IN)).toMatchObject({ step: "challenge", fields: [{ name: "code" }] });
    expect(await person.press({ code: "1" })).toMatchObject({ step: "challenge", fault: "failed-auth-challenge" });
    expect((await person.press({ code: "4711" })).step).toBe("devices");
    await run.close();
  });

  test("by the vendor's own page comes back with the person", async () => {
    const house = sunnyHouse("code");
    const run = await house.start();
    const person = await Person.link(house, run);
    const away = await person.see();
    if (away.step !== "away") throw new Error(`the page shows ${away.step}`);
    const query = house.twin.authorize(away.url);
    expect((await person.comeBack(query)).step).toBe("devices");
    expect(await person.choose(KEYS)).toBe("done");
    await house.pass(10_000);
    expect(chargers(run)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
    await run.close();
  });

  test("by a device code waits until it was entered", async () => {
    const house = sunnyHouse("device-code");
    const run = await house.start();
    const person = await Person.link(house, run);
    expect(await person.await("wait")).toMatchObject({ code: "WDJB", url: "https://sunny.example/enter" });
    await house.pass(20_000);
    expect((await person.see()).step).toBe("wait");
    house.twin.entered = "yes";
    expect((await person.await("devices")).step).toBe("devices");
    await run.close();
  });

  test("links a device that its vendor may not be asked about yet, and says that it comes later", async () => {
    const refusing = { isUnderWay: true };
    const { open } = sunny("form");
    const house = sunnyHouse("form", {
      open: (session, key, signal) => {
        if (key === "c-2" && refusing.isUnderWay) throw new CloudError("no-budget", "not now");
        return open(session, key, signal);
      },
    });
    const run = await house.start();
    const person = await Person.link(house, run);
    await person.press(SIGN_IN);
    expect(await person.choose(KEYS)).toBe("done");
    expect(await person.see()).toMatchObject({
      step: "done",
      devices: [
        { name: "Garage", comesLater: false },
        { name: "Carport", comesLater: true },
      ],
    });
    await house.pass(10_000);
    expect(chargers(run)).toMatchObject([{ isReachable: true }]);
    refusing.isUnderWay = false;
    await house.pass(5 * 60_000);
    expect(chargers(run)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
    await run.close();
  });

  test("says that a vendor that is down is not there", async () => {
    const house = sunnyHouse("form");
    const run = await house.start();
    const person = await Person.link(house, run);
    house.twin.trouble = "down";
    expect(await person.press(SIGN_IN)).toMatchObject({ step: "sign-in", fault: "unavailable" });
    await run.close();
  });
});

describe("an account's devices", () => {
  test("share its login and its requests", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    await house.pass(60_000);
    const before = house.twin.asks("/chargers");
    await house.pass(10 * 60_000);
    const asked = house.twin.asks("/chargers") - before;
    expect(chargers(run)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
    expect(house.twin.asks("/login")).toBe(1);
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(16);
    await run.close();
  });

  test("work after a crash without another login", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    run.process.kill();
    house.home.disk.crash();
    const next = await house.start();
    await house.pass(120_000);
    expect(chargers(next)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
    expect(house.twin.asks("/login")).toBe(1);
    await next.close();
  });

  test("that are taken away one by one take the login with the last", async () => {
    const house = sunnyHouse("form");
    const run = await linkedByForm(house);
    const { fleet } = run.engine.services;
    const [first, second] = fleet.list();
    const { clock } = house.home.world;
    await clock.resolve(fleet.remove([first?.id ?? ""]), 60_000);
    expect(run.store.all("account-note").map(({ name }) => name)).toContain("login");
    await clock.resolve(fleet.remove([second?.id ?? ""]), 60_000);
    expect(run.store.all("account-note").filter(({ account }) => account !== "")).toEqual([]);
    await run.close();
  });

  test("keep their login when the process is killed at any moment of a rotation", async () => {
    const house = sunnyHouse("device-code", {}, { forgives: true, accessMs: 10 * 60_000 });
    const { clock } = house.home.world;
    let run = await house.start();
    const person = await Person.link(house, run);
    house.twin.entered = "yes";
    await person.await("devices");
    await person.choose(KEYS);
    await house.pass(10_000);
    const outcomes = new Set<boolean>();
    for (let kill = 0; kill < 6; kill += 1) {
      const asked = house.twin.asks("/token");
      expect(await clock.runUntil(() => house.twin.asks("/token") > asked, HOUR_MS)).toBe(true);
      await house.pass(kill * 35);
      run.process.kill();
      house.home.disk.crash();
      run = await house.start();
      outcomes.add(loginNote(run).includes(house.twin.desk.newestRefresh));
      await house.pass(30_000);
    }
    // Some kills were before the new token was on disk, some after.
    expect(outcomes).toEqual(new Set([true, false]));
    await house.pass(30 * 60_000);
    expect(chargers(run)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
    expect(house.twin.desk.refused).toBe(0);
    await run.close();
  });

  test("are of one account, however often a person signs in to it", async () => {
    const house = sunnyHouse("code");
    const run = await house.start();
    const notes: string[] = [];
    for (const key of KEYS) {
      const person = await Person.link(house, run);
      const away = await person.see();
      if (away.step !== "away") throw new Error(`the page shows ${away.step}`);
      await person.comeBack(house.twin.authorize(away.url));
      expect(await person.choose(key)).toBe("done");
      notes.push(loginNote(run));
      await house.pass(10_000);
    }
    expect(new Set(notes).size).toBe(2);
    expect(chargers(run)).toMatchObject([{ isReachable: true }, { isReachable: true }]);
    expect(new Set(run.engine.services.fleet.list().map(({ options }) => options["account"])).size).toBe(1);
    await run.close();
  });
});
