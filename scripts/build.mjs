// Makes dist/: the program and the package's entry points as a bundle whose parts are loaded when they are needed, with
// source maps, beside the declarations of each module. docs/decisions/022-one-bundle.md says why.
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

/** By the paths that package.json names. */
const ENTRIES = [
  "src/cli/hemgate.ts",
  "src/index.ts",
  "src/sdk/index.ts",
  "src/node.ts",
  "src/adapters.ts",
  "src/client/index.ts",
  "src/sync/protocol/index.ts",
  "src/testing/index.ts",
  // Not named there: the program starts it as a thread.
  "src/platform/node/optimizer-worker.ts",
];
/** Packages that stay outside: they bring native code or files of their own, or only tests need them. */
const OUTSIDE = ["level", "serialport", "modbus-serial", "memory-level", "abstract-level", "highs"];
/** ciao replaces `Error.prepareStackTrace` of the whole process by this; the gateway reads its source maps itself. */
const UNWANTED = "source-map-support/register";
const HTTP_NAMES = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) =>
  get === undefined && name !== "default" ? name : [],
);
const HTTP_MODULE = `const http = process.getBuiltinModule("node:http"); export default http;
export const { ${HTTP_NAMES.join(", ")} } = http;`;

const BEYOND_ASCII = /[^\0-\x7f]/gu;
const escaped = (character) => `\\u{${character.codePointAt(0).toString(16)}}`;

rmSync(dist, { recursive: true, force: true });
const declarations = ["-p", "tsconfig.build.json", "--emitDeclarationOnly"];
const tsc = spawnSync(join(root, "node_modules/.bin/tsc"), declarations, { cwd: root, stdio: "inherit" });
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const page = spawnSync(process.execPath, [join(root, "scripts/build-page.mjs")], { cwd: root, stdio: "inherit" });
if (page.status !== 0) process.exit(page.status ?? 1);

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(ENTRIES.map((path) => [path.replace(/\.ts$/u, ""), path])),
  platform: "node",
  resolve: { conditionNames: ["source", "import", "node"] },
  external: (id) => OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [
    {
      name: "leave-out",
      resolveId: (id) => (id === UNWANTED ? "\0nothing" : null),
      load: (id) => (id === "\0nothing" ? "export {};" : null),
    },
    {
      // An `import` of node:http reads all its properties, and some of them load undici: 40 ms.
      name: "http-without-undici",
      resolveId: (id, _importer, { kind }) => (id === "node:http" && kind !== "require-call" ? "\0http" : null),
      load: (id) => (id === "\0http" ? HTTP_MODULE : null),
    },
    {
      // zod exports its messages in 62 languages, 274 kB that would be in every process; people get texts of ours.
      name: "zod-in-english",
      load: (id) => (/\/zod\/v4\/locales\/index\.js$/u.test(id) ? 'export { default as en } from "./en.js";' : null),
    },
    {
      // `charset` leaves comments of licences as they are.
      name: "ascii-comments",
      transform: (code) => {
        const plain = code.replaceAll(/\/\*!.*?\*\//gsu, (comment) => comment.replaceAll(BEYOND_ASCII, escaped));
        return plain === code ? null : { code: plain, map: null };
      },
    },
  ],
  onLog: (level, log, handle) => (level === "warn" ? handle("error", log) : handle(level, log)),
});
const { output } = await bundle.write({
  dir: dist,
  format: "esm",
  // With one character beyond ASCII, Node keeps two bytes for each character of the chunk in memory.
  charset: "ascii",
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
  sourcemapExcludeSources: true,
  chunkFileNames: "chunks/[name]-[hash].js",
});
await bundle.close();
for (const { code = "", fileName } of output) {
  const at = code.search(BEYOND_ASCII);
  if (at === -1) continue;
  const place = code.slice(Math.max(0, at - 40), at + 20);
  throw new Error(
    `dist/${fileName} is not ASCII at ${JSON.stringify(place)}: write what a tagged template has as an entity.`,
  );
}
chmodSync(join(dist, "src/cli/hemgate.js"), 0o755);
const toDescribe = [
  "--conditions=source",
  "--disable-warning=ExperimentalWarning",
  join(root, "scripts/build-descriptions.mjs"),
];
const descriptions = spawnSync(process.execPath, toDescribe, { cwd: root, stdio: "inherit" });
if (descriptions.status !== 0) process.exit(descriptions.status ?? 1);
const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
writeFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), licenses([...modules, ...modulesOfPage()]));

/** What the home page imports; Vite bundles it by itself. And what renders the API's description. */
function modulesOfPage() {
  const ofDocs = join(root, "node_modules/@fastify/swagger-ui/static/");
  const ofHome = globSync("src/ui/app/**/*.{ts,tsx}", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/ from "([a-z@][^"]*)"/gu)].map(
      ([, name = ""]) => `${join(root, "node_modules", name)}/`,
    ),
  );
  return [...ofHome, ofDocs];
}

/** The licence of each package of which something is in the bundle, as its licence asks. */
function licenses(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(id)?.[0] ?? []));
  const texts = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const [file] = globSync("{LICENSE,LICENCE,license,licence,COPYING}*", { cwd: folder });
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `Parts of these packages are in the programs beside this file.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
