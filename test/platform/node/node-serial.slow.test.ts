import { execFile, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const NOBODY = 65_534;

test("A serial port that belongs to another user is refused with the group that the user has to be in", async ({
  skip,
}) => {
  skip(process.getuid?.() !== 0, "making a device node and becoming another user takes root");
  const folder = await mkdtemp(join(tmpdir(), "hemgate-serial-"));
  try {
    await chmod(folder, 0o755);
    const port = join(folder, "ttyS0");
    // The number of the first serial port of every Linux.
    const made = spawnSync("mknod", ["--mode=600", port, "c", "4", "64"], { encoding: "utf8" });
    skip(made.status !== 0, `no device node can be made here: ${made.stderr}`);
    expect(await openAsNobody(port)).toEqual({
      reason: "no-serial-port",
      message: `open ${port}: this user may not open the port; it has to be in its group, mostly dialout`,
    });
    await chmod(port, 0o666);
    expect(await openAsNobody(port)).not.toMatchObject({ message: expect.stringContaining("this user") });
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** What a process of another user gets from opening a serial port; `null` if it is open. */
async function openAsNobody(path: string): Promise<{ readonly reason: string; readonly message: string } | null> {
  const module = new URL("../../../src/platform/node/node-serial.ts", import.meta.url).href;
  const settings = JSON.stringify({ path, baudRate: 9_600, dataBits: 8, parity: "none", stopBits: 1 });
  const code = `
    const { nodeSerial } = await import(${JSON.stringify(module)});
    await import("serialport");
    process.setgroups([${NOBODY}]); process.setgid(${NOBODY}); process.setuid(${NOBODY});
    const events = { data: () => undefined, closed: () => undefined };
    await nodeSerial.open(${settings}, events, new AbortController().signal).then(
      (port) => { port[Symbol.dispose](); console.log("null"); },
      ({ reason, message }) => console.log(JSON.stringify({ reason, message })),
    );`;
  const run = promisify(execFile);
  return JSON.parse((await run(process.execPath, ["--input-type=module", "--eval", code])).stdout);
}
