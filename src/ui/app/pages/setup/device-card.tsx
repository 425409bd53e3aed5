/** The name of a device, and its removal with what that means. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { useRight } from "../../context.ts";
import { type KnownAsset, nameOf } from "../../live/assets.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { DevicePlace } from "../device-place.tsx";

interface Device {
  readonly deviceId: string;
  readonly name: string | null;
  readonly isConfigured: boolean;
  readonly assets: readonly { readonly assetId: string }[];
}

export function DeviceCard({ asset }: { readonly asset: KnownAsset }) {
  const { texts } = useLanguage();
  const mayInstall = useRight("install");
  const devices = usePolled<readonly Device[]>(mayInstall ? "/local/devices" : null, 0);
  const own = devices.value?.find(({ assets }) => assets.some(({ assetId }) => assetId === asset.id));
  if (own === undefined) return null;
  return (
    <>
      <DevicePlace asset={asset} deviceId={own.deviceId} />
      <section class="card" aria-labelledby="h-manage">
        <header>
          <h2 id="h-manage">{texts.setup.device.title}</h2>
        </header>
        {own.isConfigured ? (
          <p class="small second">{texts.setup.device.fromFile}</p>
        ) : (
          <div class="stack">
            <Rename device={own} shownName={nameOf(asset)} onChange={devices.refresh} />
            <Removal device={own} />
          </div>
        )}
      </section>
    </>
  );
}

interface RenameProps {
  readonly device: Device;
  /** What it is called where nobody has named it. */
  readonly shownName: string;
  readonly onChange: () => void;
}

function Rename({ device, shownName, onChange }: RenameProps) {
  const { texts } = useLanguage();
  const [name, setName] = useState(device.name ?? shownName);
  const task = useTask({ 409: texts.errors.setElsewhere });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const path = `/local/devices/${encodeURIComponent(device.deviceId)}`;
    task.run(() => ask("PATCH", path, { name: name.trim() }).then(onChange));
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field label={texts.setup.device.name} value={name} onText={setName} required maxLength={64} />
      <Button type="submit" kind="s" task={task}>
        {texts.setup.device.rename}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}

/** The safe answer is first. */
function Removal({ device }: { readonly device: Device }) {
  const { texts } = useLanguage();
  const words = texts.setup.device;
  const [isAsked, setIsAsked] = useState(false);
  const task = useTask({ 409: texts.errors.setElsewhere });
  const remove = (): void =>
    task.run(async () => {
      await ask("DELETE", `/local/devices/${encodeURIComponent(device.deviceId)}`);
      location.hash = "#/devices";
    });
  if (!isAsked) {
    return (
      <Button kind="q s" onClick={() => setIsAsked(true)}>
        {words.remove}
      </Button>
    );
  }
  return (
    <div class="stack">
      <h3>{words.sure}</h3>
      <p class="small">{words.consequences}</p>
      <div class="acts">
        <Button kind="p s" onClick={() => setIsAsked(false)}>
          {words.keep}
        </Button>
        <Button kind="s" task={task} onClick={remove}>
          {words.confirm}
        </Button>
      </div>
      <Outcome task={task} />
    </div>
  );
}
