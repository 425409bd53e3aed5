/** Files and serial ports that a configuration names, looked at where it is checked. */
import { type ConfigInput, placeIn } from "../config/load-config.ts";
import { type ConfigMistake, type ConfigPath, pathText } from "../config/mistake.ts";
import { fileProblem, type NamedFile } from "../platform/node/files/named-file.ts";

interface Named {
  readonly kind: NamedFile;
  /** What to do about it. */
  readonly advice: string;
}

const NAMED: Readonly<Record<string, Named>> = {
  caFile: { kind: "certificate", advice: "a PEM file of certificates that this user may read" },
  certFile: { kind: "certificate", advice: "a PEM file of the certificate that this user may read" },
  keyFile: { kind: "private key", advice: "a PEM file of the private key that this user may read" },
  passwordFile: { kind: "text", advice: "a file with the password in its first line that this user may read" },
  serialPort: {
    kind: "serial port",
    advice: "a serial port that is plugged in, best a name under /dev/serial/by-id",
  },
};

/** A mistake for each file or serial port of a configuration that cannot be used, with its place. */
export async function fileMistakes(config: unknown, input: ConfigInput): Promise<readonly ConfigMistake[]> {
  const found = [...namedIn(config, [])];
  const checked = await Promise.all(
    found.map(async ({ path, file, named }): Promise<readonly ConfigMistake[]> => {
      const problem = await fileProblem(file, named.kind);
      if (problem === null) return [];
      const place = placeIn(input, path);
      return [{ place, path: pathText(path), problem, expected: named.advice, found: null, nearest: null }];
    }),
  );
  return checked.flat();
}

function* namedIn(value: unknown, path: ConfigPath): Iterable<{ path: ConfigPath; file: string; named: Named }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const own = [...path, Array.isArray(value) ? Number(key) : key];
    const named = Object.hasOwn(NAMED, key) ? NAMED[key] : undefined;
    if (named !== undefined && typeof child === "string") yield { path: own, file: child, named };
    else yield* namedIn(child, own);
  }
}
