/** Payloads of EVerest's own documentation, read through the bridge that listens. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { everest } from "../../firmware-bridges/everest/everest.ts";
import { bridgeOptions, readInto } from "../firmware-bridges/intake.ts";
import { recordingAt } from "./recordings.ts";

const FOLDER = recordingAt("devices/mqtt/everest");

function recorded(name: string): { topic: string; text: string; isRetained: boolean } {
  const text = readFileSync(join(FOLDER, `${name}.json`), "utf8");
  return { topic: `everest_api/evse_manager/var/${name}`, text, isRetained: false };
}

it("a recorded EVerest shows an unplugged connector and its limit", () => {
  const device = everest.open(bridgeOptions({ topic: "evse_manager" }));
  expect(readInto(device, [recorded("session_info"), recorded("limits")])).toEqual({
    "charger.state": "UNPLUGGED",
    "charger.energySession": 0,
    "charger.power": 0,
    "charger.maxCurrent": 16,
    "charger.enabled": true,
  });
});
