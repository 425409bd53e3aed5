/** How the vendors do, by category (rule I4.13). */
import { z } from "zod";
import type { AssetKind } from "../../../domain/assets/asset.ts";
import { VendorHealth } from "../../../domain/vendors/vendor-health.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";

const CATEGORIES: readonly { readonly path: string; readonly kind: AssetKind; readonly noun: string }[] = [
  { path: "vehicles", kind: "vehicle", noun: "Vehicle" },
  { path: "chargers", kind: "charger", noun: "Charger" },
  { path: "hvacs", kind: "hvac", noun: "Hvac" },
  { path: "inverters", kind: "inverter", noun: "Inverter" },
  { path: "batteries", kind: "battery", noun: "Battery" },
  { path: "meters", kind: "meter", noun: "Meter" },
];
/** The same by another name (rule S0.6). */
const OTHER_NAME = { path: "inverter", kind: "inverter", noun: "InverterCategory" } as const;

export function vendorHealthRoutes(api: Api, { engine }: RouteParts): void {
  for (const { path, kind, noun } of [...CATEGORIES, OTHER_NAME]) {
    api.route({
      method: "GET",
      url: `/health/${path}`,
      schema: {
        operationId: `get${noun}Health`,
        summary: `Tell how the vendors of ${kind === "hvac" ? "HVAC units" : `${kind} devices`} do`,
        description:
          "By vendor: `status` is how many of its devices in this house answer, `linkingStatus` how many of the last attempts to link one succeeded. It says nothing about the vendor elsewhere.",
        tags: ["health"],
        response: {
          200: jsonResponse("The vendors that this gateway reaches.", z.array(VendorHealth)),
          ...problemResponses(),
        },
      },
      handler: () => engine.services.vendors.health(kind),
    });
  }
}
