/** The house's configuration file with sections that a cloud service sets in place of the file's. Pure. */
import { BASE_CONFIG, type Config } from "./config.ts";
import { readOverrides } from "./environment.ts";
import { configJsonSchema, isNode } from "./json-schema.ts";
import { type ConfigInput, loadConfig } from "./load-config.ts";
import { nearest } from "./nearest.ts";
import { loosened } from "./remote-limits.ts";
import { REMOTE_SECTIONS } from "./remote-sections.ts";
import { parseYamlSource } from "./yaml-source.ts";

/** What is wrong with what was set from afar, without the value that stands there: it may be a secret. */
export interface RemoteMistake {
  /** `devices[1].port`. */
  readonly path: string;
  /** What is wrong, as a short claim. */
  readonly problem: string;
  /** What would be right; null when the problem says it all. */
  readonly expected: string | null;
}

export type RemoteResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly mistakes: readonly RemoteMistake[] };

type LayerResult =
  | { readonly ok: true; readonly layer: RemoteLayer }
  | { readonly ok: false; readonly mistakes: readonly RemoteMistake[] };

/** Sections by their names, as the file would have them. */
type Sections = Readonly<Record<string, unknown>>;

export class RemoteLayer {
  /** What the file alone makes. */
  readonly own: Config;
  readonly #input: ConfigInput;

  /** `input` is what `own` was loaded from. */
  constructor(input: ConfigInput, own: Config) {
    this.#input = input;
    this.own = own;
  }

  /** What the file itself says in some sections, before defaults; null where it says nothing. */
  fileSays(names: readonly string[]): readonly unknown[] {
    const parsed = parseYamlSource(this.#input.text);
    const value = parsed.ok && isNode(parsed.source.value) ? parsed.source.value : {};
    return names.map((name) => (Object.hasOwn(value, name) ? Reflect.get(value, name) : null));
  }

  /** The file with some of its sections replaced, checked by the same schema, and by what the house does not give away. */
  with(sections: Sections): RemoteResult {
    const foreign = Object.keys(sections).flatMap((name) => this.#refusal(name) ?? []);
    if (foreign.length > 0) return { ok: false, mistakes: foreign };
    if (Object.keys(sections).length === 0) return { ok: true, config: this.own };
    const loaded = loadConfig({ ...this.#input, sections: { ...this.#input.sections, ...sections } });
    if (!loaded.ok) return { ok: false, mistakes: mistakesOf(loaded) };
    const mistakes = loosened(this.own, loaded.config);
    return mistakes.length === 0 ? loaded : { ok: false, mistakes };
  }

  /** Returns true if the file decides about a section. Of `http` the house sets its web origins only. */
  isInFile(section: string): boolean {
    const [said] = this.fileSays([section]);
    return section === "http" ? isNode(said) && Object.hasOwn(said, "corsOrigins") : said !== null;
  }

  /** The file with sections that are set in the house over the API, checked by the same schema. */
  inHouse(sections: Sections): LayerResult {
    const { http } = sections;
    const [listen] = this.fileSays(["http"]);
    const input = {
      ...this.#input,
      // Where the gateway listens stays as the file has it.
      sections: http === undefined ? sections : { ...sections, http: { ...Object(listen), ...Object(http) } },
    };
    const loaded = loadConfig(input);
    if (loaded.ok) return { ok: true, layer: new RemoteLayer(input, loaded.config) };
    return { ok: false, mistakes: mistakesOf(loaded) };
  }

  /** The environment variables that set values, each with the section that the value is in. */
  get variables(): readonly { readonly name: string; readonly section: string }[] {
    const { adapters, environment } = this.#input;
    const { overrides } = readOverrides(configJsonSchema(adapters), environment);
    return overrides.map(({ name, path: [section = ""] }) => ({ name, section }));
  }

  #refusal(name: string): RemoteMistake | null {
    const allowed: readonly string[] = this.own.remote.sections;
    if (allowed.includes(name)) return null;
    const possible = allowed.length === 0 ? "no section" : `one of ${allowed.join(", ")}`;
    const known: readonly string[] = [...REMOTE_SECTIONS, ...Object.keys(BASE_CONFIG)];
    if (known.includes(name)) return { path: name, problem: "decided in the house, not from afar", expected: possible };
    const hint = nearest(name, allowed);
    const problem = hint === null ? "unknown key" : `unknown key; did you mean "${hint}"?`;
    return { path: name, problem, expected: possible };
  }
}

function mistakesOf({ mistakes }: { readonly mistakes: readonly RemoteMistake[] }): readonly RemoteMistake[] {
  return mistakes.map(({ path, problem, expected }) => ({ path, problem, expected }));
}
