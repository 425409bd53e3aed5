import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { RECORDINGS, recordingAt } from "./recordings.ts";

if (RECORDINGS === undefined)
  console.log("Skipped: set HEMGATE_FIXTURES to the folder of recordings to run this suite.");

test.skipIf(RECORDINGS === undefined)("the folder that HEMGATE_FIXTURES names has recordings of devices", () => {
  expect(existsSync(recordingAt("devices")), `no recordings in ${RECORDINGS}`).toBe(true);
});
