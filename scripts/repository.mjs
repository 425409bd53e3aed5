// Makes a folder that apt installs and updates from, out of the packages of `npm run package`, signed with a secret key:
// `npm run repository -- --key KEY.asc --url https://packages.example [--packages FOLDER] [--out FOLDER] [--valid-days 60]`.
// Packages of earlier runs stay in it: a run without new ones signs the index for as long again. Whoever serves the folder at the
// URL has a repository; nobody has to keep it secret.
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { architectures } from "./package-tree.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    key: { type: "string" },
    url: { type: "string" },
    packages: { type: "string", default: join(root, "packages") },
    out: { type: "string", default: join(root, "packages", "repository") },
    "valid-days": { type: "string", default: "60" },
  },
});
/** Where the packages are, and where the index is. */
const POOL = "pool/main/h/hemgate";
const SUITE = "dists/stable";
const SOURCES = "hemgate.sources";
const S_PER_DAY = 86_400;

if (values.key === undefined || values.url === undefined) {
  fail("name the secret key by --key FILE (gpg --armor --export-secret-keys), and the address by --url URL");
}
/** How long apt takes the index after it was signed: somebody in between could show houses an old one for ever. */
const validS = Math.ceil(Number(values["valid-days"]) * S_PER_DAY);
if (!(validS > 0 && Number.isSafeInteger(validS)))
  fail(`--valid-days takes days above 0, not "${values["valid-days"]}"`);
const out = resolve(values.out);
const key = resolve(values.key);
const packages = globSync("hemgate_*.deb", { cwd: values.packages });
if (packages.length === 0 && globSync("hemgate_*.deb", { cwd: join(out, POOL) }).length === 0) {
  fail(`there is no package in ${values.packages} and in ${out}: npm run package`);
}
const home = mkdtempSync(join(tmpdir(), "hemgate-signing-"));
const environment = { ...process.env, GNUPGHOME: home, LC_ALL: "C", TZ: "UTC" };
process.umask(0o022);

try {
  mkdirSync(join(out, POOL), { recursive: true });
  for (const name of packages) copyFileSync(join(values.packages, name), join(out, POOL, basename(name)));
  for (const arch of Object.keys(architectures)) writeIndex(arch);
  const release = run("apt-ftparchive", [...releaseFields(), "release", SUITE]);
  writeFileSync(join(out, SUITE, "Release"), release);
  gpg("--import", key);
  sign("--clearsign", "InRelease");
  sign("--armor", "--detach-sign", "Release.gpg");
  writeFileSync(join(out, SOURCES), sources(gpg("--armor", "--export")));
  const until = /^Valid-Until: (.+)$/mu.exec(release)?.[1];
  if (until === undefined) throw new Error("apt-ftparchive writes no Valid-Until");
  console.log(`${out}: ${packages.length} packages; apt reads ${values.url}/${SOURCES}`);
  console.log(`apt takes this index until ${until}; run this again before, also without new packages`);
} finally {
  try {
    execFileSync("gpgconf", ["--kill", "gpg-agent"], { env: environment, stdio: "ignore" });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The list of all versions for one architecture. */
function writeIndex(arch) {
  const folder = join(out, SUITE, "main", `binary-${arch}`);
  mkdirSync(folder, { recursive: true });
  const text = run("dpkg-scanpackages", ["--multiversion", "--arch", arch, POOL]);
  writeFileSync(join(folder, "Packages"), text);
  writeFileSync(join(folder, "Packages.gz"), gzipSync(text, { level: 9 }));
}

function releaseFields() {
  const fields = {
    Origin: "hemgate",
    Label: "hemgate",
    Suite: "stable",
    Codename: "stable",
    Architectures: Object.keys(architectures).join(" "),
    Components: "main",
    Description: "hemgate, a home-energy gateway",
    ValidTime: validS,
  };
  const weak = ["-o", "APT::FTPArchive::MD5=false", "-o", "APT::FTPArchive::SHA1=false"];
  return [
    ...weak,
    ...Object.entries(fields).flatMap(([name, value]) => ["-o", `APT::FTPArchive::Release::${name}=${value}`]),
  ];
}

function sign(...words) {
  const target = join(out, SUITE, words.pop());
  rmSync(target, { force: true });
  gpg("--pinentry-mode", "loopback", ...words, "--output", target, join(out, SUITE, "Release"));
}

/** The file that an installer puts into /etc/apt/sources.list.d: the address, with the key that has to sign. */
function sources(publicKey) {
  const lines = publicKey
    .trimEnd()
    .split("\n")
    .map((line) => ` ${line === "" ? "." : line}`);
  return `Types: deb
URIs: ${values.url}
Suites: stable
Components: main
Signed-By:
${lines.join("\n")}
`;
}

function gpg(...words) {
  return run("gpg", ["--batch", "--quiet", "--no-tty", ...words]);
}

function run(program, words) {
  try {
    return execFileSync(program, words, {
      cwd: out,
      env: environment,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (cause) {
    if (cause.code !== "ENOENT") throw cause;
    throw new Error(`there is no ${program}: install Debian's dpkg-dev, apt-utils and gnupg`, { cause });
  }
}

function fail(why) {
  console.error(`hemgate: ${why}`);
  process.exit(1);
}
