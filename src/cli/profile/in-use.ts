import { z } from "zod";
import { parseYamlSource } from "../../config/yaml-source.ts";
import { FileError, readTextFile } from "../../platform/node/files/text-file.ts";
import { askState } from "../control-client.ts";

const Entries = z.looseObject({
  devices: z.array(z.looseObject({ id: z.string(), host: z.string().optional(), serialPort: z.string().optional() })),
});

interface Question {
  readonly folder: string;
  readonly configFile: string;
  readonly line: { readonly host?: string | undefined; readonly serialPort?: string | undefined };
}

/** Describes what a running gateway has to do with the device, before it is asked as well; `null` if nothing. */
export async function inUseText({ folder, configFile, line }: Question, signal: AbortSignal): Promise<string | null> {
  const state = await askState(folder, signal);
  if (state === null) return null;
  const running = state.devices.filter(({ adapter }) => adapter === "modbus").map(({ id }) => id);
  const same = (await entriesOf(configFile)).find(
    ({ id, host, serialPort }) =>
      running.includes(id) &&
      ((host !== undefined && host.toLowerCase() === line.host?.toLowerCase()) ||
        (serialPort !== undefined && serialPort === line.serialPort)),
  );
  if (same !== undefined) {
    return `the running gateway reads "${same.id}" there: the device may take one of the two only, and is asked by both; \`hemgate read ${same.id}\` shows what the gateway has`;
  }
  return running.length === 0
    ? null
    : `a gateway runs (${running.join(", ")}); should it use this device, stop it first`;
}

async function entriesOf(file: string): Promise<z.infer<typeof Entries>["devices"]> {
  try {
    const parsed = parseYamlSource(await readTextFile(file));
    return Entries.safeParse(parsed.ok ? parsed.source.value : null).data?.devices ?? [];
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
