import { type FoundOnNetwork, type MovedDevice, NetworkSearch } from "../../domain/discovery/discovery.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { CliContext } from "../context.ts";
import { askForSearch, askSearch, notRunning } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { textTable } from "../text-table.ts";

const LOOK_EVERY_MS = 1_000;

export interface DiscoverOptions {
  readonly folder: string;
  readonly isJson: boolean;
  /** Whether hosts are asked, or only listened to. */
  readonly isActive: boolean;
  readonly hosts: readonly string[];
}

/** `hemgate discover`: what the running gateway finds in the house's network. */
export async function discover(
  { folder, isJson, isActive, hosts }: DiscoverOptions,
  context: Pick<CliContext, "out" | "err" | "stop" | "isTerminal">,
  clock: Pick<Clock, "sleep">,
): Promise<ExitCode> {
  const question = { isActive: isActive || hosts.length > 0, ...(hosts.length === 0 ? {} : { hosts: [...hosts] }) };
  let search = await askForSearch(folder, question, context.stop);
  if (search !== null && !isJson) context.err(question.isActive ? "asking the house's hosts…" : "listening…");
  let shown = 0;
  while (search?.isSearching === true) {
    await clock.sleep(LOOK_EVERY_MS, context.stop);
    search = await askSearch(folder, context.stop);
    const tenth =
      search === null || search.hostsAsked === 0 ? 0 : Math.floor((10 * search.hostsDone) / search.hostsAsked);
    if (search === null || isJson || !context.isTerminal || tenth <= shown) continue;
    shown = tenth;
    context.err(`asked ${search.hostsDone} of ${search.hostsAsked} addresses`);
  }
  if (search === null) throw notRunning(folder);
  if (hosts.length > 0) search = onlyAt(search, hosts);
  context.out(isJson ? JSON.stringify(NetworkSearch.parse(search)) : searchText(search));
  return EXIT.ok;
}

/** What was found at some hosts; the gateway remembers what earlier searches found elsewhere. */
function onlyAt(search: NetworkSearch, hosts: readonly string[]): NetworkSearch {
  const devices = search.devices.filter(({ address, otherAddresses }) => {
    return [address, ...otherAddresses].some((each) => each !== null && hosts.includes(each));
  });
  return { ...search, devices, moved: search.moved.filter(({ to }) => hosts.includes(to.split(":")[0] ?? "")) };
}

function searchText({ devices, moved, isActive, hostsAsked, hostsInUse }: NetworkSearch): string {
  const table = textTable(["WHAT", "SERIAL", "WHERE", "PROFILE", "SURE", "PROOF", "KNOWN AS"], devices.map(foundRow));
  const inUse = hostsInUse.length === 0 ? "" : `, ${hostsInUse.length} left alone because the gateway talks to them`;
  const how = isActive ? `${hostsAsked} hosts asked` : "only listened; --active asks hosts";
  const summary = `${devices.length} found; ${how}${inUse}`;
  return [...(devices.length === 0 ? [] : [table]), ...moved.map(movedText), summary].join("\n");
}

function foundRow(device: FoundOnNetwork): readonly string[] {
  const { manufacturer, model, name, serial, address, adapter, profile, confidence, proof, knownAs } = device;
  const what = [manufacturer, model ?? name].filter((part) => part !== null).join(" ");
  const rivals = device.otherAddresses.map((other) => ` and ${other}`).join("");
  return [
    what === "" ? "unknown" : what,
    serial ?? "",
    `${address ?? ""}${rivals}`,
    profile === null ? adapter : `${adapter}/${profile}`,
    `${Math.round(confidence * 100)} %`,
    [proof ?? "", ...device.needs.map((need) => `needs ${need}`)].filter((part) => part !== "").join(", "),
    knownAs ?? "",
  ];
}

function movedText({ deviceId, from, to, serial }: MovedDevice): string {
  return `${deviceId}: moved from ${from} to ${to}, known by its serial number ${serial}`;
}
