import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A stranger's program that listens; it printed its port. */
export interface Peer extends Disposable {
  readonly port: number;
}

/** Compiles a C program of this folder against libmodbus and answers where it is. Throws what the compiler says. */
export function compile(source: string): string {
  const program = join(mkdtempSync(join(tmpdir(), "hemgate-peer-")), "peer");
  execFileSync("gcc", ["-O2", "-Wall", "-I/usr/include/modbus", "-o", program, source, "-lmodbus"], { stdio: "pipe" });
  return program;
}

/** Starts a program and waits for the port that it prints. Rejects with what it said when it ends first. */
export async function startPeer(program: string, parameters: readonly string[] = []): Promise<Peer> {
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  const port = await printedPort(child);
  return { port, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

async function printedPort(child: ChildProcess): Promise<number> {
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the peer ended with ${code}: ${said}`)));
    child.stdout?.once("data", (text) => resolve(Number(String(text).trim())));
  });
}
