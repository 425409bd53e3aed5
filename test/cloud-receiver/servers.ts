/** PostgreSQL as Debian has it, in a folder and on a port of its own, and what starts and ends programs. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-ports.ts";

interface Server extends AsyncDisposable {
  readonly url: string;
}

export interface Cluster extends Server {
  /** Of its socket. */
  readonly folder: string;
  readonly port: number;
}

/** Who may sign in: everybody, or as in a cluster that Debian made. */
const SIGN_IN = { trust: ["-A", "trust"], debian: ["--auth-local=peer", "--auth-host=scram-sha-256"] } as const;

/** A cluster that is gone with its process; what is committed is not forced to the disk. */
export async function startPostgres(signIn: keyof typeof SIGN_IN = "trust"): Promise<Cluster> {
  const programs = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (programs === undefined) throw new Error("PostgreSQL is not installed; see test/peers/setup.sh");
  const folder = mkdtempSync(join(tmpdir(), "hemgate-postgres-"));
  const user = postgresUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const as = { cwd: folder, ...user };
  execFileSync(join(programs, "initdb"), ["-D", folder, ...SIGN_IN[signIn], "-U", "postgres", "--no-sync"], {
    ...as,
    stdio: "pipe",
  });
  const port = await freePort();
  const options = ["listen_addresses=127.0.0.1", "fsync=off", "max_connections=200"].flatMap((each) => ["-c", each]);
  const parameters = ["-D", folder, "-k", folder, "-p", String(port), ...options];
  const child = spawn(join(programs, "postgres"), parameters, { ...as, stdio: ["ignore", "ignore", "pipe"] });
  await said(child, "database system is ready to accept connections");
  return {
    folder,
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      await stopped(child, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill(signal);
  await gone;
}

/** Resolves when a program says something; rejects with all it said when it ends first. */
export async function said(child: ChildProcess, text: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    let all = "";
    const hear = (part: unknown): void => {
      all += String(part);
      if (all.includes(text)) resolve(all);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a program ended with ${code}: ${all}`)));
  });
}

/** PostgreSQL refuses to run as root. Null: it runs as who we are. */
function postgresUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const number = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: number("-u"), gid: number("-g") };
}
