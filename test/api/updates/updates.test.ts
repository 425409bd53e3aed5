import { expect, test } from "vitest";
import { updateConfig } from "../../../src/config/update-config.ts";
import type { UpdateReport } from "../../../src/domain/updates/update-report.ts";
import type { Updates } from "../../../src/engine/contracts/updates.ts";
import { openUpdates } from "../../../src/engine/updates/open-updates.ts";
import { ownerOf, personOf } from "../people/browser.ts";
import { openRealHouse } from "../support/real-house.ts";

const URL = "/local/update";

/** A house with the service of updates, beside a program that only notes what it is asked for. */
async function openUpdatableHouse(isPackage = true) {
  const requests: string[] = [];
  const made: Updates[] = [];
  const house = await openRealHouse({
    updates: ({ process, store }) => {
      const { clock, cron, log } = process.platform;
      const service = openUpdates({
        ...{ store, clock, cron, log, version: "1.0.0" },
        updates: isPackage ? { request: async (what) => void requests.push(what) } : undefined,
        config: {
          update: updateConfig(() => undefined).parse({ window: "30 3 * * *" }),
          site: { name: "Home", owner: "home", timezone: "Europe/Berlin" },
        },
      });
      made.push(service);
      return service;
    },
  });
  const [service] = made;
  if (service === undefined) throw new Error("no service");
  const report = (how: UpdateReport) => house.home.world.clock.resolve(service.report(how), 1_000);
  return { house, report, requests };
}

test("an owner looks for a later version, begins the update, leaves, and finds again how far it is and how it ended", async () => {
  const { house, report, requests } = await openUpdatableHouse();
  await using _house = house;
  const owner = await ownerOf(house);
  const idle = { version: "1.0.0", isUpdatable: true, available: null, task: null };
  expect((await owner.get(URL)).json()).toEqual(idle);
  const asked = await owner.send("POST", `${URL}/check`);
  expect([asked.statusCode, asked.json()]).toMatchObject([
    202,
    { kind: "check", isScheduled: false, step: "requested", state: "running", outcome: null, endedAt: null },
  ]);
  const again = await owner.send("POST", `${URL}/install`);
  expect([again.statusCode, again.json().detail]).toEqual([409, expect.stringContaining("wait until it has ended")]);
  await report({ outcome: "available", from: "1.0.0", to: "1.1.0" });
  expect((await owner.get(URL)).json()).toMatchObject({
    available: { version: "1.1.0", isAutomatic: true },
    task: { kind: "check", state: "done", outcome: "available", endedAt: expect.any(String) },
  });
  expect((await owner.send("POST", `${URL}/install`)).statusCode).toBe(202);
  expect(requests).toEqual(["check", "install"]);
  await report({ outcome: "prepared", from: "1.0.0", to: "1.1.0" });
  const other = await personOf(house, owner, "owner", "Ben");
  const running = { kind: "install", step: "prepared", state: "running", from: "1.0.0", to: "1.1.0" };
  expect((await other.get(URL)).json()).toMatchObject({ task: running });
  await report({ outcome: "rolled-back", from: "1.0.0", to: "1.1.0", reason: "the API does not listen" });
  expect((await other.get(URL)).json()).toMatchObject({
    available: null,
    task: { ...running, state: "failed", outcome: "rolled-back", reason: "the API does not listen" },
  });
  expect(JSON.stringify((await owner.get("/local/audit")).json())).toContain(`"method":"POST","path":"${URL}/install"`);
});

test("only owners, and programs with the scope, see and begin updates", async () => {
  const { house, requests } = await openUpdatableHouse();
  await using _house = house;
  const owner = await ownerOf(house);
  for (const role of ["installer", "member", "guest"] as const) {
    const person = await personOf(house, owner, role, role);
    const answers = [await person.get(URL), await person.send("POST", `${URL}/install`)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403]);
  }
  expect((await house.ask({ url: URL })).statusCode).toBe(403);
  expect((await house.ask({ method: "POST", url: `${URL}/check` })).statusCode).toBe(403);
  expect(requests).toEqual([]);
});

test("a gateway that is not installed as a package says so, and refuses with what to do", async () => {
  const { house } = await openUpdatableHouse(false);
  await using _house = house;
  const owner = await ownerOf(house);
  expect((await owner.get(URL)).json()).toMatchObject({ version: "1.0.0", isUpdatable: false, task: null });
  const answer = await owner.send("POST", `${URL}/install`);
  expect([answer.statusCode, answer.json().detail]).toEqual([503, expect.stringContaining("UPGRADING.md")]);
});
