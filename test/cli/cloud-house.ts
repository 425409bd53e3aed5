/** `hemgate start` in a process of its own, in a house whose cloud service is a server on this machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudLinkView } from "../../src/domain/cloud/cloud-link-view.ts";
import { CONFIGURED_EVENT, type Configured } from "../../src/sync/protocol/downlink.ts";
import type { Hello } from "../../src/sync/protocol/handshake.ts";
import { freePort } from "../free-ports.ts";
import { RealCloud } from "../gateway/real-cloud.ts";
import { Authority } from "../platform/authority.ts";
import { type Finished, Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";

const GATEWAY = "gw-1";

/** How the gateway gets there. */
type Way = "https" | "mqtt";

export class CloudHouse implements AsyncDisposable {
  readonly cloud = new RealCloud();
  readonly fleet = new Authority("Fleet");
  readonly folder = temporaryFolder();
  readonly configFile = join(this.folder.path, "gateway.yaml");
  readonly certFile = join(this.folder.path, "cloud.crt");
  readonly keyFile = join(this.folder.path, "cloud.key");
  readonly caFile = join(this.folder.path, "cloud-ca.pem");
  readonly stateFolder = join(this.folder.path, "state");
  /** Of the process, such as authorities that it trusts beyond the public ones. */
  environment: Readonly<Record<string, string>> = {};
  /** False: nothing that the gateway says is answered. */
  isAnswering = true;
  readonly hellos: Hello[] = [];
  /** Of the API, over all starts. */
  readonly port: number;
  readonly #waiting: (() => void)[] = [];
  #gateway: Hemgate | null = null;

  private constructor(port: number) {
    this.port = port;
    const { twin } = this.cloud;
    const hear = twin.hear.bind(twin);
    twin.hear = (gateway, message) => {
      if (message.kind === "hello") this.hellos.push(message);
      const answer = this.isAnswering ? hear(gateway, message) : null;
      for (const wake of this.#waiting.splice(0)) wake();
      return answer;
    };
    mkdirSync(this.stateFolder);
    this.configure("");
  }

  static async build(): Promise<CloudHouse> {
    return new CloudHouse(await freePort());
  }

  /** Has the configuration provision the gateway by files, with these ways. */
  async provision(ways: readonly Way[]): Promise<void> {
    const { pem, keyPem } = this.fleet.issue(GATEWAY);
    writeFileSync(this.certFile, pem);
    writeFileSync(this.keyFile, keyPem);
    writeFileSync(this.caFile, this.cloud.authority.pem);
    const { https, mqtt } = await this.cloud.listen(this.fleet.pem);
    const uplinks = {
      https: `{ kind: https, url: "https://localhost:${https}/sync/", caFile: ${this.caFile} }`,
      mqtt: `{ kind: mqtt, servers: ["mqtts://localhost:${mqtt}"], caFile: ${this.caFile} }`,
    };
    this.configure(`cloud:
  gateway: ${GATEWAY}
  uplinks: [${ways.map((way) => uplinks[way]).join(", ")}]
  credentials: { certFile: ${this.certFile}, keyFile: ${this.keyFile} }
`);
  }

  /** Writes the configuration file: a house without devices, and what is said of its cloud service. */
  configure(cloud: string): void {
    const house = `site: { name: House }
http: { host: 127.0.0.1, port: ${this.port} }
remote: { sections: [site, devices], trialMinutes: 1 }
devices: []
`;
    writeFileSync(this.configFile, house + cloud);
  }

  /** Resolves when the API answers. */
  async start(): Promise<Hemgate> {
    const words = ["start", "--config", this.configFile, "--state", this.stateFolder, "--json"];
    this.#gateway = new Hemgate(words, { environment: this.environment });
    await this.#gateway.output(/"address"/);
    return this.#gateway;
  }

  /** Ends the process, and says how it ended. */
  async end(signal: NodeJS.Signals): Promise<Finished> {
    if (this.#gateway === null) throw new Error("no gateway runs");
    this.#gateway.send(signal);
    return await this.#gateway.finished();
  }

  /** `hemgate cloud …` on the house's state folder. */
  command(...words: readonly string[]): Promise<Finished> {
    return hemgate(["cloud", ...words, "--state", this.stateFolder], { environment: this.environment });
  }

  async view(): Promise<CloudLinkView> {
    return JSON.parse((await this.command("status", "--json")).out);
  }

  /** The cloud service sends a document. */
  async send(revision: number, configuration: Readonly<Record<string, unknown>>): Promise<void> {
    await this.cloud.tell({ v: 1, kind: "configuration", revision, settings: {}, configuration });
  }

  /** What the gateway told of documents. */
  get outcomes(): readonly Configured[] {
    const { effects } = this.cloud.twin.memory(GATEWAY);
    return effects.filter(({ event }) => event === CONFIGURED_EVENT).map(({ payload }) => payload as Configured);
  }

  /** Has the cloud service leave a document without an answer, and resolves when the gateway is on trial with it. */
  async try(revision: number, configuration: Readonly<Record<string, unknown>>): Promise<void> {
    this.isAnswering = false;
    await this.send(revision, configuration);
    await this.until(() => {
      const { isOnTrial, revision: tried } = this.hellos.at(-1)?.configuration ?? {};
      return isOnTrial === true && tried === revision;
    });
  }

  /** Resolves once the cloud service heard what makes it hold. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((wake) => this.#waiting.push(wake));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway?.[Symbol.asyncDispose]();
    this.cloud[Symbol.dispose]();
    this.folder[Symbol.dispose]();
  }
}
