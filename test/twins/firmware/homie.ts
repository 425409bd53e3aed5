import type { Firmware, FirmwareMessage, Say } from "./board.ts";

/** A property with what its description says; `value` is what it would publish. */
export interface HomieTwinProperty {
  readonly datatype: "float" | "integer" | "boolean" | "string";
  readonly unit?: string;
  readonly settable?: boolean;
  readonly format?: string;
  value: string;
}

/** A Homie 5 device with one node: values on change only, retained, a will on its state. */
export class HomieTwin implements Firmware {
  readonly will: FirmwareMessage | undefined;
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: 1_000, run: (say: Say): void => this.#publish(say) }];
  readonly properties: Readonly<Record<string, HomieTwinProperty>>;
  /** True: it takes no command. */
  isLocked = false;
  readonly #base: string;
  readonly #root: string | null;
  readonly #told = new Map<string, string>();

  /** `root`: the device that this one is a child of. */
  constructor(id: string, properties: Readonly<Record<string, HomieTwinProperty>>, root: string | null = null) {
    this.#base = `homie/5/${id}`;
    this.#root = root;
    this.properties = properties;
    // The convention allows a will for the root device only.
    this.will = { topic: `homie/5/${root ?? id}/$state`, text: "lost", isRetained: true };
    this.filters = [`${this.#base}/main/+/set`];
  }

  connected(say: Say): void {
    this.#told.clear();
    const tell = (key: string, text: string): void => say({ topic: `${this.#base}/${key}`, text, isRetained: true });
    tell("$state", "init");
    const properties = Object.fromEntries(
      Object.entries(this.properties).map(([name, { value: _value, ...described }]) => [name, described]),
    );
    const description = {
      homie: "5.0",
      version: 7,
      name: "Cellar meter",
      type: "meter-v2",
      nodes: { main: { properties } },
      children: [],
      ...(this.#root !== null && { root: this.#root, parent: this.#root }),
    };
    tell("$description", JSON.stringify(description));
    this.#publish(say);
    tell("$state", "ready");
    if (this.#root !== null) say({ topic: `homie/5/${this.#root}/$state`, text: "ready", isRetained: true });
  }

  heard({ topic, text }: { topic: string; text: string }, say: Say): void {
    const property = this.properties[topic.split("/").at(-2) ?? ""];
    if (property === undefined || this.isLocked) return;
    property.value = text;
    this.#publish(say);
  }

  #publish(say: Say): void {
    for (const [name, { value }] of Object.entries(this.properties)) {
      if (this.#told.get(name) === value) continue;
      this.#told.set(name, value);
      say({ topic: `${this.#base}/main/${name}`, text: value, isRetained: true });
    }
  }
}
