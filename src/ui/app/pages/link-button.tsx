/** Leads to the link page, which has each brand, asks for address and password, and shows what answers before it is added. */
import { SCOPES } from "../../../domain/users/scope.ts";
import { ask } from "../api.ts";
import type { AssetKind } from "../live/assets.ts";
import { Button, Outcome, useTask } from "../parts/form.tsx";

interface Configuration {
  readonly sections: readonly { readonly name: string; readonly value: unknown }[];
}

interface LinkButtonProps {
  /** The kind of device whose brands are offered. Its other parts are added with it. */
  readonly kind: AssetKind;
  readonly label: string;
}

/** Comes back to this page. */
export function LinkButton({ kind, label }: LinkButtonProps) {
  const task = useTask();
  const begin = (): void =>
    task.run(async () => {
      const { sections } = await ask<Configuration>("GET", "/local/configuration");
      const site = sections.find(({ name }) => name === "site")?.value as { owner: string };
      const { linkUrl } = await ask<{ linkUrl: string }>("POST", `/users/${encodeURIComponent(site.owner)}/link`, {
        vendorType: kind,
        scopes: Object.values(SCOPES).flat(),
        language: "browser",
        redirectUri: location.href,
      });
      location.assign(linkUrl);
    });
  return (
    <>
      <Button kind="s" task={task} onClick={begin}>
        {label}
      </Button>
      <Outcome task={task} />
    </>
  );
}
