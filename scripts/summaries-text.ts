/** The texts of the indexes of Modbus profiles, HTTP profiles and clouds, made of the profiles and connectors. */
import { readdirSync } from "node:fs";
import type { CloudConnector } from "../adapters/clouds/kit/connector.ts";
import { vendorOf } from "../adapters/clouds/kit/vendor.ts";
import { httpSummaryOf } from "../adapters/http-json/http-summary.ts";
import { KNOWN_HTTP_PROFILES } from "../adapters/http-json/known-http-profiles.ts";
import { summaryOf } from "../adapters/modbus/profile/profile-summary.ts";
import type { DeviceProfile } from "../src/sdk/profile.ts";

const ROOT = new URL("../", import.meta.url);
const NOTICE = `// Written by scripts/update-summaries.mjs; change what it is made of, and run it again.
// biome-ignore-all format: a line is an entry.
`;
const HEAD = `${NOTICE}import { lazy } from "hemgate/sdk";
`;

/** A generated file, by its path in the repository. */
export interface Index {
  readonly path: string;
  text(): Promise<string>;
}

export const INDEXES: readonly Index[] = [
  { path: "adapters/modbus/profile/profile-summaries.generated.ts", text: modbusText },
  { path: "adapters/http-json/http-summaries.generated.ts", text: httpText },
  { path: "adapters/clouds/cloud-vendors.generated.ts", text: cloudsText },
];

/** Every export of a file in `adapters/modbus/profiles` is a profile. */
async function modbusText(): Promise<string> {
  const lines: string[] = [];
  for (const file of readdirSync(new URL("adapters/modbus/profiles/", ROOT)).toSorted()) {
    for (const [name, profile] of await exportsOf<DeviceProfile>(`adapters/modbus/profiles/${file}`)) {
      lines.push(entry(summaryOf(profile), { what: `the profile ${profile.id}`, path: `../profiles/${file}`, name }));
    }
  }
  return `${HEAD}import type { ProfileSummary } from "./profile-summary.ts";

/** Every profile that the configuration can name, beside \`sunspec\`, which asks the device for its own map. */
export const PROFILE_SUMMARIES: readonly ProfileSummary[] = [
${lines.join("")}];
`;
}

/** The profiles are few and small, so they are loaded together. */
async function httpText(): Promise<string> {
  const lines = KNOWN_HTTP_PROFILES.map((profile) => `  ${source(httpSummaryOf(profile))},\n`);
  return `${NOTICE}import type { HttpSummary } from "./http-summary.ts";

/** Every profile that the configuration can name. */
export const HTTP_SUMMARIES: readonly HttpSummary[] = [
${lines.join("")}];
`;
}

/** Each folder of `adapters/clouds` but the kit has a connector, in the file that is named after it. */
async function cloudsText(): Promise<string> {
  const lines: string[] = [];
  for (const folder of readdirSync(new URL("adapters/clouds/", ROOT), { withFileTypes: true })) {
    if (!folder.isDirectory() || folder.name === "kit") continue;
    const path = `./${folder.name}/${folder.name}.ts`;
    for (const [name, connector] of await exportsOf<CloudConnector>(`adapters/clouds/${path}`)) {
      lines.push(entry(vendorOf(connector), { what: `the cloud of ${connector.displayName}`, path, name }));
    }
  }
  return `${HEAD}import type { CloudVendor } from "./kit/vendor.ts";

/** Every vendor's cloud that can be linked, in the order of their names. */
export const CLOUD_VENDORS: readonly CloudVendor[] = [
${lines.toSorted().join("")}];
`;
}

/** The exports of a file by their names. */
async function exportsOf<Exported>(path: string): Promise<readonly (readonly [string, Exported])[]> {
  const exported: Readonly<Record<string, Exported>> = await import(new URL(path, ROOT).href);
  return Object.entries(exported).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function entry(
  { load: _, ...facts }: object & { readonly load: unknown },
  { what, path, name }: { readonly what: string; readonly path: string; readonly name: string },
): string {
  const load = `lazy(${JSON.stringify(what)}, async () => (await import("${path}")).${name})`;
  const fields = Object.entries(facts).map(([key, value]) => `${key}: ${source(value)}`);
  return `  { ${[...fields, `load: ${load}`].join(", ")} },\n`;
}

/** Plain data as TypeScript. */
function source(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(source).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    return `${name}: ${source(each)}`;
  });
  return `{ ${fields.join(", ")} }`;
}
