import type { InstallationCheckService } from "../checks/installation-check-service.ts";
import type { EnginePart, PartContext } from "../engine-part.ts";
import { InterventionAdvice } from "../interventions/intervention-advice.ts";
import { VendorDirectory } from "../vendors/vendor-directory.ts";
import { LinkService } from "./link-service.ts";

/** Linking, the vendors that it knows, and the remedies that assets name. */
export function createLinking(
  context: PartContext,
  checks: InstallationCheckService,
): {
  readonly linking: LinkService;
  readonly vendors: VendorDirectory;
  readonly parts: readonly EnginePart[];
} {
  const vendors = new VendorDirectory(context);
  const linking = new LinkService(context, { ...context, directory: vendors });
  return { linking, vendors, parts: [linking, new InterventionAdvice(context, checks)] };
}
