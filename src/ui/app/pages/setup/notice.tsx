import { usePage } from "../../context.ts";
import { useLanguage } from "../../texts.ts";
import type { SetupState } from "./use-setup.ts";

/** One line on other pages until the house is handed over, for people who may install. */
export function SetupNotice({ setup }: { readonly setup: SetupState | null }) {
  const { texts } = useLanguage();
  const { house } = usePage();
  if (setup?.isDue !== true || !house.isConnected) return null;
  return (
    <p class="notice row between small">
      <span>{texts.setup.notice}</span>
      <a class="b s" href="#/setup">
        {texts.setup.go}
      </a>
    </p>
  );
}
