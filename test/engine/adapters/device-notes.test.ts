import { type DeviceNotes, defineAdapter, z } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { makeHome } from "../home.ts";

const LIMIT_MS = 10_000;

/** Returns an adapter whose devices always answer, with access to its devices' notes. */
function notesAdapter() {
  const taken: DeviceNotes[] = [];
  const adapter = defineAdapter({
    name: "notesAdapter",
    options: z.object({}),
    start: ({ notes }) => {
      taken.push(notes);
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
  const latest = (): DeviceNotes => {
    const notes = taken.at(-1);
    if (notes === undefined) throw new Error("the adapter was not started");
    return notes;
  };
  return { adapter, latest };
}

const DEVICES = [{ id: "meter", adapter: "notesAdapter" }];

describe("device notes", () => {
  test("Device notes survive a crash and are deleted with the device", async () => {
    const { adapter, latest } = notesAdapter();
    const home = makeHome(1, { adapters: [adapter] });
    const { clock } = home.world;
    const run = await home.start({ devices: DEVICES });
    await clock.advance(3_000);
    expect(latest().get("meter", "certificate")).toBeNull();
    await clock.resolve(latest().put("meter", "certificate", "ab"), LIMIT_MS);
    run.process.kill();
    home.disk.crash();
    const next = await home.start({ devices: DEVICES });
    await clock.advance(3_000);
    expect(latest().get("meter", "certificate")).toBe("ab");
    await next.close();
    await (await home.start({ devices: [] })).close();
    const last = await home.start({ devices: DEVICES });
    expect(latest().get("meter", "certificate")).toBeNull();
    await last.close();
  });

  test("Device notes that exceed a limit are rejected", async () => {
    const { adapter, latest } = notesAdapter();
    const home = makeHome(1, { adapters: [adapter] });
    const { clock } = home.world;
    const run = await home.start({ devices: DEVICES });
    for (let note = 0; note < 8; note += 1) await clock.resolve(latest().put("meter", `${note}`, "x"), LIMIT_MS);
    await expect(latest().put("meter", "8", "x")).rejects.toMatchObject({ kind: "rejected" });
    await expect(latest().put("other", "n".repeat(41), "x")).rejects.toMatchObject({ kind: "rejected" });
    await expect(latest().put("other", "0", "x".repeat(4_001))).rejects.toMatchObject({ kind: "rejected" });
    await clock.resolve(latest().put("meter", "7", "y"), LIMIT_MS);
    expect(latest().get("meter", "7")).toBe("y");
    await run.close();
  });
});
