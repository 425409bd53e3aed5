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

/** What each zone may import, `hemgate/sdk` by the package's own name included; zones that may import the same in one. */
function permissions(): ReadonlyMap<string, readonly string[]> {
  const sdkUsers = PACKAGES[SDK] ?? [];
  const byPlaces = Map.groupBy(Object.entries(MAY_IMPORT), ([zone, places]) =>
    [...places, ...(sdkUsers.includes(zone) ? [SDK] : [])].join(" "),
  );
  return new Map([...byPlaces].map(([places, zones]) => [zones.map(([zone]) => zone).join(" "), places.split(" ")]));
}

function table(): string {
  const code = (names: readonly string[]) => names.map((name) => (name === "" ? "nothing" : `\`${name}\``)).join(", ");
  const lines = [...permissions()].map(([zones, places]) => `| ${code(zones.split(" "))} | ${code(places)} |`);
  return ["| zone | may import |", "|---|---|", ...lines].join("\n");
}

/** The arrows of the rule without those that a longer way through whole zones shows already. */
function arrowsDrawn(): readonly Arrow[] {
  const all = [...permissions()].flatMap(([from, places]) =>
    places.filter((place) => place !== "").map((place) => arrow(from, place)),
  );
  return all.reduce<readonly Arrow[]>((left, each) => {
    const others = left.filter((other) => other !== each);
    return each.part === "" && reaches(others, each.from, each.to) ? others : left;
  }, all);
}

function arrow(from: string, place: string): Arrow {
  if (place === SDK) return { from, to: "src/sdk", part: "" };
  const zones = [...permissions().keys()].filter((zone) => place === zone || place.startsWith(`${zone}/`));
  const group = [...permissions().keys()].find((names) => names.split(" ").includes(place));
  const to = group ?? zones.toSorted((a, b) => b.length - a.length)[0] ?? place;
  return { from, to, part: group === undefined && to !== place ? place.slice(to.length + 1) : "" };
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

function node(zones: string): string {
  const label = zones === "src" ? "all of src" : zones.replaceAll("src/", "").replaceAll(" ", ", ");
  return `${zones.replaceAll(/\W/g, "_")}["${label}"]`;
}
