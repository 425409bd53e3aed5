import type { AssetKind } from "../../domain/assets/asset.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { DeviceError } from "../../points/device-error.ts";
import type { Store } from "../../store/store.ts";
import type { ActionService, ActionTargets } from "../actions/actions.ts";
import { DeviceCommands } from "../actions/device-commands.ts";
import type { AdapterHost } from "../adapters/adapter-host.ts";
import type { AssetJournal } from "../assets/asset-journal.ts";
import type { AssetOverlays } from "../assets/asset-overlays.ts";
import { DeviceAssets } from "../assets/device-assets.ts";
import type { AssetRegistry } from "../assets/registry.ts";
import { ControlConflicts } from "../checks/control-conflicts.ts";
import type { Corrections } from "../checks/corrections.ts";
import { Device } from "../devices/device.ts";
import { ExpectedSerial } from "../devices/expected-serial.ts";
import type { ReadingTally } from "../devices/reading-tally.ts";
import type { AuthorizationService } from "../users/authorization-service.ts";
import type { DeviceEntry } from "./device-entry.ts";

/** The parts of the engine that all devices share. */
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

/** Creates a device and shows its assets. The caller runs its loop. */
export function createDevice(context: DeviceContext, { settings, options }: DeviceEntry, log: Log): Device {
  const { clock, random, store, registry, overlays, journal, host, actions, targets, authorizations } = context;
  const values: PointValues = {};
  const assets = new DeviceAssets({ settings, clock, random, log, store, registry, overlays, journal });
  const conflicts = new ControlConflicts({ settings, store, clock, log, changed: () => assets.refresh() });
  const expected = new ExpectedSerial({
    settings,
    store,
    clock,
    log,
    place: placeOf(options),
    lastReported: () => assets.known?.identity.serial ?? null,
    kind: () => assets.ids[0]?.kind ?? null,
  });
  return new Device({
    settings,
    clock,
    log,
    store,
    expected,
    values,
    readings: context.readings,
    corrections: context.corrections,
    assets,
    commands: new DeviceCommands({ deviceId: settings.id, clock, log, store, values, conflicts, actions, targets }),
    connect: async (signal) => {
      if (options === null) throw new DeviceError("unreachable", "the device is not linked");
      return await expected.admit(await host.connect(settings.adapter, settings.id, options, signal));
    },
    lacks: (kinds) => context.lacks(settings.id, kinds),
    reportCredentials: (reporting, isAccepted) => authorizations.report(reporting, isAccepted),
  });
}

/** Returns the address of a device for error texts. */
function placeOf(options: DeviceEntry["options"]): string {
  const { host, port, serialPort, path } = options ?? {};
  const parts = [host ?? serialPort ?? path, host === undefined ? undefined : port].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? "its address" : parts.join(":");
}
