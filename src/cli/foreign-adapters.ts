/**
 * Adapters of third parties: named in the configuration, found in the state folder, as the profiles of users are.
 */

import { join } from "node:path";
import { z } from "zod";
import { createModbusAdapter, modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { ADAPTER_NAME } from "../config/config.ts";
import { parseYamlSource } from "../config/yaml-source.ts";
import { issueText } from "../domain/issue-text.ts";
import { contained } from "../platform/node/foreign/contained-adapter.ts";
import { foreignFault } from "../platform/node/foreign/foreign-fault.ts";
import { importForeign } from "../platform/node/foreign/foreign-modules.ts";
import type { Adapter } from "../sdk/driver.ts";
import { ADAPTERS } from "./adapters.ts";
import { userProfiles } from "./user-profiles.ts";

/** Where they lie, below the state folder. */
export const ADAPTERS_FOLDER = "adapters";

/** What a module has to export as `adapter`. */
const ForeignAdapter = z.object({
  name: z.string(),
  options: z.custom<Adapter["options"]>(
    (value) => typeof value === "object" && value !== null && "shape" in value && "safeParse" in value,
    "expected a z.object of hemgate/sdk",
  ),
  start: z.custom<Adapter["start"]>((value) => typeof value === "function", "expected a function"),
});

export interface KnownAdapters {
  readonly adapters: readonly Adapter[];
  /** What is wrong with adapters and profiles, a line each. The devices that name one of these stay unreachable. */
  readonly problems: readonly string[];
}

/**
 * The adapters of this program and those that a configuration's `adapters` names, from `<state folder>/adapters`. One that
 * does not load stands there as one that does not start, so that the gateway and its other devices work.
 */
export async function knownAdapters(configText: string, stateFolder: string): Promise<KnownAdapters> {
  const parsed = parseYamlSource(configText);
  const named = z
    .looseObject({ adapters: z.record(ADAPTER_NAME, z.string()) })
    .safeParse(parsed.ok ? parsed.source.value : null);
  const own = await userProfiles(stateFolder);
  const adapters: Adapter[] = ADAPTERS.map((each) => (each === modbusAdapter ? createModbusAdapter(own) : each));
  const problems = [...own.problems];
  for (const [name, module] of Object.entries(named.data?.adapters ?? {})) {
    if (adapters.some((adapter) => adapter.name === name)) {
      problems.push(`adapters.${name}: an adapter of this name is built in`);
      continue;
    }
    const loaded = await load(name, module, join(stateFolder, ADAPTERS_FOLDER));
    if (loaded instanceof Error) {
      problems.push(`adapters.${name}: ${loaded.message}`);
      adapters.push(unavailable(name, loaded));
    } else {
      adapters.push(contained(loaded));
    }
  }
  return { adapters, problems };
}

async function load(name: string, module: string, folder: string): Promise<Adapter | Error> {
  try {
    const exported = await importForeign(folder, module);
    const { adapter } = exported;
    const checked = ForeignAdapter.safeParse(adapter);
    if (!checked.success) return new Error(`${module} has no usable export "adapter": ${issueText(checked.error)}`);
    if (checked.data.name !== name)
      return new Error(`${module} is the adapter "${checked.data.name}"; name it so here`);
    // The module's own object, with all else that it has.
    return adapter as Adapter;
  } catch (cause) {
    return new Error(`${module} does not load: ${foreignFault(cause)}`, { cause });
  }
}

/** Takes any options, and says at each device why it is not there. */
function unavailable(name: string, cause: Error): Adapter {
  return {
    name,
    options: z.looseObject({}),
    start: () => {
      throw cause;
    },
  };
}
