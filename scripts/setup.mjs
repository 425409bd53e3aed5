// Installs what package-lock.json names when it is missing or has changed, and says so. It runs on whichever Node the
// system has (20 or newer); the scripts after it find the pinned Node in node_modules/.bin.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".hemgate-installed");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

const isInstalled = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
if (!isInstalled) {
  console.error("hemgate: installing dependencies and the pinned Node (once, about half a minute) …");
  const started = Date.now();
  const done = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (done.status !== 0) {
    console.error(`hemgate: the installation failed (npm ci left with ${done.status ?? done.signal}).`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  console.error(`hemgate: installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

const node = join(root, "node_modules", ".bin", "node");
if (!existsSync(node)) {
  console.error(
    `hemgate: no Node for ${process.platform} on ${process.arch}; hemgate runs on 64-bit Linux, x64 or arm64.`,
  );
  process.exit(1);
}
