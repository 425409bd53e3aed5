/** The Debian package of hemgate: what is installed, what a file has, and the package of what is installed. */
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../../error-text.ts";
import { linkOrCopy } from "../files/link-tree.ts";
import { fileError } from "../files/text-file.ts";
import { ProgramError, runProgram } from "./programs.ts";

const PACKAGE = "hemgate";
const DPKG_INFO = "/var/lib/dpkg/info";
const CONFIGURATION = "/etc/hemgate/gateway.yaml";
/** The configuration as the package brings it, whatever its owner has made of the one above. */
const PACKED_CONFIGURATION = "/usr/lib/hemgate/gateway.yaml";
const FOLDER_MODE = 0o755;
const BYTES_PER_KIB = 1024;

export interface PackageFile {
  readonly version: string;
  readonly installedBytes: number;
}

export interface InstalledState {
  /** Empty if it is not installed at all. */
  readonly version: string;
  /** Installed in full, and each file as it was packed. */
  readonly isWhole: boolean;
  /** What is not as it was packed, for people. */
  readonly problems: readonly string[];
}

/** What is installed now. */
export async function installedPackage(): Promise<InstalledState> {
  const format = `-f=\${Version}\t\${db:Status-Abbrev}\t\${db:Status-Status}`;
  const line = await runProgram("dpkg-query", ["-W", format, PACKAGE]).catch((error: unknown) => {
    if (error instanceof ProgramError) return "";
    throw error;
  });
  const [version = "", short = "", status = ""] = line.split("\t");
  // The third letter is R for a package that has to be installed again.
  const isInstalled = status === "installed" && !/R/u.test(short.slice(2));
  const problems = isInstalled ? await changedFiles() : [`the package is ${status || "not installed"}`];
  return { version, isWhole: problems.length === 0, problems };
}

/** Files that are not as they were packed; the configuration, which is the owner's, apart. */
async function changedFiles(): Promise<readonly string[]> {
  const verify = (): Promise<string> => runProgram("dpkg", ["--verify", PACKAGE]);
  const text = await verify().catch((error: unknown) => {
    if (error instanceof ProgramError) return error.output;
    throw error;
  });
  // `??5?????? c /etc/…` is a configuration file.
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^\S+ c /u.test(line));
  return lines.map((line) => `changed: ${line.replace(/^\S+\s+/u, "")}`);
}

/** Reads a package file to its end. Rejects if it is damaged, or is not a hemgate for this machine that can be installed. */
export async function readPackageFile(path: string): Promise<PackageFile> {
  try {
    await lstat(path);
  } catch (error) {
    throw fileError(path, error);
  }
  const fields = (
    await runProgram("dpkg-deb", ["--field", path, "Package", "Version", "Architecture", "Installed-Size"])
  )
    .split("\n")
    .map((line): [string, string] => [line.split(":")[0] ?? "", line.slice(line.indexOf(":") + 1).trim()]);
  const {
    Package: name,
    Version: version = "",
    Architecture: architecture,
    "Installed-Size": size,
  } = Object.fromEntries(fields);
  if (name !== PACKAGE) throw new Error(`${path} is the package ${name}, not ${PACKAGE}`);
  const own = (await runProgram("dpkg", ["--print-architecture"])).trim();
  if (architecture !== own) throw new Error(`${path} is for ${architecture}, this machine is ${own}`);
  await runProgram("dpkg-deb", ["--contents", path]);
  // Without what it depends on it would be unpacked, and not work.
  await runProgram("dpkg", ["--no-act", "--install", path]);
  return { version, installedBytes: Number(size) * BYTES_PER_KIB };
}

/** Returns true if `one` is later than `other` by Debian's rules. */
export async function isLater(one: string, other: string): Promise<boolean> {
  return await runProgram("dpkg", ["--compare-versions", one, "gt", other]).then(
    () => true,
    () => false,
  );
}

export interface InstallOptions {
  /** An earlier version than the installed one is right: its state comes back with it. */
  readonly isBack: boolean;
  readonly stop: AbortSignal;
}

/** Installs a package file; the owner's configuration stays as it is. Rejects with what dpkg says. */
export async function installPackage(path: string, { isBack, stop }: InstallOptions): Promise<void> {
  const environment = { DEBIAN_FRONTEND: "noninteractive", ...(isBack && { HEMGATE_ROLLBACK: "1" }) };
  await runProgram("dpkg", ["--force-confdef,confold", "--install", path], { environment, stop });
}

/** Makes the package of what is installed: the same files, the same scripts, the same control file. */
export async function repack(target: string): Promise<void> {
  const tree = `${target}.tree`;
  await rm(tree, { recursive: true, force: true });
  await mkdir(join(tree, "DEBIAN"), { recursive: true });
  for (const path of (await runProgram("dpkg-query", ["--listfiles", PACKAGE])).split("\n")) {
    if (path.startsWith("/") && path !== "/.") await place(path, join(tree, path));
  }
  for (const name of ["conffiles", "md5sums", "preinst", "postinst", "prerm", "postrm"]) {
    const from = join(DPKG_INFO, `${PACKAGE}.${name}`);
    await copyFile(from, join(tree, "DEBIAN", name)).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw fileError(from, error);
    });
  }
  await writeFile(join(tree, "DEBIAN", "control"), controlOf(await runProgram("dpkg-query", ["--status", PACKAGE])));
  await chmod(join(tree, "DEBIAN"), FOLDER_MODE);
  await runProgram("dpkg-deb", ["--root-owner-group", "-Zgzip", "-z1", "--build", tree, target]);
  await rm(tree, { recursive: true });
}

async function place(path: string, target: string): Promise<void> {
  const from = path === CONFIGURATION ? PACKED_CONFIGURATION : path;
  const facts = await lstat(from);
  if (facts.isDirectory()) {
    await mkdir(target, { recursive: true });
    await chmod(target, FOLDER_MODE);
    return;
  }
  await mkdir(dirname(target), { recursive: true });
  if (facts.isSymbolicLink()) await symlink(await readlink(from), target);
  else await linkOrCopy(from, target);
}

/** The control file: what dpkg has noted of the package, without what it has added. */
export function controlOf(status: string): string {
  return status.replace(/^Status: .*\n/mu, "").replace(/^Conffiles:.*\n(?: .*\n)*/mu, "");
}

/** The file with the address and the key of the repository that updates come from. */
const APT_SOURCE = "/etc/apt/sources.list.d/hemgate.sources";
/** Only this source is asked; the lists of the others stay as they are. */
const OWN_SOURCE = [
  "-o",
  `Dir::Etc::SourceList=${APT_SOURCE}`,
  "-o",
  "Dir::Etc::SourceParts=-",
  "-o",
  "APT::Get::List-Cleanup=0",
] as const;

/**
 * The newest version that the repository has; apt checks the signature of its index. Rejects if there is no repository, or if apt
 * refuses it; an empty text: it has no hemgate for this machine.
 */
export async function newestVersion(): Promise<string> {
  try {
    await lstat(APT_SOURCE);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw fileError(APT_SOURCE, error);
    throw new Error(`no source of updates is set: there is no ${APT_SOURCE}; docs/update.md says how it is made`);
  }
  await runProgram("apt-get", [...OWN_SOURCE, "-o", "APT::Update::Error-Mode=any", "update"]);
  const text = await runProgram("apt-cache", [...OWN_SOURCE, "show", "--no-all-versions", PACKAGE]).catch(() => "");
  return /^Version: (\S+)$/mu.exec(text)?.[1] ?? "";
}

/** Fetches a version from the repository into a folder, which is made; returns the path of the file, which apt has checked. */
export async function downloadPackage(version: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const words = [...OWN_SOURCE, "-o", "APT::Sandbox::User=root", "download", `${PACKAGE}=${version}`];
  await runProgram("apt-get", words, { folder });
  const [name] = (await readdir(folder)).filter((each) => each.endsWith(".deb"));
  if (name === undefined) throw new Error(`apt-get has no file of ${PACKAGE} ${version}`);
  return join(folder, name);
}
