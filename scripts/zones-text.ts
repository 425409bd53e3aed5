import { MAY_IMPORT, PACKAGES } from "../test/architecture/import-rule.ts";

/** The comments in docs/architecture.md between which the picture of the zones stands. */
const BEGIN = "<!-- zones: written by scripts/update-zones.mjs from test/architecture/import-rule.ts -->";
const END = "<!-- end of zones -->";
const SDK = "hemgate/sdk";

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** The part of the other zone that may be imported; empty if all of it may be. */
  readonly part: string;
}

/** Returns the page with the picture and the table of the zones as the import rule has them. */
export function withZones(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/architecture.md lacks "${BEGIN}" or "${END}"`);
  const picture = ["```mermaid", "graph BT", ...arrowsDrawn().map(arrowText), "```"].join("\n");
  return `${page.slice(0, begin)}${BEGIN}\n\n${picture}\n\n${table()}\n\n${page.slice(end)}`;
}

/** What each zone may import, `hemgate/sdk` by the package's own name included. */
function permissions(): readonly (readonly [zone: string, places: readonly string[]])[] {
  const sdkUsers = PACKAGES[SDK] ?? [];
  return Object.entries(MAY_IMPORT).map(([zone, places]) => [
    zone,
    sdkUsers.includes(zone) ? [...places, SDK] : places,
  ]);
}

function table(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ") || "nothing";
  const lines = permissions().map(([zone, places]) => `| ${code([zone])} | ${code(places)} |`);
  return ["| zone | may import |", "|---|---|", ...lines].join("\n");
}

/** The arrows of the rule without those that a longer way through whole zones shows already. */
function arrowsDrawn(): readonly Arrow[] {
  const all = permissions().flatMap(([from, places]) => places.map((place) => arrow(from, place)));
  return all.reduce<readonly Arrow[]>((left, each) => {
    const others = left.filter((other) => other !== each);
    return each.part === "" && reaches(others, each.from, each.to) ? others : left;
  }, all);
}

function arrow(from: string, place: string): Arrow {
  if (place === SDK) return { from, to: "src/sdk", part: "" };
  const zones = Object.keys(MAY_IMPORT).filter((zone) => place === zone || place.startsWith(`${zone}/`));
  const to = zones.toSorted((a, b) => b.length - a.length)[0] ?? place;
  return { from, to, part: to === place ? "" : place.slice(to.length + 1) };
}

function reaches(arrows: readonly Arrow[], from: string, to: string): boolean {
  const found = new Set([from]);
  for (const zone of found) {
    for (const each of arrows) if (each.from === zone && each.part === "") found.add(each.to);
  }
  return found.has(to);
}

function arrowText({ from, to, part }: Arrow): string {
  return `  ${node(from)} -->${part === "" ? "" : `|only ${part}|`} ${node(to)}`;
}

function node(zone: string): string {
  return `${zone.replaceAll(/\W/g, "_")}["${zone === "src" ? "all of src" : zone.replace("src/", "")}"]`;
}
