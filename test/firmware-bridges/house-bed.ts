/** A house whose devices all speak MQTT, each a board with a firmware, behind the engine. */

import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import type { Config } from "../../src/config/config.ts";
import { makeHome } from "../engine/home.ts";
import { Board, type Firmware } from "../twins/firmware/board.ts";

const BROKER = "mqtt://10.0.0.9";

/** `entries` are the devices' entries in the configuration, without their adapter. */
export async function openMqttHouse(
  seed: number,
  twins: Readonly<Record<string, Firmware>>,
  entries: readonly Record<string, unknown>[],
) {
  const home = makeHome(seed, { adapters: [mqttAdapter], broker: { url: BROKER } });
  const broker = home.world.mqtt.broker(BROKER);
  const boards = new Map(Object.entries(twins).map(([id, twin]) => [id, new Board(home.world, BROKER, twin)]));
  for (const board of boards.values()) board.start();
  const devices = entries.map(({ id, ...options }) => ({
    id,
    adapter: "mqtt",
    ...mqttAdapter.options.parse(options),
  })) as unknown as Config["devices"];
  const run = await home.start({ devices });
  const reachable = (): readonly string[] =>
    run.engine
      .devices()
      .filter(({ isReachable }) => isReachable)
      .map(({ id }) => id)
      .toSorted();
  return { home, broker, boards, run, reachable, all: entries.map(({ id }) => String(id)).toSorted() };
}
