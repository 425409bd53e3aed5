import { ASSET_KINDS, type Asset, type AssetKind } from "../domain/asset.ts";
import type { Assets } from "../engine/services.ts";
import type { Broker, Log } from "../platform/ports.ts";

/** `hemgate/<kind>/<id>` holds the asset as the API shows it; `hemgate/status` is `online` while the gateway runs. */
const STATUS_TOPIC = "hemgate/status";

/** Publishes every asset retained, now and whenever it changes. Disposing says `offline` and stops. */
export async function publishRetainedStates({
  assets,
  broker,
  log,
}: {
  readonly assets: Assets;
  readonly broker: Broker;
  readonly log: Pick<Log, "warn">;
}): Promise<AsyncDisposable> {
  const encoder = new TextEncoder();
  const send = (topic: string, text: string): Promise<void> =>
    broker
      .publish({ topic, payload: encoder.encode(text), isRetained: true })
      .catch((err: unknown) => log.warn({ err, topic }, "MQTT state not published"));
  const sendAsset = (kind: AssetKind, id: string, asset: Asset | null): Promise<void> =>
    send(`hemgate/${kind}/${id}`, asset === null ? "" : JSON.stringify(asset));

  const observation = assets.observe((kind, id, asset) => void sendAsset(kind, id, asset));
  for (const kind of ASSET_KINDS) {
    for (const { asset } of assets.list(kind)) await sendAsset(kind, asset.id, asset);
  }
  await send(STATUS_TOPIC, "online");
  return {
    async [Symbol.asyncDispose]() {
      observation[Symbol.dispose]();
      await send(STATUS_TOPIC, "offline");
    },
  };
}
