/** The accounts with vendors' clouds: how they do, and what is left of their quotas. */
import { z } from "zod";
import { VendorAccountView } from "../../../domain/vendors/vendor-account-view.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";

export function vendorAccountRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/vendors",
    schema: {
      operationId: "listVendorAccounts",
      summary: "List the accounts with vendors' clouds, with what is left of their quotas",
      description:
        "Requests that are left of each quota, when it is filled again, and what is wrong with an account. Without a vendor's cloud the list is empty.",
      tags: ["health"],
      response: {
        200: jsonResponse("The accounts, by vendor.", z.array(VendorAccountView)),
        ...problemResponses(),
      },
    },
    handler: () => [...engine.services.vendors.accounts()],
  });
}
