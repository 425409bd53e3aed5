/** Chooses one of the found devices, and what it is added with: the same for a person at a terminal and for a file. */
import type { AdoptBody, FoundOnNetwork, FoundSetup } from "./discovery.ts";

type Found = Pick<FoundOnNetwork, "manufacturer" | "model" | "name" | "profile" | "adapter">;

/** Returns true if words are part of a device's manufacturer, model, name, profile or adapter. */
export function isOfBrand({ manufacturer, model, name, profile, adapter }: Found, brand: string | undefined): boolean {
  const words = [manufacturer, model, name, profile, adapter].filter((word) => word !== null);
  return brand === undefined || words.join(" ").toLowerCase().includes(brand.toLowerCase());
}

/** Returns manufacturer and model of a found device, in English. */
export function foundName({ manufacturer, model, name, adapter }: Omit<Found, "profile">): string {
  const words = [manufacturer, model ?? name].filter((word) => word !== null);
  return words.length === 0 ? `an unknown device (${adapter})` : words.join(" ");
}

/** Returns why no new device fits, in English with what to do; and the code of the reason. */
export function whyNoneFits(
  found: readonly (Found & Pick<FoundOnNetwork, "knownAs">)[],
  brand: string | undefined,
): { readonly code: "known" | "none-found"; readonly text: string } {
  const known = found.filter((device) => device.knownAs !== null && isOfBrand(device, brand));
  if (known.length > 0) {
    const names = known.map((device) => `${foundName(device)} is ${device.knownAs}`).join(", ");
    return { code: "known", text: `the gateway has it already: ${names}` };
  }
  if (brand !== undefined && found.length > 0) {
    const others = found.map(foundName).join(", ");
    return { code: "none-found", text: `nothing of "${brand}" was found, but ${others}` };
  }
  return {
    code: "none-found",
    text: "no new device was found; look at its power, cable and address, and whether its Modbus or local API is switched on",
  };
}

/** What a person, or a file, decided about a device. */
export interface FoundTerms {
  readonly name?: string;
  /** Settings and options by their name. */
  readonly set: ReadonlyMap<string, string | number>;
  /** Unverified controls to switch on; `all` for each of them. */
  readonly confirm: readonly string[];
  readonly confirmNoFailsafe: boolean;
  readonly saveAnyway: boolean;
}

/** The body that adds a device, without what is not decided. */
type AdoptTerms = { [Name in keyof AdoptBody]?: NonNullable<AdoptBody[Name]> } & Pick<AdoptBody, "options">;

/** Returns the body that adds a device. `refuse` is called for a setting that is no number, and throws. */
export function adoptBodyOf(
  fields: readonly FoundSetup["fields"][number][],
  { name, set, confirm, confirmNoFailsafe, saveAnyway }: FoundTerms,
  refuse: (setting: string) => never,
): AdoptTerms {
  const numberOf = (setting: string, value: string | number): number => {
    const number = typeof value === "number" ? value : Number(value);
    return (typeof value === "string" && value.trim() === "") || !Number.isFinite(number) ? refuse(setting) : number;
  };
  const left = new Map(set);
  const options: AdoptBody["options"] = {};
  const settings: Record<string, number> = {};
  for (const field of fields) {
    if (field.kind === "confirm") continue;
    const setting = settingOf(field.name);
    const key = [setting ?? field.name, field.name].find((each) => left.has(each));
    const value = key === undefined ? undefined : left.get(key);
    if (key === undefined || value === undefined) continue;
    left.delete(key);
    if (value === "") continue;
    if (setting !== null) settings[setting] = numberOf(setting, value);
    else options[field.name] = field.kind === "number" ? numberOf(field.name, value) : value;
  }
  return {
    // The gateway says which options there are.
    options: { ...options, ...Object.fromEntries(left) },
    ...(name !== undefined && { name }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(confirm.length > 0 && { confirmUnverified: confirm.includes("all") ? true : [...confirm] }),
    ...(confirmNoFailsafe && { confirmNoFailsafe: true }),
    ...(saveAnyway && { saveAnyway: true }),
  };
}

/** Returns the name of a setting of the profile; `null` for an option. */
export function settingOf(field: string): string | null {
  return field.startsWith("settings.") ? field.slice("settings.".length) : null;
}
