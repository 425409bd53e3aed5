import type { AssetKind } from "../../domain/assets/asset.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";
import type { Store } from "../../store/store.ts";
import type { ActionService, ActionTargets } from "../actions/actions.ts";
import { DeviceControl } from "../actions/device-control.ts";
import { DeviceLeases } from "../actions/device-leases.ts";
import type { AdapterHost } from "../adapters/adapter-host.ts";
import type { AssetJournal } from "../assets/asset-journal.ts";
import type { AssetOverlays } from "../assets/asset-overlays.ts";
import { DeviceAssets } from "../assets/device-assets.ts";
import type { AssetRegistry } from "../assets/registry.ts";
import type { Corrections } from "../checks/corrections.ts";
import { TakenPoints } from "../checks/taken-points.ts";
import { Device } from "../devices/device.ts";
import { ExpectedSerial } from "../devices/expected-serial.ts";
import type { ReadingTally } from "../devices/reading-tally.ts";
import type { AuthorizationService } from "../users/authorization-service.ts";
import type { DeviceEntry } from "./device-entry.ts";

/** What all devices share. */
export interface DeviceContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly registry: AssetRegistry;
  readonly overlays: AssetOverlays;
  readonly journal: AssetJournal;
  readonly host: AdapterHost;
  readonly actions: ActionService;
  readonly targets: ActionTargets;
  readonly authorizations: AuthorizationService;
  readonly readings: ReadingTally;
  readonly corrections: Corrections;
  /** As `DeviceOptions.lacks`. */
  lacks(deviceId: string, kinds: readonly AssetKind[]): void;
}

/** Makes a device and shows its assets; its loop is the caller's. */
export function createDevice(context: DeviceContext, { settings, options }: DeviceEntry, log: Log): Device {
  const { clock, random, store, registry, overlays, journal, host, actions, targets, authorizations } = context;
  const values: PointValues = {};
  const assets = new DeviceAssets({ settings, clock, random, log, store, registry, overlays, journal });
  const taken = new TakenPoints({ settings, store, clock, log, changed: () => assets.refresh() });
  const leases = new DeviceLeases({ deviceId: settings.id, store, clock, log, taken });
  const expected = new ExpectedSerial({
    settings,
    store,
    clock,
    log,
    place: placeOf(options),
    lastReported: () => assets.known?.identity.serial ?? null,
    kind: () => assets.ids[0]?.kind ?? null,
  });
  const device: Device = new Device({
    settings,
    clock,
    log,
    store,
    leases,
    expected,
    values,
    readings: context.readings,
    corrections: context.corrections,
    assets,
    control: new DeviceControl({
      clock,
      log,
      store,
      leases,
      values,
      target: ({ action }) => targets.target(action.targetType, action.targetId),
      beforeSend: (actionId, writes) => actions.beforeSend(device, actionId, writes),
      settle: (actionId, event) => actions.settle(actionId, event),
    }),
    connect: async (signal) => {
      if (options === null) throw new DeviceError("unreachable", "it is not linked");
      return await expected.admit(await host.connect(settings.adapter, settings.id, options, signal));
    },
    lacks: (kinds) => context.lacks(settings.id, kinds),
    heardOfCredentials: (heard, isAccepted) => authorizations.heard(heard, isAccepted),
  });
  return device;
}

/** Where a device is reached, for people. */
function placeOf(options: DeviceEntry["options"]): string {
  const { host, port, serialPort, path } = options ?? {};
  const parts = [host ?? serialPort ?? path, host === undefined ? undefined : port].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? "its address" : parts.join(":");
}
