/** What announces itself is added by one tap; what is connected shows its values. */
import { usePage } from "../../context.ts";
import { useLanguage } from "../../texts.ts";
import { NetworkSearch } from "../add.tsx";
import { DeviceRow } from "../devices.tsx";
import { StepLead } from "./setup.tsx";

export function DevicesStep({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { house } = usePage();
  return (
    <>
      <StepLead title={texts.setup.devices.title}>{texts.setup.devices.lead}</StepLead>
      <div class="stack">
        <section class="card flush" aria-labelledby="h-connected">
          <header>
            <h2 id="h-connected">{texts.setup.devices.connected}</h2>
            <span class="second">{house.assets.length === 0 ? "" : house.assets.length}</span>
          </header>
          {house.assets.length === 0 ? <p class="small second pad">{texts.setup.devices.none}</p> : null}
          <ul class="list">
            {house.assets.map((asset) => (
              <DeviceRow key={asset.id} asset={asset} />
            ))}
          </ul>
        </section>
        <NetworkSearch isGuided onChange={onChange} />
      </div>
    </>
  );
}
