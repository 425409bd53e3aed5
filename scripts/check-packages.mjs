// Checks the licences of what is in the Debian packages, and asks the registry for known vulnerabilities.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { architectures } from "./package-tree.mjs";
import { sbom } from "./sbom.mjs";

/** Each may be in a program that is handed on under Apache-2.0 with their texts beside it. */
const ALLOWED = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0"];

const components = Object.keys(architectures).flatMap((arch) => sbom(arch).components);
const refused = components.filter(({ licenses = [] }) => {
  const ids = licenses.map(({ license, expression }) => license?.id ?? expression);
  return ids.length === 0 || !ids.every((id) => ALLOWED.includes(id));
});
for (const { name, version, licenses } of refused) {
  console.error(
    `${name} ${version}: the licence ${JSON.stringify(licenses ?? "(none)")} is not one of ${ALLOWED.join(", ")}`,
  );
}
console.log(`licences: ${components.length - refused.length} of ${components.length} packages allowed`);

const audit = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  timeout: 60_000,
});
const found = report(audit.stdout)?.metadata?.vulnerabilities;
// A registry without this service is not a clean one.
if (found === undefined) console.log(`SKIPPED npm audit: ${reason(audit)}`);
else console.log(`npm audit: ${JSON.stringify(found)}`);
if (refused.length > 0 || (found?.total ?? 0) > 0) process.exit(1);

function report(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reason({ stdout, stderr }) {
  return report(stdout)?.message ?? (stderr?.trim() || "the registry did not answer within a minute");
}
