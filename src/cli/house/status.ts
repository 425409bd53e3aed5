import type { ControlState } from "../../cli-socket/messages.ts";
import type { Client, Schemas } from "../../client/index.ts";
import type { CliContext } from "../context.ts";
import { askState, notRunning } from "../control-client.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { ageText } from "../point-text.ts";
import { socketClient } from "../socket-client.ts";
import { textTable } from "../text-table.ts";
import { deviceNames } from "./device-names.ts";

export interface StatusOptions {
  readonly folder: string;
  readonly isJson: boolean;
}

interface Status {
  readonly gateway: ControlState;
  readonly energy: Schemas["EnergyState"];
  readonly cloud: Schemas["CloudLink"];
  readonly names: ReadonlyMap<string, string>;
}

/** `hemgate status`: the house on one screen. Exit code 1 while the gateway is not ready. */
export async function status(
  { folder, isJson }: StatusOptions,
  context: Pick<CliContext, "out" | "stop">,
): Promise<ExitCode> {
  const client = await socketClient(folder, context.stop);
  const found = await readStatus(folder, client, context.stop);
  context.out(isJson ? JSON.stringify(statusJson(found)) : statusText(found));
  return found.gateway.isReady ? EXIT.ok : EXIT.failed;
}

async function readStatus(folder: string, client: Client, stop: AbortSignal): Promise<Status> {
  const gateway = await askState(folder, stop);
  if (gateway === null) throw notRunning(folder);
  const energy = await client.get("/local/energy", { query: { language: "en-US" } });
  return { gateway, energy, cloud: await client.get("/local/cloud"), names: await deviceNames(client) };
}

function statusJson({ gateway, energy, cloud, names }: Status): object {
  const { version, address, isReady, failures, devices, checks } = gateway;
  return {
    version,
    address,
    isReady,
    failures,
    devices: devices.map(({ id, isReachable, ageMs, lastError }) => ({
      id,
      name: names.get(id) ?? null,
      isReachable,
      ageMs,
      lastError,
    })),
    findings: checks.filter(({ state }) => state === "OPEN").length,
    energy,
    cloud,
  };
}

function statusText({ gateway, energy, cloud, names }: Status): string {
  const { version, address, isReady, failures, devices, checks } = gateway;
  const open = checks.filter(({ state }) => state === "OPEN").length;
  const where = address === null ? "the API does not listen" : address;
  return [
    `hemgate ${version}, ${where}, ${isReady ? "ready" : "not ready"}`,
    ...failures.map((failure) => `  ${failure}`),
    "",
    ...powers(energy),
    ...(devices.length === 0 ? ["no devices are configured"] : ["", deviceTable(devices, names)]),
    ...(energy.devices.length === 0 ? [] : ["", managerTable(energy)]),
    ...(energy.alarms.length === 0 ? [] : ["", ...energy.alarms.map(alarmText)]),
    "",
    `cloud service: ${cloud.state.toLowerCase().replaceAll("_", " ")}`,
    ...(open === 0 ? [] : [`${open} open ${open === 1 ? "finding" : "findings"}: see \`hemgate checks\``]),
  ].join("\n");
}

/** What is not known is left out. */
function powers({ grid, production, battery, chargers }: Schemas["EnergyState"]): readonly string[] {
  const rows = [
    ["grid", grid, "import", "export"],
    ["production", production, "", ""],
    ["battery", battery, "charging", "discharging"],
    ["chargers", chargers, "", "into the house"],
  ] as const;
  return rows.flatMap(([name, { powerKw, ageSeconds }, positive, negative]) => {
    if (powerKw === null) return [];
    const direction = powerKw > 0 ? positive : powerKw < 0 ? negative : "";
    const age = ageSeconds === null ? "" : `(${ageText(ageSeconds * 1_000)})`;
    const kw = `${Math.abs(powerKw).toFixed(2)} kW`;
    return [[`${name}:`.padEnd(12), kw, direction, age].filter((part) => part !== "").join(" ")];
  });
}

function deviceTable(devices: ControlState["devices"], names: Status["names"]): string {
  const rows = devices.map(({ id, isReachable, ageMs, lastError }) => {
    const state = isReachable ? "answers" : ageMs === null ? "not yet reached" : "silent";
    return [id, names.get(id) ?? "", state, ageText(ageMs), lastError ?? ""];
  });
  return textTable(["DEVICE", "NAME", "STATE", "LAST ANSWER", "PROBLEM"], rows);
}

function managerTable({ devices }: Schemas["EnergyState"]): string {
  const rows = devices.map(({ name, policy, inCharge, flow, reason }) => [
    name,
    policy?.mode ?? "none",
    inCharge,
    flow.powerKw === null ? "not known" : `${flow.powerKw.toFixed(2)} kW`,
    reason?.text ?? "",
  ]);
  return textTable(["ENERGY MANAGER", "MODE", "DECIDES", "POWER", "WHY"], rows);
}

function alarmText({ code, subject, since }: Schemas["EnergyAlarm"]): string {
  return `alarm: ${code}, ${subject}, since ${since}`;
}
