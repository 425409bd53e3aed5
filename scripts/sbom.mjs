// The CycloneDX list of what is in a package, as npm makes it from the lock file, and which licences those have.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { architectures } from "./package-tree.mjs";

const root = join(import.meta.dirname, "..");
/** Not installed with the program: the build puts it into the home page. */
const IN_THE_PAGE = ["uplot"];

/** The components of the package for an architecture, and the document that they are part of. */
export function sbom(arch) {
  const npm = spawnSync("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  if (npm.status !== 0) throw new Error(`npm sbom failed: ${npm.stderr}`);
  const document = JSON.parse(npm.stdout);
  const others = Object.entries(architectures).flatMap(([name, { runtime }]) => (name === arch ? [] : [runtime]));
  const isPacked = ({ name, properties = [] }) =>
    IN_THE_PAGE.includes(name) ||
    !(others.includes(name) || properties.some((each) => each.name === "cdx:npm:package:development"));
  const components = document.components.filter(isPacked);
  const refs = new Set([document.metadata.component["bom-ref"], ...components.map((each) => each["bom-ref"])]);
  const dependencies = document.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return { ...document, components, dependencies };
}

/** Writes it with the commit's time, and a serial number that depends on the content alone. */
export function writeSbom(path, { arch, epoch }) {
  const { serialNumber: _random, metadata, ...rest } = sbom(arch);
  const dated = { ...metadata, timestamp: new Date(epoch * 1_000).toISOString() };
  const hash = createHash("sha256")
    .update(JSON.stringify([dated, rest]))
    .digest("hex");
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`];
  const serialNumber = `urn:uuid:${parts.join("-")}-${hash.slice(20, 32)}`;
  writeFileSync(path, `${JSON.stringify({ ...rest, serialNumber, metadata: dated }, null, 2)}\n`);
}
