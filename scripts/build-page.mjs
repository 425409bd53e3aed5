// Makes dist/page/: the home page as files that the gateway serves, each beside its compressed form, and the files of the
// page of the API's description, compressed only.
// With --if-changed it does nothing when they are newer than what they are made from.
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const source = join(root, "src/ui/app");
const target = join(root, "dist/page");

if (!process.argv.includes("--if-changed") || isOld()) {
  await build({
    configFile: false,
    root: source,
    base: "/page/",
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: target,
      emptyOutDir: true,
      target: "es2022",
      assetsDir: ".",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: false,
    },
  });
  for (const file of globSync("*.{html,js,css,svg,webmanifest}", { cwd: target })) {
    writeFileSync(join(target, `${file}.gz`), gzipSync(readFileSync(join(target, file)), { level: 9 }));
  }
  // The plugin's own copy: the package swagger-ui-dist comes with one that reports its installations.
  const swagger = join(root, "node_modules/@fastify/swagger-ui/static");
  const docs = { "swagger-ui-bundle.js": ["swagger-ui-bundle.js"], "swagger-ui.css": ["swagger-ui.css", "index.css"] };
  for (const [file, sources] of Object.entries(docs)) {
    const content = Buffer.concat(sources.map((name) => readFileSync(join(swagger, name))));
    writeFileSync(join(target, `${file}.gz`), gzipSync(content, { level: 9 }));
  }
}

/** True if the page is missing, or older than one of its sources. */
function isOld() {
  const index = join(target, "index.html");
  if (!existsSync(index)) return true;
  const made = statSync(index).mtimeMs;
  const sources = [...globSync("src/{ui/app,client,domain}/**/*.*", { cwd: root }), "package-lock.json"];
  return sources.some((file) => statSync(join(root, file)).mtimeMs > made);
}
