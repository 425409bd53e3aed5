import { type AccountNotes, defineAdapter, z } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { makeHome } from "../home.ts";

const LIMIT_MS = 10_000;

/** Returns an adapter whose devices always answer, with access to its accounts' notes. */
function notesAdapter(name = "notesAdapter") {
  const taken: AccountNotes[] = [];
  const adapter = defineAdapter({
    name,
    options: z.object({ account: z.string() }),
    start: ({ accounts }) => {
      taken.push(accounts);
      return {
        connect: async () => ({
          identity: { manufacturer: null, model: null, serial: null, version: null },
          vendors: ["SIMULATED"],
          points: ["meter.power"],
          controls: [],
          pollMs: 1_000,
          read: async () => [{ point: "meter.power", value: 5 }],
          write: async () => undefined,
          [Symbol.asyncDispose]: async () => undefined,
        }),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  });
  const latest = (): AccountNotes => {
    const notes = taken.at(-1);
    if (notes === undefined) throw new Error("the adapter was not started");
    return notes;
  };
  return { adapter, latest };
}

const device = (id: string, account: string) => ({ id, adapter: "notesAdapter", account });

async function linked(home: ReturnType<typeof makeHome>, ids: readonly string[], account: string) {
  const run = await home.start({ devices: [] });
  const scopes = ["meter:read:data"];
  const records = ids.map((id) => {
    const source = "linked" as const;
    return {
      id,
      adapter: "notesAdapter",
      options: { account },
      source,
      userId: "ada",
      name: id,
      scopes,
      createdAtMs: 0,
    };
  });
  await home.world.clock.resolve(run.engine.services.users.ensure("ada"), LIMIT_MS);
  await home.world.clock.resolve(run.engine.services.fleet.addAll(records), LIMIT_MS);
  await home.world.clock.advance(3_000);
  return run;
}

describe("account notes", () => {
  test("Account notes survive a crash, and only their adapter reads them for their account", async () => {
    const [own, other] = [notesAdapter(), notesAdapter("other")];
    const home = makeHome(1, { adapters: [own.adapter, other.adapter] });
    const { clock } = home.world;
    const devices = [device("meter", "a/1"), device("roof", "a"), { ...device("far", "a/1"), adapter: "other" }];
    const run = await home.start({ devices });
    await clock.resolve(own.latest().put("a/1", "login", "secret"), LIMIT_MS);
    run.process.kill();
    home.disk.crash();
    const next = await home.start({ devices });
    expect(own.latest().get("a/1", "login")).toBe("secret");
    expect(own.latest().names("a/1")).toEqual(["login"]);
    expect(own.latest().names("a")).toEqual([]);
    expect(other.latest().get("a/1", "login")).toBeNull();
    await clock.resolve(own.latest().remove("a/1", "login"), LIMIT_MS);
    expect(own.latest().names("a/1")).toEqual([]);
    await next.close();
  });

  test("Account notes that exceed a limit are rejected", async () => {
    const { adapter, latest } = notesAdapter();
    const home = makeHome(1, { adapters: [adapter] });
    const { clock } = home.world;
    const run = await home.start({ devices: [device("meter", "a")] });
    for (let note = 0; note < 16; note += 1) await clock.resolve(latest().put("a", `${note}`, "x"), LIMIT_MS);
    await expect(latest().put("a", "16", "x")).rejects.toMatchObject({ kind: "rejected" });
    await expect(latest().put("a", "0", "x".repeat(16_001))).rejects.toMatchObject({ kind: "rejected" });
    await expect(latest().put("b", "n".repeat(101), "x")).rejects.toMatchObject({ kind: "rejected" });
    await clock.resolve(latest().put("a", "15", "x".repeat(16_000)), LIMIT_MS);
    expect(latest().get("a", "15")).toHaveLength(16_000);
    await run.close();
  });

  test("Account notes are deleted with the last device of the account", async () => {
    const { adapter, latest } = notesAdapter();
    const home = makeHome(1, { adapters: [adapter] });
    const { clock } = home.world;
    const run = await linked(home, ["one", "two"], "a");
    await clock.resolve(latest().put("a", "login", "secret"), LIMIT_MS);
    await clock.resolve(run.engine.services.fleet.remove(["one"]), LIMIT_MS);
    expect(latest().get("a", "login")).toBe("secret");
    await clock.resolve(run.engine.services.fleet.remove(["two"]), LIMIT_MS);
    expect(latest().get("a", "login")).toBeNull();
    await run.close();
  });

  test("Account notes are deleted with the authorization of the user", async () => {
    const { adapter, latest } = notesAdapter();
    const home = makeHome(1, { adapters: [adapter] });
    const { clock } = home.world;
    const run = await linked(home, ["one"], "a");
    await clock.resolve(latest().put("a", "login", "secret"), LIMIT_MS);
    await clock.resolve(run.engine.services.userRemovals.deauthorize("ada"), LIMIT_MS);
    expect(latest().get("a", "login")).toBeNull();
    await run.close();
  });

  test("Account notes without a device of the account are deleted at the start", async () => {
    const { adapter, latest } = notesAdapter();
    const home = makeHome(1, { adapters: [adapter] });
    const { clock } = home.world;
    const run = await home.start({ devices: [device("meter", "used")] });
    await clock.resolve(latest().put("used", "login", "1"), LIMIT_MS);
    await clock.resolve(latest().put("unused", "login", "2"), LIMIT_MS);
    await clock.resolve(latest().put("", "count", "3"), LIMIT_MS);
    await run.close();
    const next = await home.start({ devices: [device("meter", "used")] });
    expect(latest().get("used", "login")).toBe("1");
    expect(latest().get("unused", "login")).toBeNull();
    expect(latest().get("", "count")).toBe("3");
    await next.close();
  });
});
