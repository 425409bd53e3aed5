/** Files and serial ports that a configuration names, looked at where it is checked. */
import { type ConfigInput, placeIn } from "../config/load-config.ts";
import { type ConfigMistake, type ConfigPath, pathText } from "../config/mistake.ts";
import { certificateProblem } from "../platform/certificate-check.ts";
import { fileProblem, type NamedFile } from "../platform/node/files/named-file.ts";
import { readTextFile } from "../platform/node/files/text-file.ts";

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
  const mistakes = checked.flat();
  return mistakes.length > 0 ? mistakes : await pairMistakes(config, input);
}

/** A mistake for each private key that is not the one of the certificate beside it. */
async function pairMistakes(config: unknown, input: ConfigInput): Promise<readonly ConfigMistake[]> {
  const found: ConfigMistake[] = [];
  for (const { path, certFile, keyFile } of pairsIn(config, [])) {
    const pair = { certificate: await readTextFile(certFile), privateKeyPem: await readTextFile(keyFile) };
    const problem = certificateProblem(pair);
    if (problem === null) continue;
    const own = [...path, "keyFile"];
    const expected = "the private key that the certificate was made with";
    found.push({ place: placeIn(input, own), path: pathText(own), problem, expected, found: null, nearest: null });
  }
  return found;
}

function* pairsIn(value: unknown, path: ConfigPath): Iterable<{ path: ConfigPath; certFile: string; keyFile: string }> {
  if (typeof value !== "object" || value === null) return;
  const { certFile, keyFile }: { certFile?: unknown; keyFile?: unknown } = value;
  if (typeof certFile === "string" && typeof keyFile === "string") yield { path, certFile, keyFile };
  for (const [key, child] of Object.entries(value)) {
    yield* pairsIn(child, [...path, Array.isArray(value) ? Number(key) : key]);
  }
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
