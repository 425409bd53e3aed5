import { describe, expect, test } from "vitest";
import { SIGNAL } from "./tesla-houses.ts";
import { messages, signedHome, tamper } from "./tesla-signed-home.ts";

describe("an answer that a vehicle did not give", () => {
  test.each<[string, (answer: Buffer) => Buffer | null]>([
    ["nothing", () => Buffer.alloc(0)],
    ["null", () => null],
    ["half of it", (answer) => answer.subarray(0, answer.length / 2)],
    ["noise", () => Buffer.alloc(64, 0x9c)],
    ["one with a broken seal", (answer) => spoiled(answer, 40)],
  ])("is an error: %s", async (_what, change) => {
    const { home, device } = await signedHome();
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    tamper(home, change);
    await expect(device.write("vehicle.maxCurrent", 9, SIGNAL)).rejects.toMatchObject({ kind: "malformed" });
  });

  test.each([true, false])("to a command before does not count for the next, sealed: %s", async (sealsReplies) => {
    const { home, car, device } = await signedHome();
    car.sealsReplies = sealsReplies;
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    let first: Buffer | null = null;
    tamper(home, (answer) => {
      first ??= answer;
      return first;
    });
    await device.write("vehicle.maxCurrent", 8, SIGNAL);
    await expect(device.write("vehicle.maxCurrent", 9, SIGNAL)).rejects.toMatchObject({ kind: "malformed" });
  });

  test.each([
    ["of its other computer", "malformed", (answer: Buffer) => swapped(answer, "3a020803", "3a020802")],
    ["that it is busy", "unavailable", (answer: Buffer) => Buffer.concat([answer, bytesOf("62020801")])],
    ["that it failed", "refused", (answer: Buffer) => Buffer.concat([answer, bytesOf("62020802")])],
  ])("is none to a command: one %s", async (_what, kind, change) => {
    const { home, car, device } = await signedHome();
    car.sealsReplies = false;
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    tamper(home, change);
    await expect(device.write("vehicle.maxCurrent", 9, SIGNAL)).rejects.toMatchObject({ kind });
  });

  test("calls for a new greeting", async () => {
    const { home, device } = await signedHome();
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    const { serve } = home.twin;
    tamper(home, (answer) => spoiled(answer, 40));
    await expect(device.write("vehicle.maxCurrent", 8, SIGNAL)).rejects.toMatchObject({ kind: "malformed" });
    home.twin.serve = serve;
    const before = messages(home).length;
    await device.write("vehicle.maxCurrent", 9, SIGNAL);
    expect(messages(home).length - before).toBe(2);
  });

  test("with any of its bits changed counts as done only when it was", async () => {
    const { home, car, device } = await signedHome();
    let bit = 0;
    tamper(home, (answer) => {
      const changed = Buffer.from(answer);
      const at = Math.floor(bit / 8) % changed.length;
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (bit % 8)), at);
      return changed;
    });
    const kinds = new Set<unknown>();
    for (; bit < 3_000; bit += 7) {
      const before = car.done.length;
      const kind = await device.write("vehicle.maxCurrent", 10, SIGNAL).then(
        () => "done",
        (error: { kind: unknown }) => error.kind,
      );
      kinds.add(kind);
      const done = car.done.length - before;
      expect([kind, done]).toEqual([kind, kind === "done" ? 1 : expect.any(Number)]);
    }
    expect(kinds).not.toContain(undefined);
    expect(kinds).toContain("malformed");
  });
});

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}

function swapped(answer: Buffer, from: string, to: string): Buffer {
  return bytesOf(answer.toString("hex").replace(from, to));
}

function spoiled(answer: Buffer, at: number): Buffer {
  const changed = Buffer.from(answer);
  changed.writeUInt8(changed.readUInt8(answer.length - at) ^ 1, answer.length - at);
  return changed;
}
