/** The README's way from nothing to a command, by its own files and real programs. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { Hemgate } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";
import { BROKERS } from "./brokers.ts";
import { type FleetFolder, openFolder, startProgram } from "./fleet-folder.ts";
import { startPostgres, stopped } from "./servers.ts";
import { until } from "./until.ts";

const LIMIT_MS = 240_000;

async function firstSteps(fleet: FleetFolder): Promise<void> {
  const service = await startProgram(fleet.folder, "main.ts");
  await fleet.gateways("add", "house-1");
  const { HTTP_PORT, API_TOKEN } = fleet.env;
  const answer = await fetch(`http://127.0.0.1:${HTTP_PORT}/enrolment-tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}` },
    body: JSON.stringify({ gateway: "house-1" }),
  });
  expect(answer.status).toBe(201);
  const { token } = (await answer.json()) as { readonly token: string };
  const [http, ...twins] = await freePorts(6);
  const state = join(fleet.folder, "house");
  const environment = {
    NODE_EXTRA_CA_CERTS: join(fleet.folder, "servers-ca.pem"),
    HEMGATE_HTTP_PORT: String(http),
  };
  {
    const words = ["start", "--sandbox", "--state", state, "--twin-ports", twins.join(",")];
    await using house = new Hemgate(words, { environment });
    await house.output(/Ctrl-C stops it/);
    await using enrolling = new Hemgate(["cloud", "enroll", "--state", state, token], { environment });
    expect(await enrolling.finished()).toMatchObject({ code: 0 });
    await until(async () => (await fleet.rows("SELECT FROM gateway")).length === 1);
    await fleet.rows(`INSERT INTO command (gateway, id, created_ms, expires_ms, version, method, path)
        SELECT 'house-1', 'first', now, now + 60000, '2024-10-01', 'GET', '/batteries'
        FROM (SELECT (extract(epoch FROM now()) * 1000)::bigint AS now) AS clock`);
    const row = await until(async () => {
      const sql = "SELECT outcome, status FROM command WHERE id = 'first' AND outcome IS NOT NULL";
      return (await fleet.rows(sql))[0];
    });
    expect(row).toEqual({ outcome: "executed", status: 200 });
    await using again = new Hemgate(["cloud", "enroll", "--state", join(fleet.folder, "other"), token], {
      environment,
    });
    const { code, err } = await again.finished();
    expect([code === 0, err]).toEqual([false, expect.stringContaining("This token was used already")]);
  }
  await stopped(service, "SIGTERM");
}

test.each(BROKERS)(
  "by the README a simulated house is enrolled at %s, and runs a command that is a row of SQL",
  async (kind) => {
    await using fleet = await openFolder(kind);
    await firstSteps(fleet);
  },
  LIMIT_MS,
);

// Who makes a role has to be the user postgres.
test.skipIf(process.getuid?.() !== 0)(
  "setup.sh makes role and database in a PostgreSQL as Debian installs it, once, and the service works with them",
  async () => {
    await using postgres = await startPostgres("debian");
    {
      await using fleet = await openFolder("mosquitto", postgres);
      await firstSteps(fleet);
    }
    await expect(openFolder("mosquitto", postgres)).rejects.toThrow("has a role receiver or a database fleet already");
  },
  LIMIT_MS,
);
