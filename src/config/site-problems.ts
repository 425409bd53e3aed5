import type { z } from "zod";
import { houseOf, type SiteHouse, siteMistakes } from "../domain/energy/site/site-mistakes.ts";
import type { SiteSettings } from "../domain/energy/site/site-settings.ts";
import type { GridLimitsSettings } from "./grid-limits-config.ts";

/** The parts of a configuration that the connection and its limits refer to. */
export interface SiteParts {
  readonly site: { readonly connection?: SiteSettings | undefined };
  readonly devices: readonly { readonly id: string }[];
  readonly forecast?: { readonly planes: readonly { readonly peakKw: number }[] } | undefined;
  readonly gridLimits: GridLimitsSettings;
  readonly mqtt?: object | undefined;
}

/** Returns the peak power of the panels as the forecast has it, kW; `null` if it has none. */
export function panelsOf(forecast: SiteParts["forecast"]): number | null {
  const { planes = [] } = forecast ?? {};
  return planes.length === 0 ? null : planes.reduce((sum, { peakKw }) => sum + peakKw, 0);
}

/** Reports what of the connection and its limits does not fit the rest of the configuration. */
export function checkSite(parts: SiteParts, context: z.RefinementCtx): void {
  const { site, devices, forecast } = parts;
  const panelsKw = panelsOf(forecast);
  const house = houseOf(
    devices.map(({ id }) => id),
    panelsKw,
  );
  const { connection = {} } = site;
  for (const { path, problem } of siteMistakes(connection, house)) {
    report(context, ["site", "connection", ...path], problem);
  }
  for (const [index, { device }] of parts.gridLimits.controllable.entries()) {
    if (house.isDevice(device)) continue;
    const problem = `there is no device "${device}"; use the id of a device`;
    report(context, ["gridLimits", "controllable", index, "device"], problem);
  }
  checkContacts(parts, { ...house, panelsKw: connection.panelsKw ?? panelsKw }, context);
}

function checkContacts({ gridLimits, mqtt }: SiteParts, house: SiteHouse, context: z.RefinementCtx): void {
  const { contacts } = gridLimits;
  if (contacts === undefined) return;
  const inputs = Object.entries(contacts.inputs);
  const isOverMqtt = contacts.alive !== undefined || inputs.some(([, input]) => "topic" in input);
  if (isOverMqtt && mqtt === undefined)
    report(context, ["gridLimits", "contacts"], "no MQTT broker: add the section mqtt");
  for (const [name, input] of inputs) {
    if (!("device" in input) || house.isDevice(input.device)) continue;
    const problem = `there is no device "${input.device}"; use the id of a device`;
    report(context, ["gridLimits", "contacts", "inputs", name, "device"], problem);
  }
  for (const name of ["S1", "S2"] as const) {
    if (contacts.inputs[name] === undefined || house.panelsKw !== null) continue;
    const problem = "is a share of the panels' peak power; set site.connection.panelsKw, or the planes of the forecast";
    report(context, ["gridLimits", "contacts", "inputs", name], problem);
  }
}

function report(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path, message, params: { isOption: true } });
}
