import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryDisk, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import type { BusWorld } from "../../../adapters/modbus/bus/bus-world.ts";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { askDevice, prepareTest, type TestOptions, testProfile } from "../../../src/cli/profile/test-profile.ts";
import { PROFILE_STARTER } from "../../../src/config/profile/starter.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeNet } from "../../../src/platform/node/node-net.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../../twins/registers/register-twin.ts";
import type { TwinId } from "../../twins/registers/twin-maps.ts";
import { temporaryFolder } from "../hemgate-process.ts";

const calm = new AbortController().signal;
const DEVICE = { host: "device", port: 502 };
const LIMIT_MS = 600_000;

const PLAIN: TestOptions = {
  name: "eastron-sdm630",
  folder: "/nonexistent/state",
  configFile: "/nonexistent/gateway.yaml",
  line: { host: DEVICE.host },
  settings: [],
  isWatch: false,
  isJson: false,
  isYes: false,
};

interface Bed {
  readonly twin: RegisterTwin;
  /** Runs the command in virtual time: its exit code, or what it rejected with, and what it printed. */
  try(change: Partial<TestOptions>): Promise<{ readonly end: unknown; readonly out: string; readonly err: string }>;
}

async function bedOf(id: TwinId, prepare: (twin: RegisterTwin) => void = () => undefined): Promise<Bed> {
  const world = new World({ seed: 1 });
  const twin = await createTwin(id, { clock: world.clock });
  prepare(twin);
  await serveModbus({ clock: world.clock, net: world.net.host() }, twin, DEVICE);
  const { platform } = world.boot("gateway", new MemoryDisk());
  return {
    twin,
    async try(change) {
      const { context, out, err } = printer();
      const options = { ...PLAIN, ...change };
      const run = async (): Promise<unknown> => {
        // Files and sockets of the machine come before virtual time goes on.
        const prepared = await prepareTest(options, context);
        return await world.clock.resolve(askDevice(prepared, options, context, platform), LIMIT_MS);
      };
      const end = await run().catch((error: unknown) => error);
      return { end, out: out.join("\n"), err: err.join("\n") };
    },
  };
}

function printer() {
  const out: string[] = [];
  const err: string[] = [];
  const context = {
    stop: calm,
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  };
  return { context, out, err };
}

describe("reading", () => {
  test("shows a current with the sign of its power, as the API does, and its register as it is on the wire", async () => {
    const bed = await bedOf("eastron-sdm630", (twin) => {
      twin.set("grid.power.l1", -2_300);
      twin.set("grid.current.l1", 10);
      twin.set("grid.power.l2", 460);
      twin.set("grid.current.l2", 2);
    });
    const { out } = await bed.try({ isJson: true });
    const { points, registers } = JSON.parse(out) as Record<"points" | "registers", readonly object[]>;
    expect(points).toContainEqual({ point: "meter.current.l1", value: -10 });
    expect(points).toContainEqual({ point: "meter.current.l2", value: 2 });
    expect(registers).toContainEqual(expect.objectContaining({ key: "meter.current.l1", value: 10 }));
  });

  test("shows identity, each register as on the wire and decoded, and the points, and writes nothing", async () => {
    const bed = await bedOf("sungrow-sh");
    const { end, out } = await bed.try({ name: "sungrow-sh" });
    expect(end).toBe(EXIT.ok);
    expect(out).toMatch(/^manufacturer Sungrow, model \S.*, serial /);
    expect(out).toMatch(/^inverter\.power +input 5016 +uint32 +[0-9a-f]{4} [0-9a-f]{4} +\d+ +cross-checked$/m);
    expect(out).toMatch(/^battery\.status +[A-Z]+$/m);
    expect(bed.twin.writes).toEqual([]);
  });

  test("says of each control whether it is offered, and why not", async () => {
    const bed = await bedOf("sungrow-sh");
    const { out } = await bed.try({ name: "sungrow-sh" });
    expect(out).toMatch(/^battery\.mode\n {2}SELF_RELIANCE: offered$/m);
    expect(out).toContain("IMPORT_FOCUS: off (nothing would end it) until confirmNoFailsafe");
    expect(out).toContain("no timer ends it: what is written stays when the gateway is gone");
  });

  test("a register that is refused is told as such, and the others are read", async () => {
    const bed = await bedOf("eastron-sdm630");
    const folder = temporaryFolder();
    using _folder = folder;
    const file = join(folder.path, "my-meter.yaml");
    writeFileSync(
      file,
      PROFILE_STARTER.replaceAll("table: holding", "table: input").replace("address: 2,", "address: 9999,"),
    );
    const { end, out } = await bed.try({ name: file });
    expect(end).toBe(EXIT.ok);
    expect(out).toMatch(/^meter\.voltage\.l1 +input 9999 +uint16 +– +.*exception 2.* unverified$/m);
    expect(out).toMatch(/^meter\.power +input 0 +int32 +[0-9a-f]{4} [0-9a-f]{4} /m);
  });

  test("as JSON it is one document", async () => {
    const bed = await bedOf("eastron-sdm630");
    const { out } = await bed.try({ isJson: true });
    expect(JSON.parse(out)).toMatchObject({
      identity: { manufacturer: "Eastron" },
      registers: expect.arrayContaining([
        expect.objectContaining({ key: "meter.power", table: "input", problem: null }),
      ]),
      points: expect.arrayContaining([{ point: "meter.power", value: expect.any(Number) }]),
      controls: [],
    });
  });

  test("nobody there is told, with the address", async () => {
    const bed = await bedOf("eastron-sdm630");
    const { end } = await bed.try({ line: { host: "nowhere" } });
    expect(end).toMatchObject({
      exitCode: EXIT.failed,
      message: expect.stringMatching(/^eastron-sdm630: .*nowhere/),
    });
  });

  test.each<[string, Partial<TestOptions>, RegExp]>([
    [
      "a setting that there is not",
      { name: "sungrow-sh", settings: ["maxCharge=5"] },
      /sungrow-sh has no such setting; it has maxChargeW/,
    ],
    ["a setting without a number", { name: "sungrow-sh", settings: ["maxChargeW"] }, /expected a name and a number/],
    ["a unit that is no number", { line: { host: "device", unit: "one" } }, /unit/],
    ["a profile that there is not", { name: "sungro-sh" }, /did you mean "sungrow-sh"\?$/],
    [
      "a control that there is not",
      { name: "sungrow-sh", write: "battery.mod=IDLE" },
      /did you mean "battery.mode"\?$/,
    ],
    [
      "a value that there is not",
      { name: "sungrow-sh", write: "battery.mode=FULL" },
      /--write battery\.mode: expected SELF_RELIANCE, IDLE/,
    ],
  ])("%s is refused before the device is asked", async (_name, change, told) => {
    const bed = await bedOf("sungrow-sh");
    const { end } = await bed.try(change);
    expect(end).toMatchObject({ message: expect.stringMatching(told) });
    expect(bed.twin.requests).toBe(0);
  });
});

describe("writing", () => {
  const wish = { name: "sungrow-sh", write: "battery.mode=IMPORT_FOCUS" } as const;

  test("needs to be said twice", async () => {
    const bed = await bedOf("sungrow-sh");
    const { end } = await bed.try(wish);
    expect(end).toMatchObject({ exitCode: EXIT.usage, message: expect.stringContaining("add --yes") });
    expect(bed.twin.writes).toEqual([]);
  });

  test("does what was asked, shows it, and leaves the safe default behind", async () => {
    const bed = await bedOf("sungrow-sh");
    const before = bed.twin.effect;
    const { end, out } = await bed.try({ ...wish, isYes: true });
    expect(out).toContain("battery.mode: the device shows IMPORT_FOCUS");
    expect(out).toContain("battery.mode: SELF_RELIANCE was written again");
    expect([end, bed.twin.writes.length > 0, bed.twin.effect]).toEqual([EXIT.ok, true, before]);
  });

  test("a current is put back to what was found", async () => {
    const bed = await bedOf("alfen-ng9xx");
    const before = bed.twin.effect;
    const { out } = await bed.try({ name: "alfen-ng9xx", write: "charger.maxCurrent=9", isYes: true });
    expect(out).toMatch(/charger\.maxCurrent: \d+ was written again/);
    expect(bed.twin.effect).toEqual(before);
  });
});

test("over a real connection it reads what the twin holds", async () => {
  const clock = nodeClock(() => "synced");
  const net = nodeNet(new TestLog());
  const twin = await createTwin("eastron-sdm630", { clock });
  const world = new World({ seed: 1 }).boot("gateway", new MemoryDisk()).platform;
  await using server = await serveModbus({ clock, net }, twin, { host: "127.0.0.1", port: 0 });
  const { port } = server.address;
  const { context, out } = printer();
  const bus: BusWorld = { clock, net, serial: world.serial, udp: world.udp, random: world.random };
  const options = { ...PLAIN, line: { host: "127.0.0.1", port }, isJson: true };
  expect(await testProfile(options, context, bus)).toBe(EXIT.ok);
  const told = JSON.parse(out.join("")) as { registers: { raw: number[] | null; address: number }[] };
  expect(told.registers.length).toBeGreaterThan(10);
  expect(told.registers.every(({ raw }) => raw?.length === 2)).toBe(true);
});
