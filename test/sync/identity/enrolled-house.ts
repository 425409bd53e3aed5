/** A store on a disk that power may leave, an identity in it, and the service that gives it. */

import { openStore } from "../../../src/store/open-store.ts";
import type { OpenedStore } from "../../../src/store/store.ts";
import { EnrolmentService } from "../../../src/sync/identity/enrolment-service.ts";
import { Identities } from "../../../src/sync/identity/identities.ts";
import { IdentityMaintenance } from "../../../src/sync/identity/identity-maintenance.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { type SimProcess, World } from "../../../src/testing/world.ts";
import { EnrolmentTwin, type EnrolmentTwinOptions } from "../../twins/cloud/enrolment-twin.ts";

const ADDRESS = "93.184.216.34";
const HOST = "cloud.example";
export const DAY = 86_400_000;

export interface Running {
  readonly process: SimProcess;
  readonly store: OpenedStore;
  readonly identities: Identities;
}

export class EnrolledHouse {
  readonly world = new World({ seed: 5, quality: "synced" });
  readonly disk = new MemoryDisk();
  readonly twin: EnrolmentTwin;

  constructor(options: Partial<EnrolmentTwinOptions> = {}) {
    const { clock, random } = this.world;
    this.twin = new EnrolmentTwin({ clock, random: random.fork("twin"), url: `https://${HOST}/hemgate/`, ...options });
    this.isOnline = true;
  }

  set isOnline(isOnline: boolean) {
    const { web } = this.world;
    if (isOnline) web.serve(HOST, ADDRESS, (request) => this.twin.answer(request));
    else web.close(ADDRESS, 443);
  }

  async open(secretKeys: readonly Uint8Array[] = []): Promise<Running> {
    const process = this.world.boot("gateway", this.disk);
    const { platform } = process;
    const store = await this.drive(openStore({ ...platform, secretKeys }));
    const service = new EnrolmentService({ ...platform, software: "hemgate/test" });
    const identities = new Identities({ ...platform, store, service });
    return { process, store, identities };
  }

  /** The care of an identity, until the test is over. */
  maintenance({ process, identities }: Running): IdentityMaintenance {
    const { platform } = process;
    const service = new EnrolmentService({ ...platform, software: "hemgate/test" });
    return new IdentityMaintenance({ ...platform, identities, service, isInUse: true });
  }

  drive<T>(work: PromiseLike<T>): Promise<T> {
    return this.world.clock.resolve(Promise.resolve(work), 10 * 60_000);
  }

  enroll({ identities }: Running, token = this.twin.issueToken()) {
    return this.drive(identities.enroll(token, new AbortController().signal));
  }
}
