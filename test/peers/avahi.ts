/** Debian's avahi, started for a test with a bus of its own, and ended by its process ids. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BUS_CONFIG = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=SOCKET</listen>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/><allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/><allow receive_type="signal"/>
    <allow receive_type="method_return"/><allow receive_type="error"/>
  </policy>
</busconfig>`;

export interface Avahi extends AsyncDisposable {
  /** Publishes a service until it is disposed. */
  publish(name: string, type: string, port: number, txt: readonly string[]): Disposable;
  /** What avahi-browse resolves of a type now. */
  browse(type: string): readonly string[];
  hostName(): string;
  /** The address of a name, such as `hemgate.local`; null: nobody answers. */
  addressOf(name: string): string | null;
  /** Answers a name with an address until it is disposed. */
  publishAddress(name: string, address: string): Disposable;
}

export async function startAvahi(): Promise<Avahi> {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-avahi-"));
  const socket = join(folder, "bus");
  const busConfig = join(folder, "bus.conf");
  writeFileSync(busConfig, BUS_CONFIG.replace("SOCKET", socket));
  const environment = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
  const children: ChildProcess[] = [];
  const start = (program: string, parameters: readonly string[]): ChildProcess => {
    const child = spawn(program, parameters, { stdio: "ignore", env: environment });
    children.push(child);
    return child;
  };
  start("dbus-daemon", [`--config-file=${busConfig}`, "--nofork", "--nopidfile"]);
  await until(
    () =>
      attempt(() =>
        run("dbus-send", [
          "--system",
          "--print-reply",
          "--dest=org.freedesktop.DBus",
          "/",
          "org.freedesktop.DBus.ListNames",
        ]),
      ) !== null,
  );
  const daemonConfig = join(folder, "avahi.conf");
  writeFileSync(daemonConfig, "[server]\nhost-name=peer-host\nuse-ipv6=no\n[rlimits]\n");
  start("avahi-daemon", ["--no-drop-root", "--no-chroot", "--no-rlimits", "-f", daemonConfig]);
  const name = (): string | null => attempt(() => run("avahi-resolve", ["-4", "-n", "peer-host.local"]));
  await until(() => name() !== null);
  function run(program: string, parameters: readonly string[]): string {
    return execFileSync(program, parameters, {
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 8_000,
    }).toString();
  }
  return {
    publish(service, type, port, txt) {
      const child = start("avahi-publish", ["-s", service, type, String(port), ...txt]);
      return { [Symbol.dispose]: () => void child.kill("SIGTERM") };
    },
    browse: (type) =>
      (attempt(() => run("avahi-browse", ["-rtp", type])) ?? "").split("\n").filter((line) => line.startsWith("=")),
    hostName: () => name() ?? "",
    addressOf: (host) =>
      attempt(() => run("avahi-resolve", ["-4", "-n", host]))
        ?.trim()
        .split("\t")[1] ?? null,
    publishAddress(host, address) {
      const child = start("avahi-publish", ["-a", "-R", host, address]);
      return { [Symbol.dispose]: () => void child.kill("SIGTERM") };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children.toReversed()) child.kill("SIGKILL");
    },
  };
}

/** Looks again and again, for as long as a slow machine may take. */
export async function until(holds: () => boolean): Promise<void> {
  for (let attempts = 0; attempts < 250; attempts++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("it did not come about within 50 s");
}

function attempt(work: () => string): string | null {
  try {
    const text = work();
    return text === "" ? null : text;
  } catch {
    return null;
  }
}
