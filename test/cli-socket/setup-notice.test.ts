import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepSetupNotice } from "../../src/cli-socket/setup-notice.ts";
import { consoleNotice } from "../../src/platform/node/console-notice.ts";
import { TestLog, VirtualClock } from "../../src/testing/index.ts";

function keep() {
  const clock = new VirtualClock();
  const log = new TestLog();
  const stop = new AbortController();
  const house = { isClaimed: false, code: "K7QM-2FXA" as string | null, addresses: [] as string[], isFull: false };
  const shown: (string | null)[] = [];
  const show = async (text: string | null): Promise<void> => {
    if (house.isFull) throw new Error("the disk is full");
    shown.push(text);
  };
  const people = { isClaimed: () => house.isClaimed, setupCode: () => house.code };
  const options = { clock, log, notice: { show }, people, addresses: () => house.addresses };
  return { clock, log, stop, house, shown, ended: keepSetupNotice(options, stop.signal) };
}

test("The consoles show the page's address and the setup code, the address alone once claimed, and nothing after the end", async () => {
  const { clock, stop, house, shown, ended } = keep();
  await clock.advance(20_000);
  expect(shown).toEqual([
    "hemgate     has no address in the network yet\nsetup code  K7QM-2FXA  (makes the owner, counts once)\n\n",
  ]);
  house.addresses = ["http://192.168.1.5:8080"];
  await clock.advance(5_000);
  expect(shown.at(-1)).toBe(
    "hemgate     http://192.168.1.5:8080\nsetup code  K7QM-2FXA  (makes the owner, counts once)\n\n",
  );
  house.isClaimed = true;
  await clock.advance(5_000);
  expect(shown.at(-1)).toBe("hemgate     http://192.168.1.5:8080\n\n");
  // A code for one more owner is for who asked for it, and not for who sees the screen.
  house.code = "ABCD-EFGH";
  await clock.advance(5_000);
  expect(shown).toHaveLength(3);
  stop.abort();
  await ended;
  expect(shown).toHaveLength(4);
  expect(shown.at(-1)).toBeNull();
});

test("A notice that cannot be written is logged once, and written as soon as it can be", async () => {
  const { clock, log, stop, house, shown, ended } = keep();
  house.isFull = true;
  await clock.advance(5_000);
  house.addresses = ["http://192.168.1.5:8080"];
  await clock.advance(15_000);
  expect(log.texts("warn")).toEqual(["the notice on the consoles cannot be written"]);
  house.isFull = false;
  await clock.advance(5_000);
  expect(shown.at(-1)).toContain("http://192.168.1.5:8080");
  stop.abort();
  await ended;
});

test("The notice is a file of the service's runtime folder that only root and the service read; without the folder there is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hg-"));
  const path = join(folder, "console.issue");
  const notice = consoleNotice({ RUNTIME_DIRECTORY: folder });
  await notice?.show("a \\4 b\n");
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["a \\\\4 b\n", 0o600]);
  await notice?.show(null);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  rmSync(folder, { recursive: true });
  await expect(notice?.show("a")).rejects.toThrow(`${path} does not exist`);
  expect(consoleNotice({})).toBeNull();
});
