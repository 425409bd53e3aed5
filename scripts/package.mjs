// Makes packages/hemgate_<version>_<architecture>.deb and its SBOM from dist/, for both architectures on either:
// `npm run package -- [--arch amd64|arm64]... [--out FOLDER] [--maintainer "NAME <ADDRESS>"]`. Two builds of a commit are equal,
// byte by byte.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { architectures, commitTime, packTree } from "./package-tree.mjs";
import { writeSbom } from "./sbom.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    arch: { type: "string", multiple: true, default: Object.keys(architectures) },
    out: { type: "string", default: join(root, "packages") },
    // Whom users of the package write to; `.invalid` is reserved for addresses that nobody has.
    maintainer: { type: "string", default: "hemgate maintainers <hemgate@packages.invalid>" },
  },
});
const out = resolve(values.out);
/** dpkg-deb and gzip write this time in place of that of the build. */
const epoch = commitTime();
process.umask(0o022);
mkdirSync(out, { recursive: true });

if (!/^[^<>\n]*[^<>\s] <[^<>\s@]+@[^<>\s@]+>$/u.test(values.maintainer)) {
  console.error(`hemgate: --maintainer takes "NAME <ADDRESS>", not "${values.maintainer}"`);
  process.exit(1);
}
for (const arch of values.arch) {
  if (!(arch in architectures)) {
    console.error(`hemgate: no package for ${arch}; there are ${Object.keys(architectures).join(" and ")}`);
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), "hemgate-package-"));
  try {
    const { version, installedKiB } = await packTree({ folder, arch, epoch, maintainer: values.maintainer });
    const name = join(out, `hemgate_${version}_${arch}`);
    // xz takes a minute and a half for a third less.
    const options = ["--root-owner-group", "-Zgzip", "-z6", "--build"];
    const { status } = spawnSync("dpkg-deb", [...options, folder, `${name}.deb`], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch), LC_ALL: "C", TZ: "UTC" },
    });
    if (status !== 0) throw new Error("dpkg-deb failed");
    writeSbom(`${name}.cdx.json`, { arch, epoch });
    console.log(`${name}.deb: ${installedKiB} KiB installed`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
