import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FLAG = /--max-semi-space-size=\d+/g;
const FILES = ["src/cli/hemgate.ts", "systemd/hemgate.service", "systemd/install.md"] as const;

test("however the gateway is started, its young generation has the same size", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const places = [
    ...FILES.map((path) => [path, readFileSync(path, "utf8")] as const),
    ...["start", "hemgate"].map((name) => [`npm run ${name}`, scripts[name] ?? ""] as const),
  ];
  const found = places.map(([place, text]) => [place, [...new Set(text.match(FLAG))]]);
  expect(found).toStrictEqual(places.map(([place]) => [place, [expect.stringMatching(/=4$/)]]));
});
