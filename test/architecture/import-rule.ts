import { posix } from "node:path";
import { finding, importsOf, type Source } from "./syntax.ts";

/**
 * Who may import whom. Each zone is a folder or a file; the longest that fits a path is its zone. A zone may always
 * import itself.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/points": [],
  "src/domain": ["src/points"],
  "src/sdk": ["src/points", "src/domain", "src/platform"],
  // Why something of the outside world failed is part of what the ports promise.
  "src/platform": ["src/points", "src/domain/duration.ts", "src/domain/energy/plan/linear-model.ts"],
  "src/platform/node": ["src/points", "src/domain/duration.ts", "src/platform", "src/sdk", "src/broker/embedded"],
  "src/config": [
    "src/points",
    "src/sdk",
    "src/domain",
    "src/platform/cron.ts",
    "src/platform/mqtt/topic-filter.ts",
    "src/platform/network/ip-network.ts",
  ],
  "src/store": ["src/points", "src/domain", "src/platform"],
  "src/engine": ["src/points", "src/domain", "src/sdk", "src/platform", "src/store", "src/config"],
  "src/broker": ["src/points", "src/domain", "src/platform", "src/engine/contracts", "src/config"],
  "src/sync": ["src/points", "src/domain", "src/platform", "src/store", "src/engine/contracts"],
  "src/api": ["src/domain", "src/platform", "src/store", "src/engine/contracts", "src/config", "src/ui"],
  // What other programs run, in a browser too: nothing of the gateway.
  "src/client": [],
  "src/ui": ["src/domain", "src/client"],
  "src/cli-socket": ["src/points", "src/domain", "src/platform", "src/engine/contracts"],
  "src/gateway.ts": [
    "src/domain",
    "src/sdk",
    "src/platform",
    "src/store",
    "src/engine",
    "src/broker",
    "src/sync",
    "src/api",
    "src/config",
  ],
  "src/testing": ["src/points", "src/domain", "src/sdk", "src/platform", "src/engine"],
  "src/index.ts": ["src/domain", "src/platform", "src/engine/contracts", "src/config", "src/gateway.ts"],
  "src/adapters.ts": ["src/cli/adapters.ts", "adapters"],
  "src/node.ts": ["src"],
  "src/main.ts": ["src"],
  "src/cli": ["src", "adapters", "firmware-bridges"],
  adapters: [],
  "firmware-bridges": [],
};

/** Packages with a place of their own; the zones that may import each. Those of `node:` are with the banned names. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@fastify/swagger": ["src/api"],
  "@homebridge/ciao": ["src/platform/node"],
  "abstract-level": ["src/platform"],
  aedes: ["src/broker/embedded"],
  "bonjour-service": ["src/platform/node"],
  commander: ["src/cli"],
  "decimal.js": ["src/domain", "src/api/versions"],
  fastify: ["src/api", "src/cli-socket", "src/gateway.ts"],
  "fastify-type-provider-zod": ["src/api"],
  highs: ["src/platform"],
  "hemgate/sdk": ["adapters", "firmware-bridges"],
  htm: ["src/ui"],
  "hyparquet-writer": ["src/engine/export"],
  "ipaddr.js": ["src/platform"],
  leven: ["src/config"],
  level: ["src/platform/node"],
  "memory-level": ["src/testing"],
  "modbus-serial": ["adapters/simulated"],
  "node-cron": ["src/platform"],
  nodemailer: ["src/platform/node"],
  "openapi-types": ["src/api"],
  mqtt: ["src/platform/node"],
  "multicast-dns": ["src/platform/node"],
  pino: ["src/platform/node"],
  "pino-pretty": ["src/platform/node"],
  "qrcode-generator": ["src/cli"],
  preact: ["src/ui"],
  "preact-render-to-string": ["src/ui"],
  sax: ["adapters", "src/engine/backup"],
  serialport: ["src/platform/node"],
  "temporal-polyfill": ["src/domain", "src/engine", "src/testing", "adapters"],
  ws: ["src/platform/node"],
  yaml: ["src/config"],
  zod: [
    "src/sync",
    "src/testing",
    "src/domain",
    "src/sdk",
    "src/config",
    "src/store",
    "src/broker",
    "src/api",
    "src/cli-socket",
    "src/cli",
    "adapters",
    "firmware-bridges",
  ],
};

/** Every import of a file that its zone may not have. */
export function importProblems(source: Source): readonly string[] {
  return importsOf(source).flatMap(({ specifier, offset }) => {
    const problem = specifier.startsWith(".")
      ? relativeProblem(source.path, specifier)
      : packageProblem(source.path, specifier);
    return problem === null ? [] : [finding(source, offset, problem)];
  });
}

/** Every arrow that `MAY_IMPORT` and `PACKAGES` allow, as text: `src/ui → src/domain`. */
export function allowedArrows(): readonly string[] {
  return [
    ...Object.entries(MAY_IMPORT).flatMap(([zone, places]) => places.map((place) => `${zone} → ${place}`)),
    ...Object.entries(PACKAGES).flatMap(([name, zones]) => zones.map((zone) => `${zone} → ${name}`)),
  ];
}

/** The allowed arrows that the imports of a file use. */
export function usedArrows(source: Source): readonly string[] {
  const { path } = source;
  const zone = longest(Object.keys(MAY_IMPORT), path) ?? "";
  return importsOf(source).flatMap(({ specifier }) => {
    if (!specifier.startsWith(".")) {
      const name = packageOf(specifier);
      return (PACKAGES[name] ?? []).filter((place) => isWithin(path, place)).map((place) => `${place} → ${name}`);
    }
    const target = posix.join(posix.dirname(path), specifier);
    const place = isWithin(target, zone) ? null : longest(MAY_IMPORT[zone] ?? [], target);
    return place === null ? [] : [`${zone} → ${place}`];
  });
}

function relativeProblem(path: string, specifier: string): string | null {
  if (!/\.(ts|json)$/.test(specifier)) return `"${specifier}" lacks its ending .ts`;
  const target = posix.join(posix.dirname(path), specifier);
  const zone = longest(Object.keys(MAY_IMPORT), path);
  if (zone === null) return "this place is in no zone of the import rule";
  const allowed = [zone === "adapters" ? path.split("/").slice(0, 2).join("/") : zone, ...(MAY_IMPORT[zone] ?? [])];
  if (!allowed.some((place) => isWithin(target, place))) return `${zone} may not import ${target}`;
  // What the ports are made of on Node is for those who start a process.
  const isStarter = ["src/main.ts", "src/node.ts", "src/cli", "src/platform/node"].some((place) =>
    isWithin(path, place),
  );
  return isWithin(target, "src/platform/node") && !isStarter ? `${zone} may not import ${target}` : null;
}

function packageProblem(path: string, specifier: string): string | null {
  // What a configuration names is known when it is read.
  if (specifier === "" && path === "src/platform/node/foreign/foreign-modules.ts") return null;
  if (specifier === "") return "an import must name its module";
  if (specifier.startsWith("node:")) return null;
  const name = packageOf(specifier);
  const zones = PACKAGES[name];
  if (zones === undefined) return `"${specifier}" has no place in the import rule`;
  return zones.some((zone) => isWithin(path, zone)) ? null : `"${specifier}" may not be imported here`;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("hemgate")) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function longest(places: readonly string[], path: string): string | null {
  return places.filter((place) => isWithin(path, place)).toSorted((a, b) => b.length - a.length)[0] ?? null;
}
