/** Leads to the link page, which has each brand, asks for address and password, and shows what answers before it is added. */
import { SCOPES } from "../../../domain/users/scope.ts";
import { ask } from "../api.ts";
import { Button, Outcome, useTask } from "../parts/form.tsx";
import { useLanguage } from "../texts.ts";

interface Configuration {
  readonly sections: readonly { readonly name: string; readonly value: unknown }[];
}

/** Comes back to this page. */
export function LinkButton() {
  const { texts } = useLanguage();
  const task = useTask();
  const begin = (): void =>
    task.run(async () => {
      const { sections } = await ask<Configuration>("GET", "/local/configuration");
      const site = sections.find(({ name }) => name === "site")?.value as { owner: string };
      const { linkUrl } = await ask<{ linkUrl: string }>("POST", `/users/${encodeURIComponent(site.owner)}/link`, {
        vendorType: "meter",
        scopes: Object.values(SCOPES).flat(),
        language: "browser",
        redirectUri: location.href,
      });
      location.assign(linkUrl);
    });
  return (
    <>
      <Button kind="s" task={task} onClick={begin}>
        {texts.add.byBrand}
      </Button>
      <Outcome task={task} />
    </>
  );
}
