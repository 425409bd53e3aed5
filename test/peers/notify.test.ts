import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { Hemgate, temporaryFolder } from "../cli/hemgate-process.ts";

const LISTENER = new URL("notify-socket.py", import.meta.url).pathname;
/** Fed at a third of this: three times a second. */
const WATCHDOG_US = 1_000_000;

test("the service manager is told of the start, that the loops turn, and of the stop", async () => {
  using folder = temporaryFolder();
  const socket = join(folder.path, "notify");
  const config = join(folder.path, "gateway.yaml");
  writeFileSync(config, "http: { host: 127.0.0.1, port: 0 }\n");
  const listener = spawn("python3", [LISTENER, socket], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const heard = createInterface({ input: listener.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await heard.next()).value);
    expect(await next()).toBe("listening");

    await using gateway = new Hemgate(["start", "--config", config, "--state", join(folder.path, "state")], {
      environment: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: String(WATCHDOG_US) },
    });
    expect(await next()).toBe("READY=1");
    expect(await next()).toMatch(/^STATUS=API at http:\/\/127\.0\.0\.1:\d+, devices: 0$/);
    expect([await next(), await next(), await next()]).toEqual(["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]);

    gateway.send("SIGTERM");
    expect(await gateway.finished()).toMatchObject({ code: EXIT.ok });
    let last = await next();
    while (last === "WATCHDOG=1") last = await next();
    expect(last).toBe("STOPPING=1");
  } finally {
    listener.kill("SIGKILL");
  }
});
