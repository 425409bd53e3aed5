import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MqttLimits } from "../../src/config/mqtt-config.ts";

const text = readFileSync(new URL("../../docs/mqtt.md", import.meta.url), "utf8");
/** The rows of the table of limits: name and default. */
const rows = text
  .slice(text.indexOf("## Limits"))
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => {
    const [, names = "", defaults = ""] = line.split("|");
    const values = defaults.replaceAll(/(\d),(\d{3})/g, "$1$2").split(",");
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = ""], at) => [name, amount(values[at] ?? "")] as const);
  });

function amount(shown: string): number {
  const [, value = "", mebi] = /([\d.]+)( MiB)?/.exec(shown) ?? [];
  return Number(value) * (mebi === undefined ? 1 : 1_048_576);
}

test("the documentation names every limit with its default", () => {
  expect(Object.fromEntries(rows)).toEqual(MqttLimits.parse({}));
});
