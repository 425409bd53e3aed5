// Run it after changing dependencies. Some registries carry only the Linux binaries of a package; npm then leaves the
// others out of package-lock.json, and `npm ci` refuses the lock as incomplete. This names them again: they are optional,
// for other systems, and never fetched here.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "win32"];
const PROCESSORS = ["arm64", "x64", "ia32", "arm", "riscv64", "s390x", "ppc64", "loong64"];

const path = join(dirname(dirname(fileURLToPath(import.meta.url))), "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8"));
const packages = lock.packages;

function isLocked(from, name) {
  for (
    let base = from;
    ;
    base = base.includes("/node_modules/") ? base.slice(0, base.lastIndexOf("/node_modules/")) : ""
  ) {
    if (`${base === "" ? "" : `${base}/`}node_modules/${name}` in packages) return true;
    if (base === "") return false;
  }
}

let added = 0;
for (const [from, entry] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(from, name)) continue;
    const parts = name.split("/").at(-1).split("-");
    const system = SYSTEMS.find((each) => parts.includes(each));
    packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ""),
      cpu: [PROCESSORS.find((each) => parts.includes(each)) ?? "wasm32"],
      ...(entry.dev ? { dev: true } : {}),
      ...(parts.some((part) => part.startsWith("musl")) ? { libc: ["musl"] } : {}),
      optional: true,
      ...(system === undefined ? {} : { os: [system] }),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} optional packages of other systems named`);
